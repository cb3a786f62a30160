// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// When a pick can finish, and what the app receives.
@Suite struct FinishingTests {
    @Test(
        arguments: [
            (0, 0, nil), (1, 0, Refusal.tooFew(minimum: 1)), (1, 1, nil),
            (2, 1, .tooFew(minimum: 2)), (2, 2, nil),
        ] as [(Int, UInt8, Refusal?)])
    func `the key finishes if the button is sensitive, and otherwise says why not`(
        minimum: Int, count: UInt8, obstacle: Refusal?
    ) throws {
        var session = try Session(minimum: minimum)
        for number in 0..<count { session.click(number + 1) }
        #expect(session.pick.obstacle == obstacle)
        session.send(.accepted)
        if let obstacle {
            #expect(session.effects == [.announce(obstacle)])
            #expect(!session.pick.isFinished)
        } else {
            #expect(session.delivered?.count == Int(count))
            #expect(session.pick.isFinished)
        }
    }

    @Test func `Select right after a chosen photo has gone does not deliver the rest`() throws {
        var session = try Session()
        session.click(1)
        session.click(2)
        session.click(3)
        session.change(to: [1, 3, 4])
        session.effects = []
        session.send(.accepted)
        let gone = Refusal.notReady(.changed([.asset(id(2))], name: nil))
        #expect(session.effects == [.announce(gone)])
        // The second press of a double click.
        session.send(.accepted)
        #expect(session.effects == [.announce(gone)])
        #expect(!session.pick.isFinished)
        session.send(.lossRead)
        session.send(.accepted)
        #expect(session.delivered == [1, 3])
    }

    @Test func `a message about lost photos counts those of the message that it replaces`() throws {
        var session = try Session()
        for number: UInt8 in 1...4 { session.click(number) }
        session.change(to: [2, 3, 4])
        session.effects = []
        session.change(to: [2, 4])
        let lost = Refusal.notReady(.changed([.asset(id(1)), .asset(id(3))], name: nil))
        #expect(session.effects.contains(.announce(lost)))
    }

    @Test func `Select finishes once the person can have read that a chosen photo has gone`() throws
    {
        var session = try Session()
        session.click(1)
        session.click(2)
        session.change(to: [1, 3, 4])
        session.send(.lossRead)
        session.send(.accepted)
        #expect(session.delivered == [1])
    }

    @Test func `whoever chooses again after a chosen photo has gone need not select twice`() throws
    {
        var session = try Session()
        session.click(1)
        session.click(2)
        session.change(to: [1, 3, 4])
        session.click(3)
        session.send(.accepted)
        #expect(session.delivered == [1, 3])
    }

    @Test func `items of every source are delivered in the order of choice`() throws {
        var session = try Session()
        let file = PickedItem(.uri("file:///a.jpg"), from: .files)
        let shot = PickedItem(.uri("file:///run/shot.jpg"), from: .camera)
        let pasted = PickedItem(.uri("file:///run/pasted.png"), from: .clipboard)
        session.send(.added([file, pasted]))
        session.click(2)
        session.send(.added([shot, file]))
        session.send(.removed(pasted.reference))
        session.send(.accepted)
        #expect(
            session.outcome
                == .picked([file, PickedItem(.asset(id(2)), from: .library), shot], granting: []))
    }

    @Test func `items of other sources count towards the limit`() throws {
        var session = try Session(maximum: 2)
        session.click(1)
        session.send(
            .added([1, 2].map { PickedItem(.uri("file:///\($0).jpg"), from: .files) }))
        #expect(session.pick.selection.count == 2)
        #expect(session.effects == [.announce(.tooMany(maximum: 2))])
    }

    @Test func `an app without a limit gets what a response holds, and the person is told`()
        throws
    {
        var session = try Session()
        let many = (0..<10_001).map { PickedItem(.uri("file:///\($0).jpg"), from: .files) }
        session.send(.added(many))
        #expect(session.pick.selection.count == 10_000)
        #expect(session.effects == [.announce(.tooMany(maximum: 10_000))])
        #expect(session.pick.obstacle == nil)
    }

    @Test func `the part of a photo is delivered with it`() throws {
        var session = try Session()
        session.click(1)
        let part = PixelRectangle(x: 1, y: 2, width: 3, height: 4)
        session.send(.clipped(.asset(id(1)), to: part, isTouched: true))
        session.send(.clipped(.asset(id(2)), to: part, isTouched: true))
        #expect(session.pick.receipt.clippedCount == 1)
        session.send(.accepted)
        guard case .picked(let items, _) = session.outcome else {
            Issue.record("nothing is delivered")
            return
        }
        #expect(items.map(\.clip) == [part])
        #expect(items.map(\.isClipTouched) == [true])
    }

    @Test func `only what the app asked for can be granted`() throws {
        var session = try Session { $0.wishes = [.location, .persistent] }
        #expect(session.pick.receipt.isLocationRemoved)
        session.send(.granted(.location, true))
        session.send(.granted(.writable, true))
        session.click(1)
        #expect(session.pick.receipt.grants == .location)
        #expect(session.pick.receipt.withheld == .persistent)
        #expect(!session.pick.receipt.isLocationRemoved)
        session.send(.accepted)
        #expect(
            session.outcome
                == .picked([PickedItem(.asset(id(1)), from: .library)], granting: .location))
    }

    @Test func `a grant can be taken back`() throws {
        var session = try Session { $0.wishes = .writable }
        session.send(.granted(.writable, true))
        session.send(.granted(.writable, false))
        #expect(session.pick.grants == .none)
    }

    @Test func `a lower limit drops the last photos and says so`() throws {
        var session = try Session()
        for number: UInt8 in [4, 2, 3] { session.click(number) }
        session.send(.limited(try #require(CountLimits(minimum: 1, maximum: 2))))
        #expect(session.chosen == [4, 2])
        #expect(session.effects == [.announce(.tooMany(maximum: 2))])
    }

    @Test func `once nothing can be delivered, the choice stays as it is and is not sent`() throws {
        var session = try Session()
        session.click(1)
        session.send(.abandoned)
        #expect(session.effects == [.reportAbandonment])
        for event in [PickEvent.accepted, .abandoned, .libraryChanged, .activated(id(2))] {
            session.send(event)
        }
        #expect(session.effects == [.reportAbandonment])
        #expect(session.chosen == [1])
        session.send(.cancelled)
        #expect(session.outcome == .ended)
    }

    @Test(arguments: [(PickEvent.cancelled, PickOutcome.cancelled), (.closed, .ended)])
    func `after the end nothing happens`(event: PickEvent, outcome: PickOutcome) throws {
        var session = try Session()
        session.click(1)
        session.send(event)
        #expect(session.effects == [.finish(outcome)])
        for event in [PickEvent.accepted, .cancelled, .libraryChanged, .activated(id(2))] {
            session.send(event)
        }
        #expect(session.effects == [.finish(outcome)])
        #expect(session.chosen == [1])
    }
}

/// The additions of a file request.
@Suite struct FileRequestTests {
    private static let png = FileFilter(name: "PNG", rules: [.mediaType("image/png")])
    private static let jpeg = FileFilter(name: "JPEG", rules: [.mediaType("image/jpeg")])

    private func session() throws -> Session {
        let filters = FilterClassifier { _ in nil }
            .pictures([Self.png, Self.jpeg], current: Self.png)
        var options = PickOptions()
        options.count = try #require(CountLimits(minimum: 1, maximum: nil))
        let request = FileRequest(
            pick: PickRequest(appID: "", parentWindow: "", title: "", options: options),
            filters: try #require(filters),
            choices: [
                FileChoice(
                    id: "size", label: "Size", options: [.init(id: "s", label: "S")], initial: "s"),
                FileChoice(id: "link", label: "Link", options: [], initial: "false"),
            ])
        return try Session(file: request)
    }

    @Test func `the window starts with the app's filter, and accepts the types of any filter`()
        throws
    {
        let session = try session()
        #expect(!session.pick.query.filter.accepts(.jpeg))
        #expect(session.pick.accepted.accepts(.jpeg))
    }

    @Test func `changing the filter reads the library and keeps the choice`() throws {
        var session = try session()
        session.click(1)
        session.send(.filterChosen(1))
        #expect(session.load?.query.filter.accepts(.jpeg) == true)
        session.library[.all] = [2]
        session.answer()
        session.click(2)
        #expect(session.chosen == [1, 2])
        #expect(session.pick.file?.answer(["a"], of: [.png]).filter == 1)
        session.send(.filterChosen(nil))
        #expect(session.pick.file?.answer(["a"], of: [.png]).filter == 0)
        #expect(session.pick.file?.answer(["a"], of: [.jpeg]).filter == 1)
        #expect(session.pick.file?.answer(["a"], of: [.png, .jpeg]).filter == 0)
        #expect(session.pick.query.filter == session.pick.accepted)
    }

    @Test func `answers that do not exist are ignored`() throws {
        var session = try session()
        session.send(.answered(1, "true"))
        session.send(.answered(1, "maybe"))
        session.send(.answered(0, "xl"))
        session.send(.answered(2, "true"))
        session.send(.answered(-1, "true"))
        session.send(.filterChosen(2))
        #expect(session.pick.file?.answers == ["s", "true"])
        #expect(session.pick.file?.filter == 0)
    }

    @Test func `with the location removed, the pick finishes once the copies are made`() throws {
        var session = try session()
        session.send(.locationRemoval(true))
        session.click(1)
        #expect(!session.pick.hasLocation)
        session.send(.located(id(1), true))
        #expect(session.pick.hasLocation)
        session.effects = []
        session.send(.accepted)
        let item = PickedItem(.asset(id(1)), from: .library)
        #expect(session.effects == [.prepare([item], removingLocation: true)])
        #expect(session.pick.isPreparing)
        // Pressing the button again changes nothing about it.
        session.send(.accepted)
        session.effects = []
        session.send(.prepared(["file:///copy"]))
        #expect(session.effects == [.finish(.picked([item], granting: .none))])
        #expect(session.pick.file?.prepared == ["file:///copy"])
        #expect(session.pick.file?.answer([], of: []).removesLocation == true)
    }

    /// The window said that the app gets copies, and it got the originals.
    @Test func `while the files are made ready, nothing that the person sees changes`() throws {
        var session = try session()
        session.click(1)
        session.send(.accepted)
        session.effects = []
        let changes: [PickEvent] = [
            .locationRemoval(true),
            .clicked(id(2), presses: 1, isExtending: false, isSettled: true),
            .clicked(id(1), presses: 1, isExtending: false, isSettled: true), .activated(id(2)),
            .key(.toggle),
            .key(.selectAll), .key(.deselectAll), .key(.extend(to: id(4))), .answered(1, "true"),
            .filterChosen(1), .browsed, .accepted, .removed(.asset(id(1))),
        ]
        for change in changes { session.send(change) }
        #expect(session.effects.isEmpty)
        #expect(session.chosen == [1])
        #expect(session.pick.file?.removesLocation == false)
        #expect(session.pick.file?.answers == ["s", "false"])
        // Looking around is no change.
        session.key(.move(to: id(3)))
        #expect(session.pick.focus == id(3))
        session.send(.prepared(["file:///1"]))
        #expect(session.delivered == [1])
        #expect(session.pick.file?.answer([], of: [.png]).removesLocation == nil)
    }

    @Test func `a person who waits for the files learns how far they are`() throws {
        var session = try session()
        for number: UInt8 in 1...3 { session.click(number) }
        session.send(.accepted)
        #expect(session.pick.file?.readyCount == nil)
        session.send(.preparing(2))
        #expect(session.pick.file?.readyCount == 2)
        session.send(.notPrepared(.unreachable(name: "a.jpg")))
        // What comes late is not about the next attempt.
        session.send(.preparing(3))
        session.send(.accepted)
        #expect(session.pick.file?.readyCount == nil)
    }

    @Test func `while the files are made ready, Cancel works`() throws {
        var session = try session()
        session.click(1)
        session.send(.accepted)
        session.send(.cancelled)
        #expect(session.outcome == .cancelled)
    }

    /// It was delivered although the window said that it is no longer chosen.
    @Test func `a photo that goes while the files are made ready is not delivered`() throws {
        var session = try session()
        for number: UInt8 in 1...3 { session.click(number) }
        session.send(.accepted)
        session.change(to: [1, 3, 4])
        #expect(session.chosen == [1, 3])
        #expect(!session.pick.isPreparing)
        session.send(.prepared(["file:///1", "file:///2", "file:///3"]))
        #expect(!session.pick.isFinished)
        session.send(.accepted)
        session.send(.prepared(["file:///1", "file:///3"]))
        #expect(session.delivered == [1, 3])
    }

    @Test func `a location that cannot be removed keeps the window open`() throws {
        var session = try session()
        session.send(.locationRemoval(true))
        session.click(1)
        session.send(.accepted)
        session.effects = []
        session.send(.notPrepared(.locationStays(1, name: "a.jpg")))
        #expect(session.effects == [.announce(.notReady(.locationStays(1, name: "a.jpg")))])
        #expect(!session.pick.isPreparing && !session.pick.isFinished)
        #expect(session.chosen == [1])
        session.effects = []
        session.send(.locationRemoval(false))
        session.send(.accepted)
        let item = PickedItem(.asset(id(1)), from: .library)
        #expect(session.effects == [.prepare([item], removingLocation: false)])
    }

    @Test func `photos that have changed are no longer chosen, and nothing is delivered`() throws {
        var session = try session()
        for number: UInt8 in 1...3 { session.click(number) }
        session.send(.accepted)
        session.effects = []
        let reason = Unready.changed([.asset(id(2))], name: "b.jpg")
        session.send(.notPrepared(reason))
        #expect(session.effects == [.reload([.asset(id(2))]), .announce(.notReady(reason))])
        #expect(session.chosen == [1, 3])
        #expect(!session.pick.isFinished)
        // The person agrees to the rest.
        session.send(.accepted)
        session.send(.prepared(["file:///1", "file:///3"]))
        #expect(session.delivered == [1, 3])
    }

    @Test func `a disk that does not answer leaves the choice as it is`() throws {
        var session = try session()
        session.click(1)
        session.send(.accepted)
        session.send(.notPrepared(.unreachable(name: "a.jpg")))
        #expect(session.chosen == [1])
        #expect(!session.pick.isFinished && !session.pick.isPreparing)
    }

    @Test func `copies that nobody asked for are ignored`() throws {
        var session = try session()
        session.click(1)
        session.send(.prepared(["file:///copy"]))
        #expect(session.effects.isEmpty)
        #expect(session.pick.file?.prepared == nil)
    }

    @Test func `only a file request can switch to the file dialog`() throws {
        var session = try session()
        session.send(.browsed)
        #expect(session.effects == [.browse])
        var other = try Session()
        other.send(.browsed)
        #expect(other.effects.isEmpty)
        #expect(!other.pick.isFinished)
    }
}
