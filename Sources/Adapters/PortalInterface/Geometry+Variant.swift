// SPDX-License-Identifier: MIT

package import Photos
package import SDBus

/// Width and height.
extension PixelSize: VariantConvertible {
    package static var variantSignature: String { "(uu)" }

    package init?(_ variant: Variant) {
        guard let fields = variant.numbers, fields.count == 2 else { return nil }
        self.init(width: fields[0], height: fields[1])
    }

    package var variant: Variant { .numbers(width, height) }
}

/// Left, top, width and height.
extension PixelRectangle: VariantConvertible {
    package static var variantSignature: String { "(uuuu)" }

    package init?(_ variant: Variant) {
        guard let fields = variant.numbers, fields.count == 4 else { return nil }
        self.init(x: fields[0], y: fields[1], width: fields[2], height: fields[3])
    }

    package var variant: Variant { .numbers(x, y, width, height) }
}

/// Latitude and longitude.
extension GeoPosition: VariantConvertible {
    package static var variantSignature: String { "(dd)" }

    package init?(_ variant: Variant) {
        guard case .structure(let fields) = variant, fields.count == 2,
            let latitude = Double(fields[0]), let longitude = Double(fields[1])
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    package var variant: Variant { .structure([latitude.variant, longitude.variant]) }
}

extension Variant {
    /// The fields of a structure of `u` alone; nil for any other value.
    fileprivate var numbers: [Int]? {
        guard case .structure(let fields) = self else { return nil }
        let numbers = fields.compactMap { UInt32($0).map(Int.init) }
        return numbers.count == fields.count ? numbers : nil
    }

    fileprivate static func numbers(_ values: Int...) -> Variant {
        .structure(values.map { .uint32(UInt32(clamping: $0)) })
    }
}
