// SPDX-License-Identifier: MIT

import Desktop
import Files
import Glibc
import Photos
import PortalBackend
import PortalInterface
import SDBus
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// Another program exchanges the file of a photo between the click and the delivery.
///
/// `PHOTO_PORTAL_SWAPS=1000` tries it a thousand times.
@Suite(.serialized) struct SwapTests {
    /// How the file becomes another one.
    private enum Swap: CaseIterable {
        /// Another file gets its name.
        case rename
        /// A link out of the library's folders gets its name.
        case link
        /// It is overwritten, and keeps its size and date.
        case overwrite
    }

    /// A backend in the test process: it shows the photo, and the person chooses it.
    private final class Person: Sendable {
        /// What happens after the photo was shown, and before the reply.
        private final class Reaction: Sendable {
            let action = Mutex<@Sendable () -> Void>({})
        }

        private let reaction = Reaction()
        private let backend: PickerBackend

        init(_ picker: PickerSession, choosing id: AssetID, at path: FilePath) async throws {
            let connection = try await picker.session.connect()
            backend = try await PickerBackend(on: connection) {
                [reaction] _, _, _ throws(DBusError) in
                var item = PickedItem(.asset(id), from: .library)
                item.version = (try? path.stat()).map { FileVersion($0) }
                reaction.action.withLock { $0 }()
                return .picked([item])
            } authorize: { _, _ throws(DBusError) in
                .undecided
            } delete: { _, _ throws(DBusError) in
                false
            } preview: { _, _ throws(DBusError) in
                .cancelled
            }
            _ = try await connection.requestName(PickerBackendInterface.defaultBusName)
        }

        func afterClick(_ action: @escaping @Sendable () -> Void) {
            reaction.action.withLock { $0 = action }
        }
    }

    private static let tries =
        environmentVariable("PHOTO_PORTAL_SWAPS").flatMap { Int($0) } ?? 60

    @Test(arguments: CallerKind.allCases)
    func `an exchanged file is an error, never another photo`(kind: CallerKind) async throws {
        let picker = try await PickerSession(kind, photos: 0)
        let photo = try await Photo(in: picker)
        let expected = try await photo.expectedResults()
        var outcomes: [String: Int] = [:]
        for number in 0..<Self.tries {
            let swap = Swap.allCases[number % 3]
            let isDerived = number % 2 == 0
            let step = number % 4
            try photo.reset()
            // Before the reply, or at some time while the service works on the delivery.
            let delay = step == 0 ? nil : Duration.microseconds(Int.random(in: 0..<12_000))
            photo.person.afterClick { [photo] in
                guard let delay else { return photo.exchange(swap) }
                Task.detached {
                    try await Task.sleep(for: delay)
                    photo.exchange(swap)
                }
            }
            let (response, received) = try await photo.pick(isDerived: isDerived)
            let delivery = try #require(Delivery(response.results))
            try await eventually("the exchange") { photo.exchanged.withLock { $0 != nil } }
            let time = try #require(photo.exchanged.withLock { $0 })
            guard let item = delivery.items.first else {
                #expect(response.code == 2)
                let codes = delivery.failures.map(\.code)
                #expect([[.changed], [.notFound], [.unreadable]].contains(codes), "\(codes)")
                outcomes[codes.first?.rawValue ?? "?", default: 0] += 1
                if swap == .link { try await photo.settle() }
                continue
            }
            let path = try #require(FileURI.path(item.uri))
            let content = try? Descriptor.openForReading(path).read(upTo: 1 << 20)
            let isShown = content == (isDerived ? expected.derived : expected.original)
            // An original stays where it is: a program can exchange it after the last look.
            let isLate = !isDerived && time.duration(to: received) < .milliseconds(100)
            #expect(isShown || step != 0 && isLate, "try \(number): \(swap) at step \(step)")
            let outcome = isShown ? "shown" : time < received ? "late" : "exchanged afterwards"
            outcomes[outcome, default: 0] += 1
            if swap == .link { try await photo.settle() }
        }
        print("\(kind): \(outcomes.sorted { $0.key < $1.key })")
        #expect(outcomes["changed", default: 0] > 0)
    }

    /// A photo of the library whose file is exchanged.
    private final class Photo: Sendable {
        let picker: PickerSession
        let person: Person
        let exchanged = Mutex<ContinuousClock.Instant?>(nil)
        private let path: FilePath
        private let shown: [UInt8]
        private let other: [UInt8]
        private let counter = Mutex(0)

        init(in picker: PickerSession) async throws {
            self.picker = picker
            let path = picker.home.pictures.appending("photo.jpg")
            let shown = try Fixtures.bytes("orientation/1.jpg")
            let other = try Fixtures.bytes("jpeg/grey.jpg")
            let size = max(shown.count, other.count)
            self.path = path
            self.shown = shown + [UInt8](repeating: 0, count: size - shown.count)
            self.other = other + [UInt8](repeating: 0, count: size - other.count)
            try picker.home.write(self.shown, to: path)
            let script = try await picker.session.startBackend("pick newest 1")
            // Only programs outside a sandbox get the ids that the backend uses.
            let host = try await Client(picker.session)
            let id = try await eventually("the photo in the library") {
                let response = try await host.response(try await host.open())
                return Delivery(response.results)?.items.first.flatMap { AssetID($0.id) }
            }
            try await script.stop()
            person = try await Person(picker, choosing: id, at: path)
        }

        /// Puts the photo back that the person is shown.
        func reset() throws {
            exchanged.withLock { $0 = nil }
            person.afterClick {}
            try picker.home.write(shown, to: path)
            picker.home.setDate(of: path, 1_700_000_000)
        }

        /// Waits until the library has the photo again, after it saw none.
        func settle() async throws {
            try reset()
            try await eventually("the photo") {
                try await self.pick(isDerived: false).0.code == 0
            }
        }

        func exchange(_ swap: Swap) {
            let number = counter.withLock { counter in
                counter += 1
                return counter
            }
            let spare = picker.home.pictures.appending(".spare \(number)")
            do {
                switch swap {
                case .rename:
                    try picker.home.write(other, to: spare)
                    picker.home.setDate(of: spare, 1_700_000_000)
                    try AtomicFile.rename(spare, to: path)
                case .link:
                    let secret = picker.home.home.appending("secret.jpg")
                    try picker.home.write(other, to: secret)
                    symlink(secret.string, spare.string)
                    try AtomicFile.rename(spare, to: path)
                case .overwrite:
                    let file = try FileDescriptor.open(path, .writeOnly)
                    defer { try? file.close() }
                    try file.writeAll(toAbsoluteOffset: 0, other)
                    picker.home.setDate(of: path, 1_700_000_000)
                }
            } catch {
                Issue.record(error)
            }
            exchanged.withLock { $0 = .now }
        }

        /// Picks the photo.
        ///
        /// - Returns: The response, and when it arrived.
        func pick(
            isDerived: Bool
        ) async throws -> (Client.Response, ContinuousClock.Instant) {
            let options: Vardict = isDerived ? ["max_dimension": UInt32(16).variant] : [:]
            let handle = try await picker.client.open(options)
            let response = try await picker.client.response(handle)
            return (response, .now)
        }

        /// The files that an app receives if nothing is exchanged.
        func expectedResults() async throws -> (original: [UInt8], derived: [UInt8]) {
            var results: [[UInt8]] = []
            for isDerived in [false, true] {
                let response = try await pick(isDerived: isDerived).0
                let item = try #require(Delivery(response.results)?.items.first)
                let path = try #require(FileURI.path(item.uri))
                results.append(try Descriptor.openForReading(path).read(upTo: 1 << 20))
            }
            #expect(results[0] == shown)
            #expect(results[1] != shown)
            return (results[0], results[1])
        }
    }
}
