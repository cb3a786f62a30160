// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// The camera as a source of a pick.
@Suite struct CameraSourceTests {
    private func session(
        maximum: Int? = 1, _ change: (inout PickOptions) -> Void = { _ in }
    ) throws -> Session {
        var session = try Session(photos: 3, maximum: maximum) { change(&$0) }
        session.send(.cameraFound(true))
        return session
    }

    private let shot = PickedItem(.asset(AssetID(7, 7)), from: .camera)

    @Test func `S1.16 the camera is offered only if there is one and the app takes its photos`()
        throws
    {
        #expect(try session().pick.offersCamera)
        var none = try Session(photos: 3)
        #expect(!none.pick.offersCamera)
        none.send(.cameraOpened)
        #expect(!none.pick.isCameraOpen)
        #expect(try !session { $0.sources = [.library, .files] }.pick.offersCamera)
        let png = try #require(MediaFilter(["image/png"].compactMap { MediaFilter.Pattern($0) }))
        #expect(try !session { $0.mediaTypes = png }.pick.offersCamera)
        let videos = try #require(MediaFilter(["video/*"].compactMap { MediaFilter.Pattern($0) }))
        #expect(try !session { $0.mediaTypes = videos }.pick.offersCamera)
    }

    @Test func `S1.16 the photo is the result of a request for one`() throws {
        var session = try session()
        session.send(.cameraOpened)
        #expect(session.pick.isCameraOpen)
        session.send(.examining(1))
        session.send(.cameraClosed)
        session.send(.examining(0))
        session.send(.added([shot]))
        guard case .picked(let items, _) = session.outcome else {
            Issue.record("not delivered")
            return
        }
        #expect(items.map(\.reference) == [shot.reference])
        #expect(items.map(\.source) == [.camera])
    }

    @Test func `of several photos it is one, and the person goes on`() throws {
        var session = try session(maximum: nil)
        session.click(1)
        session.send(.cameraOpened)
        // Keys mean nothing to the photos behind the page.
        session.send(.key(.selectAll))
        session.send(.cameraClosed)
        session.send(.added([shot]))
        #expect(session.outcome == nil)
        #expect(session.pick.selection.count == 2)
    }

    @Test func `in a sheet one photo is enough, unless something is chosen already`() throws {
        for isChosen in [false, true] {
            var session = try session(maximum: nil) { $0.layout = .sheet }
            if isChosen { session.send(.added([PickedItem(.uri("file:///a"), from: .files)])) }
            session.send(.cameraOpened)
            session.send(.cameraClosed)
            session.send(.added([shot]))
            #expect((session.outcome == nil) == isChosen)
            #expect(session.pick.selection.count == (isChosen ? 2 : 1))
        }
    }

    @Test func `S5.1 with the camera alone, leaving it cancels`() throws {
        var session = try session { $0.sources = [.camera] }
        session.send(.cameraOpened)
        session.send(.cameraClosed)
        #expect(session.outcome == .cancelled)
    }

    @Test func `S5.1 with the camera alone, the page opens even without one, and says so`() throws {
        var session = try Session(photos: 0, maximum: 1) { $0.sources = [.camera] }
        session.send(.cameraOpened)
        #expect(session.pick.isCameraOpen)
    }

    @Test func `no photo is taken that cannot be chosen`() throws {
        var session = try session(maximum: 2)
        session.click(1)
        #expect(session.pick.offersCamera)
        session.click(2)
        #expect(!session.pick.offersCamera)
        session.send(.cameraOpened)
        #expect(!session.pick.isCameraOpen)
        // One that is wanted alone takes the place of the other.
        var alone = try self.session(maximum: 1)
        alone.click(1)
        #expect(alone.pick.offersCamera)
    }

    @Test func `a required crop follows the photo`() throws {
        var session = try session { $0.clip.mode = .required }
        session.send(.cameraOpened)
        session.send(.cameraClosed)
        session.send(.added([shot]))
        #expect(session.outcome == nil)
        #expect(session.pick.crop?.id == AssetID(7, 7))
    }

    @Test func `an app that leaves ends the camera`() throws {
        var session = try session()
        session.send(.cameraOpened)
        session.send(.abandoned)
        #expect(!session.pick.isCameraOpen)
    }

    @Test func `S1.5 the row of the sheet opens the camera if there is one`() throws {
        var session = try Session(photos: 3, maximum: 1) { $0.layout = .sheet }
        #expect(!session.pick.offers(.camera))
        session.send(.cameraFound(true))
        #expect(session.pick.offers(.camera))
        session.send(.cameraOpened)
        session.send(.cameraClosed)
        #expect(session.pick.layout == .sheet)
        #expect(session.outcome == nil)
    }

    @Test func `where cameras are forbidden, none is offered`() throws {
        for layout in [PickLayout.grid, .sheet] {
            var session = try session { $0.layout = layout }
            session.send(.cameraForbidden(true))
            #expect(!session.pick.offersCamera && !session.pick.showsCamera)
            #expect(!session.pick.offers(.camera))
            session.send(.cameraOpened)
            #expect(!session.pick.isCameraOpen)
            session.send(.cameraForbidden(false))
            #expect(session.pick.offersCamera)
        }
    }

    /// A choice of several with a photo of the camera, which the library has as its photo 1.
    private func sessionWithShotInLibrary() throws -> Session {
        var session = try session(maximum: nil) {
            $0.layout = .sheet
            $0.isImmediate = false
        }
        session.send(.cameraOpened)
        session.send(.cameraClosed)
        session.send(.added([PickedItem(.asset(id(77)), from: .camera)]))
        session.frames = [77: 1]
        session.send(.libraryChanged)
        session.answer()
        return session
    }

    @Test func `a photo of the camera is marked where the library shows it, and taken back there`()
        throws
    {
        var session = try sessionWithShotInLibrary()
        #expect(session.pick.numbers(of: id(1)) == [1])
        #expect(session.pick.numbers(of: id(2)) == [])
        session.click(2)
        #expect(session.pick.selection.count == 2)
        // It is not chosen a second time.
        session.key(.selectAll)
        #expect(session.pick.selection.count == 3)
        session.click(1)
        #expect(session.pick.selection.assetIDs == [id(2), id(3)])
        #expect(session.pick.numbers(of: id(1)) == [])
    }

    @Test func `the preview of a photo of the camera says that it is chosen`() throws {
        var session = try sessionWithShotInLibrary()
        session.send(.previewed(id(1)))
        let shown = try #require(session.pick.preview?.shown)
        #expect(session.pick.selection.number(of: shown) == 1)
        // It is of no burst.
        session.send(.burstFound(id(1), nil))
        #expect(session.pick.preview?.shown == shown)
        session.key(.toggle)
        #expect(session.pick.selection.isEmpty)
    }
}
