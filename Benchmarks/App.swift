// SPDX-License-Identifier: MIT

import PortalInterface
import SDBus
import TestSupport

/// An app that waits for the response to each of its requests.
final class App: Sendable {
    private let connection: Connection
    private let responses: AsyncStream<Response>
    private let subscriptions: [Subscription]

    private struct Response: Sendable {
        let handle: String?
        let code: UInt32
    }

    /// Connects.
    ///
    /// - Parameter address: The bus address of an app in a sandbox; nil for the bus itself.
    init(_ session: Session, at address: String? = nil) async throws {
        let connection = try await Connection.open(address: address ?? session.bus.address)
        let (responses, responded) = AsyncStream<Response>.makeStream()
        var subscriptions: [Subscription] = []
        for name in [PhotoPickerInterface.busName, "org.freedesktop.portal.Desktop"] {
            subscriptions.append(
                try await connection.subscribe(
                    to: RequestInterface.response, of: RequestInterface.interface.name, from: name
                ) { message, content in
                    responded.yield(
                        Response(handle: message.path?.rawValue, code: content.values.0))
                })
        }
        self.subscriptions = subscriptions
        self.connection = connection
        self.responses = responses
    }

    func pickPhoto() async throws {
        try await request(
            PhotoPickerInterface.openImage, of: PhotoPickerInterface.busName,
            PhotoPickerInterface.interface.name)
    }

    /// Picks as many photos as the person likes.
    func pickPhotos() async throws {
        try await request(
            PhotoPickerInterface.pickImages, of: PhotoPickerInterface.busName,
            PhotoPickerInterface.interface.name)
    }

    func openFile() async throws {
        try await request(
            PhotoPickerInterface.Pick(
                "OpenFile", takes: ["parent_window", "title", "options"], returns: ["handle"]),
            of: "org.freedesktop.portal.Desktop", "org.freedesktop.portal.FileChooser")
    }

    private func request(
        _ method: PhotoPickerInterface.Pick, of name: BusName, _ interface: InterfaceName
    ) async throws {
        let handle = try await connection.call(
            method, to: name, at: PhotoPickerInterface.path, on: interface,
            Arguments("", "Title", [:])
        ).values
        for await response in responses where response.handle == handle.rawValue {
            guard response.code == 0 else {
                throw NeverHappened(description: "a request ended with \(response.code)")
            }
            return
        }
    }
}
