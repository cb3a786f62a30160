// SPDX-License-Identifier: MIT

import Files
import Processes
import Web
import WebFetch

/// The way from a URI to the bytes of a picture, over all redirects.
struct PictureFetch {
    private let client: WebClient
    private let policy: FetchPolicy
    private let deadline: ContinuousClock.Instant

    /// How often the progress is reported.
    private static let interval = Duration.milliseconds(100)
    /// The statuses of a redirect that is followed by a GET.
    private static let redirects = [301, 302, 303, 307, 308]

    init(_ client: WebClient, _ policy: FetchPolicy) {
        self.client = client
        self.policy = policy
        deadline = .now + policy.patience
    }

    /// What came of a request.
    func message(for request: FetchRequest) -> FetchMessage {
        do throws(FetchError) {
            return try fetch(request)
        } catch {
            return .failed(error)
        }
    }

    private func fetch(_ request: FetchRequest) throws(FetchError) -> FetchMessage {
        let accepted = ["Accept: image/*, video/*;q=0.5"]
        var headers = accepted
        if let tag = request.entityTag { headers.append("If-None-Match: \(tag)") }
        if let date = request.lastModified { headers.append("If-Modified-Since: \(date)") }
        var uri = request.uri
        // What the redirects say of how long they lead to the same picture; nil before the first one.
        var way: Freshness?
        for _ in 0...FetchLimits.mostRedirects {
            guard uri.utf8.count <= FetchLimits.longestURI, let place = WebPlace(uri) else {
                throw .forbidden
            }
            let answer = try ask(place, headers)
            switch answer.status {
            case 200:
                let own = freshness()
                return .fetched(
                    try file(of: answer.body), way.map { own.limited(by: $0) } ?? own)
            case 304:
                // Nobody asked whether something has changed.
                guard headers != accepted else { throw .broken }
                return .unchanged(freshness())
            case let status where Self.redirects.contains(status):
                guard let next = client.redirect(from: place) else { throw .broken }
                uri = next
                // Another server is not told what this one has said, nor asked about it.
                headers = accepted
                let redirect = freshness(ofRedirect: status)
                way = way.map { redirect.limited(by: $0) } ?? redirect
            case 400..<600: throw .refused
            default: throw .broken
            }
        }
        throw .redirected
    }

    private func file(of body: [UInt8]) throws(FetchError) -> Descriptor {
        guard !body.isEmpty else { throw .broken }
        do {
            return try MemoryFile.make(named: "web", holding: body)
        } catch {
            throw .unavailable
        }
    }

    /// What the last answer says of how long it is true.
    ///
    /// - Parameter redirect: Its status, if it is a redirect: one for good that says nothing stays.
    private func freshness(ofRedirect redirect: Int? = nil) -> Freshness {
        let stays = [301, 308].contains(redirect) && client.header("Expires") == nil
        return Freshness(
            control: client.list("Cache-Control"), age: client.header("Age"),
            vary: client.list("Vary"), entityTag: client.header("ETag"),
            lastModified: client.header("Last-Modified"),
            otherwise: stays ? Freshness.longestLifetime : 0)
    }

    // MARK: - One server

    private func ask(
        _ place: WebPlace, _ headers: [String]
    ) throws(FetchError) -> WebClient.Answer {
        let route = try route(to: place)
        let left = deadline - .now
        guard left > .zero else { throw .timedOut }
        var exchange = WebClient.Exchange(
            with: place, mostBytes: FetchLimits.mostBytes, patience: left)
        exchange.headers = headers
        let permits: (InternetAddress) -> Bool
        switch route {
        case .direct(let addresses):
            exchange.addresses = addresses.compactMap { InternetAddress(bytes: $0) }
            permits = policy.permits
            guard !exchange.addresses.isEmpty else { throw .unreachable }
        case .proxy(let uri, let host, let port, let addresses):
            // The proxy looks the name up where nobody here can see the address.
            guard !place.isPrivate || isPermitted(place) else { throw .forbidden }
            let known = Set(addresses.compactMap { InternetAddress(bytes: $0) })
            exchange.addresses = Array(known)
            exchange.proxy = (uri, host, port)
            permits = known.contains
        case .none: throw .unreachable
        }
        var last: ContinuousClock.Instant?
        do throws(WebClient.Problem) {
            return try client.run(exchange, permits: permits) { count, whole in
                if let last, last.duration(to: .now) < Self.interval { return }
                last = .now
                report(.progress(Int64(count), of: whole.map(Int64.init)))
            }
        } catch {
            throw FetchError(error)
        }
    }

    private func isPermitted(_ place: WebPlace) -> Bool {
        InternetAddress(place.host).map(policy.permits) ?? false
    }

    /// Asks the process that started this one.
    private func route(to place: WebPlace) throws(FetchError) -> FetchRoute {
        do {
            let (question, _) = FetchProtocol.encode(
                .question(host: place.host, port: place.port))
            try WorkerSocket.send(question)
            guard let packet = try WorkerSocket.receive(capacity: FetchProtocol.packetSize) else {
                throw FetchError.cancelled
            }
            return try FetchProtocol.decodeRoute(packet.bytes)
        } catch {
            throw .unavailable
        }
    }

    private func report(_ message: FetchMessage) {
        // If nobody listens any more, the end of the process follows.
        try? WorkerSocket.send(FetchProtocol.encode(message).0)
    }
}

extension FetchError {
    fileprivate init(_ problem: WebClient.Problem) {
        self =
            switch problem {
            case .unreachable: .unreachable
            case .forbidden: .forbidden
            case .insecure: .insecure
            case .timedOut: .timedOut
            case .tooLarge: .tooLarge
            case .broken: .broken
            }
    }
}
