// SPDX-License-Identifier: MIT

internal import CGtk

/// The desktop's appearance settings.
package struct Appearance: Hashable, Sendable {
    /// Light or dark.
    package enum Scheme: Hashable, Sendable {
        /// The toolkit's own setting.
        case standard
        case dark, light
    }

    /// The color of selected items and suggested actions; components from 0 to 1.
    package struct Accent: Hashable, Sendable {
        package let red: Double
        package let green: Double
        package let blue: Double

        /// Nil for a color outside sRGB, which means that the desktop has no accent color.
        package init?(red: Double, green: Double, blue: Double) {
            guard [red, green, blue].allSatisfy({ (0...1).contains($0) }) else { return nil }
            self.red = red
            self.green = green
            self.blue = blue
        }

        /// The named colors of libadwaita.
        ///
        /// Text uses a darker or lighter variant that is readable on the background.
        func css(isDark: Bool) -> String {
            let color =
                "rgb("
                + [red, green, blue].map { "\(Int(($0 * 255).rounded()))" }
                .joined(separator: ",") + ")"
            return """
                @define-color accent_bg_color \(color);
                @define-color accent_fg_color \(isBright ? "black" : "white");
                @define-color accent_color \(isDark ? "mix(\(color),white,0.4)" : "mix(\(color),black,0.2)");
                """
        }

        /// Whether black text is easier to read on this color than white text.
        ///
        /// - Source: WCAG 2.1, relative luminance, with a gamma of 2.2 instead of sRGB's own curve.
        private var isBright: Bool {
            func linear(_ value: Double) -> Double { value * value * value.squareRoot() }
            return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) > 0.4
        }
    }

    package var scheme = Scheme.standard
    package var hasHighContrast = false
    /// The accent color; nil for the toolkit's own.
    package var accent: Accent?

    package init() {}
}

extension Appearance.Scheme {
    var value: AdwColorScheme {
        switch self {
        case .standard: ADW_COLOR_SCHEME_DEFAULT
        case .dark: ADW_COLOR_SCHEME_FORCE_DARK
        case .light: ADW_COLOR_SCHEME_FORCE_LIGHT
        }
    }
}
