// SPDX-License-Identifier: MIT

internal import Foundation
internal import SystemPackage

extension FilePath {
    /// The bytes of the path, as the database stores them; they need not be UTF-8.
    var data: Data {
        withPlatformString { Data(bytes: $0, count: strlen($0)) }
    }

    init(_ data: Data) {
        self = (data + [0]).withUnsafeBytes {
            FilePath(platformString: Array($0.bindMemory(to: CInterop.PlatformChar.self)))
        }
    }
}

extension FilePath.Component {
    var data: Data {
        withPlatformString { Data(bytes: $0, count: strlen($0)) }
    }

    /// Fails unless the bytes are a single name.
    init?(_ data: Data) {
        let component = (data + [0]).withUnsafeBytes {
            FilePath.Component(
                platformString: Array($0.bindMemory(to: CInterop.PlatformChar.self)))
        }
        guard let component else { return nil }
        self = component
    }
}
