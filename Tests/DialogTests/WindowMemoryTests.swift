// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// What the windows that were closed leave in the memory of the dialog.
@Suite(.serialized) struct WindowMemoryTests {
    /// Each window keeps nothing that the next one does not use again.
    @Test func `windows that were closed leave no memory`() async throws {
        let dialog = try await Self.start()
        var memory: [Int] = []
        for number in 0..<40 {
            let pick = try dialog.pick("--max", "5")
            try await dialog.person.do("window")
            try await dialog.person.do("photos 10")
            try await dialog.person.do("key Right Return")
            try await dialog.person.do("enabled Back")
            try await dialog.person.do("key Escape")
            try await dialog.person.do("photos 10")
            try await dialog.person.do("key Escape")
            #expect(try await pick.exitStatus() == 1)
            if number % 10 == 9 { memory.append(try Holdings(of: dialog.dialog).memory) }
        }
        print("memory after 10, 20, 30 and 40 windows: \(memory) KiB")
        #expect(memory[3] - memory[1] < 4000, "\(memory)")
    }

    /// Once a large block was freed, the allocator kept those that followed at the end of the UI
    /// thread's heap.
    @Test func `a window that was large leaves no memory`() async throws {
        let dialog = try await Self.start()
        let before = try await dialog.memoryAfterPick()
        let pick = try dialog.pick()
        try await dialog.person.do("loaded 6")
        for _ in 0..<2 {
            for size in ["3840 2100", "960 640"] {
                let before = try await dialog.person.do("place Photos").width
                try await dialog.person.do("resize \(size)")
                try await eventually("photos in \(size)") {
                    try await dialog.person.do("place Photos").width != before
                }
                try await dialog.person.do("loaded 6")
            }
        }
        try await dialog.person.do("press Cancel")
        #expect(try await pick.exitStatus() == 1)
        let after = try await dialog.memoryAfterPick()
        print("\(before) KiB before, \(after) KiB after a window of 3840×2100")
        #expect(after - before < 5000)
    }

    private static func start() async throws -> DialogSession {
        let dialog = try await DialogSession {
            try $0.turnOffAnimations()
            try $0.addPhotos(60)
        }
        try await dialog.settle()
        return dialog
    }
}

extension DialogSession {
    /// The anonymous memory of the dialog once a window was shown and closed, in KiB.
    func memoryAfterPick() async throws -> Int {
        for _ in 0..<2 {
            let pick = try pick("--title", "Quiet")
            try await person.do("window")
            // Which photos are shown, and how large, the window remembers.
            try await person.do("press Cancel")
            _ = try await pick.exitStatus()
        }
        return try Holdings(of: dialog).memory
    }
}
