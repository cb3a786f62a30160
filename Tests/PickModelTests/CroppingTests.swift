// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// Cropping photos before they are delivered.
@Suite struct CroppingTests {
    private static let size = PixelSize(width: 300, height: 200)

    private func session(
        _ mode: ClipOptions.Mode, maximum: Int? = nil, aspect: PixelSize? = nil
    ) throws -> Session {
        try Session(photos: 5, maximum: maximum) {
            $0.clip.mode = mode
            $0.clip.aspect = aspect
        }
    }

    /// The number of the photo that is being cropped.
    private func cropped(_ session: Session) -> UInt8? { session.pick.crop?.id.bytes.first }

    private func items(_ session: Session) -> [PickedItem]? {
        guard case .picked(let items, _) = session.outcome else { return nil }
        return items
    }

    @Test func `required crops follow one after the other before the end`() throws {
        var session = try session(.required)
        session.click(3)
        session.click(1)
        session.send(.accepted)
        #expect(cropped(session) == 3)
        #expect(session.pick.crop?.step?.number == 1)
        #expect(session.pick.crop?.step?.count == 2)
        session.send(.cropSized(id(3), Self.size))
        session.send(.cropChanged(.move(x: 10, y: 0)))
        session.send(.cropDone)
        #expect(session.outcome == nil)
        #expect(cropped(session) == 1)
        session.send(.cropSized(id(1), Self.size))
        session.send(.accepted)
        let items = try #require(self.items(session))
        #expect(
            items.map(\.clip) == [
                PixelRectangle(x: 60, y: 0, width: 200, height: 200),
                PixelRectangle(x: 50, y: 0, width: 200, height: 200),
            ])
        #expect(items.map(\.isClipTouched) == [true, false])
    }

    @Test func `leaving a required crop keeps those that are done`() throws {
        var session = try session(.required)
        session.click(3)
        session.click(1)
        session.send(.accepted)
        session.send(.cropSized(id(3), Self.size))
        session.send(.cropDone)
        session.send(.cropClosed)
        #expect(session.pick.crop == nil)
        session.send(.accepted)
        #expect(cropped(session) == 1)
    }

    @Test func `with a limit of one a required crop begins with the click`() throws {
        var session = try session(.required, maximum: 1)
        session.click(2)
        #expect(cropped(session) == 2)
        session.send(.cropClosed)
        #expect(session.chosen == [2])
        // The same photo again, which is not taken back.
        session.click(2)
        session.send(.cropSized(id(2), Self.size))
        session.send(.cropDone)
        #expect(session.delivered == [2])
    }

    @Test func `an optional crop begins in the preview and chooses the photo`() throws {
        var session = try session(.optional)
        session.send(.previewed(id(4)))
        session.send(.cropOpened)
        session.send(.cropSized(id(4), Self.size))
        session.send(.cropChanged(.shape(PixelSize(width: 1, height: 1))))
        session.send(.cropDone)
        #expect(session.pick.crop == nil)
        #expect(session.pick.preview?.id == id(4))
        #expect(
            session.pick.selection.items.map(\.clip) == [
                PixelRectangle(x: 50, y: 0, width: 200, height: 200)
            ])
        // It begins where it was left.
        session.send(.cropOpened)
        session.send(.cropSized(id(4), Self.size))
        #expect(session.pick.crop?.frame?.area.x == 50)
    }

    @Test func `an optional crop of all of a photo is none`() throws {
        var session = try session(.optional)
        session.send(.previewed(id(4)))
        session.send(.cropOpened)
        session.send(.cropSized(id(4), Self.size))
        session.send(.cropDone)
        session.send(.accepted)
        #expect(items(session)?.map(\.clip) == [nil])
    }

    @Test func `without an optional crop the whole photo is delivered`() throws {
        var session = try session(.optional)
        session.click(2)
        session.send(.accepted)
        #expect(items(session)?.map(\.clip) == [nil])
    }

    @Test func `the shape that the app wants cannot be changed`() throws {
        var session = try session(.optional, aspect: PixelSize(width: 3, height: 1))
        #expect(!session.pick.offersShapes)
        session.send(.previewed(id(4)))
        session.send(.cropOpened)
        session.send(.cropSized(id(4), Self.size))
        session.send(.cropChanged(.shape(nil)))
        #expect(session.pick.crop?.frame?.area.height == 100)
    }

    @Test func `an app that wants no crop offers none`() throws {
        var session = try session(.none)
        session.send(.previewed(id(4)))
        session.send(.cropOpened)
        #expect(session.pick.crop == nil)
    }

    @Test func `a photo without a size is delivered without a choice of the area`() throws {
        var session = try session(.required)
        session.click(3)
        session.click(1)
        session.send(.accepted)
        session.send(.cropSized(id(3), nil))
        #expect(cropped(session) == 1)
        session.send(.cropSized(id(1), Self.size))
        session.send(.cropDone)
        #expect(session.delivered == [3, 1])
    }

    @Test func `a photo that disappears is no longer cropped`() throws {
        var session = try session(.required)
        session.click(3)
        session.send(.accepted)
        session.change(to: [1, 2])
        #expect(session.pick.crop == nil)
        session.send(.cropDone)
        #expect(session.outcome == nil)
    }

    @Test func `at the limit a crop of another photo is refused`() throws {
        var session = try session(.optional, maximum: 2)
        session.click(1)
        session.click(2)
        session.send(.previewed(id(4)))
        session.send(.cropOpened)
        session.send(.cropSized(id(4), Self.size))
        session.send(.cropDone)
        #expect(session.effects == [.announce(.tooMany(maximum: 2))])
        #expect(cropped(session) == 4)
    }

    @Test func `a photo that goes while it is cropped is not chosen, and the person is told`()
        throws
    {
        var session = try session(.optional)
        session.send(.previewed(id(2)))
        session.send(.cropOpened)
        session.send(.cropSized(id(2), Self.size))
        // Only photos in view are looked up.
        #expect(session.pick.idsInView == [id(2)])
        session.library[.all] = [1, 3, 4, 5]
        session.send(.libraryChanged)
        session.answer()
        #expect(session.pick.crop == nil)
        #expect(session.effects == [.announce(.listChanged)])
        session.send(.cropDone)
        #expect(session.chosen.isEmpty)
    }
}
