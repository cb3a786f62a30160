// SPDX-License-Identifier: MIT

import Photos

extension CameraState {
    /// Changes the state by an event.
    ///
    /// What comes too late, such as the answer of a camera that was left meanwhile, changes nothing.
    ///
    /// - Returns: The work to do now, in order.
    package mutating func handle(_ event: CameraEvent) -> [CameraEffect] {
        switch event {
        case .opened: return begin()
        case .listed(let cameras): return use(cameras)
        case .started(let id, let mode): return start(id, mode)
        case .appeared: if streams, phase == .starting { phase = .live }
        case .notStarted(let problem, let isRestored): return fail(problem, isRestored: isRestored)
        case .broke(let problem): return stop(because: problem)
        case .camerasChanged: return isOn ? [.list] : []
        case .shutter: return press()
        case .ticked: return tick()
        case .shot:
            guard phase == .shooting else { return [] }
            phase = .reviewing
            verdict = .pending
            return [.stop, .examine]
        case .examined(let refusal):
            guard phase == .reviewing else { return [] }
            verdict = refusal.map { .refused($0) } ?? .accepted
        case .notShot:
            guard phase == .shooting else { return [] }
            phase = .live
            return [.stream, .announceNoPhoto]
        case .retake: return phase == .reviewing ? begin() : []
        case .switched: return switchCamera()
        case .sizeChosen(let size):
            guard size != preferredSize else { return [] }
            preferredSize = size
            return reopen()
        case .timerChosen(let seconds): if Self.timers.contains(seconds) { timer = seconds }
        case .thirdsShown(let isShown): showsThirds = isShown
        case .controlSet(let control, let isOn): return set(control, isOn)
        case .controlRefused(let control): switchedOn.formSymmetricDifference([control])
        case .pointed(let point): return focus(at: point)
        case .deviceTurned(let quarters): deviceTurn = ((quarters % 4) + 4) % 4
        case .hidden(let isHidden): return hide(isHidden)
        case .forbidden(let isForbidden): return forbid(isForbidden)
        case .idled:
            guard isOn else { return [] }
            phase = .resting(.idle)
            return [.stop]
        case .resumed:
            switch phase {
            case .resting, .failed: return begin()
            default: return []
            }
        }
        return []
    }

    private mutating func begin() -> [CameraEffect] {
        guard phase != .failed(.unwanted) else { return [] }
        guard !isForbidden else {
            phase = .failed(.forbidden)
            return []
        }
        guard !isHidden else {
            phase = .resting(.hidden)
            return []
        }
        phase = .starting
        mode = nil
        former = nil
        return [.list]
    }

    /// Starts the camera that the person used last, or else the best one.
    private mutating func use(_ cameras: [Camera]) -> [CameraEffect] {
        guard isOn else { return [] }
        self.cameras = cameras
        if let known = cameras.first(where: { $0.id == camera?.id }) {
            camera = known
            // Another camera came or went.
            return phase == .starting ? [.open(known.id, preferredSize)] : []
        }
        // The one that is live tells itself that it has gone.
        guard phase == .starting else { return [] }
        guard let best = cameras.first else { return stop(because: .absent) }
        return choose(best)
    }

    private mutating func choose(_ camera: Camera, _ size: PixelSize? = nil) -> [CameraEffect] {
        self.camera = camera
        mode = nil
        phase = .starting
        return [.open(camera.id, size ?? preferredSize)]
    }

    private mutating func start(_ id: String, _ mode: CameraMode) -> [CameraEffect] {
        guard phase == .starting, camera?.id == id else { return [] }
        self.mode = mode
        former = nil
        // What the camera does by itself spares the person to set it; a flash startles (S5.12).
        let automatic = CameraControl.allCases.filter {
            $0 != .flash && camera?.controls.contains($0) == true
        }
        switchedOn = Set(automatic)
        return [.stream] + automatic.map { .set($0, true) }
    }

    private mutating func fail(
        _ problem: CameraProblem, isRestored: Bool
    ) -> [CameraEffect] {
        guard phase == .starting else { return [] }
        guard isRestored, let former else { return stop(because: problem) }
        let failed = camera?.id == former.camera.id ? nil : camera?.name
        (camera, mode) = former
        self.former = nil
        return [.stream, .announceSwitchFailure(failed)]
    }

    private mutating func stop(because problem: CameraProblem) -> [CameraEffect] {
        guard isOn else { return [] }
        phase = .failed(problem)
        former = nil
        return [.stop]
    }

    // MARK: - Taking a photo

    private mutating func press() -> [CameraEffect] {
        switch phase {
        case .live where timer > 0:
            phase = .counting(timer)
            return [.count]
        case .live:
            phase = .shooting
            return [.shoot]
        case .counting:
            phase = .live
            return []
        default: return []
        }
    }

    private mutating func tick() -> [CameraEffect] {
        guard case .counting(let left) = phase else { return [] }
        guard left > 1 else {
            phase = .shooting
            return [.shoot]
        }
        phase = .counting(left - 1)
        return [.count]
    }

    // MARK: - Cameras and their controls

    private mutating func switchCamera() -> [CameraEffect] {
        guard canSwitch else { return [] }
        let index = cameras.firstIndex { $0.id == camera?.id } ?? -1
        let next = cameras[(index + 1) % cameras.count]
        guard phase == .live, let camera else {
            former = nil
            return choose(next)
        }
        former = (camera, mode)
        let size = preferredSize.flatMap { camera.modes.size($0, switchingTo: next.modes) }
        return choose(next, size)
    }

    private mutating func reopen() -> [CameraEffect] {
        guard phase == .live, let camera else { return [] }
        former = (camera, mode)
        phase = .starting
        mode = nil
        return [.open(camera.id, preferredSize)]
    }

    private mutating func set(_ control: CameraControl, _ isOn: Bool) -> [CameraEffect] {
        guard isLive, camera?.controls.contains(control) == true,
            switchedOn.contains(control) != isOn
        else { return [] }
        switchedOn.formSymmetricDifference([control])
        return [.set(control, isOn)]
    }

    private func focus(at point: FocusPoint) -> [CameraEffect] {
        guard phase == .live, camera?.pointControls.isEmpty == false else { return [] }
        return [.point(point)]
    }

    private mutating func hide(_ isHidden: Bool) -> [CameraEffect] {
        guard isHidden != self.isHidden else { return [] }
        self.isHidden = isHidden
        if isHidden, isOn {
            phase = .resting(.hidden)
            return [.stop]
        }
        return !isHidden && phase == .resting(.hidden) ? begin() : []
    }

    private mutating func forbid(_ isForbidden: Bool) -> [CameraEffect] {
        guard isForbidden != self.isForbidden else { return [] }
        self.isForbidden = isForbidden
        guard isForbidden else { return phase == .failed(.forbidden) ? begin() : [] }
        switch phase {
        // The photo was taken while it was allowed.
        case .reviewing, .failed(.unwanted): return []
        case .starting, .live, .counting, .shooting, .resting, .failed:
            let effects: [CameraEffect] = isOn ? [.stop] : []
            phase = .failed(.forbidden)
            former = nil
            return effects
        }
    }
}
