// SPDX-License-Identifier: MIT

package import Logging
import PortalInterface
package import SDBus
package import Thumbnails

/// Makes thumbnails for other programs of the desktop, on its own bus connection.
///
/// A sandboxed app that may talk to the picker may call every object on the picker's connection, and
/// these methods are for programs outside sandboxes.
@BusActor
package final class ThumbnailHost {
    private static let names = [ThumbnailerInterface.busName, ThumbnailCacheInterface.busName]

    private let connection: Connection
    private let thumbnailer: ThumbnailerService
    private let cache: ThumbnailCacheService
    private let logger: Logger
    private var watches: [Subscription] = []

    /// Exports the interfaces and takes their bus names as soon as no other program owns them.
    ///
    /// - Parameters:
    ///   - connection: A connection that serves nothing else.
    ///   - supportedTypes: The media types that the decoders read.
    ///   - makers: How many thumbnails are made at a time.
    /// - Throws: ``SDBus/DBusError`` when the bus is gone.
    package init(
        on connection: Connection, _ loader: ThumbnailLoader, supportedTypes: [String],
        makers: Int, logger: Logger
    ) async throws {
        self.connection = connection
        self.logger = logger
        thumbnailer = try ThumbnailerService(
            on: connection, loader, supportedTypes: supportedTypes, makers: makers, logger: logger)
        cache = try ThumbnailCacheService(on: connection, ThumbnailKeeper(loader))
        for name in Self.names {
            let watch = try await connection.watchOwner(of: name) { [weak self] owner in
                guard owner == nil else { return }
                Task { await self?.take(name) }
            }
            watches.append(watch)
            await take(name)
        }
    }

    /// Takes a name that no other program owns.
    private func take(_ name: BusName) async {
        guard !connection.isClosed else { return }
        do {
            let answer = try await connection.requestName(name)
            logger.debug("\(answer == .owner ? "Took" : "Left") \(name)")
        } catch {
            logger.warning(
                "A bus name for thumbnails could not be requested.",
                metadata: ["name": "\(name)", "error": "\(error)"])
        }
    }

    /// Ends every request, then the connection.
    package func stop() async {
        for watch in watches { watch.cancel() }
        watches = []
        thumbnailer.stop()
        cache.stop()
        await connection.finishCalls()
        connection.close()
    }
}
