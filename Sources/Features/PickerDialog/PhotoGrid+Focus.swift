// SPDX-License-Identifier: MIT

import GtkKit
import Photos
import PickModel

extension PhotoGrid {
    @discardableResult
    func takeFocus() -> Bool {
        scroller.isMapped && focusHolder.grabFocus()
    }

    func target(of key: Key) -> AssetID? {
        guard !photos.isEmpty, !rows.rows.isEmpty else { return nil }
        // Without a focus, the first key goes where Tab would go.
        let current = focused?.index ?? firstInView ?? 0
        let distance = focused == nil ? 0 : 1
        let step = canvas.isRightToLeft ? -distance : distance
        let target: Int
        switch key {
        case .left: target = current - step
        case .right: target = current + step
        case .up: target = neighbour(of: current, rowsAway: -distance)
        case .down: target = neighbour(of: current, rowsAway: distance)
        case .pageUp: target = neighbour(of: current, rowsAway: -distance * pageRows)
        case .pageDown: target = neighbour(of: current, rowsAway: distance * pageRows)
        case .home: target = 0
        case .end: target = photos.count - 1
        default: return nil
        }
        return photos.ids[min(max(target, 0), photos.count - 1)]
    }

    var shownCount: Int { photos.count }

    func isLaidOut(_ index: Int) -> Bool { row(of: index) != nil }

    func scrollToFocus() {
        scroller.scroll(to: position(near: scroller.verticalRange.top))
    }

    /// The nearest scroll position at which the focused photo is in view.
    func position(near top: Double) -> Double {
        guard let focused, let row = row(of: focused.index) else { return top }
        let pageHeight = scroller.verticalRange.pageHeight
        let margin = Double(Self.gap)
        // A heading covers the photos at the top.
        let covered = Double(rows.headingHeight)
        if Double(row.top) < top + covered {
            return max(Double(row.top) - margin - covered, 0)
        }
        return max(top, Double(row.bottom) + 2 * margin - pageHeight)
    }

    var isFocusInView: Bool {
        guard let focused, let row = row(of: focused.index) else { return false }
        let (top, pageHeight) = scroller.verticalRange
        return Double(row.bottom) > top + Double(rows.headingHeight)
            && Double(row.top) < top + pageHeight
    }

    private var pageRows: Int {
        let height = style.rowHeight(inWidth: layoutWidth) + Self.gap
        return max(1, Int(scroller.verticalRange.pageHeight) / height)
    }

    /// The photo nearest in horizontal position some rows away.
    private func neighbour(of index: Int, rowsAway: Int) -> Int {
        let row = rows.row(of: index)
        let target = min(max(row + rowsAway, 0), rows.rows.count - 1)
        guard target != row else { return index }
        let frame = rows.frames(inRow: row)[index - rows.rows[row].photos.lowerBound]
        let middle = frame.x + frame.width / 2
        let candidates = rows.frames(inRow: target)
        let nearest = candidates.indices.min { left, right in
            abs(candidates[left].x + candidates[left].width / 2 - middle)
                < abs(candidates[right].x + candidates[right].width / 2 - middle)
        }
        return rows.rows[target].photos.lowerBound + (nearest ?? 0)
    }
}
