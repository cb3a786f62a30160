// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import ImageWork
import Photos
import Processes
import SDBus
import Synchronization

/// A command that works asynchronously.
protocol ShellCommand: ParsableCommand, Sendable {
    func run() async throws
}

extension ShellCommand {
    /// Runs a command that a signal ends.
    ///
    /// The file in progress is finished or given up, and no other one begins. A second signal ends
    /// the program at once.
    ///
    /// - Throws: `ExitCode` with 128 and the number of the signal, as shells report it.
    func runUntilSignal() async throws {
        let work = Task { try await run() }
        let signal = Mutex<Int32?>(nil)
        let signals = await TerminationSignals.receive()
        let interruption = Task {
            for await number in signals {
                if signal.withLock({ $0 }) != nil { Glibc.exit(128 + number) }
                signal.withLock { $0 = number }
                work.cancel()
            }
        }
        let result = await work.result
        interruption.cancel()
        if let number = signal.withLock({ $0 }) { throw ExitCode(128 + number) }
        try result.get()
    }
}

/// The behaviour that commands which work without the service share.
enum ShellDecoders {
    /// The exit status if at least one file failed.
    static let failure: Int32 = 2

    static func make() -> DecoderPool {
        DecoderPool(
            program: ProgramFolder.helper("photo-portal-decoder"),
            heif: ProgramFolder.helper("photo-portal-heif"),
            rare: ProgramFolder.helper("photo-portal-rare"),
            videos: ProgramFolder.helper("photo-portal-video"), workers: 1)
    }

    static func fail(_ message: String) {
        StandardError.print("portal-pick: \(message.printable)")
    }
}

/// Why a file failed, in words for a person.
struct ShellFailure: Error {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    init(_ error: DecodeError) {
        text =
            switch error {
            case .damaged: "it is damaged"
            case .tooLarge: "it is too large, or the result cannot be made small enough"
            case .unsupported: "it is not a picture in a supported format"
            case .needsLibheif, .needsLibRaw:
                "the installed libraries cannot decode it; "
                    + "\(error.neededVersion ?? "newer ones") or later may"
            case .unreadable: "it cannot be read"
            case .locationStays: "the location cannot be removed from it"
            case .crashed, .garbage: "the decoder failed"
            case .miswritten: "what was made of it was wrong, so it was not written"
            case .timedOut: "decoding takes too long"
            case .stalled: "its disk does not answer, or the machine is too busy"
            case .cancelled: "it was cancelled"
            case .unavailable:
                "the decoder cannot be started, or the result cannot be written"
            }
    }
}
