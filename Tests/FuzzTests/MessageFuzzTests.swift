// SPDX-License-Identifier: MIT

import Photos
import PortalInterface
import TestSupport
import Testing

@testable import SDBus

/// Any message on the bus is read or rejected with an error; nothing traps.
@Suite struct MessageFuzzTests {
    private static let keptSeeds: [UInt64] = [0xDEAD_BEEF, 0x7FFF_FFFF_FFFF_FFFF, .max]

    @Test func `any options are accepted or rejected with a short error that names the key`()
        throws
    {
        var taken = 0
        var refused = 0
        for seed in Effort.seeds(Self.keptSeeds, count: 20_000) {
            var generator = Generator(seed: seed)
            let options = generator.options()
            for method in PickMethod.allCases {
                do throws(DBusError) {
                    let parsed = try ParsedOptions(options, of: method)
                    taken += 1
                    // Options that were accepted mean the same to the backend.
                    let passed = parsed.pick.vardict(for: method)
                    #expect(try ParsedOptions(passed, of: method).pick == parsed.pick, "\(seed)")
                    #expect(parsed.pick.count.minimum >= 0, "\(seed)")
                } catch {
                    refused += 1
                    #expect(error.name == .portalInvalidArgument, "\(seed)")
                    #expect(error.message.utf8.count < 1000, "\(seed)")
                    #expect(
                        options.keys.contains { error.message.contains("'\($0)'") }, "\(seed)")
                }
            }
        }
        // Both must happen often, otherwise the generator tests nothing.
        #expect(taken > refused / 20 && refused > taken / 20)
    }

    @Test func `any reply of a backend is accepted or rejected`() throws {
        for seed in Effort.seeds(Self.keptSeeds, count: 20_000) {
            var generator = Generator(seed: seed)
            var results: Vardict = [:]
            for key in ["selection", "persistent", "writable", "other"]
            where generator.below(2) == 0 {
                results[key] = generator.variant(depth: 0)
            }
            if generator.below(2) == 0 {
                results["selection"] =
                    (0..<generator.below(4)).map { _ in
                        Dictionary(
                            uniqueKeysWithValues: ["id", "uri", "source"].filter { _ in
                                generator.below(2) == 0
                            }.map { ($0, generator.variant(depth: 1)) })
                    }.variant
            }
            let code = UInt32(generator.below(4))
            var options = PickOptions()
            options.wishes = .persistent
            do {
                let outcome = try BackendAnswer.decode(Arguments(code, results), to: options)
                if case .picked(let items, let grants) = outcome {
                    #expect(options.count.allows(items.count), "\(seed)")
                    #expect(options.wishes.isSuperset(of: grants), "\(seed)")
                }
            } catch {
                #expect(!error.description.isEmpty, "\(seed)")
            }
        }
    }

    @Test func `any message is read the way it was written`() async throws {
        for seed in Effort.seeds(Self.keptSeeds, count: 3000) {
            var generator = Generator(seed: seed)
            let value = generator.variant(depth: 0)
            let same = try await Self.readBack(value)
            #expect(same == value, "\(seed)")
        }
    }

    @Test func `a message of unexpected types is rejected`() async throws {
        for seed in Effort.seeds(Self.keptSeeds, count: 3000) {
            var generator = Generator(seed: seed)
            let value = generator.variant(depth: 0)
            try await Self.misread(value, seed)
        }
    }

    @BusActor
    private static func readBack(_ value: Variant) throws -> Variant {
        try Message.detached(Arguments(value)).read(Arguments<Variant>.self).values
    }

    /// Reads a variant as the arguments of every call that we handle.
    @BusActor
    private static func misread(_ value: Variant, _ seed: UInt64) throws {
        let message = try Message.detached(Arguments(value))
        #expect(throws: WireError.self, "\(seed)") { try message.read(Arguments<String>.self) }
        #expect(throws: WireError.self, "\(seed)") { try message.read(Arguments<ObjectPath>.self) }
        #expect(throws: WireError.self, "\(seed)") { try message.read(Arguments<Vardict>.self) }
        #expect(throws: WireError.self, "\(seed)") {
            try message.read(Arguments<String, String, Vardict>.self)
        }
        #expect(throws: WireError.self, "\(seed)") { try message.read(Arguments<[String]>.self) }
    }
}
