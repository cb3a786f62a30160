// SPDX-License-Identifier: MIT

import Desktop
import Logging
import Photos
import PortalInterface
import Processes
import SDBus
import SystemPackage

/// A notification that photos are being prepared for an app, if that takes a while.
///
/// The window has closed and the app still waits, so otherwise the person would see nothing.
@BusActor
final class DeliveryNotice {
    /// How long a delivery may take before the person is told.
    private static let patience = Duration.seconds(2)
    private static let pause = Duration.seconds(1)

    private let connection: Connection
    private let appID: AppID
    private let total: Int
    private let logger: Logger
    private var doneCount = 0
    private var isOver = false
    private var deadline: Deadlines.Deadline?
    /// Resumed at the end of a pause.
    private var waiting: CheckedContinuation<Void, Never>?

    /// Begins; call ``end()`` when the photos are delivered.
    init(on connection: Connection, of total: Int, for appID: AppID, logger: Logger) {
        self.connection = connection
        self.appID = appID
        self.total = total
        self.logger = logger
        deadline = Deadlines.shared.add(after: Self.patience) { Task { await self.show() } }
    }

    /// Notes how many photos are ready.
    func update(_ count: Int) {
        doneCount = count
    }

    /// Takes the notification away, or leaves it out.
    func end() {
        isOver = true
        if let deadline { Deadlines.shared.remove(deadline) }
        resume()
    }

    private func show() async {
        guard !isOver else { return }
        let name = await name()
        do throws(DBusError) {
            var id: UInt32 = 0
            while !isOver {
                id = try await notify(replacing: id, name)
                await wait(Self.pause)
            }
            guard id != 0 else { return }
            _ = try await connection.call(
                NotificationsInterface.closeNotification, to: NotificationsInterface.busName,
                at: NotificationsInterface.path, on: NotificationsInterface.interface.name,
                Arguments(id))
        } catch {
            // Not every desktop shows notifications.
            logger.debug("The person cannot be told.", metadata: ["error": "\(error)"])
        }
    }

    private func wait(_ time: Duration) async {
        guard !isOver else { return }
        await withCheckedContinuation { continuation in
            waiting = continuation
            deadline = Deadlines.shared.add(after: time) { Task { await self.resume() } }
        }
    }

    private func resume() {
        waiting?.resume()
        waiting = nil
    }

    private func notify(replacing id: UInt32, _ app: String?) async throws(DBusError) -> UInt32 {
        let done = LocalTime.number(doneCount)
        let all = LocalTime.number(total)
        let body =
            app.map { localized("%@ of %@ photos for %@", done, all, $0) }
            ?? localized("%@ of %@ photos", done, all)
        return try await connection.call(
            NotificationsInterface.notify, to: NotificationsInterface.busName,
            at: NotificationsInterface.path, on: NotificationsInterface.interface.name,
            Arguments(
                localized("Photos"), id, "folder-pictures-symbolic",
                localized("Preparing photos"), body, [],
                [
                    "urgency": .byte(0), "transient": .boolean(true),
                    "value": .int32(Int32(clamping: total > 0 ? doneCount * 100 / total : 0)),
                ], 0)
        ).values
    }

    /// The app's name; nil if it has no desktop file, or none that can be read.
    private func name() async -> String? {
        let folder = UserFolders.data.appending("applications").appending("any")
        let name = await FileCalls.shared.run(on: folder, within: Self.pause) { [appID] _ in
            DesktopApp(appID: appID.rawValue)?.name
        }
        return name ?? nil
    }
}
