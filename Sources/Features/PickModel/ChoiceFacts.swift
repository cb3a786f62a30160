// SPDX-License-Identifier: MIT

package import Photos

/// What is known of the chosen photos beyond their ids.
package struct ChoiceFacts: Hashable, Sendable {
    /// The sizes of original files, in bytes.
    private var sizes: [AssetID: Int64] = [:]

    /// The chosen photos whose size is not known.
    package func unknown(of ids: [AssetID]) -> [AssetID] { ids.filter { sizes[$0] == nil } }

    /// The size of all items together, in bytes; nil if that of one is unknown.
    func byteCount(of items: [PickedItem]) -> Int64? {
        var sum: Int64 = 0
        for item in items {
            guard case .asset(let id) = item.reference, let size = sizes[id] else { return nil }
            let (next, isTooMuch) = sum.addingReportingOverflow(size)
            guard !isTooMuch else { return nil }
            sum = next
        }
        return sum
    }

    mutating func note(_ sizes: [AssetID: Int64]) { self.sizes.merge(sizes) { $1 } }

    mutating func forget(_ ids: Set<AssetID>) {
        for id in ids { sizes[id] = nil }
    }
}
