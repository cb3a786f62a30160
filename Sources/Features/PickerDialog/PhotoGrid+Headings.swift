// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos
import PickModel

extension PhotoGrid {
    /// The distance of a heading from the photos above it.
    nonisolated static let headingSpacing = 12
    /// The height of a heading where it cannot be measured yet.
    private nonisolated static let usualHeadingHeight = 36

    /// The sections of a list; see ``DateSections``.
    nonisolated static func sections(
        of photos: PhotoList, _ style: GridStyle
    ) -> [DateSection] {
        DateSections.sections(taken: photos.taken, by: style.dateUnit) {
            LocalTime.beginning(of: $0, at: $1)
        }
    }

    /// The room for the headings of sections.
    nonisolated static func room(
        for sections: [DateSection], height: Int = usualHeadingHeight
    ) -> JustifiedRows.Headings {
        JustifiedRows.Headings(
            sections: sections.map(\.photos), height: height, spacing: headingSpacing)
    }

    /// The height of a heading; 0 if there are none.
    func measureHeading() -> Int {
        guard let first = sections.first else { return 0 }
        if let headingHeight { return headingHeight }
        let heading = headings[0] ?? makeHeading(0)
        show(first, in: heading)
        let height = canvas.naturalHeight(of: heading.box)
        headingHeight = height
        return height
    }

    /// Gives headings to the sections on the screen, and frees those of others.
    ///
    /// - Returns: Whether a heading has to be placed.
    func updateHeadings() -> Bool {
        let (top, pageHeight) = scroller.verticalRange
        let wanted = rows.sections(from: viewTop, to: Int(top + pageHeight))
        for (section, heading) in headings where !wanted.contains(section) {
            heading.clear()
            spareHeadings.append(heading)
            headings[section] = nil
        }
        var tops: [Int: Int] = [:]
        for section in wanted {
            let heading = headings[section] ?? makeHeading(section)
            show(sections[section], in: heading)
            mark(heading, section)
            tops[section] = rows.headingTop(of: section, inViewFrom: viewTop)
        }
        defer { headingTops = tops }
        return tops != headingTops
    }

    func placeHeadings() {
        for (section, heading) in headings {
            canvas.place(
                heading.box, x: 0, y: headingTops[section] ?? 0, width: layoutWidth,
                height: rows.headingHeight)
        }
    }

    /// Shows which headings have only chosen photos.
    func markHeadings() {
        for (section, heading) in headings { mark(heading, section) }
    }

    /// The part of the canvas that is scrolled out, in layout pixels.
    private var viewTop: Int { Int(scroller.verticalRange.top) - Self.gap }

    private func makeHeading(_ section: Int) -> DateHeading {
        let heading = spareHeadings.popLast() ?? newHeading()
        headings[section] = heading
        return heading
    }

    private func newHeading() -> DateHeading {
        let heading = DateHeading()
        canvas.add(heading.box)
        heading.onTick = { [weak self, weak heading] in
            guard let self, let heading,
                let section = headings.first(where: { $0.value === heading })?.key,
                sections.indices.contains(section)
            else { return }
            stock.onEvent(.groupToggled(Array(photos.ids[sections[section].photos])))
            mark(heading, section)
        }
        return heading
    }

    private func show(_ section: DateSection, in heading: DateHeading) {
        heading.show(
            section, date: photos.taken[section.photos.lowerBound], canChoose: stock.choosesSeveral)
    }

    private func mark(_ heading: DateHeading, _ section: Int) {
        // A grid that is not on the screen may still have the headings of another list.
        guard sections.indices.contains(section) else { return }
        let indices = sections[section].photos
        func fits(_ index: Int) -> Bool { photos.brokenRule(at: index) == nil }
        heading.setChosen(
            stock.chosenCount > 0 && indices.contains(where: fits)
                && indices.allSatisfy { !fits($0) || !stock.numbers(photos.ids[$0]).isEmpty })
    }
}
