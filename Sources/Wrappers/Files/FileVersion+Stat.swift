// SPDX-License-Identifier: MIT

package import Photos
package import SystemPackage

extension FileVersion {
    /// The version that stat(2) describes.
    package init(_ information: Stat) {
        let identity = FileIdentity(information)
        self.init(
            device: identity.device, inode: identity.inode, byteCount: information.size,
            modified: information.modifiedNanoseconds, changed: information.changedNanoseconds)
    }

    /// The current version of an open file.
    package init(of file: Descriptor) throws(Errno) {
        self.init(try file.information())
    }
}
