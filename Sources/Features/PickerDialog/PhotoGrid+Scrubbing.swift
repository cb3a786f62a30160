// SPDX-License-Identifier: MIT

import GtkKit
import Photos

extension PhotoGrid {
    func connectScrubbing() {
        scroller.onScrollbarHold { [weak self] isHeld in
            self?.isScrubbing = isHeld
            self?.updateBubble()
        }
    }

    /// Shows the month in view while the scrollbar is being dragged.
    func updateBubble() {
        guard isScrubbing, !sections.isEmpty, let first = firstInView else { return bubble.hide() }
        let (top, pageHeight) = scroller.verticalRange
        let range = Double(rows.height) - pageHeight
        bubble.show(photos.taken[first], at: range > 0 ? top / range : 0, ofHeight: pageHeight)
    }

    /// The first photo of the section after the one with the focus, or of the one before.
    ///
    /// - Returns: Nil if there is none, or if the key means no such thing.
    func targetSection(of key: Key) -> AssetID? {
        let current = focused?.index ?? firstInView ?? 0
        guard let section = sections.firstIndex(where: { $0.photos.contains(current) }) else {
            return nil
        }
        let target: Int
        switch key {
        case .pageDown: target = section + 1
        // The beginning of this section comes first.
        case .pageUp: target = current > sections[section].photos.lowerBound ? section : section - 1
        default: return nil
        }
        return sections.indices.contains(target)
            ? photos.ids[sections[target].photos.lowerBound] : nil
    }
}
