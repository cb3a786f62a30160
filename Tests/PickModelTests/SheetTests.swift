// SPDX-License-Identifier: MIT

import Photos
import Testing

@testable import PickModel

/// What the rows of the sheet do, and that it gives an app nothing that the grid would not give.
@Suite struct SheetTests {
    /// A sheet on a library; the photo 9 of `photos` is the newest.
    private func sheet(
        photos: UInt8 = 9, minimum: Int = 1, maximum: Int? = 1, unfit: Set<UInt8> = [],
        _ change: (inout PickOptions) -> Void = { _ in }
    ) throws -> Session {
        try Session(photos: photos, minimum: minimum, maximum: maximum, unfit: unfit) {
            $0.layout = .sheet
            change(&$0)
        }
    }

    // MARK: - Clicks

    @Test func `S1.13 S4.14 one click on a photo finishes`() throws {
        var session = try sheet()
        session.click(4)
        #expect(session.delivered == [4])
    }

    @Test func `S4.14 without immediate a click marks, and a row finishes`() throws {
        var session = try sheet(maximum: 5) { $0.isImmediate = false }
        #expect(session.pick.hasAcceptRow)
        session.click(4)
        session.click(2)
        #expect(session.outcome == nil)
        #expect(session.chosen == [4, 2])
        session.send(.accepted)
        #expect(session.delivered == [4, 2])
    }

    @Test func `S4.14 where one photo is not enough, clicks mark, and a row finishes`() throws {
        var session = try sheet(minimum: 2, maximum: 5)
        #expect(session.pick.hasAcceptRow)
        for number: UInt8 in [4, 2, 4, 3] { session.click(number) }
        #expect(session.outcome == nil)
        #expect(session.chosen == [2, 3])
        session.send(.accepted)
        #expect(session.delivered == [2, 3])
        #expect(try !sheet(maximum: 5).pick.hasAcceptRow)
        #expect(try sheet(minimum: 0, maximum: 5).pick.hasAcceptRow)
    }

    /// It sent all that was chosen, although the sheet shows only a part of it.
    @Test(arguments: [1, 3]) func `a click takes back what was chosen in the grid`(
        maximum: Int
    ) throws {
        var session = try sheet(maximum: maximum)
        session.send(.gridOpened)
        session.click(3)
        session.send(.sheetReturned)
        session.click(3)
        #expect(session.outcome == nil)
        #expect(session.chosen.isEmpty)
        // Now nothing is chosen, and a click is one like the first.
        session.click(4)
        #expect(session.delivered == [4])
    }

    @Test func `keys act on no photo of the grid after the return to the sheet`() throws {
        var session = try sheet(maximum: 1)
        session.send(.gridOpened)
        session.send(.key(.move(to: id(3))))
        session.send(.sheetReturned)
        session.send(.key(.open))
        #expect(session.outcome == nil)
    }

    @Test func `a click right after the photos have moved finishes nothing`() throws {
        var session = try sheet()
        session.click(4, settled: false)
        #expect(session.outcome == nil)
        #expect(session.effects.contains(.announce(.listChanged)))
    }

    // MARK: - Recent

    @Test func `S1.14 recent delivers the newest photo, wherever it is in the album`() throws {
        var session = try sheet()
        // As a person has ordered it.
        session.change(to: [3, 7, 5])
        #expect(session.pick.newest == id(7))
        session.send(.newestChosen(isSettled: true))
        #expect(session.delivered == [7])
    }

    @Test func `S1.14 without photos recent can do nothing`() throws {
        var session = try sheet(photos: 0)
        #expect(!session.pick.offers(.recent))
        session.send(.newestChosen(isSettled: true))
        #expect(session.outcome == nil)
        #expect(session.effects.isEmpty)
    }

    @Test func `S1.14 recent leaves out photos that break a rule of the app`() throws {
        var session = try sheet(unfit: [9, 8])
        session.send(.newestChosen(isSettled: true))
        #expect(session.delivered == [7])
        #expect(try !sheet(photos: 2, unfit: [1, 2]).pick.offers(.recent))
    }

    @Test func `recent delivers nothing that has come a moment ago`() throws {
        var session = try sheet()
        session.send(.newestChosen(isSettled: false))
        #expect(session.outcome == nil)
        #expect(session.effects == [.announce(.listChanged)])
        #expect(session.pick.focus == id(9))
    }

    @Test func `recent waits until all photos are known`() throws {
        var options = PickOptions()
        options.layout = .sheet
        var pick = Pick(PickRequest(appID: "", parentWindow: "", title: "", options: options))
        guard case .load(let load) = pick.handle(.opened()).first else {
            Issue.record("no load")
            return
        }
        _ = pick.handle(.began(load, list([1, 2])))
        #expect(!pick.offers(.recent))
        #expect(pick.handle(.newestChosen(isSettled: true)).isEmpty)
    }

    @Test func `recent delivers the newest photo alone`() throws {
        var session = try sheet(maximum: 2) { $0.isImmediate = false }
        session.click(1)
        session.click(2)
        session.send(.newestChosen(isSettled: true))
        #expect(session.delivered == [9])
        let several = try sheet(minimum: 2, maximum: 3)
        #expect(!several.pick.offers(.recent))
    }

    @Test func `recent delivers a photo that is chosen already`() throws {
        var session = try sheet(maximum: 2) { $0.isImmediate = false }
        session.click(9)
        session.send(.newestChosen(isSettled: true))
        #expect(session.delivered == [9])
    }

    // MARK: - Cropping

    @Test func `a part that an app requires is asked for in the sheet, too`() throws {
        for event in [
            PickEvent.clicked(id(9), presses: 1, isExtending: false, isSettled: true),
            .newestChosen(isSettled: true), .activated(id(9)),
        ] {
            var session = try sheet { $0.clip.mode = .required }
            session.send(event)
            #expect(session.outcome == nil, "\(event)")
            #expect(session.pick.crop?.id == id(9))
            session.send(.cropSized(id(9), PixelSize(width: 300, height: 200)))
            session.send(.cropDone)
            guard case .picked(let items, _) = session.outcome else {
                Issue.record("no photo after \(event)")
                continue
            }
            #expect(items.first?.clip == PixelRectangle(x: 50, y: 0, width: 200, height: 200))
        }
    }

    // MARK: - Library

    @Test func `S1.15 library opens the grid in the same request, and its choice is the result`()
        throws
    {
        var session = try sheet(maximum: 3)
        session.send(.gridOpened)
        #expect(session.pick.layout == .grid)
        // The person looks around; the default for the sheet is not for this.
        session.click(3)
        session.click(1)
        #expect(session.outcome == nil)
        session.send(.accepted)
        #expect(session.delivered == [3, 1])
    }

    @Test func `S1.15 in that grid the first click finishes if the app says so`() throws {
        var session = try sheet(maximum: 3) { $0.isImmediate = true }
        session.send(.gridOpened)
        session.click(3)
        #expect(session.delivered == [3])
    }

    @Test func `S1.17 from the grid a person returns to the sheet and its photos`() throws {
        var session = try sheet(maximum: 3) { $0.album = album("sea") }
        session.library[album("sea")] = [2, 1]
        session.send(.libraryChanged)
        session.answer()
        session.send(.gridOpened)
        session.send(.albumChosen(.all))
        session.answer()
        session.click(5)
        session.send(.searched("x"))
        session.answer()
        session.send(.previewed(id(5)))
        session.send(.sheetReturned)
        session.answer()
        #expect(session.pick.layout == .sheet)
        #expect(session.pick.preview == nil)
        #expect(session.pick.query.searchText.isEmpty)
        // The choice belongs to the request, whatever the page.
        #expect(session.chosen == [5])
        #expect(session.pick.hasAcceptRow)
        session.send(.accepted)
        #expect(session.delivered == [5])
    }

    @Test func `S1.17 S1.18 S1.19 cancelling ends the request from the sheet and from the grid`()
        throws
    {
        for events in [[PickEvent.cancelled], [.gridOpened, .cancelled]] {
            var session = try sheet()
            for event in events { session.send(event) }
            #expect(session.outcome == .cancelled)
        }
    }

    @Test func `there is no sheet behind the grid of a request without one`() throws {
        var session = try Session()
        session.send(.sheetReturned)
        session.send(.gridOpened)
        session.send(.newestChosen(isSettled: true))
        #expect(session.pick.layout == .grid)
        #expect(session.effects.isEmpty)
    }

    /// It was sent although the person had gone on to something else.
    @Test(arguments: [[PickEvent.sheetReturned], [.sheetReturned, .gridOpened, .sheetReturned]])
    func `a file that was chosen in the grid and arrives in the sheet is shown, and not sent`(
        steps: [PickEvent]
    ) throws {
        let file = PickedItem(.asset(id(200)), from: .files)
        var session = try sheet()
        session.send(.gridOpened)
        session.send(.examining(1))
        for step in steps { session.send(step) }
        session.send(.examining(0))
        session.send(.added([file]))
        #expect(session.outcome == nil)
        #expect(session.pick.preview?.id == id(200))
        session.send(.accepted)
        #expect(session.outcome == .picked([file], granting: .none))
    }

    @Test func `a file that is chosen in the sheet is sent, also after the grid was open`() throws {
        let file = PickedItem(.asset(id(200)), from: .files)
        var session = try sheet()
        session.send(.gridOpened)
        session.send(.sheetReturned)
        session.send(.examining(1))
        session.send(.examining(0))
        session.send(.added([file]))
        #expect(session.outcome == .picked([file], granting: .none))
    }

    @Test
    func `a file that was chosen in the sheet and arrives in the grid is shown, and not sent`()
        throws
    {
        let file = PickedItem(.asset(id(200)), from: .files)
        var session = try sheet { $0.isImmediate = true }
        session.send(.examining(1))
        session.send(.gridOpened)
        session.send(.examining(0))
        session.send(.added([file]))
        #expect(session.outcome == nil)
        #expect(session.pick.preview?.id == id(200))
    }

    @Test func `after an empty album of the grid the sheet says nothing of that`() throws {
        var session = try sheet()
        session.library[album("sea")] = []
        session.send(.gridOpened)
        session.send(.albumChosen(album("sea")))
        session.answer()
        #expect(session.pick.page == .emptyAlbum)
        session.send(.sheetReturned)
        #expect(session.pick.page == .photos)
        session.answer()
        #expect(session.pick.page == .photos)
    }

    // MARK: - Sources

    @Test(
        arguments: [
            (nil, [.library, .recent, .files, .close]), ([.files], [.files, .close]),
            ([.library], [.library, .recent, .close]), ([.clipboard], [.close]),
            ([.camera, .files], [.files, .close]),
        ] as [(Set<PickedItem.Source>?, Set<SheetAction.Kind>)])
    func `S1.16 rows of sources that the app does not take can do nothing`(
        sources: Set<PickedItem.Source>?, expected: Set<SheetAction.Kind>
    ) throws {
        let session = try sheet { $0.sources = sources }
        #expect(Set(SheetAction.Kind.allCases.filter { session.pick.offers($0) }) == expected)
    }

    @Test func `a sheet without the library opens no grid`() throws {
        var session = try sheet { $0.sources = [.files] }
        session.send(.gridOpened)
        #expect(session.pick.layout == .sheet)
    }

    @Test func `once nothing can be delivered, the rows can do nothing but close`() throws {
        var session = try sheet()
        session.send(.abandoned)
        #expect(SheetAction.Kind.allCases.filter { session.pick.offers($0) } == [.close])
    }
}
