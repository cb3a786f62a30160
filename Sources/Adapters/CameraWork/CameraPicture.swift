// SPDX-License-Identifier: MIT

package import Files
package import Photos
package import SystemPackage

/// A picture from a camera as a sealed memory file, with pixels as they are drawn without another conversion.
package struct CameraPicture: Sendable {
    package let size: PixelSize
    /// Rows from top to bottom, of blue, green, red and 255 for each pixel.
    package let file: Descriptor

    package init(size: PixelSize, file: Descriptor) {
        self.size = size
        self.file = file
    }

    package static let bytesPerPixel = 4

    /// The bytes of a row.
    package var stride: Int { size.width * Self.bytesPerPixel }

    /// Maps the pixels.
    ///
    /// - Throws: `Errno`, also `.permissionDenied` or `.invalidArgument` if the file is not sealed or has another
    ///   size, which a picture from ``CameraSession`` never has.
    package func mapped() throws(Errno) -> MappedMemory {
        let memory = try MappedMemory(sealed: file)
        guard memory.bytes.count == stride * size.height else { throw .invalidArgument }
        return memory
    }
}
