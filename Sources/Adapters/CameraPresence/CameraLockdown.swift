// SPDX-License-Identifier: MIT

import Logging
import PortalInterface
import SDBus

/// Follows whether the desktop forbids cameras.
///
/// The backends of xdg-desktop-portal tell, each for itself; none is started for it. What one has said holds
/// until it says something else: a backend that crashes lifts nothing.
@BusActor
final class CameraLockdown {
    private let connection: Connection
    private let backends: [BusName]
    private let logger: Logger
    private var subscriptions: [Subscription] = []
    private var asking: [BusName: Task<Void, Never>] = [:]
    /// The backends that forbid cameras.
    private var forbidding: Set<BusName> = []

    /// Called with each change.
    var changed: @BusActor () -> Void = {}

    var isForbidden: Bool { !forbidding.isEmpty }

    /// - Parameter backends: The names of all backends that know.
    init(on connection: Connection, _ backends: [BusName], logger: Logger) {
        self.connection = connection
        self.backends = backends
        self.logger = logger
    }

    deinit {
        for task in asking.values { task.cancel() }
    }

    /// Begins to follow; returns once those that run have answered.
    func follow() async {
        for backend in backends {
            do throws(DBusError) {
                try await follow(backend)
            } catch {
                logger.debug("\(backend) does not tell whether cameras are allowed: \(error.name)")
            }
        }
        for task in asking.values { await task.value }
    }

    private func follow(_ backend: BusName) async throws(DBusError) {
        let interface = LockdownInterface.name
        subscriptions.append(
            try await connection.subscribe(
                to: PropertiesInterface.propertiesChanged, of: PropertiesInterface.name,
                from: backend, at: LockdownInterface.path, firstArgument: interface.rawValue
            ) { [weak self] _, content in self?.use(content.values.1, of: backend) })
        subscriptions.append(
            try await connection.watchOwner(of: backend) { [weak self] owner in
                self?.ask(backend, owner)
            })
        ask(backend, try await connection.owner(of: backend))
    }

    private func ask(_ backend: BusName, _ owner: BusName?) {
        asking[backend]?.cancel()
        asking[backend] = nil
        guard let owner else { return }
        asking[backend] = Task { [connection, weak self, logger] in
            do throws(DBusError) {
                let properties = try await connection.call(
                    PropertiesInterface.getAll, to: owner, at: LockdownInterface.path,
                    on: PropertiesInterface.name,
                    Arguments(LockdownInterface.name.rawValue), timeout: .seconds(10))
                guard !Task.isCancelled else { return }
                self?.use(properties.values, of: backend)
            } catch {
                logger.debug("\(backend) does not tell whether cameras are allowed: \(error.name)")
            }
        }
    }

    private func use(_ properties: Vardict, of backend: BusName) {
        let name = LockdownInterface.disablesCamera
        guard let isForbidden = properties.value(name, as: Bool.self) else { return }
        if isForbidden { forbidding.insert(backend) } else { forbidding.remove(backend) }
        changed()
    }
}
