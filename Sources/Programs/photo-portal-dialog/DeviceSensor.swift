// SPDX-License-Identifier: MIT

import Logging
import PortalInterface
import SDBus

/// How a tablet or a phone is held, as its accelerometer tells.
@BusActor
enum DeviceSensor {
    private static let property = "AccelerometerOrientation"

    /// Follows it until the task is cancelled; the sensor is on that long.
    ///
    /// - Parameter changed: Called with quarter turns clockwise from the usual position.
    static func follow(_ logger: Logger, _ changed: @escaping @BusActor (Int) -> Void) async {
        do throws(DBusError) {
            let connection = try await Connection.openSystem()
            defer { connection.close() }
            let name = SensorInterface.interface.name
            let subscription = try await connection.subscribe(
                to: PropertiesInterface.propertiesChanged, of: PropertiesInterface.name,
                from: SensorInterface.busName, at: SensorInterface.path,
                firstArgument: name.rawValue
            ) { _, content in
                if let turn = turn(content.values.1) { changed(turn) }
            }
            defer { subscription.cancel() }
            _ = try await connection.call(
                SensorInterface.claimAccelerometer, to: SensorInterface.busName,
                at: SensorInterface.path, on: name, Arguments(), timeout: .seconds(5))
            let properties = try await connection.call(
                PropertiesInterface.getAll, to: SensorInterface.busName, at: SensorInterface.path,
                on: PropertiesInterface.name, Arguments(name.rawValue), timeout: .seconds(5))
            if let turn = turn(properties.values) { changed(turn) }
            // The sensor is released with the connection.
            let (end, waiting) = AsyncStream<Void>.makeStream()
            for await _ in end {}
            waiting.finish()
        } catch {
            logger.debug("Nobody tells how the device is held: \(error.name)")
        }
    }

    /// - Source: iio-sensor-proxy 3.4: `left-up` means that the left side of the device is up, which it is after a
    ///   quarter turn clockwise.
    private static func turn(_ properties: Vardict) -> Int? {
        switch properties.value(property, as: String.self) {
        case "normal": 0
        case "left-up": 1
        case "bottom-up": 2
        case "right-up": 3
        // Nobody knows, or there is no such sensor.
        default: nil
        }
    }
}
