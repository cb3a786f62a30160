// SPDX-License-Identifier: MIT

internal import CProcesses
import Files
import Glibc
package import SystemPackage

/// A child process that has loaded its program and starts workers by forking itself.
///
/// A worker starts in a fraction of the time that a new program takes, and shares memory with the
/// others. The template reads only our requests, so no file has influenced a worker that starts.
package struct WorkerTemplate: ~Copyable, Sendable {
    private let process: WorkerProcess

    /// Adopts a process that calls ``WorkerSocket/becomeWorker()``.
    package init(_ process: consuming WorkerProcess) {
        self.process = process
    }

    /// Starts a worker, which is a child of this process and not of the template.
    ///
    /// - Throws: `Errno`, `.timedOut` or `.brokenPipe` if there is no worker. End the template then:
    ///   a worker that comes too late is ended, but until it comes, or the template ends, a thread
    ///   waits for it.
    package func startWorker(within timeout: Duration) throws(Errno) -> WorkerProcess {
        let socket = try requestWorker()
        do throws(Errno) {
            try socket.waitUntilReadable(until: .now + timeout)
        } catch {
            DedicatedThread.start(named: "reaper") {
                if let late = Self.worker(on: socket) { ChildProcesses.kill(late) }
            }
            throw error
        }
        let worker = Self.worker(on: socket)
        // An error of the socket means that the template has ended.
        let report = (try? process.receive(capacity: 4, timeout: timeout)) ?? .ended
        switch (worker, report) {
        case (let worker?, .ended): return WorkerProcess(worker, socket)
        case (let worker?, .packet(let packet)) where Self.processID(packet) == worker:
            return WorkerProcess(worker, socket)
        case (let worker?, _):
            // A report that comes later would be taken for that of another worker.
            ChildProcesses.kill(worker)
            if case .timedOut = report { throw .timedOut }
        case (nil, .packet(let packet)):
            // The worker was killed before it could report, and waits for its parent.
            if let lost = Self.processID(packet) { ChildProcesses.kill(lost) }
        case (nil, _): break
        }
        throw .brokenPipe
    }

    /// - Returns: Our end of the worker's socket; the other end is the template's alone.
    private func requestWorker() throws(Errno) -> Descriptor {
        let (ours, theirs) = try WorkerProcess.makeSocketPair()
        try process.send([0], descriptors: [theirs])
        return ours
    }

    /// Waits for a worker to report its process id; nil if no worker comes.
    private static func worker(on socket: Descriptor) -> Int32? {
        // An error of the socket means that the worker has ended.
        let packet = try? WorkerSocket.receive(on: socket.rawValue, capacity: 4)
        return packet.flatMap(processID)
    }

    private static func processID(_ report: WorkerProcess.Packet) -> Int32? {
        guard report.bytes.count == 4 else { return nil }
        let number = Int32(
            bitPattern: report.bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        return number > 0 ? number : nil
    }

    /// Ends the template; the workers that it started go on.
    package consuming func end() {
        process.end()
    }
}

extension WorkerSocket {
    /// Whether descriptor 3 is such a socket.
    ///
    /// It is not in a program that a person starts.
    package static var isPresent: Bool { pp_is_packet_socket(number) != 0 }

    /// Starts workers on request; returns in each of them, with its own socket.
    ///
    /// - Returns: False in the template, when its parent has closed the socket.
    /// - Throws: `Errno` if the socket breaks.
    package static func becomeWorker() throws(Errno) -> Bool {
        while let request = try receive(capacity: 1) {
            guard let socket = request.descriptors.first else { continue }
            let child = pp_fork_worker(socket.rawValue, number)
            // Both report the worker, each on its own socket: if only one did and were killed before
            // that, nobody would wait for the worker.
            try report(child == 0 ? getpid() : child)
            if child == 0 { return true }
        }
        return false
    }

    private static func report(_ processID: Int32) throws(Errno) {
        try send((0..<4).map { UInt8(truncatingIfNeeded: processID >> ($0 * 8)) })
    }
}
