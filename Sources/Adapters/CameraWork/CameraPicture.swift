// SPDX-License-Identifier: MIT

package import Files
package import Photos
import Synchronization
import SystemPackage

/// A picture from a camera, with pixels as they are drawn without another conversion.
package struct CameraPicture: Sendable {
    package let size: PixelSize
    /// Rows from top to bottom, of blue, green, red and 255 for each pixel; there may be more bytes behind them.
    ///
    /// The program that is not trusted may change them while they are drawn.
    package let memory: SharedMemory

    package static let bytesPerPixel = 4

    /// The bytes of a row.
    package var stride: Int { size.width * Self.bytesPerPixel }

    /// The bytes of a picture of a size that is within the limits.
    package static func byteCount(_ size: PixelSize) -> Int {
        size.width * size.height * bytesPerPixel
    }
}

/// Memory that a picture is written into.
package struct PictureTarget: Hashable, Sendable {
    /// Tells it from other memory of the same session: it is mapped once for many pictures.
    package let number: UInt32
    package let file: Descriptor

    package init(number: UInt32, file: Descriptor) {
        self.number = number
        self.file = file
    }
}

/// The memory of a session's pictures: the same for many of them, so that nobody has to clear, copy and map
/// it for each.
final class PictureMemory: Sendable {
    private struct Part {
        let number: UInt32
        var memory: SharedMemory

        var target: PictureTarget { PictureTarget(number: number, file: memory.file) }
    }

    private struct State {
        var all: [Part] = []
        var lastNumber: UInt32 = 0
    }

    private let state = Mutex(State())

    /// The most pictures that anybody keeps at a time: those that are drawn and a photo.
    private static let most = 8

    /// Memory for a picture, which nobody looks at any more.
    ///
    /// - Parameter byteCount: 1 or more.
    /// - Throws: `Errno`, `.noMemory` also if too many pictures are kept.
    func next(_ byteCount: Int) throws(Errno) -> (SharedMemory, PictureTarget) {
        try state.withLock { state throws(Errno) -> (SharedMemory, PictureTarget) in
            var unused: Int?
            for index in state.all.indices
            where isKnownUniquelyReferenced(&state.all[index].memory) {
                let part = state.all[index]
                if part.memory.bytes.count == byteCount { return (part.memory, part.target) }
                unused = index
            }
            guard unused != nil || state.all.count < Self.most else { throw .noMemory }
            state.lastNumber &+= 1
            let part = Part(
                number: state.lastNumber,
                memory: try SharedMemory(named: "picture", byteCount: byteCount))
            if let unused { state.all[unused] = part } else { state.all.append(part) }
            return (part.memory, part.target)
        }
    }
}
