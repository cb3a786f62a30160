// SPDX-License-Identifier: MIT

internal import CProcesses
import Files
import Glibc
package import SystemPackage

/// A child process that has loaded its program and starts workers by forking itself.
///
/// A worker is ready in a fraction of the time that a new program takes, and shares memory with the
/// others. The template reads nothing but our requests, so each worker begins untouched by files.
package struct WorkerTemplate: ~Copyable, Sendable {
    private let process: WorkerProcess

    /// Takes a process that calls ``WorkerSocket/becomeWorker()``.
    package init(_ process: consuming WorkerProcess) {
        self.process = process
    }

    /// Starts a worker, which is a child of this process and not of the template.
    ///
    /// - Throws: `Errno`, `.timedOut` or `.brokenPipe` if the template does not reply.
    package func startWorker(within timeout: Duration) throws(Errno) -> WorkerProcess {
        let (ours, theirs) = try WorkerProcess.makeSocketPair()
        try process.send([0], descriptors: [theirs])
        switch try process.receive(capacity: 4, timeout: timeout) {
        case .packet(let packet):
            let bits = packet.bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let child = Int32(bitPattern: bits)
            guard packet.bytes.count == 4, child > 0 else { throw .resourceTemporarilyUnavailable }
            return WorkerProcess(child, ours)
        case .ended: throw .brokenPipe
        case .timedOut: throw .timedOut
        }
    }

    /// Ends the template; the workers that it started go on.
    package consuming func end() {
        process.end()
    }
}

extension WorkerSocket {
    /// Whether descriptor 3 is such a socket, as it is not in a program that a person starts.
    package static var isPresent: Bool { pp_is_packet_socket(number) != 0 }

    /// Starts workers on request; returns in each of them, with its own socket.
    ///
    /// - Returns: False in the template, when its parent has closed the socket.
    /// - Throws: `Errno` if the socket breaks.
    package static func becomeWorker() throws(Errno) -> Bool {
        while let request = try receive(capacity: 1) {
            guard let socket = request.descriptors.first else { continue }
            let child = pp_fork_worker(socket.rawValue, number)
            if child == 0 { return true }
            try send((0..<4).map { UInt8(truncatingIfNeeded: child >> ($0 * 8)) })
        }
        return false
    }
}
