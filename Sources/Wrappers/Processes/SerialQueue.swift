// SPDX-License-Identifier: MIT

package import Dispatch

/// An executor for actors whose work blocks on files.
///
/// Swift's own pool has one thread per core, so an actor that waits there for a slow disk would
/// block everything else. Each executor has a dispatch queue of its own, and so a thread while it
/// works.
package final class SerialQueue: SerialExecutor {
    private let queue: DispatchQueue

    /// Makes a queue.
    ///
    /// - Parameter label: The name in a debugger.
    package init(label: String, qos: DispatchQoS = .default) {
        queue = DispatchQueue(label: label, qos: qos)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
