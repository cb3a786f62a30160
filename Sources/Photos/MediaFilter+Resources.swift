// SPDX-License-Identifier: MIT

extension MediaFilter {
    /// The type of the file of a photo that an app with this filter receives: of the primary one if the
    /// filter accepts it, otherwise of a raw file beside it.
    ///
    /// - Returns: Nil if it accepts none of the files, so that the photo is not shown to the app.
    package func acceptedType(of asset: Asset) -> MediaType? {
        accepts(asset.mediaType)
            ? asset.mediaType : asset.rawTypes.first { accepts($0) }
    }

    /// Whether it accepts one of these types.
    package func accepts(any types: [MediaType]) -> Bool {
        types.contains { accepts($0) }
    }

    /// The types of raw files for which a photo is accepted whatever its picture is; none if the filter
    /// accepts every picture.
    package var acceptedRawTypes: [MediaType] {
        patterns.contains(.anyImage) ? [] : MediaType.rawTypes.filter { accepts($0) }
    }
}

extension [MediaFilter] {
    /// The type of the file of a photo that the first of these filters chooses that accepts any; see
    /// ``MediaFilter/acceptedType(of:)``.
    package func acceptedType(of asset: Asset) -> MediaType? {
        lazy.compactMap { $0.acceptedType(of: asset) }.first
    }
}
