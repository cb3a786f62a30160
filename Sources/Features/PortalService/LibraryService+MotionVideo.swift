// SPDX-License-Identifier: MIT

import Files
import ImageWork
import PhotoLibrary
import Photos
import PortalInterface
import Processes
import SDBus
import SystemPackage

extension LibraryService {
    /// Takes the video out of the file of a motion photo, as the app may see that file.
    ///
    /// Where the location has been removed from the file, it has been removed from the video in it.
    ///
    /// - Returns: A sealed memory file, and what it is.
    func motionVideo(
        of id: AssetID, to caller: Caller, _ environment: Environment
    ) async throws(DBusError) -> (Descriptor, Delivery.Item) {
        let files: [LocatedFile]
        do throws(LibraryError) {
            files = try await environment.library.located([id], .original)[id]?.files ?? []
        } catch {
            throw .failed("The library cannot be read: \(error)")
        }
        let (photo, item) = try await deliver(
            id, files, .original, .primary, to: caller, environment)
        let decoder = environment.decoders.session(client: caller.party.description)
        let facts = try? await decoder.run(.probe, on: photo)
        guard let range = facts?.motionVideo,
            let video = await Self.part(range, of: photo),
            let type = MediaType.sniffed(
                from: (try? video.read(upTo: MediaType.sniffedByteCount)) ?? []),
            type.isVideo
        else { throw PortalError.failed("The video in the photo cannot be read") }
        var made = item
        made.mediaType = type
        made.name = item.name.withExtension(type.fileExtension)
        made.byteCount = UInt64(range.count)
        return (video, made)
    }

    /// A copy of a part of a file in memory; nil if not all of it is there.
    private static func part(_ range: Range<Int64>, of file: Descriptor) async -> Descriptor? {
        // Both numbers come from a decoder.
        guard range.count <= ImageFacts.largestMotionVideo else { return nil }
        let place = DerivedFiles.place(of: file)
        let made = await FileCalls.shared.run(on: place, within: Deliverer.patience) { _ in
            try? MemoryFile.make(named: "video", byteCount: range.count) { buffer throws(Errno) in
                let step = 1 << 20
                for start in stride(from: 0, to: range.count, by: step) {
                    let count = min(step, range.count - start)
                    let bytes = try file.read(
                        upTo: count, at: range.lowerBound + Int64(start))
                    guard bytes.count == count else { throw .ioError }
                    UnsafeMutableRawBufferPointer(rebasing: buffer[start..<start + count])
                        .copyBytes(from: bytes)
                }
            }
        }
        return made ?? nil
    }
}
