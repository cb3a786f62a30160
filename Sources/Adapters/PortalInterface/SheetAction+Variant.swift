// SPDX-License-Identifier: MIT

package import Photos
package import SDBus

/// A row of the sheet as a caller sends it: type, label and name of the icon, none of them checked.
package struct SheetActionFields: VariantConvertible {
    let type: String
    let label: String
    let iconName: String

    package static var variantSignature: String { "(sss)" }

    package init(_ type: String, _ label: String = "", _ iconName: String = "") {
        (self.type, self.label, self.iconName) = (type, label, iconName)
    }

    package init(_ action: SheetAction) {
        self.init(action.kind.rawValue, action.label, action.iconName)
    }

    package init?(_ variant: Variant) {
        guard case .structure(let fields) = variant, fields.count == 3,
            let type = String(fields[0]), let label = String(fields[1]),
            let iconName = String(fields[2])
        else { return nil }
        self.init(type, label, iconName)
    }

    package var variant: Variant { .structure([type.variant, label.variant, iconName.variant]) }
}
