// SPDX-License-Identifier: MIT

package import Photos

/// The page on which the person takes a photo: what it shows, and what they can do there.
///
/// Like ``Pick``, a plain value: a page draws it and sends it events; ``handle(_:)`` answers with work.
package struct CameraState: Sendable {
    package enum Phase: Hashable, Sendable {
        /// The camera has not shown anything yet.
        case starting
        case live
        /// The timer runs; so many seconds are left.
        case counting(Int)
        /// The photo is being taken.
        case shooting
        /// The person decides about the photo. The camera is off.
        case reviewing
        /// The camera is off until the person, or a change of the page, wants it again.
        case resting(Rest)
        case failed(CameraProblem)
    }

    /// Why the camera is off although nothing is wrong with it.
    package enum Rest: Hashable, Sendable {
        /// Nobody can see the page; it goes on by itself.
        case hidden
        /// Nobody has done anything for a while; the person goes on.
        case idle
    }

    /// Whether the app takes the photo that the person looks at.
    package enum Verdict: Hashable, Sendable {
        /// Nobody knows yet.
        case pending
        case accepted
        case refused(Refusal)
    }

    package internal(set) var phase = Phase.starting
    package internal(set) var verdict = Verdict.pending
    /// All cameras, best first.
    package internal(set) var cameras: [Camera] = []
    /// The one whose picture is shown, or is about to be.
    package internal(set) var camera: Camera?
    package internal(set) var mode: CameraMode?
    /// The resolution that the person prefers; nil for the best one.
    package internal(set) var preferredSize: PixelSize?
    /// How long the camera waits after the shutter was pressed, in seconds.
    package internal(set) var timer = 0
    /// Whether lines divide the picture into thirds.
    package internal(set) var showsThirds = false
    /// What of ``Camera/controls`` is switched on.
    package internal(set) var switchedOn: Set<CameraControl> = []
    /// How the device is held: quarter turns clockwise from its usual position.
    package internal(set) var deviceTurn = 0
    /// Whether nobody can see the page.
    var isHidden = false
    /// Whether the desktop does not allow cameras.
    var isForbidden = false
    /// The camera before the one that is being switched to.
    var former: (camera: Camera, mode: CameraMode?)?

    /// The timers to choose from, in seconds.
    package static let timers = [0, 3, 10]

    /// - Parameters:
    ///   - isWanted: Whether the app takes photos of the camera at all.
    ///   - isForbidden: Whether the desktop does not allow cameras.
    package init(isWanted: Bool = true, isForbidden: Bool = false) {
        self.isForbidden = isForbidden
        if !isWanted { phase = .failed(.unwanted) }
    }

    /// Whether there is a live picture.
    package var isLive: Bool {
        switch phase {
        case .live, .counting, .shooting: true
        case .starting, .reviewing, .resting, .failed: false
        }
    }

    /// Whether there are pictures to ask for.
    package var streams: Bool { isLive || phase == .starting && mode != nil }

    /// Whether the camera runs, which the page has to show.
    package var isOn: Bool { phase == .starting || isLive }

    /// Whether pressing the shutter does something: takes a photo, or stops the timer.
    package var canShoot: Bool {
        switch phase {
        case .live, .counting: true
        case .starting, .shooting, .reviewing, .resting, .failed: false
        }
    }

    /// Whether the person can use the photo that they look at.
    package var canUse: Bool { phase == .reviewing && verdict == .accepted }

    /// Whether the person can turn to another camera.
    package var canSwitch: Bool {
        cameras.count > 1 && (phase == .live || isFailed && !isForbidden)
    }

    /// Whether another attempt may help.
    package var canResume: Bool {
        switch phase {
        case .resting(let rest): rest == .idle
        case .failed(let problem): problem != .unwanted && problem != .forbidden
        case .starting, .live, .counting, .shooting, .reviewing: false
        }
    }

    private var isFailed: Bool { if case .failed = phase { true } else { false } }

    /// How the live picture is turned and mirrored.
    package var previewOrientation: Orientation { orientation(CameraRotation.preview) }

    /// How the photo is turned to be upright.
    package var photoOrientation: Orientation { orientation(CameraRotation.photo) }

    private func orientation(
        _ rule: (_ mounting: Int, _ device: Int, _ facing: CameraFacing) -> Orientation
    ) -> Orientation {
        rule(camera?.mounting ?? 0, deviceTurn, camera?.facing ?? .other)
    }

    /// The resolutions to choose from, largest first; none if there is only one.
    package var sizes: [PixelSize] {
        let sizes = camera?.modes.choices ?? []
        return sizes.count > 1 ? sizes.reversed() : []
    }
}

/// Anything that changes the page with the camera.
package enum CameraEvent: Hashable, Sendable {
    case opened
    case listed([Camera])
    /// A camera has started.
    case started(String, CameraMode)
    /// The first picture of that camera is shown.
    case appeared
    /// The camera that was wanted cannot be used; whether the one before it runs again.
    case notStarted(CameraProblem, isRestored: Bool)
    /// The camera ceased to work.
    case broke(CameraProblem)
    /// A camera was plugged in or out.
    case camerasChanged
    /// The shutter was pressed.
    case shutter
    /// A second of the timer has passed.
    case ticked
    case shot
    /// Why the app does not take the photo, or nil, was found out.
    case examined(Refusal?)
    case notShot(CameraProblem)
    case retake
    /// Goes to the next camera.
    case switched
    case sizeChosen(PixelSize?)
    case timerChosen(Int)
    case thirdsShown(Bool)
    case controlSet(CameraControl, Bool)
    /// The camera could not do that.
    case controlRefused(CameraControl)
    /// The person pressed on the live picture, where the sensor sees this point.
    case pointed(FocusPoint)
    case deviceTurned(Int)
    /// Whether anybody can see the page.
    case hidden(Bool)
    /// Whether the desktop does not allow cameras was found out, or has changed.
    case forbidden(Bool)
    /// Nobody has done anything for a while.
    case idled
    /// Begins anew after a rest or a failure.
    case resumed
}

/// Work that the page has to do.
package enum CameraEffect: Hashable, Sendable {
    /// Find out which cameras there are, and send ``CameraEvent/listed(_:)``.
    case list
    /// Start a camera in the mode that is nearest to a size.
    case open(String, PixelSize?)
    /// Show the camera's pictures from now on.
    case stream
    /// Take a photo.
    case shoot
    /// Find out whether the app takes the photo, and send ``CameraEvent/examined(_:)``.
    case examine
    /// Send ``CameraEvent/ticked`` after a second.
    case count
    /// Switch the camera off, and end what it runs in.
    case stop
    case set(CameraControl, Bool)
    /// Focus and expose at a point of the sensor.
    case point(FocusPoint)
    /// Tell the person that a camera, by its name, or only another size of its pictures, cannot be used, and
    /// that all is as before.
    case announceSwitchFailure(String?)
    /// Tell the person that no photo was taken.
    case announceNoPhoto
}

/// Why a camera cannot be used.
package enum CameraProblem: Hashable, Sendable {
    /// The app does not take its photos.
    case unwanted
    /// There is none.
    case absent
    /// Another program uses it.
    case busy
    /// The system forbids it.
    case denied
    /// The desktop does not allow any.
    case forbidden
    /// It was unplugged, or its driver has ended.
    case gone
    /// It sends nothing.
    case silent
    /// It sends nothing that can be shown.
    case unusable
    /// The program for cameras, or a part of it, is not installed.
    case notInstalled(String?)
}
