// SPDX-License-Identifier: MIT

internal import CSandbox
import Glibc
import Pixels
import Processes

/// Decodes pictures that nobody trusts, in a process that can do nothing else.
@main
enum Main {
    /// Enough for the largest picture that is decoded whole, too little to disturb the system.
    private static let memory = 512 << 20
    /// The codecs' libraries, and what threads reserve without using it, come on top.
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

    /// What libraries print is about the files: anybody could fill the journal with it.
    private static func discardMessages() {
        close(STDERR_FILENO)
        // The lowest free number, and output goes nowhere.
        dup(STDOUT_FILENO)
    }
}
