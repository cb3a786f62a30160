// SPDX-License-Identifier: MIT

import Photos

/// Removes the location of a picture or video, and makes sure that it is gone.
enum LocationRemoval {
    /// Larger files are read piece by piece.
    private static let maximumInMemory = 100 << 20
    /// The most changes to one file, which fit into a reply.
    private static let maximumParts = 3000

    /// Returns the changes that remove the location; none if the file contains no location.
    ///
    /// What is known to be harmless stays. If the search still finds something, all metadata goes
    /// that is not needed to show the picture or video.
    ///
    /// - Parameters:
    ///   - content: The file, as ``content(of:)`` returns it.
    ///   - willChange: Called before the search if there are changes; may throw, which spares it.
    /// - Throws: ``PixelError/locationStays`` if the search finds something even then.
    /// - Isolation: any thread; reads the whole file.
    static func parts(
        of content: Block, willChange: () throws(PixelError) -> Void = {}
    ) throws(PixelError) -> [Patch.Part] {
        for isStrict in [false, true] {
            guard let parts = try changes(of: content, isStrict: isStrict) else { continue }
            if !parts.isEmpty { try willChange() }
            if !findsPlace(in: content, parts) { return parts }
        }
        throw .locationStays
    }

    /// A whole file, in memory if there is room for it.
    static func content(of file: FileBytes) throws(PixelError) -> Block {
        let end = file.end
        let whole = Block(file).prefix(end)
        let content = end <= maximumInMemory ? whole.loaded() : whole
        // The file may have become shorter meanwhile.
        guard content.count == end || end > maximumInMemory else { throw .unreadable }
        return content
    }

    /// Whether a file has a location, also one that cannot be removed.
    ///
    /// - Isolation: any thread; reads the whole file.
    static func isNeeded(for file: FileBytes) throws(PixelError) -> Bool {
        let content = try content(of: file)
        guard let parts = try changes(of: content, isStrict: false) else { return true }
        return !parts.isEmpty || findsPlace(in: content, parts)
    }

    /// Returns a file in memory without its location; nil if it contains none.
    static func apply(to file: [UInt8]) throws(PixelError) -> [UInt8]? {
        let parts = try parts(of: Block(file[...]))
        guard !parts.isEmpty else { return nil }
        var result = file
        for part in parts { result.replaceSubrange(part.range, with: part.bytes) }
        return result
    }

    /// The changes that an editor makes; nil if there are too many, or the file is too strange for one
    /// that keeps what it can.
    private static func changes(
        of content: Block, isStrict: Bool
    ) throws(PixelError) -> [Patch.Part]? {
        var editor = LocationEditor(isStrict: isStrict)
        do throws(PixelError) {
            try editor.edit(content)
        } catch {
            if isStrict { throw error }
            return nil
        }
        let parts = editor.patch.parts.compactMap { $0.clamped(to: content) }
        return parts.count <= maximumParts ? parts : nil
    }

    // MARK: - The search

    /// Whether a file with changes tells a place.
    private static func findsPlace(in content: Block, _ parts: [Patch.Part]) -> Bool {
        let base = content.range.lowerBound
        return LocationScan.findsPlace { offset, count in
            var bytes = Array(content.bytes(at: offset, count: count))
            let window = base + offset..<base + offset + bytes.count
            for part in parts[firstPart(of: parts, endingAfter: window.lowerBound)...] {
                if part.range.lowerBound >= window.upperBound { break }
                let range = part.range.clamped(to: window)
                let new = part.bytes[(range.lowerBound - part.range.lowerBound)...]
                    .prefix(range.count)
                let start = range.lowerBound - window.lowerBound
                bytes.replaceSubrange(start..<start + range.count, with: new)
            }
            return bytes
        }
    }

    private static func firstPart(of parts: [Patch.Part], endingAfter offset: Int) -> Int {
        var low = 0
        var high = parts.count
        while low < high {
            let middle = (low + high) / 2
            if parts[middle].range.upperBound > offset { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Patch.Part {
    /// The part of a change that is inside a file, relative to its start; nil if there is none.
    fileprivate func clamped(to file: Block) -> Patch.Part? {
        let inside = range.clamped(to: file.range)
        guard !inside.isEmpty else { return nil }
        let first = inside.lowerBound - range.lowerBound
        return Patch.Part(range: inside, bytes: Array(bytes[first..<first + inside.count]))
    }
}
