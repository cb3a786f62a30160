// SPDX-License-Identifier: MIT

import Desktop
import Photos
import PickModel

extension Pick {
    /// What the app will get, in one line.
    var receiptText: String {
        let receipt = receipt
        var parts = [offer.text(receipt.count)]
        if let count = receipt.byteCount { parts.append(ByteCount.text(count)) }
        if receipt.clippedCount > 0 {
            // Translators: of the chosen photos, so many are cropped.
            parts.append(localized("%@ cropped", LocalTime.number(receipt.clippedCount)))
        }
        if receipt.isLocationRemoved { parts.append(localized("without location")) }
        parts += receipt.output.texts
        return parts.dropFirst().reduce(parts[0]) { localized("%@, %@", $0, $1) }
    }
}

extension OutputOptions {
    /// How the files differ from the originals.
    fileprivate var texts: [String] {
        var texts: [String] = []
        if let first = formats.first {
            let names = formats.dropFirst().reduce(first.mediaType.formatName) {
                localized("%@ or %@", $0, $1.mediaType.formatName)
            }
            // Translators: the format of the files that the app gets.
            texts.append(localized("as %@", names))
        } else if representation == .compatible {
            texts.append(localized("in a common format"))
        }
        if representation == .preview { texts.append(localized("reduced in size")) }
        if let maximumSide {
            texts.append(localized("at most %@ pixels wide or high", LocalTime.number(maximumSide)))
        }
        if let maximumByteCount {
            texts.append(
                localized("at most %@ each", ByteCount.text(Int64(clamping: maximumByteCount))))
        }
        return texts
    }
}
