// SPDX-License-Identifier: MIT

package import Files
package import ImageWork

/// What the program that fetches one picture is asked for.
package struct FetchRequest: Hashable, Sendable {
    package var uri: String
    /// What is known of the picture from an earlier answer; the server says whether that is still true.
    package var entityTag: String?
    package var lastModified: String?

    package init(uri: String, entityTag: String? = nil, lastModified: String? = nil) {
        self.uri = uri
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}

/// How to reach a server.
package enum FetchRoute: Hashable, Sendable {
    /// At one of these addresses, each of 4 or 16 bytes.
    case direct(addresses: [[UInt8]])
    /// By a proxy, which is at one of these addresses, and looks up the server itself.
    case proxy(uri: String, host: String, port: UInt16, addresses: [[UInt8]])
    case none
}

/// What the program that fetches says.
package enum FetchMessage: Hashable, Sendable {
    /// It asks how to reach a server.
    case question(host: String, port: UInt16)
    /// So many bytes have come, of as many as there will be; nil while that is unknown.
    case progress(Int64, of: Int64?)
    /// A sealed memory file with the bytes, which may be of any kind.
    case fetched(Descriptor, Freshness)
    /// What the request knows is still true.
    case unchanged(Freshness)
    case failed(FetchError)
}

/// The packets between the dialog and the program that fetches; both ends come from the same build.
package enum FetchProtocol {
    /// The largest packet in bytes, in either direction.
    package static let packetSize = 16_384

    private enum Code: UInt8 {
        case question = 1
        case progress = 2
        case fetched = 3
        case unchanged = 4
        case failed = 5
    }

    // MARK: - Messages

    package static func encode(_ message: FetchMessage) -> ([UInt8], [Descriptor]) {
        var writer = PacketWriter()
        switch message {
        case .question(let host, let port):
            writer.write(Code.question.rawValue)
            writer.write(host)
            writer.write(UInt32(port))
        case .progress(let count, let whole):
            writer.write(Code.progress.rawValue)
            writer.write(count)
            writer.write(whole ?? -1)
        case .fetched(let file, let freshness):
            writer.write(Code.fetched.rawValue)
            writer.write(freshness)
            writer.write(file)
        case .unchanged(let freshness):
            writer.write(Code.unchanged.rawValue)
            writer.write(freshness)
        case .failed(let error):
            writer.write(Code.failed.rawValue)
            writer.write(error.rawValue)
        }
        return (writer.bytes, writer.descriptors)
    }

    /// Reads a message, and checks it: the process may have been taken over by a server.
    package static func decodeMessage(
        _ packet: [UInt8], _ descriptors: [Descriptor]
    ) throws(PacketError) -> FetchMessage {
        var reader = PacketReader(packet, descriptors)
        let message: FetchMessage
        switch Code(rawValue: try reader.uint8()) {
        case .question:
            let host = try reader.text()
            guard let port = UInt16(exactly: try reader.uint32()), port > 0,
                (1...255).contains(host.utf8.count), host.utf8.allSatisfy({ 0x21...0x7e ~= $0 })
            else { throw PacketError(.value) }
            message = .question(host: host, port: port)
        case .progress:
            let count = try reader.int64()
            let whole = try reader.int64()
            guard 0...FetchLimits.mostBytes ~= count else { throw PacketError(.value) }
            message = .progress(count, of: whole > 0 ? max(whole, count) : nil)
        case .fetched:
            let freshness = try reader.freshness()
            message = .fetched(try reader.sealedFile(1...FetchLimits.mostBytes), freshness)
        case .unchanged: message = .unchanged(try reader.freshness())
        case .failed:
            guard let error = FetchError(rawValue: try reader.uint8()) else {
                throw PacketError(.value)
            }
            message = .failed(error)
        case nil: throw PacketError(.kind)
        }
        guard reader.isAtEnd else { throw PacketError(.tooLong) }
        return message
    }

    // MARK: - Requests and routes

    package static func encode(_ request: FetchRequest) -> [UInt8] {
        var writer = PacketWriter()
        writer.write(request.uri)
        writer.write(request.entityTag ?? "")
        writer.write(request.lastModified ?? "")
        return writer.bytes
    }

    package static func decodeRequest(_ packet: [UInt8]) throws(PacketError) -> FetchRequest {
        var reader = PacketReader(packet)
        let request = FetchRequest(
            uri: try reader.text(), entityTag: Freshness.validator(try reader.text()),
            lastModified: Freshness.validator(try reader.text()))
        guard reader.isAtEnd else { throw PacketError(.tooLong) }
        return request
    }

    package static func encode(_ route: FetchRoute) -> [UInt8] {
        var writer = PacketWriter()
        func write(_ addresses: [[UInt8]]) {
            let tried = addresses.prefix(FetchLimits.mostAddresses)
            writer.write(UInt8(tried.count))
            for address in tried {
                writer.write(UInt8(clamping: address.count))
                for byte in address.prefix(16) { writer.write(byte) }
            }
        }
        switch route {
        case .none: writer.write(UInt8(0))
        case .direct(let addresses):
            writer.write(UInt8(1))
            write(addresses)
        case .proxy(let uri, let host, let port, let addresses):
            writer.write(UInt8(2))
            writer.write(uri)
            writer.write(host)
            writer.write(UInt32(port))
            write(addresses)
        }
        return writer.bytes
    }

    package static func decodeRoute(_ packet: [UInt8]) throws(PacketError) -> FetchRoute {
        var reader = PacketReader(packet)
        func addresses() throws(PacketError) -> [[UInt8]] {
            var addresses: [[UInt8]] = []
            for _ in 0..<(try reader.uint8()) {
                var address: [UInt8] = []
                for _ in 0..<(try reader.uint8()) { address.append(try reader.uint8()) }
                addresses.append(address)
            }
            return addresses
        }
        let route: FetchRoute
        switch try reader.uint8() {
        case 0: route = .none
        case 1: route = .direct(addresses: try addresses())
        case 2:
            let uri = try reader.text()
            let host = try reader.text()
            guard let port = UInt16(exactly: try reader.uint32()) else { throw PacketError(.value) }
            route = .proxy(uri: uri, host: host, port: port, addresses: try addresses())
        default: throw PacketError(.kind)
        }
        guard reader.isAtEnd else { throw PacketError(.tooLong) }
        return route
    }
}

extension PacketWriter {
    fileprivate mutating func write(_ freshness: Freshness) {
        write(freshness.isStorable)
        write(freshness.lifetime)
        write(freshness.entityTag ?? "")
        write(freshness.lastModified ?? "")
    }
}

extension PacketReader {
    fileprivate mutating func freshness() throws(PacketError) -> Freshness {
        var freshness = Freshness()
        freshness.isStorable = try bool()
        freshness.lifetime = min(try uint32(), Freshness.longestLifetime)
        freshness.entityTag = Freshness.validator(try text())
        freshness.lastModified = Freshness.validator(try text())
        return freshness
    }
}
