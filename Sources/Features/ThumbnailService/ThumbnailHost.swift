// SPDX-License-Identifier: MIT

package import Logging
import PortalInterface
package import SDBus
package import Thumbnails

/// Makes thumbnails for other programs of the desktop, on a connection of its own.
///
/// An app in a sandbox that may talk to the picker may call every object of the picker's connection,
/// and these methods are for programs outside sandboxes.
@BusActor
package final class ThumbnailHost {
    private static let names = [ThumbnailerInterface.busName, ThumbnailCacheInterface.busName]

    private let connection: Connection
    private let thumbnailer: ThumbnailerService
    private let cache: ThumbnailCacheService
    private let logger: Logger
    private var watches: [Subscription] = []

    /// Exports the interfaces and takes their names where nobody has them; now or later.
    ///
    /// - Parameters:
    ///   - connection: One that serves nothing else.
    ///   - supportedTypes: What the decoders read.
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

    /// Takes a name that is free; another thumbnailer keeps its own.
    private func take(_ name: BusName) async {
        guard !connection.isClosed else { return }
        let answer = try? await connection.requestName(name)
        logger.debug("\(answer == .owner ? "Took" : "Left") \(name)")
    }

    /// Ends every request, then the connection.
    package func stop() async {
        for watch in watches { watch.cancel() }
        watches = []
        thumbnailer.stop()
        await connection.finishCalls()
        connection.close()
    }
}
