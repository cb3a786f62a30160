// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import Photos

/// The heading of the photos of a day, a month or a year, with a button that chooses them all.
@UIActor
final class DateHeading {
    let box = Box(isVertical: false, spacing: 6)
    var onTick: @UIActor () -> Void = {}
    private let label = Label.heading()
    private let tick = ToggleButton()
    /// What the heading says; nil while it is free.
    private var shown: (section: DateSection, date: Int64)?

    init() {
        tick.setChild(Icon("object-select-symbolic"))
        tick.setClass("flat")
        tick.setClass("circular")
        tick.setClass("date-tick")
        tick.centerVertically()
        // Keys have Shift and Ctrl+A; Tab must not lead through every day.
        tick.isFocusable = false
        tick.onClick { [weak self] in self?.onTick() }
        label.setEllipsized()
        label.setAlignedToStart()
        box.append(label)
        box.append(tick)
        box.setClass("date-heading")
        box.isVisible = false
    }

    /// Shows the heading of a section.
    ///
    /// - Parameters:
    ///   - date: When one of its photos was taken, in seconds since 1970.
    ///   - canChoose: Whether several photos may be chosen.
    func show(_ section: DateSection, date: Int64, canChoose: Bool) {
        guard shown?.section != section || shown?.date != date || !box.isVisible else { return }
        shown = (section, date)
        let text = LocalTime.text(date, section.unit)
        label.text = text
        tick.isVisible = canChoose
        tick.setAccessibleLabel(localized("Choose all: %@", text))
        tick.tooltip = localized("Choose all")
        box.isVisible = true
    }

    /// Frees the heading for another section.
    func clear() {
        shown = nil
        box.isVisible = false
    }

    /// Shows whether all photos of the section are chosen.
    func setChosen(_ isChosen: Bool) {
        // The button has toggled itself, but the model decides what is chosen.
        tick.isActive = isChosen
    }
}

extension LocalTime {
    /// A day, a month or a year for people, for example “Today” or “May 2026”.
    ///
    /// - Parameter seconds: A time in it, since 1970.
    fileprivate static func text(_ seconds: Int64, _ unit: DateUnit) -> String {
        switch unit {
        case .day:
            switch beginning(of: .day, at: seconds) {
            case beginning(of: .day, at: now): localized("Today")
            case beginning(of: .day, at: beginning(of: .day, at: now) - 1): localized("Yesterday")
            default: day(seconds)
            }
        case .month: month(seconds)
        case .year: year(seconds)
        }
    }

    /// The beginning of the day, month or year that contains a time, in seconds since 1970.
    static func beginning(of unit: DateUnit, at seconds: Int64) -> Int64 {
        if unit == .day { return beginningOfDay(at: seconds) ?? seconds }
        let date = date(of: seconds)
        return self.seconds(
            year: date.year, month: unit == .year ? 1 : date.month, day: 1, hour: 0, minute: 0,
            second: 0) ?? seconds
    }
}
