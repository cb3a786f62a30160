// SPDX-License-Identifier: MIT

import Glibc
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// A delivery that takes long, after the window has closed.
@Suite(
    .serialized, .enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
struct SlowDeliveryTests {
    /// What the person was told, and what was taken away again.
    private struct Notifications: Sendable {
        let shown = Recorder<[String]>()
        let closed = Recorder<UInt32>()

        @BusActor
        func export(on connection: Connection) async throws -> Export {
            let export = try connection.export(
                NotificationsInterface.interface, at: NotificationsInterface.path
            ) { export in
                export.method(NotificationsInterface.notify) { call throws(DBusError) in
                    let values = call.input.values
                    shown.note([values.3, values.4])
                    return Arguments(7)
                }
                export.method(NotificationsInterface.closeNotification) { call throws(DBusError) in
                    closed.note(call.input.values)
                    return Arguments()
                }
            }
            _ = try await connection.requestName(NotificationsInterface.busName)
            return export
        }
    }

    @Test func `the person is told when photos are not delivered at once`() async throws {
        let home = try TestHome()
        let disk = try await StalledDisk.mount(at: home.pictures.appending("Slow"), of: home) {
            try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: $0.appending("a.jpg"))
        }
        let picker = try await PickerSession(photos: 0, home: home)
        _ = try await picker.session.startBackend("pick newest 1")
        let told = Notifications()
        let desktop = try await picker.session.connect()
        let export = try await told.export(on: desktop)
        // One that is quick is not worth mentioning.
        #expect(try await picker.client.response(picker.client.open()).code == 0)
        try disk.stall(.open)
        let handle = try await picker.client.open()
        try await eventually("the notification") { told.shown.count > 0 }
        #expect(told.shown.all.first == ["Preparing photos", "0 of 1 photos"])
        #expect(told.closed.count == 0)
        try disk.answer()
        #expect(try await picker.client.response(handle).code == 0)
        try await eventually("the end of the notification") { told.closed.all == [7] }
        withExtendedLifetime(export) {}
        try await disk.end()
    }
}
