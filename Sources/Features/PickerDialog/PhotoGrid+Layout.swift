// SPDX-License-Identifier: MIT

import GtkKit
import Photos

extension PhotoGrid {
    func layOut(_ width: Int) {
        guard width != layoutWidth, width > 0 else { return }
        layoutWidth = width
        rows = Self.rows(
            of: photos, style, width: width,
            Self.room(for: sections, height: measureHeading()))
    }

    /// The layout of photos in a style.
    nonisolated static func rows(
        of photos: PhotoList, _ style: GridStyle, width: Int, _ headings: JustifiedRows.Headings
    ) -> JustifiedRows {
        JustifiedRows(
            aspectRatios: photos.aspectRatios, width: width,
            rowHeight: style.rowHeight(inWidth: width), gap: style.gap(inWidth: width),
            columns: style.columns(inWidth: width), headings: headings)
    }

    /// Lays the photos out in another style; those in view stay there.
    func restyle(from old: GridStyle) {
        if style.dateUnit != old.dateUnit { sections = Self.sections(of: photos, style) }
        let width = layoutWidth
        layoutWidth = 0
        fit(width)
        canvas.queueResize()
        updateTiles()
    }

    /// Lays the photos out for another width; those in view stay there.
    ///
    /// GTK measures before it reads the scroll position, so that no frame shows other photos.
    func fit(_ width: Int) {
        guard width != layoutWidth, width > 0 else { return }
        let (oldTop, pageHeight) = scroller.verticalRange
        let followsFocus = isFocusShown && isFocusInView
        layOut(width)
        sharpenTiles()
        var top = oldTop
        if let place, let row = photos.index(of: place.id).flatMap({ row(of: $0) }) {
            top = Double(row.top) + place.hiddenPart * Double(row.height)
        }
        if followsFocus { top = position(near: top) }
        guard top != oldTop else { return }
        place?.top = top
        scroller.scroll(to: top, inHeight: max(Double(rows.height), top + pageHeight))
    }

    /// Remembers what is in view after the person has scrolled.
    func notePlace() {
        let top = scroller.verticalRange.top
        guard top != place?.top else { return }
        place = topPhoto().flatMap { photo in
            photos.index(of: photo.id).flatMap { row(of: $0) }.map {
                (photo.id, photo.offset / Double($0.height), top)
            }
        }
    }

    /// The row of a photo; nil before the first layout.
    func row(of index: Int) -> JustifiedRows.Row? {
        let row = rows.row(of: index)
        return rows.rows.indices.contains(row) ? rows.rows[row] : nil
    }

    /// The index of the first photo on the screen; nil if there is none.
    var firstInView: Int? {
        let (top, pageHeight) = scroller.verticalRange
        // A heading covers the photos at the top.
        return rows.rows(from: Int(top) + rows.headingHeight, to: Int(top + pageHeight)).first
            .map { rows.rows[$0].photos.lowerBound }
    }

    /// The first photo on the screen and how far its row is scrolled out; nil at the very top,
    /// where new photos are to be seen.
    func topPhoto() -> (id: AssetID, offset: Double)? {
        let top = scroller.verticalRange.top
        guard top > 0 else { return nil }
        // A heading may be at the top, and a row below it.
        let visible = rows.rows(from: Int(top), to: .max)
        guard let row = visible.first.map({ rows.rows[$0] }) else { return nil }
        return (photos.ids[row.photos.lowerBound], top - Double(row.top))
    }

    /// The photos on the screen, and where they are on it.
    func photosInView(from top: Double) -> [AssetID: JustifiedRows.Frame] {
        let shown = rows.rows(from: Int(top), to: Int(top + scroller.verticalRange.pageHeight))
        var found: [AssetID: JustifiedRows.Frame] = [:]
        for row in shown {
            for (index, frame) in zip(rows.rows[row].photos, rows.frames(inRow: row)) {
                found[photos.ids[index]] = frame.scrolled(by: Int(top))
            }
        }
        return found
    }
}
