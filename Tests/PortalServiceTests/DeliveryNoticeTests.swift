// SPDX-License-Identifier: MIT

import Logging
import Photos
import PortalInterface
import SDBus
import TestSupport
import Testing

@testable import PortalService

/// The notification of a delivery that takes a while.
@Suite(.serialized) struct DeliveryNoticeTests {
    @Test func `the name of an app is no markup in a notification`() {
        // The body of a notification “may contain markup”, its summary is text.
        let name = "<b>Notes</b> & <img src=\"https://example.org/\">"
        let (summary, body) = DeliveryNotice.texts(3, of: 10, for: name)
        #expect(summary == "Preparing photos for \(name)")
        #expect(body == "3 of 10 photos")
    }

    @Test func `a notification that the person has closed does not come back`() async throws {
        let session = try await Session.start()
        let desktop = try await Desktop(on: session.connect())
        let connection = try await session.connect()
        let first = await notice(on: connection)
        try await eventually("the notification") { desktop.shown.all.contains(1) }
        // Neither the end of another one nor a reason other than the person changes anything.
        try await desktop.close(2, reason: 2)
        try await desktop.close(1, reason: 1)
        let before = desktop.shown.count
        try await eventually("it again") { desktop.shown.count >= before + 10 }
        try await desktop.close(1, reason: 2)
        // One may be on its way; the second notification tells how time goes by.
        let second = await notice(on: connection)
        try await eventually("the second one") { desktop.shown.all.contains(2) }
        let count = desktop.shown.all.count { $0 == 1 }
        try await eventually("some time") { desktop.shown.all.count { $0 == 2 } > 20 }
        #expect(desktop.shown.all.count { $0 == 1 } == count)
        // What is gone is not taken away.
        await first.end()
        await second.end()
        try await eventually("the end of the second one") { desktop.closed.all == [2] }
    }

    @BusActor
    private func notice(on connection: Connection) -> DeliveryNotice {
        DeliveryNotice(
            on: connection, of: 10, for: .unknown, patience: .zero, pause: .milliseconds(5),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// A desktop that shows notifications.
    @BusActor
    private final class Desktop {
        /// The ids of the notifications, whenever one is shown or changed.
        nonisolated let shown = Recorder<UInt32>()
        nonisolated let closed = Recorder<UInt32>()
        private let connection: Connection
        private var export: Export?
        private var last: UInt32 = 0

        init(on connection: Connection) async throws {
            self.connection = connection
            export = try connection.export(
                NotificationsInterface.interface, at: NotificationsInterface.path
            ) { [unowned self] export in
                export.method(NotificationsInterface.notify) { call throws(DBusError) in
                    let replaced = call.input.values.1
                    if replaced == 0 { self.last += 1 }
                    let id = replaced == 0 ? self.last : replaced
                    self.shown.note(id)
                    return Arguments(id)
                }
                export.method(NotificationsInterface.closeNotification) { call throws(DBusError) in
                    self.closed.note(call.input.values)
                    return Arguments()
                }
            }
            _ = try await connection.requestName(NotificationsInterface.busName)
        }

        func close(_ id: UInt32, reason: UInt32) throws {
            try connection.emit(
                NotificationsInterface.notificationClosed,
                of: NotificationsInterface.interface.name, from: NotificationsInterface.path,
                to: nil, Arguments(id, reason))
        }
    }
}
