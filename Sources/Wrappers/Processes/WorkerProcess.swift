// SPDX-License-Identifier: MIT

internal import CProcesses
package import Files
import Glibc
package import SystemPackage

/// A child process that communicates with us over one packet socket and nothing else.
///
/// The child gets the socket as descriptor 3, `/dev/null` as input and output, our standard
/// error, nothing of our environment, and an empty signal mask. It must end when the socket is closed.
///
/// It has one owner, and is used by one thread at a time.
package struct WorkerProcess: ~Copyable, Sendable {
    /// A packet as it was received.
    package struct Packet {
        package let bytes: [UInt8]
        package let descriptors: [Descriptor]
    }

    /// How a wait for a packet ended.
    package enum Reception {
        case packet(Packet)
        /// The child ended and so closed its end of the socket.
        case ended
        /// No packet arrived in time.
        case timedOut
    }

    /// The process id, which is not reused before ``end()``.
    package let processID: Int32
    private let socket: Descriptor

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - arguments: The arguments after the name of the program.
    ///   - environment: Its whole environment, as `NAME=value`.
    /// - Throws: `Errno` of socketpair(2) or posix_spawn(3).
    package init(
        path: FilePath, arguments: [String] = [], environment: [String] = []
    ) throws(Errno) {
        let (ours, theirs) = try Self.makeSocketPair()
        var child: pid_t = 0
        let words = [path.lastComponent?.string ?? "worker"] + arguments
        let error = path.withPlatformString { program in
            withCStrings(words) { argv in
                withCStrings(environment) { envp in
                    pp_spawn_worker(&child, program, argv, envp, theirs.rawValue)
                }
            }
        }
        guard error == 0 else { throw Errno(rawValue: error) }
        self.init(child, ours)
    }

    /// Adopts a child that holds the other end of a socket.
    init(_ processID: Int32, _ socket: Descriptor) {
        self.processID = processID
        self.socket = socket
    }

    static func makeSocketPair() throws(Errno) -> (ours: Descriptor, theirs: Descriptor) {
        var ends: [CInt] = [-1, -1]
        guard pp_socket_pair(&ends) == 0 else { throw Errno(rawValue: errno) }
        return (
            Descriptor(owning: FileDescriptor(rawValue: ends[0])),
            Descriptor(owning: FileDescriptor(rawValue: ends[1]))
        )
    }

    /// Sends one packet.
    ///
    /// - Throws: `Errno`, `.brokenPipe` if the child has ended.
    package func send(_ bytes: [UInt8], descriptors: [Descriptor] = []) throws(Errno) {
        let sent = withExtendedLifetime(descriptors) {
            pp_send_message(
                socket.rawValue, bytes, bytes.count, descriptors.map(\.rawValue), descriptors.count)
        }
        guard sent == bytes.count else { throw Errno(rawValue: errno) }
    }

    /// Waits for one packet.
    ///
    /// - Parameters:
    ///   - capacity: The largest packet that is accepted, in bytes.
    ///   - timeout: How long to wait.
    /// - Throws: `Errno` — `.messageTooLong` if the packet is larger.
    package func receive(capacity: Int, timeout: Duration) throws(Errno) -> Reception {
        do throws(Errno) {
            try socket.waitUntilReadable(until: .now + timeout)
        } catch .timedOut {
            return .timedOut
        }
        guard let packet = try WorkerSocket.receive(on: socket.rawValue, capacity: capacity) else {
            return .ended
        }
        return .packet(packet)
    }

    /// The processor time that the child has used; zero if it is unknown.
    ///
    /// - Source: clock_getcpuclockid(3).
    package var processorTime: Duration {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(processID, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            return .zero
        }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// How long its threads were ready to run while others ran; zero if that is unknown.
    ///
    /// Less than before if a thread has ended since.
    ///
    /// - Source: proc_pid_schedstat(5).
    package var processorWait: Duration {
        let threads = FilePath("/proc/\(processID)/task")
        // The process may have ended.
        guard let folder = try? Descriptor.openFolder(threads),
            let names = try? Directory.names(in: folder)
        else { return .zero }
        return names.reduce(.zero) { $0 + Self.processorWait(ofThread: threads.appending($1)) }
    }

    private static func processorWait(ofThread folder: FilePath) -> Duration {
        // The thread may have ended.
        guard let file = try? Descriptor.openForReading(folder.appending("schedstat")),
            let bytes = try? file.read(upTo: 100)
        else { return .zero }
        let words = bytes.split(separator: UInt8(ascii: " "))
        let nanoseconds = words.dropFirst().first.flatMap {
            Int64(String(decoding: $0, as: UTF8.self))
        }
        return .nanoseconds(nanoseconds ?? 0)
    }

    /// Kills the child and waits for it, unless the child is stuck waiting for a disk.
    ///
    /// - Parameter whenGone: Called once the child has ended, however late.
    /// - Returns: Whether it had already ended by itself and without an error.
    @discardableResult
    package consuming func end(whenGone: @escaping @Sendable () -> Void = {}) -> Bool {
        ChildProcesses.kill(processID, whenGone: whenGone)
    }

    /// Tells the child that nothing comes any more, and kills it if it does not end in time.
    ///
    /// - Parameter patience: How long the child may take.
    package consuming func end(within patience: Duration) {
        shutdown(socket.rawValue, CInt(SHUT_WR))
        let deadline = ContinuousClock.now + patience
        while true {
            let left = deadline - .now
            // What it still says is not read: an error, too, leaves nothing to wait for.
            guard left > .zero, case .packet = try? receive(capacity: 1 << 16, timeout: left) else {
                break
            }
        }
        end()
    }

    /// Kills the child; another thread waits for it.
    package consuming func endElsewhere() {
        let child = processID
        DedicatedThread.start(named: "reaper") { ChildProcesses.kill(child) }
    }
}

/// The child's end: descriptor 3 of a process that was started as a ``WorkerProcess``.
package enum WorkerSocket {
    static let number: CInt = 3

    /// Has the kernel kill this process with the thread that has started it.
    ///
    /// For work that waits for something else than the socket, whose end it would not notice. A parent that
    /// is gone already has closed its end of the socket.
    ///
    /// - Throws: `Errno` of prctl(2).
    package static func endWithParent() throws(Errno) {
        guard pp_end_with_parent() == 0 else { throw Errno(rawValue: errno) }
    }

    /// Waits for the next packet; nil when the parent has closed its end.
    package static func receive(capacity: Int) throws(Errno) -> WorkerProcess.Packet? {
        try receive(on: number, capacity: capacity)
    }

    /// Sends one packet to the parent.
    package static func send(_ bytes: [UInt8], descriptors: [Descriptor] = []) throws(Errno) {
        let sent = withExtendedLifetime(descriptors) {
            pp_send_message(
                number, bytes, bytes.count, descriptors.map(\.rawValue), descriptors.count)
        }
        guard sent == bytes.count else { throw Errno(rawValue: errno) }
    }

    static func receive(
        on socket: CInt, capacity: Int
    ) throws(Errno) -> WorkerProcess.Packet? {
        var numbers = [CInt](repeating: -1, count: Int(PP_MAX_DESCRIPTORS))
        var count = 0
        var received = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            guard let start = buffer.baseAddress else { return }
            received = pp_receive_message(socket, start, buffer.count, &numbers, &count)
            initialized = max(received, 0)
        }
        guard received >= 0 else {
            let error = Errno(rawValue: errno)
            // A peer that dies with unread packets resets the connection, which also counts as its end.
            if error == .connectionReset { return nil }
            throw error
        }
        // Even an empty packet may contain some, which are closed with this list.
        let descriptors = numbers.prefix(count).map {
            Descriptor(owning: FileDescriptor(rawValue: $0))
        }
        guard received > 0 else { return nil }
        return WorkerProcess.Packet(bytes: bytes, descriptors: descriptors)
    }
}
