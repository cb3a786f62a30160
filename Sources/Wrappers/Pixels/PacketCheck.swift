// SPDX-License-Identifier: MIT

package import Files
import Photos
import Synchronization

/// Makes sure that removing the location of a video leaves its pictures and its sound alone.
///
/// Sizes in Matroska and AVI files may be wrong in ways that players forgive, so that something of
/// the streams looks like metadata. Only a demultiplexer knows what belongs to them, and its library is
/// large and contained in one program. Where it is missing, such a removal fails with
/// ``PixelError/unsupported``, and whoever asked can ask the program that has it.
package enum PacketCheck {
    /// Whether a file contains the same packets when some ranges of it have new bytes, which are
    /// those of all ranges, one after the other.
    package typealias Comparison =
        @Sendable (Descriptor, [Range<Int>], [UInt8]) throws(PixelError) -> Bool

    /// A function that a `Mutex` holds by itself is wrapped once more each time it is read, until a call
    /// of it needs more stack than there is.
    private struct Installed {
        let comparison: Comparison
    }

    private static let installed = Mutex<Installed?>(nil)

    package static func install(_ comparison: @escaping Comparison) {
        installed.withLock { $0 = Installed(comparison: comparison) }
    }

    private static var comparison: Comparison? { installed.withLock { $0 }?.comparison }

    private static func isNeeded(for type: MediaType) -> Bool {
        [.matroska, .webm, .avi].contains(type)
    }

    /// - Throws: ``PixelError/unsupported`` if changes of such files cannot be checked here.
    static func expectPossible(for type: MediaType) throws(PixelError) {
        guard !isNeeded(for: type) || comparison != nil else { throw .unsupported }
    }

    /// Compares all packets of a video, if it is one of a type that needs it.
    ///
    /// - Throws: ``PixelError/locationStays`` if some would be lost or changed.
    /// - Isolation: any thread; reads the whole file twice.
    static func check(_ picture: PictureFile, with parts: [Patch.Part]) throws(PixelError) {
        guard isNeeded(for: picture.facts.mediaType) else { return }
        guard let comparison else { throw .unsupported }
        let bytes = parts.flatMap(\.bytes)
        guard try comparison(picture.bytes.file, parts.map(\.range), bytes) else {
            throw .locationStays
        }
    }
}
