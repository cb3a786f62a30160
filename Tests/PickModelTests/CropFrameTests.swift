// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// The frame by which a photo is cropped.
@Suite struct CropFrameTests {
    private static let photo = PixelSize(width: 4000, height: 3000)

    private func handle(_ horizontal: Int, _ vertical: Int) throws -> CropFrame.Handle {
        try #require(CropFrame.Handle(horizontal: horizontal, vertical: vertical))
    }

    @Test func `the largest area of the shape is proposed, in the middle`() {
        let square = CropFrame(of: Self.photo, shape: PixelSize(width: 1, height: 1))
        #expect(square.area == PixelRectangle(x: 500, y: 0, width: 3000, height: 3000))
        #expect(!square.isTouched)
        let free = CropFrame(of: Self.photo, shape: nil)
        #expect(free.area == PixelRectangle(Self.photo))
    }

    @Test func `the frame moves as far as the edges`() {
        var frame = CropFrame(of: Self.photo, shape: PixelSize(width: 1, height: 1))
        frame.move(x: 10, y: 5)
        #expect(frame.area == PixelRectangle(x: 510, y: 0, width: 3000, height: 3000))
        #expect(frame.isTouched)
        frame.move(x: .max, y: .min)
        #expect(frame.area.x == 1000)
        frame.reset()
        #expect(frame.area.x == 500 && !frame.isTouched)
    }

    @Test func `a corner is dragged, and the opposite one stays`() throws {
        var frame = CropFrame(of: Self.photo, shape: nil)
        frame.drag(try handle(-1, -1), toX: 100, y: 200)
        #expect(frame.area == PixelRectangle(x: 100, y: 200, width: 3900, height: 2800))
        frame.drag(try handle(1, 0), toX: 1100, y: 0)
        #expect(frame.area == PixelRectangle(x: 100, y: 200, width: 1000, height: 2800))
    }

    @Test func `a corner keeps the shape, within the photo`() throws {
        var frame = CropFrame(of: Self.photo, shape: PixelSize(width: 2, height: 1))
        #expect(frame.area == PixelRectangle(x: 0, y: 500, width: 4000, height: 2000))
        frame.drag(try handle(1, 1), toX: 1000, y: 700)
        #expect(frame.area == PixelRectangle(x: 0, y: 500, width: 1000, height: 500))
        // There is room for 2500 rows below, so for 4000 columns.
        frame.drag(try handle(1, 1), toX: 9000, y: 9000)
        #expect(frame.area == PixelRectangle(x: 0, y: 500, width: 4000, height: 2000))
        frame.drag(try handle(-1, 0), toX: 3000, y: 0)
        #expect(frame.area == PixelRectangle(x: 3000, y: 1250, width: 1000, height: 500))
    }

    @Test func `an area is not smaller than 16 pixels, unless the photo is`() throws {
        var frame = CropFrame(of: Self.photo, shape: nil)
        frame.drag(try handle(-1, -1), toX: 4000, y: 3000)
        #expect(frame.area == PixelRectangle(x: 3984, y: 2984, width: 16, height: 16))
        var line = CropFrame(of: PixelSize(width: 30_000, height: 1), shape: nil)
        line.grow(by: 0.5)
        #expect(line.area == PixelRectangle(x: 7500, y: 0, width: 15_000, height: 1))
    }

    @Test func `another shape has the same middle`() {
        var frame = CropFrame(of: Self.photo, shape: nil)
        frame.setShape(PixelSize(width: 1, height: 1))
        #expect(frame.area == PixelRectangle(x: 500, y: 0, width: 3000, height: 3000))
        frame.setShape(nil)
        frame.stretch(x: 100, y: 0)
        #expect(frame.area == PixelRectangle(x: 500, y: 0, width: 3100, height: 3000))
    }

    @Test func `an area that was chosen before is used again`() {
        let area = PixelRectangle(x: 3, y: 4, width: 50, height: 50)
        let frame = CropFrame(of: Self.photo, shape: PixelSize(width: 1, height: 1), area: area)
        #expect(frame.area == area)
    }

    /// Stands for the size of the photo itself, which an app may ask for by chance.
    private static let ownShape = PixelSize(width: 65_534, height: 1)

    /// Whoever delivers the photo narrows the area to the shape once more.
    @Test(arguments: [
        PixelSize(width: 1, height: 1), PixelSize(width: 16, height: 9),
        PixelSize(width: 3, height: 7), PixelSize(width: 65_535, height: 2), ownShape, nil,
    ])
    func `every area is inside the photo and is delivered as it is`(shape: PixelSize?) throws {
        var options = ClipOptions()
        options.mode = .optional
        options.aspect = shape
        for (width, height) in [(4000, 3000), (97, 61), (1, 500), (16, 16), (30_000, 1)] {
            let photo = PixelSize(width: width, height: height)
            let shape = shape == Self.ownShape ? photo : shape
            options.aspect = shape
            var frame = CropFrame(of: photo, shape: shape)
            var number = 7
            func next(_ limit: Int) -> Int {
                number = (number &* 1_103_515_245 &+ 12_345) & 0x7FFF_FFFF
                return number / 8 % limit
            }
            for _ in 0..<200 {
                switch next(8) {
                case 5: frame.turn(by: next(5) - 2)
                case 7: if next(20) == 0 { frame.reset() }
                case 6: frame.straighten(to: next(9001) - 4500)
                case 0: frame.move(x: next(200) - 100, y: next(200) - 100)
                case 1: frame.grow(by: next(2) == 0 ? 1.05 : 1 / 1.05)
                case 2: frame.stretch(x: next(21) - 10, y: next(21) - 10)
                default:
                    frame.drag(
                        CropFrame.Handle.all[next(8)], toX: next(width + 50) - 25,
                        y: next(height + 50) - 25)
                }
                #expect(frame.area.clamped(to: frame.picture) == frame.area, "\(frame)")
                #expect(!frame.area.size.isEmpty && frame.upright == photo)
                if let shape {
                    #expect(frame.area.narrowed(to: shape) == frame.area, "\(photo)")
                }
                let chosen = frame.chosen
                let delivered = try options.clip(
                    of: photo, chosen: chosen.area, rotation: chosen.rotation)
                #expect(delivered == chosen, "\(frame)")
            }
        }
    }

    // MARK: - Turning

    @Test func `a shape that an app wants is not that of the photo because they are alike`() {
        let photo = PixelSize(width: 1920, height: 1080)
        var frame = CropFrame(of: photo, shape: photo)
        frame.turn(by: 1)
        #expect(frame.shape == photo)
        #expect(frame.area == PixelRectangle(x: 0, y: 656, width: 1080, height: 608))
        frame.reset()
        #expect(frame.shape == photo && frame.area == PixelRectangle(photo))
    }

    @Test func `a frame of a shape comes back after four turns, and after two in two directions`() {
        var frame = CropFrame(of: Self.photo, shape: PixelSize(width: 16, height: 9))
        frame.grow(by: 0.8)
        frame.move(x: 300, y: 200)
        let chosen = frame.chosen
        let size = frame.area.size
        for turn in [1, 1, 1, 1, 1, -1, -1, 1] {
            frame.turn(by: turn)
            #expect(frame.area.width > size.width * 9 / 10 || frame.picture.width == 3000)
        }
        #expect(frame.chosen == chosen)
        // In the turned photo, the frame is as large as there is room.
        frame.turn(by: 1)
        #expect(frame.area.width == 3000)
    }

    @Test func `a photo that was turned before is still changed by the person`() {
        let again = CropFrame(
            of: Self.photo, shape: nil, area: PixelRectangle(Self.photo),
            rotation: Rotation(quarters: 1), isTouched: true)
        #expect(again.isTouched)
    }

    @Test func `all of a straightened photo is all of it again when it is opened once more`() {
        var frame = CropFrame(of: Self.photo, shape: nil)
        frame.straighten(to: 500)
        let chosen = frame.chosen
        var again = CropFrame(
            of: Self.photo, shape: nil, area: chosen.area, rotation: chosen.rotation)
        #expect(again.chosen == chosen)
        again.straighten(to: 0)
        #expect(again.chosen == Clip(area: PixelRectangle(Self.photo)))
        frame.setShape(PixelSize(width: 1, height: 1))
        frame.straighten(to: 0)
        #expect(frame.area == PixelRectangle(x: 500, y: 0, width: 3000, height: 3000))
    }

    @Test func `the frame turns with the photo, and an area is that of the upright photo`() {
        let area = PixelRectangle(x: 100, y: 200, width: 1000, height: 500)
        var frame = CropFrame(of: Self.photo, shape: nil, area: area)
        frame.turn(by: 1)
        #expect(frame.picture == PixelSize(width: 3000, height: 4000))
        #expect(frame.area == PixelRectangle(x: 2300, y: 100, width: 500, height: 1000))
        #expect(frame.isTouched)
        #expect(frame.chosen == Clip(area: area, rotation: Rotation(quarters: 1)))
        frame.turn(by: -2)
        #expect(frame.chosen == Clip(area: area, rotation: Rotation(quarters: 3)))
        frame.turn(by: 1)
        #expect(frame.chosen == Clip(area: area))
    }

    @Test func `the shape of the result stays as the photo turns`() {
        var frame = CropFrame(of: Self.photo, shape: PixelSize(width: 2, height: 1))
        frame.turn(by: 1)
        #expect(frame.area == PixelRectangle(x: 0, y: 1250, width: 3000, height: 1500))
        var whole = CropFrame(of: Self.photo, shape: nil)
        whole.setShapeOfPicture()
        whole.turn(by: 1)
        #expect(whole.area == PixelRectangle(PixelSize(width: 3000, height: 4000)))
    }

    @Test func `straightening leaves nothing empty, and going back gives the area back`() {
        var frame = CropFrame(of: Self.photo, shape: nil)
        frame.straighten(to: 500)
        #expect(frame.area.width < 4000 && frame.area.width > 3000)
        #expect(frame.area.isInside(Self.photo, frame.rotation))
        let small = frame.area
        frame.straighten(to: 2000)
        #expect(frame.area.width < small.width)
        frame.straighten(to: 500)
        #expect(frame.area == small)
        frame.straighten(to: 0)
        #expect(frame.area == PixelRectangle(Self.photo))
        frame.straighten(to: 99_999)
        #expect(frame.rotation.hundredths == 4500)
        frame.reset()
        #expect(frame.chosen == Clip(area: PixelRectangle(Self.photo)) && !frame.isTouched)
    }

    @Test func `in a photo that leans, the frame moves and grows as far as there is something`() {
        var frame = CropFrame(of: Self.photo, shape: nil)
        frame.straighten(to: 1000)
        frame.grow(by: 2)
        let largest = frame.area
        frame.grow(by: 0.5)
        #expect(frame.area.width < largest.width)
        for _ in 0..<100 { frame.move(x: -100, y: -60) }
        #expect(frame.area.isInside(Self.photo, frame.rotation))
        #expect(frame.area.x < largest.x)
        // It has come to an edge, along which it went on.
        let corner = frame.area
        frame.move(x: -50, y: -50)
        #expect(abs(frame.area.x - corner.x) <= 1 && abs(frame.area.y - corner.y) <= 1)
    }

    @Test func `a turned photo is opened again as it was left`() {
        var frame = CropFrame(of: Self.photo, shape: nil)
        frame.turn(by: 1)
        frame.straighten(to: -230)
        frame.move(x: 10, y: 0)
        let chosen = frame.chosen
        let again = CropFrame(
            of: Self.photo, shape: nil, area: chosen.area, rotation: chosen.rotation)
        #expect(again.chosen == chosen && again.area == frame.area)
    }
}
