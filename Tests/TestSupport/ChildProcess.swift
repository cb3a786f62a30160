// SPDX-License-Identifier: MIT

import Dispatch
import Files
import Glibc
import Processes
import Synchronization
package import SystemPackage

/// A program that a test runs.
///
/// It ends with the test, and with the test process if that dies.
package final class ChildProcess: Sendable {
    package let processID: Int32
    /// The file that receives its standard output.
    package let output: FilePath
    /// The file that receives its standard error.
    package let errors: FilePath
    private let status = Mutex<Int32?>(nil)

    /// Starts a program with no signal blocked or ignored.
    ///
    /// - Parameters:
    ///   - program: A path, or a name that is looked up in `PATH`.
    ///   - environment: Its complete environment.
    ///   - input: The file it reads as standard input; nil for an empty one.
    ///   - deathSignal: The signal it gets when the test process ends: KILL, unless it has to
    ///     clean up.
    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String],
        scratch: FilePath, input: FilePath? = nil, deathSignal: String = "KILL"
    ) throws {
        let number = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue
        output = scratch.appending("child-\(number).out")
        errors = scratch.appending("child-\(number).err")
        // The kernel sends the signal when the thread that started the child ends, so a thread
        // that never ends starts it.
        let words = ["setpriv", "--pdeathsig", deathSignal, "--", program] + arguments
        processID = try SpawningThread.spawn(
            words, environment, input: input ?? "/dev/null", output: output, errors: errors)
    }

    deinit {
        signal(SIGKILL)
        // A disk that does not answer holds its users, and may be released after them.
        waitForEnd()
    }

    private static let counter = Atomic<UInt64>(0)

    package func signal(_ number: Int32) {
        // After waitpid, the process id may belong to another process.
        status.withLock { if $0 == nil { kill(processID, number) } }
    }

    /// Blocks until the program has ended, for at most five seconds: for a `deinit`.
    package func waitForEnd() {
        for _ in 0..<5000 where poll(WNOHANG) == nil { usleep(1000) }
    }

    /// Waits until the program has ended.
    ///
    /// - Returns: Its exit status, or 128 and the number of the signal that ended it.
    package func exitStatus(within limit: Duration = .seconds(120)) async throws -> Int32 {
        try await eventually("the end of process \(processID)", within: limit) {
            self.poll(WNOHANG)
        }
    }

    /// Ends the program and waits for that.
    @discardableResult
    package func stop(_ number: Int32 = SIGTERM) async throws -> Int32 {
        signal(number)
        return try await exitStatus()
    }

    /// Whether the program has ended.
    package var hasEnded: Bool { poll(WNOHANG) != nil }

    /// Its output so far.
    package var outputText: String { Self.text(output) }
    package var errorText: String { Self.text(errors) }

    /// The complete lines of its output so far, without empty ones.
    ///
    /// A reader may see a part of what is just being written.
    package var outputLines: [Substring] {
        let text = outputText
        return text.lastIndex(of: "\n").map { text[..<$0].split(separator: "\n") } ?? []
    }

    private static func text(_ path: FilePath) -> String {
        (try? Descriptor.openForReading(path).read(upTo: 1 << 22))
            .map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private func poll(_ options: Int32) -> Int32? {
        status.withLock { known in
            if let known { return known }
            var status: Int32 = 0
            guard waitpid(processID, &status, options) == processID else { return nil }
            // WIFEXITED and its relatives are macros.
            let signal = status & 0x7F
            known = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
            return known
        }
    }
}

/// The one thread that starts children.
private enum SpawningThread {
    private final class Request: Sendable {
        let run: @Sendable () -> Result<Int32, Errno>
        let result = Mutex<Result<Int32, Errno>>(.failure(.canceled))
        let done = DispatchSemaphore(value: 0)

        init(_ run: @escaping @Sendable () -> Result<Int32, Errno>) {
            self.run = run
        }
    }

    private static let requests = Mutex<[Request]>([])
    private static let available: DispatchSemaphore = {
        let semaphore = DispatchSemaphore(value: 0)
        DedicatedThread.start(named: "spawn") {
            while true {
                semaphore.wait()
                guard let request = requests.withLock({ $0.isEmpty ? nil : $0.removeFirst() })
                else { continue }
                let result = request.run()
                request.result.withLock { $0 = result }
                request.done.signal()
            }
        }
        return semaphore
    }()

    static func spawn(
        _ words: [String], _ environment: [String: String], input: FilePath, output: FilePath,
        errors: FilePath
    ) throws -> Int32 {
        let request = Request {
            Result { () throws(Errno) in try start(words, environment, input, output, errors) }
        }
        requests.withLock { $0.append(request) }
        available.signal()
        request.done.wait()
        return try request.result.withLock { $0 }.get()
    }

    private static func start(
        _ words: [String], _ environment: [String: String], _ input: FilePath, _ output: FilePath,
        _ errors: FilePath
    ) throws(Errno) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let create = O_WRONLY | O_CREAT | O_APPEND
        posix_spawn_file_actions_addopen(&actions, 0, input.string, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output.string, create, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors.string, create, 0o600)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        // A suite started by nohup ignores SIGHUP, and the document portal would then not end.
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var child: pid_t = 0
        let error = posix_spawnp(&child, words[0], &actions, &attributes, &arguments, &variables)
        guard error == 0 else { throw Errno(rawValue: error) }
        return child
    }
}
