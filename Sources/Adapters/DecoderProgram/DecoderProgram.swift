// SPDX-License-Identifier: MIT

package import ImageWork
import Processes
package import Sandbox

/// What the programs that decode have in common: they start others like themselves, enter the sandbox,
/// and do the jobs that arrive on the socket, one at a time.
package enum DecoderProgram {
    /// Runs until the other end closes the socket.
    ///
    /// - Parameters:
    ///   - name: The name of the program.
    ///   - prepare: Loads what the sandbox would forbid; called once for all processes.
    ///   - prepareWorker: Does the same in each process, for what needs threads: a new process has none
    ///     of those that were started before it.
    /// - Returns: The exit status.
    package static func run(
        _ name: String, _ limits: Sandbox.Limits, _ performer: some JobPerformer,
        prepare: () -> Void, prepareWorker: () -> Void = {}
    ) -> Int32 {
        guard WorkerSocket.isPresent else {
            StandardError.print(
                "\(name): this program decodes files for the photo portal, which starts it. It does "
                    + "nothing when it is started by hand; see photo-portal(8).")
            return 2
        }
        prepare()
        do {
            try WorkerSocket.send(DecoderProtocol.greeting)
            guard try WorkerSocket.becomeWorker() else { return 0 }
            prepareWorker()
            try Sandbox.enter(limits)
            // The libraries print messages about the files, with which anybody could fill the journal.
            StandardError.discard()
            try WorkerSocket.send(DecoderProtocol.greeting)
            try serve(performer)
            return 0
        } catch let failure as Sandbox.Failure {
            StandardError.print("\(name): no sandbox: \(failure)")
            return 1
        } catch {
            // The socket broke, so there is nobody to report to.
            return 1
        }
    }

    private static func serve(_ performer: some JobPerformer) throws {
        while let packet = try WorkerSocket.receive(capacity: DecoderProtocol.packetSize),
            let (number, job) = DecoderProtocol.split(packet.bytes)
        {
            let (bytes, descriptors) = DecoderProtocol.answer(
                job, on: packet.descriptors.first, by: performer)
            try WorkerSocket.send(
                DecoderProtocol.numbered(bytes, number), descriptors: descriptors)
        }
    }
}
