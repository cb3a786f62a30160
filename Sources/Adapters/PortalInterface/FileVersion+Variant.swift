// SPDX-License-Identifier: MIT

package import Photos
package import SDBus

/// Device, inode, size, and the times of the last change of the content and of the status.
extension FileVersion: VariantConvertible {
    package static var variantSignature: String { "(ttxxx)" }

    package init?(_ variant: Variant) {
        guard case .structure(let fields) = variant, fields.count == 5,
            let device = UInt64(fields[0]), let inode = UInt64(fields[1]),
            let byteCount = Int64(fields[2]), let modified = Int64(fields[3]),
            let changed = Int64(fields[4])
        else { return nil }
        self.init(
            device: device, inode: inode, byteCount: byteCount, modified: modified,
            changed: changed)
    }

    package var variant: Variant {
        .structure([
            .uint64(device), .uint64(inode), .int64(byteCount), .int64(modified), .int64(changed),
        ])
    }
}
