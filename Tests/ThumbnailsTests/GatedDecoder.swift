// SPDX-License-Identifier: MIT

import Files
import Glibc
import ImageWork
import SystemPackage
import TestSupport
import Testing

/// A pool with a single real decoder, which starts its work only when the test allows it.
struct GatedDecoder {
    let pool: DecoderPool
    private let folder: FilePath

    init(in home: TestHome) throws {
        folder = home.scratch
        let program = folder.appending("decoder")
        try home.write(
            Array(
                """
                #!/bin/sh
                touch '\(folder)/started'
                until [ -e '\(folder)/gate' ]; do sleep 0.01; done
                exec '\(Programs.path("photo-portal-decoder"))'
                """.utf8), to: program)
        try #require(program.withPlatformString { chmod($0, 0o700) } == 0)
        pool = DecoderPool(program: program, workers: 1, timeout: .seconds(60), idleTime: 1)
    }

    /// Whether the decoder has received a job.
    var hasStarted: Bool { (try? folder.appending("started").stat()) != nil }

    /// Lets the decoder start.
    func open() throws {
        try [].withUnsafeBytes { try AtomicFile.write($0, to: folder.appending("gate")) }
    }
}
