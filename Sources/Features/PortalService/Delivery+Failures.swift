// SPDX-License-Identifier: MIT

import Photos
import PortalInterface

extension Delivery.Failure {
    /// A failure with a message that begins with the file's name, the only one that people know.
    init(_ id: String, _ name: String?, _ code: Code, _ problem: String) {
        self.init(
            id: id, code: code,
            message: "\(name.map { "“\($0.printable)”" } ?? "A photo") \(problem).")
    }

    /// The failure of a photo that is no longer the one that the person saw.
    static func changed(_ id: String, _ name: String?) -> Self {
        Self(id, name, .changed, "has been changed or replaced since it was chosen")
    }
}
