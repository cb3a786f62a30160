// SPDX-License-Identifier: MIT

internal import CSandbox
import Glibc
import Pixels
import Processes

/// Decodes untrusted pictures in a process that can do nothing else.
@main
enum Main {
    /// Enough for the largest picture that is decoded as a whole, but too little to harm the
    /// system.
    private static let memory = 512 << 20
    /// More than that, because it includes the codecs' libraries and memory that threads only
    /// reserve.
    private static let addressSpace = 1024 << 20
    private static let openFiles = 16

    static func main() {
        PictureFormats.prepare()
        var limits = pp_sandbox_limits(
            address_space: addressSpace, data: memory, file_size: memory, open_files: openFiles)
        if let problem = pp_sandbox_enter(&limits) {
            StandardError.print("photo-portal-decoder: no sandbox: \(String(cString: problem))")
            exit(1)
        }
        discardMessages()
        do {
            try Decoder().run()
        } catch {
            exit(1)
        }
    }

    /// The libraries print messages about the files, with which anybody could fill the journal.
    private static func discardMessages() {
        close(STDERR_FILENO)
        // Opens the lowest free number, so that output is discarded.
        dup(STDOUT_FILENO)
    }
}
