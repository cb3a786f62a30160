// SPDX-License-Identifier: MIT

internal import CWeb
import Glibc

/// A client of https that opens no file and looks up no name, so that it can work in a sandbox.
///
/// It has one owner, and is used by one thread.
package final class WebClient {
    /// A GET to one server; a redirect is an answer like any other.
    package struct Exchange {
        package let place: WebPlace
        /// The addresses of the server, or of the proxy.
        package var addresses: [InternetAddress] = []
        /// The proxy; nil to connect to the server.
        package var proxy: (uri: String, host: String, port: UInt16)?
        /// `NAME: VALUE`, without line breaks.
        package var headers: [String] = []
        /// The most bytes of the body.
        package var mostBytes: Int64
        package var patience: Duration

        package init(with place: WebPlace, mostBytes: Int64, patience: Duration) {
            self.place = place
            self.mostBytes = mostBytes
            self.patience = patience
        }
    }

    /// Why there was no whole answer.
    package enum Problem: Error, Hashable, Sendable {
        case unreachable
        /// No address that was allowed.
        case forbidden
        /// No TLS, or a certificate that is not for this host.
        case insecure
        case timedOut
        case tooLarge
        /// Not HTTP, or an answer that ends early.
        case broken
    }

    /// An answer; only one with status 200 has a body.
    package struct Answer {
        package let status: Int
        package let body: [UInt8]
    }

    private let web: OpaquePointer
    private let certificates: UnsafeMutableRawBufferPointer

    /// Loads what exchanges need; nil without memory.
    ///
    /// - Parameter certificates: The authorities to trust, in PEM.
    package init?(certificates: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(certificates.count, 1), alignment: 1)
        copy.copyBytes(from: certificates)
        guard let start = copy.baseAddress, let web = pp_web_open(start, certificates.count) else {
            copy.deallocate()
            return nil
        }
        self.web = web
        self.certificates = copy
    }

    deinit {
        pp_web_close(web)
        certificates.deallocate()
    }

    /// The file with the authorities that the system trusts; nil if that is unknown.
    package static var authorities: String? { pp_web_authorities().map { String(cString: $0) } }

    /// What the callbacks of an exchange need and find out.
    private final class Progress {
        let permits: (InternetAddress) -> Bool
        let progress: (Int, Int?) -> Void
        var body: [UInt8] = []
        var hasPermitted = false
        var hasRefused = false

        init(
            _ permits: @escaping (InternetAddress) -> Bool,
            _ progress: @escaping (Int, Int?) -> Void
        ) {
            self.permits = permits
            self.progress = progress
        }

        static func ask(
            _ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>, _ count: Int
        ) -> CInt {
            guard let context else { return 0 }
            let this = Unmanaged<Progress>.fromOpaque(context).takeUnretainedValue()
            let address = InternetAddress(bytes: UnsafeBufferPointer(start: bytes, count: count))
            guard let address, this.permits(address) else {
                this.hasRefused = true
                return 0
            }
            this.hasPermitted = true
            return 1
        }

        static func take(
            _ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>, _ count: Int,
            _ expected: Int64
        ) -> CInt {
            guard let context else { return 0 }
            let this = Unmanaged<Progress>.fromOpaque(context).takeUnretainedValue()
            this.body.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
            this.progress(this.body.count, expected > 0 ? Int(clamping: expected) : nil)
            return 1
        }
    }

    /// Asks a server, and reads its answer.
    ///
    /// - Parameters:
    ///   - permits: Whether to connect to an address; asked about the very one that is used.
    ///   - progress: Called with the bytes of the body that have come, and how many there will be.
    /// - Throws: ``Problem``.
    /// - Isolation: any thread; blocks until the answer is there.
    package func run(
        _ exchange: Exchange, permits: @escaping (InternetAddress) -> Bool,
        progress: @escaping (Int, Int?) -> Void
    ) throws(Problem) -> Answer {
        let state = Progress(permits, progress)
        let (problem, status) = withExtendedLifetime(state) { perform(exchange, state) }
        switch problem {
        case PP_WEB_DONE: return Answer(status: status, body: state.body)
        case PP_WEB_UNREACHABLE:
            throw state.hasRefused && !state.hasPermitted ? .forbidden : .unreachable
        case PP_WEB_INSECURE: throw .insecure
        case PP_WEB_TIMED_OUT: throw .timedOut
        case PP_WEB_TOO_LARGE: throw .tooLarge
        default: throw .broken
        }
    }

    private func perform(
        _ exchange: Exchange, _ state: Progress
    ) -> (problem: pp_web_problem, status: Int) {
        let target =
            exchange.proxy.map { ($0.host, $0.port) }
            ?? (exchange.place.host, exchange.place.port)
        let addresses = exchange.addresses.map { address in
            address.bytes.count == 16 ? "[\(address)]" : "\(address)"
        }
        // Entries are for names; an address needs none.
        let entries =
            InternetAddress(target.0) != nil || addresses.isEmpty
            ? [] : ["\(target.0):\(target.1):\(addresses.joined(separator: ","))"]
        var status = 0
        let problem = withCStrings(entries) { entries in
            withCStrings(exchange.headers) { headers in
                exchange.place.uri.withCString { uri in
                    (exchange.proxy?.uri ?? "").withCString { proxy in
                        var request = pp_web_exchange(
                            uri: uri, addresses: entries, proxy: proxy, headers: headers,
                            most_bytes: exchange.mostBytes,
                            patience: max(1, Int(exchange.patience / .milliseconds(1))),
                            context: Unmanaged.passUnretained(state).toOpaque(),
                            permits: { Progress.ask($0, $1, $2) },
                            take: { Progress.take($0, $1, $2, $3) })
                        return pp_web_run(web, &request, &status)
                    }
                }
            }
        }
        return (problem, status)
    }

    /// A header of the last answer, the first one of its name; nil if it has none.
    package func header(_ name: String) -> String? { header(name, 0) }

    /// All headers of a name of the last answer, as one list; nil if it has none.
    ///
    /// - Source: RFC 9110, section 5.3.
    package func list(_ name: String) -> String? {
        var values: [String] = []
        while let value = header(name, values.count) { values.append(value) }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    private func header(_ name: String, _ index: Int) -> String? {
        pp_web_header(web, name, index).map { String(cString: $0) }
    }

    /// Where the last answer redirects to: an absolute URI of any scheme, or nil.
    package func redirect(from place: WebPlace) -> String? {
        guard let uri = pp_web_redirect(web, place.uri) else { return nil }
        defer { free(uri) }
        return String(cString: uri)
    }
}

/// Calls `body` with a NULL-terminated array of C strings.
private func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let pointers: [UnsafePointer<CChar>?] = copies.map { UnsafePointer($0) } + [nil]
    return pointers.withUnsafeBufferPointer { buffer in
        // An array that is not empty has an address.
        guard let start = buffer.baseAddress else { preconditionFailure("the array is empty") }
        return body(start)
    }
}
