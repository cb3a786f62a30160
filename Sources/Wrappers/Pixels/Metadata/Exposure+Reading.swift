// SPDX-License-Identifier: MIT

import Photos

extension Exposure {
    /// Reads the EXIF directory.
    ///
    /// - Source: EXIF 2.32, 4.6.5, “Tags relating to picture-taking conditions”.
    init(_ exif: TIFFDirectory) {
        self.init(
            nanoseconds: exif.fraction(Tag.exposureTime, of: 1_000_000_000).map(Int64.init),
            aperture: exif.fraction(Tag.fNumber, of: 100),
            sensitivity: exif.number(Tag.sensitivity),
            focalLength: exif.fraction(Tag.focalLength, of: 100))
    }
}
