// SPDX-License-Identifier: MIT

internal import CProcesses
import Dispatch
import Glibc

/// The signals that ask a program to end.
///
/// Those that whoever started the program wants ignored are left out, as with nohup(1), or with
/// Ctrl-C and what a shell runs in the background.
package let terminationSignals: [Int32] =
    [SIGTERM] + [SIGINT, SIGHUP].filter { pp_is_ignored($0) == 0 }

/// The main thread of a program whose work is asynchronous.
package enum MainThread {
    /// Runs the program's work in a task and ends the process with its result.
    ///
    /// The ``terminationSignals`` are blocked in all threads, so that an event loop can receive
    /// them. Swift's own asynchronous `main` would park this thread in `dispatch_main`, which
    /// waits with every signal unblocked: the first SIGTERM would kill the process.
    ///
    /// The process ends without running the destructors of libraries, because they would free what
    /// other threads, such as GTK's, still use. Standard output is flushed first.
    ///
    /// - Parameter body: The work; returns the exit status.
    package static func run(_ body: @escaping @Sendable () async -> Int32) -> Never {
        fillStandardStreams()
        var set = sigset_t()
        sigemptyset(&set)
        for number in terminationSignals { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // Whoever started us may ignore the end of its children. The kernel would then wait for ours,
        // and what we kill could be another program with the same process id.
        signal(SIGCHLD, SIG_DFL)
        // Dispatch asks for a raised priority for its timers and logs a failure for every program of an
        // ordinary user. It has no finer switch; LIBDISPATCH_LOG=stderr shows its messages again.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        // Tasks started on the main thread would inherit its high priority, and with it a thread whose
        // priority cannot be raised either.
        Task(priority: .medium) {
            let status = await body()
            fflush(nil)
            _exit(status)
        }
        while true { DispatchSemaphore(value: 0).wait() }
    }

    /// Puts something in the place of standard streams that are closed.
    ///
    /// Otherwise the next files that are opened would be standard output and error. Reading and writing
    /// still fail as they do with closed streams.
    private static func fillStandardStreams() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // It gets the lowest number that is free. Without it everything else works as well.
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
