// SPDX-License-Identifier: MIT

internal import CGtk

/// The thread that owns every widget of the process.
///
/// Code on this actor must not block, or every window freezes. It differs from the main actor, whose
/// jobs do not run on Linux while a GLib loop runs.
@globalActor
package actor UIActor {
    package static let shared = UIActor()
    private static let loop = MainContextThread(name: "ui")

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        Self.loop.asUnownedSerialExecutor()
    }

    /// Returns once no event waits to be handled, but for those that GTK holds back.
    static func afterInput() async {
        await withCheckedContinuation { loop.resumeAfterEvents($0) }
    }

    /// Runs code synchronously in a C callback on the UI thread.
    static func assumeIsolated<Result: Sendable>(
        _ operation: @UIActor () throws -> Result
    ) rethrows -> Result {
        shared.preconditionIsolated()
        // The same as MainActor.assumeIsolated, which custom global actors do not have.
        return try withoutActuallyEscaping(operation) { isolated in
            try unsafeBitCast(isolated, to: (() throws -> Result).self)()
        }
    }
}
