// SPDX-License-Identifier: MIT

import CameraWork
import Desktop
import GtkKit
import Photos
import PickModel
import SystemPackage

/// The page on which the person takes a photo, in front of everything else.
///
/// It draws a ``CameraState`` and carries out what that asks for. The program for cameras runs only while the
/// page shows a live picture.
@UIActor
final class CameraPage {
    let box: Box
    let view = CameraView()
    let toasts: ToastOverlay
    /// Nil while the page is closed.
    private(set) var state: CameraState?
    /// The photo to decide about.
    var shot: CameraShot?

    /// The program for cameras, while it runs or is about to.
    private var session: CameraSession?
    private let program: FilePath
    let title: WindowTitle
    let options: CameraOptions
    let stage: Widget
    let indicator: Widget
    let count: Label
    let spinner: Widget
    let problem: (place: Widget, page: StatusPage, again: Button, other: Button)
    let controls: Widget
    let review: Widget
    /// Why the app does not take the photo.
    let refusal: Label
    let (shutter, switching, timer): (Button, Button, Button)
    let (retake, use): (Button, Button)
    /// Shows the pictures of the camera.
    private var streaming: Task<Void, Never>?
    /// Finds, opens or uses the camera; what comes later waits for it.
    private var working: Task<Void, Never>?
    /// Finds out whether the app takes the photo.
    private var examining: Task<Void, Never>?
    var counting: Task<Void, Never>?
    /// Keeps the photo from being used by a second press that was meant for the shutter.
    var settling: Task<Void, Never>?
    private var idling: Task<Void, Never>?
    private var lastInput = ContinuousClock.now
    /// Whether the page has been on the screen since it was opened.
    private var wasMapped = false

    /// How long the camera runs although nobody does anything.
    private static let patience = Duration.seconds(120)

    var hasSettled = false
    /// What was drawn last: screen readers say what is new.
    var drawn = Drawn()

    /// Called when the person leaves the page.
    var onClose: @UIActor () -> Void = {}
    /// Called with the photo that the person decided to use.
    var onUse: @UIActor (CameraShot) -> Void = { _ in }
    /// Finds out why the app does not take a photo; nil if it does.
    var examine: @UIActor (CameraShot) async -> Refusal? = { _ in nil }
    /// Says why the app does not take a photo.
    var text: @UIActor (Refusal) -> String = { _ in "" }

    /// - Parameter program: The program for cameras.
    init(_ program: FilePath) {
        self.program = program
        let builder = Builder(PackageResources.camera_page_ui)
        box = builder.box("page")
        toasts = builder.toastOverlay("toasts")
        title = builder.windowTitle("title")
        options = CameraOptions(builder)
        stage = builder.widget("stage")
        indicator = builder.widget("indicator")
        count = builder.label("count")
        spinner = builder.widget("spinner")
        problem = (
            builder.widget("problem_place"), builder.statusPage("problem"),
            builder.button("again"), builder.button("other")
        )
        controls = builder.widget("controls")
        review = builder.widget("review")
        refusal = builder.label("refusal")
        shutter = builder.button("shutter")
        switching = builder.button("switch")
        timer = builder.button("timer")
        retake = builder.button("retake")
        use = builder.button("use")
        builder.box("place").append(view.canvas, expands: true)
        builder.button("back").onClick { [weak self] in self?.goBack() }
        shutter.onClick { [weak self] in self?.send(.shutter) }
        switching.onClick { [weak self] in self?.send(.switched) }
        timer.onClick { [weak self] in self?.chooseNextTimer() }
        retake.onClick { [weak self] in self?.send(.retake) }
        use.onClick { [weak self] in self?.useShot() }
        problem.again.onClick { [weak self] in
            // Screen readers press it without any other input.
            self?.noteInput()
            self?.send(.resumed)
        }
        problem.other.onClick { [weak self] in self?.send(.switched) }
        options.onEvent = { [weak self] event in self?.send(event) }
        view.onPoint = { [weak self] x, y, width, height in self?.point(x, y, width, height) }
        box.onMapChange { [weak self] in self?.followVisibility() }
        box.onPointerInput { [weak self] in self?.noteInput() }
    }

    // MARK: - Life

    var isOpen: Bool { state != nil }

    /// Whether the window cannot be seen, or the screen is locked.
    var isConcealed = false { didSet { if isConcealed != oldValue { followVisibility() } } }

    /// Opens the page; has no effect if it is open.
    ///
    /// - Parameters:
    ///   - isWanted: Whether the app takes photos of the camera at all.
    ///   - isForbidden: Whether the desktop does not allow cameras.
    func open(isWanted: Bool, isForbidden: Bool) {
        guard state == nil else { return }
        state = CameraState(isWanted: isWanted, isForbidden: isForbidden)
        wasMapped = box.isMapped
        noteInput()
        send(.opened)
        takeFocus()
    }

    /// Ends all work, and the program for cameras.
    func close() {
        guard state != nil else { return }
        state = nil
        shot = nil
        stop()
        for task in [counting, idling, settling, examining] { task?.cancel() }
        (counting, idling, settling, examining) = (nil, nil, nil, nil)
        drawn.part = nil
        drawn.phase = nil
        toasts.announce("")
        view.clear()
        // As it is when the page opens again.
        shutter.isSensitive = false
    }

    private func followVisibility() {
        guard state != nil else { return }
        wasMapped = wasMapped || box.isMapped
        // A page that is about to be shown is not on the screen yet.
        send(.hidden(isConcealed || wasMapped && !box.isMapped))
    }

    /// Stops the timer, or leaves the photo, or else the page.
    func goBack() {
        switch state?.phase {
        case .reviewing: send(.retake)
        case .counting: send(.shutter)
        default: onClose()
        }
    }

    /// A camera was plugged in, if the page waits for one.
    func noteCamera() {
        switch state?.phase {
        case .failed(.absent), .failed(.gone): send(.resumed)
        default: break
        }
    }

    func turn(device quarters: Int) { send(.deviceTurned(quarters)) }

    /// Keeps the camera running.
    func noteInput() {
        lastInput = .now
        guard idling == nil, state != nil else { return }
        idling = Task { [weak self] in
            while let rest = self?.restOfPatience, rest > .zero {
                guard (try? await Task.sleep(for: rest)) != nil else { return }
            }
            self?.idling = nil
            self?.send(.idled)
        }
    }

    private var restOfPatience: Duration { Self.patience - (ContinuousClock.now - lastInput) }

    // MARK: - Events

    func send(_ event: CameraEvent) {
        guard let effects = state?.handle(event) else { return }
        draw()
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: CameraEffect) {
        switch effect {
        case .list:
            work { session in
                do throws(CameraError) {
                    return .listed(try await session.cameras())
                } catch {
                    return .broke(CameraProblem(error))
                }
            }
        case .open(let id, let size):
            streaming?.cancel()
            view.turnAway()
            work { session in
                do throws(CameraError) {
                    let opened = try await session.open(id, preferring: size)
                    return .started(opened.camera.id, opened.mode)
                } catch {
                    return error.notStarted
                }
            }
        case .stream: stream()
        case .shoot: shoot()
        case .examine: examineShot()
        case .count: startCounting()
        case .stop: stop()
        case .set(let control, let isOn):
            work { session in
                do throws(CameraError) {
                    try await session.set(control, isOn)
                    return nil
                } catch {
                    return .controlRefused(control)
                }
            }
        case .point(let point):
            work { session in
                // A camera that has no such control any more stays as it is.
                try? await session.point(x: point.x, y: point.y)
                return nil
            }
        case .announceSwitchFailure(let name):
            toasts.show(
                name.map { localized("“%@” cannot be used", $0) }
                    ?? localized("This resolution cannot be used"))
        case .announceNoPhoto: toasts.show(localized("No photo was taken"))
        }
    }

    /// Has the camera do something, after what it does now, and sends what comes of it.
    private func work(_ body: @escaping @Sendable (CameraSession) async -> CameraEvent?) {
        let earlier = working
        let session = session ?? CameraSession(program: program)
        self.session = session
        working = Task { [weak self] in
            await earlier?.value
            guard !Task.isCancelled else { return }
            let event = await body(session)
            guard !Task.isCancelled, let event else { return }
            self?.send(event)
        }
    }

    private func stop() {
        working?.cancel()
        streaming?.cancel()
        (working, streaming) = (nil, nil)
        session?.end()
        session = nil
    }

    // MARK: - Pictures

    private func stream() {
        streaming?.cancel()
        guard let session else { return }
        streaming = Task { [weak self] in
            while let (size, orientation) = self?.wanted {
                let result: Result<CameraFrame, CameraError>
                do throws(CameraError) {
                    result = .success(try await session.frame(filling: size, orientation))
                } catch {
                    result = .failure(error)
                }
                guard !Task.isCancelled else { return }
                self?.show(result)
            }
        }
    }

    /// The size and orientation of the next picture; nil if the page shows none.
    private var wanted: (PixelSize, Orientation)? {
        guard let state, state.streams, !Task.isCancelled else { return nil }
        return (viewSize, state.previewOrientation)
    }

    private var viewSize: PixelSize { view.deviceSize ?? PixelSize(width: 640, height: 480) }

    private func show(_ result: Result<CameraFrame, CameraError>) {
        switch result {
        case .success(let frame):
            guard view.show(live: frame.picture) else { return send(.broke(.unusable)) }
            if state?.phase == .starting { send(.appeared) }
            if frame.camerasChanged { send(.camerasChanged) }
        case .failure(let error): send(.broke(CameraProblem(error)))
        }
    }

    // MARK: - Photos

    private func shoot() {
        guard let state else { return }
        // What stands still is what was taken.
        streaming?.cancel()
        let size = viewSize
        let orientation = state.photoOrientation
        work { [weak self] session in
            do throws(CameraError) {
                let shot = try await session.shoot(orientation, reviewFitting: size)
                return await self?.take(shot)
            } catch {
                return .notShot(CameraProblem(error))
            }
        }
    }

    private func take(_ shot: CameraShot) -> CameraEvent? {
        // The page may have closed meanwhile.
        guard state?.phase == .shooting else { return nil }
        guard view.show(photo: shot.picture) else { return .notShot(.unusable) }
        self.shot = shot
        return .shot
    }

    private func examineShot() {
        examining?.cancel()
        guard let shot else { return }
        examining = Task { [weak self] in
            let refusal = await self?.examine(shot)
            guard !Task.isCancelled else { return }
            self?.send(.examined(refusal))
        }
    }

    private func useShot() {
        guard let shot, state?.canUse == true, settling == nil else { return }
        onUse(shot)
    }

    private func startCounting() {
        counting?.cancel()
        counting = Task { [weak self] in
            guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
            self?.send(.ticked)
        }
    }

    private func chooseNextTimer() {
        guard let state, let index = CameraState.timers.firstIndex(of: state.timer) else { return }
        send(.timerChosen(CameraState.timers[(index + 1) % CameraState.timers.count]))
    }

    private func point(_ x: Double, _ y: Double, _ width: Int, _ height: Int) {
        guard let state, state.phase == .live, let mode = state.mode,
            state.camera?.pointControls.isEmpty == false
        else { return }
        view.showFocus(x: x, y: y)
        send(
            .pointed(
                FocusPoint(
                    x: x, y: y, inViewOf: Double(width), by: Double(height),
                    filledWith: mode.size, state.previewOrientation)))
    }

    // MARK: - Keys

    /// Does what a key asks for; false if it means nothing here.
    func handle(_ key: Key, _ modifiers: Modifiers) -> Bool {
        noteInput()
        // Escape closes the menu, and arrows move in it.
        if options.isOpen { return false }
        switch key {
        case .escape: goBack()
        case .enter where modifiers.contains(.control): useShot()
        default: return false
        }
        return true
    }
}

extension CameraProblem {
    init(_ error: CameraError) {
        self =
            switch error {
            case .noCamera: .absent
            case .busy: .busy
            case .denied: .denied
            case .vanished, .cancelled: .gone
            case .silent: .silent
            case .unsupported, .garbage: .unusable
            case .unavailable: .notInstalled(nil)
            case .restored(let reason): CameraProblem(reason)
            }
    }
}

extension CameraError {
    /// That a camera did not start.
    fileprivate var notStarted: CameraEvent {
        if case .restored(let reason) = self {
            return .notStarted(CameraProblem(reason), isRestored: true)
        }
        return .notStarted(CameraProblem(self), isRestored: false)
    }
}
