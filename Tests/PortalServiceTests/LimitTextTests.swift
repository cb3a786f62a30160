// SPDX-License-Identifier: MIT

import Foundation
import PortalService
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The limits of callers as the documentation of the interfaces names them.
@Suite struct LimitTextTests {
    /// The text of an interface's XML in one line.
    private func text(_ name: String) throws -> String {
        let path = Programs.source.appending("dbus").appending("org.freedesktop.portal.\(name).xml")
        return try String(contentsOfFile: path.string, encoding: .utf8)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func `the limits of all calls are documented as they are`() throws {
        let limits = RequestLimits()
        let (app, host) = (limits.callsOfApp, limits.callsOfHost)
        let (calls, descriptors) = (limits.senders.callsPerSender, limits.senders.descriptors)
        let text = try text("PhotoPicker")
        for sentence in [
            "\(limits.perCaller) of one app and \(limits.total) of all apps at a time",
            "The last quarter of them is for apps that have no request yet",
            "Calls in progress: \(calls) of one app.",
            "\(limits.waitsPerCaller) calls of AwaitResponse that wait",
            "\(Int(app.perSecond)) of an app in a sandbox, \(Int(app.burst)) of them at once",
            "; \(Int(host.perSecond)) outside a sandbox",
            "hold at most \(limits.senders.bytesPerSender >> 20) MiB together",
            "until the service knows the app, \(limits.senders.bytesPerUnknownSender >> 20) MiB",
            "\(limits.senders.descriptorsPerSender) of one app and \(descriptors) of all apps",
        ] {
            #expect(text.contains(sentence), "\(sentence)")
        }
        #expect(limits.reserved == limits.total / 4)
        #expect(host.burst == host.perSecond)
    }

    @Test func `the limits of those that follow the library are documented as they are`() throws {
        let limits = RequestLimits()
        #expect(
            try text("PhotoLibrary").contains(
                "more than \(limits.watchersPerCaller) connections of the app, or "
                    + "\(limits.watchers) of all apps, watch at a time"))
    }
}
