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
    private let pause: Duration
    private let connection: Connection
    private let appID: AppID
    private let total: Int
    private let logger: Logger
    private var doneCount = 0
    private var isOver = false
    /// The notification; 0 before there is one.
    private var id: UInt32 = 0
    /// Whether the person has closed the notification.
    private var isDismissed = false
    private var deadline: Deadlines.Deadline?
    /// Resumed at the end of a pause.
    private var waiting: CheckedContinuation<Void, Never>?

    /// Begins; call ``end()`` when the photos are delivered.
    ///
    /// - Parameters:
    ///   - patience: How long a delivery may take before the person is told.
    ///   - pause: The time between two changes of the notification.
    init(
        on connection: Connection, of total: Int, for appID: AppID,
        patience: Duration = .seconds(2), pause: Duration = .seconds(1), logger: Logger
    ) {
        self.pause = pause
        self.connection = connection
        self.appID = appID
        self.total = total
        self.logger = logger
        deadline = Deadlines.shared.add(after: patience) { Task { await self.show() } }
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
            let closings = try await followClosings()
            while !isOver, !isDismissed {
                id = try await notify(replacing: id, name)
                await wait(pause)
            }
            closings.cancel()
            guard id != 0, !isDismissed else { return }
            _ = try await connection.call(
                NotificationsInterface.closeNotification, to: NotificationsInterface.busName,
                at: NotificationsInterface.path, on: NotificationsInterface.interface.name,
                Arguments(id))
        } catch {
            // Not every desktop shows notifications.
            logger.debug("The person cannot be told.", metadata: ["error": "\(error)"])
        }
    }

    /// Notes that the person has closed the notification, which must then not come back.
    private func followClosings() async throws(DBusError) -> Subscription {
        try await connection.subscribe(
            to: NotificationsInterface.notificationClosed,
            of: NotificationsInterface.interface.name, from: NotificationsInterface.busName
        ) { [weak self] _, content in
            let (id, reason) = content.values
            guard let self, id == self.id, reason == Self.closedByPerson else { return }
            isDismissed = true
        }
    }

    /// - Source: Desktop Notifications Specification 1.2, `NotificationClosed`.
    private static let closedByPerson: UInt32 = 2

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

    /// What the person is told.
    ///
    /// The name belongs to the app. The body may be markup, with links and pictures; the summary never
    /// is.
    ///
    /// - Source: Desktop Notifications Specification 1.2, “Markup”.
    nonisolated static func texts(
        _ done: Int, of total: Int, for app: String?
    ) -> (summary: String, body: String) {
        (
            app.map { localized("Preparing photos for %@", $0.printable) }
                ?? localized("Preparing photos"),
            localized("%@ of %@ photos", LocalTime.number(done), LocalTime.number(total))
        )
    }

    private func notify(replacing id: UInt32, _ app: String?) async throws(DBusError) -> UInt32 {
        let (summary, body) = Self.texts(doneCount, of: total, for: app)
        return try await connection.call(
            NotificationsInterface.notify, to: NotificationsInterface.busName,
            at: NotificationsInterface.path, on: NotificationsInterface.interface.name,
            Arguments(
                localized("Photos"), id, "folder-pictures-symbolic", summary, body, [],
                [
                    "urgency": .byte(0), "transient": .boolean(true),
                    "value": .int32(Int32(clamping: total > 0 ? doneCount * 100 / total : 0)),
                ], 0)
        ).values
    }

    /// The app's name; nil if it has no desktop file, or none that can be read.
    private func name() async -> String? {
        let folder = UserFolders.data.appending("applications").appending("any")
        let name = await FileCalls.shared.run(on: folder, within: .seconds(1)) { [appID] _ in
            DesktopApp(appID: appID.rawValue)?.name
        }
        return name ?? nil
    }
}
