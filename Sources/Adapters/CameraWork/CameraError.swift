// SPDX-License-Identifier: MIT

/// Why a camera did not do what it was asked for.
package enum CameraError: Error, Hashable, Sendable {
    /// No camera is open, or there is none.
    case noCamera
    /// Another program uses it.
    case busy
    /// The person may not use it.
    case denied
    /// It was unplugged, or its program has died; the next call starts that again.
    case vanished
    /// It delivered no frame in time.
    case silent
    /// It cannot do this; perhaps with the name of what it cannot do.
    case unsupported(String?)
    /// There is no program for cameras, or no PipeWire and no camera without it.
    case unavailable
    /// It, or its program, said nonsense.
    case garbage
    /// Nobody waits any more.
    case cancelled
    /// Another camera did not start, and the one before runs again (S5.15).
    indirect case restored(because: CameraError)
}
