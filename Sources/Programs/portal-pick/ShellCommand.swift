// SPDX-License-Identifier: MIT

import ArgumentParser
import ImageWork
import Processes

/// A command whose work waits for others.
protocol ShellCommand: ParsableCommand {
    func run() async throws
}

/// What the commands share that work on files without the service.
enum ShellDecoders {
    /// The exit status when something could not be made.
    static let failure: Int32 = 2

    static func make() -> DecoderPool {
        DecoderPool(program: ProgramFolder.helper("photo-portal-decoder"), workers: 1)
    }

    static func fail(_ message: String) {
        StandardError.print("portal-pick: \(message)")
    }
}

/// Why nothing was made of a file, for a person.
struct ShellFailure: Error {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    init(_ error: DecodeError) {
        text =
            switch error {
            case .damaged: "it is damaged"
            case .tooLarge: "it is too large, or cannot be made small enough"
            case .unsupported: "it is not a picture that can be read"
            case .unreadable: "it cannot be read"
            case .crashed, .garbage: "the decoder failed"
            case .timedOut: "it takes too long"
            case .cancelled: "it was cancelled"
            case .unavailable:
                "the result is not there: no decoder can be started, or no file written"
            }
    }
}
