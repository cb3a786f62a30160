// SPDX-License-Identifier: MIT

import Desktop
import Photos
import PickModel

extension CameraProblem {
    /// What the page says in place of the picture.
    var texts: (icon: String, title: String, description: String) {
        let disabled = "camera-disabled-symbolic"
        return switch self {
        case .unwanted:
            (disabled, localized("The app does not accept photos from a camera"), "")
        case .absent:
            (
                "camera-photo-symbolic", localized("No Camera Found"),
                localized("Connect a camera, and its picture appears here.")
            )
        case .busy:
            (
                disabled, localized("The Camera Is in Use"),
                localized("Close the program that uses it, and try again.")
            )
        case .denied:
            (
                disabled, localized("No Access to the Camera"),
                localized("The system does not let you use this camera.")
            )
        case .forbidden:
            (
                disabled, localized("Cameras Are Not Allowed"),
                localized("The settings of this computer do not let programs use a camera.")
            )
        case .gone:
            (
                disabled, localized("The Camera Was Disconnected"),
                localized("Connect it again, or use another one.")
            )
        case .silent:
            (
                disabled, localized("The Camera Shows Nothing"),
                localized("It is connected, but sends no picture.")
            )
        case .unusable:
            (
                disabled, localized("The Camera Cannot Be Used"),
                localized("Nothing that it sends can be shown.")
            )
        case .notInstalled(let name?):
            (
                disabled, localized("The Camera Cannot Be Used"),
                localized("“%@” is not installed.", name.printable)
            )
        case .notInstalled(nil):
            (
                disabled, localized("The Camera Cannot Be Used"),
                localized("A program for that is not installed, or does not run.")
            )
        }
    }
}

extension CameraControl {
    /// What the menu calls it.
    var title: String {
        switch self {
        case .flash: localized("Flash")
        case .whiteBalance: localized("Automatic White Balance")
        case .focus: localized("Automatic Focus")
        case .exposure: localized("Automatic Exposure")
        }
    }
}

extension CameraState {
    /// The name of the camera in use.
    var cameraTitle: String {
        // A name that the driver left out.
        camera.map { $0.name.isBlank ? localized("Camera") : $0.name } ?? localized("Camera")
    }

    /// What the shutter does.
    var shutterTitle: String {
        if case .counting = phase { return localized("Stop the Timer") }
        return localized("Take Photo")
    }

    /// What the page says in place of the picture; nil while it shows one.
    var problemTexts: (icon: String, title: String, description: String)? {
        let disabled = "camera-disabled-symbolic"
        return switch phase {
        case .failed(let reason): reason.texts
        case .resting(.hidden):
            (
                disabled, localized("The Camera Is Off"),
                localized("It is used only while the window is in view.")
            )
        case .resting(.idle):
            (
                disabled, localized("The Camera Is Off"),
                localized("Nobody has used it for a while.")
            )
        case .starting, .live, .counting, .shooting, .reviewing: nil
        }
    }

    /// What the button for another attempt says.
    var resumeTitle: String {
        phase == .resting(.idle) ? localized("Turn On") : localized("Try Again")
    }

    /// What screen readers say when another phase becomes this one; nil for nothing.
    func announcement(after former: Phase?) -> String? {
        guard phase != former else { return nil }
        switch phase {
        case .live:
            if case .counting = former { return localized("Timer stopped") }
            // Translators: the argument is the name of a camera.
            return former == .shooting ? nil : localized("“%@” is on", cameraTitle)
        case .counting(let left): return Self.title(ofTimer: left)
        case .reviewing: return localized("Photo taken")
        case .failed, .resting:
            return problemTexts.map { texts in
                [texts.title, texts.description].filter { !$0.isEmpty }.joined(separator: ". ")
            }
        case .starting, .shooting: return nil
        }
    }

    /// What a timer is called.
    static func title(ofTimer seconds: Int) -> String {
        seconds == 0
            ? localized("No Timer")
            : localizedCount(
                one: "%@ Second", many: "%@ Seconds", count: seconds, LocalTime.number(seconds))
    }
}
