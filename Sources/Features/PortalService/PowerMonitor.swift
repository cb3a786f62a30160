// SPDX-License-Identifier: MIT

package import Logging
internal import PortalInterface
package import SDBus

/// Follows whether the computer saves power: it runs on its battery, or the person chose the profile for
/// that.
///
/// A system without the services that know it, such as a container, saves none.
@BusActor
package final class PowerMonitor {
    /// Whether power is saved, whenever that changes; at first it is not.
    package nonisolated let changes: AsyncStream<Bool>

    private let logger: Logger
    private let changed: AsyncStream<Bool>.Continuation
    private var connection: Connection?
    private var subscriptions: [Subscription] = []
    private var properties: [PowerInterfaces.Service: Vardict] = [:]
    private var starting: Task<Void, Never>?
    private var last = false

    package init(logger: Logger) {
        self.logger = logger
        (changes, changed) = AsyncStream.makeStream()
    }

    /// Begins to follow, and waits for the first answers, but not for long: a bus may not answer.
    package func begin() async {
        let (answers, answered) = AsyncStream<Void>.makeStream()
        starting = Task {
            await start()
            answered.finish()
        }
        await withTaskGroup { group in
            group.addTask { for await _ in answers {} }
            group.addTask { try? await Task.sleep(for: .seconds(1)) }
            await group.next()
            group.cancelAll()
        }
    }

    private func start() async {
        do throws(DBusError) {
            let connection = try await Connection.openSystem()
            self.connection = connection
            for service in [PowerInterfaces.power] + PowerInterfaces.profiles {
                await follow(service, on: connection)
            }
        } catch {
            logger.debug("There is no system bus: \(error.name)")
        }
    }

    package func stop() async {
        starting?.cancel()
        for subscription in subscriptions { subscription.cancel() }
        subscriptions = []
        connection?.close()
        connection = nil
        changed.finish()
    }

    private func follow(_ service: PowerInterfaces.Service, on connection: Connection) async {
        do throws(DBusError) {
            let interface = service.busName.description
            subscriptions.append(
                try await connection.subscribe(
                    to: PropertiesInterface.propertiesChanged, of: PropertiesInterface.name,
                    from: service.busName, at: service.path, firstArgument: interface
                ) { [weak self] _, content in
                    self?.merge(content.values.1, of: service)
                })
            merge(
                try await connection.call(
                    PropertiesInterface.getAll, to: service.busName, at: service.path,
                    on: PropertiesInterface.name, Arguments(interface), timeout: .seconds(5)
                ).values, of: service)
        } catch {
            // It may be started later; then it says what changed.
            logger.debug("\(service.busName) does not tell about power: \(error.name)")
        }
    }

    private func merge(_ new: Vardict, of service: PowerInterfaces.Service) {
        properties[service, default: [:]].merge(new) { $1 }
        guard savesPower != last else { return }
        last.toggle()
        changed.yield(last)
    }

    package var savesPower: Bool {
        properties.values.contains { properties in
            properties.value("OnBattery") == true
                || properties.value("ActiveProfile") == "power-saver"
        }
    }
}
