// SPDX-License-Identifier: MIT

internal import CCamera

/// Why a camera did not do what it was asked for.
package enum CameraProblem: Error, Hashable, Sendable {
    /// Another program has it.
    case busy
    /// This user may not open it.
    case denied
    /// It has gone, or its stream has ended.
    case vanished
    /// No frame came in time.
    case silent
    /// It does not deliver what it was asked for.
    case unsupported
    /// There is no PipeWire, or no memory.
    case unavailable
    /// Its frames are not what it says of them.
    case garbage

    /// Nil for success.
    init?(_ problem: pp_camera_problem) {
        switch problem {
        case PP_CAMERA_DONE: return nil
        case PP_CAMERA_BUSY: self = .busy
        case PP_CAMERA_DENIED: self = .denied
        case PP_CAMERA_VANISHED: self = .vanished
        case PP_CAMERA_SILENT: self = .silent
        case PP_CAMERA_UNSUPPORTED: self = .unsupported
        case PP_CAMERA_GARBAGE: self = .garbage
        default: self = .unavailable
        }
    }

    /// Throws what went wrong, if something did.
    static func check(_ problem: pp_camera_problem) throws(CameraProblem) {
        if let problem = CameraProblem(problem) { throw problem }
    }
}
