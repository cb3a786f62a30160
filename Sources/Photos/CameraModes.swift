// SPDX-License-Identifier: MIT

/// The sizes that a person may choose for photos.
///
/// - Source: S5.9.
package enum CameraPreset: CaseIterable, Sendable {
    case quarterVGA
    case cif
    case vga
    case quarterFullHD
    case hd
    case fullHD
    case ultraHD

    package var size: PixelSize {
        switch self {
        case .quarterVGA: PixelSize(width: 320, height: 240)
        case .cif: PixelSize(width: 352, height: 288)
        case .vga: PixelSize(width: 640, height: 480)
        case .quarterFullHD: PixelSize(width: 960, height: 540)
        case .hd: PixelSize(width: 1280, height: 720)
        case .fullHD: PixelSize(width: 1920, height: 1080)
        case .ultraHD: PixelSize(width: 3840, height: 2160)
        }
    }
}

/// The modes of one camera.
package struct CameraModes: Hashable, Sendable {
    /// Each size once, with its highest rate, the largest first.
    package let all: [CameraMode]

    /// Takes the modes that a camera claims to have.
    ///
    /// A size that no frame can have is left out; so are modes beyond ``CameraMode/mostModes``, the smallest
    /// first.
    package init(_ claimed: some Sequence<CameraMode>) {
        var rates: [PixelSize: FrameRate?] = [:]
        for mode in claimed {
            let sides = 1...CameraMode.maximumSide
            guard sides ~= mode.size.width, sides ~= mode.size.height,
                mode.pixelCount <= CameraMode.mostPixels
            else { continue }
            guard let known = rates[mode.size] else {
                rates[mode.size] = .some(mode.frameRate)
                continue
            }
            // A rate that is known is worth more than none.
            guard let rate = mode.frameRate else { continue }
            rates[mode.size] = .some(known.map { max($0, rate) } ?? rate)
        }
        let sorted = rates.map { CameraMode($0.key, $0.value) }.sorted { one, other in
            (one.pixelCount, one.size.width) > (other.pixelCount, other.size.width)
        }
        all = Array(sorted.prefix(CameraMode.mostModes))
    }

    /// The mode of a size; nil if the camera does not have it.
    package func mode(of size: PixelSize) -> CameraMode? { all.first { $0.size == size } }

    /// The sizes to choose from, the smallest first: the presets that the camera has, otherwise its best mode.
    package var choices: [PixelSize] {
        let presets = CameraPreset.allCases.map(\.size).filter { mode(of: $0) != nil }
        return presets.isEmpty ? best.map { [$0.size] } ?? [] : presets
    }

    /// The largest fluent mode; of a slow camera the fastest, and of several the largest.
    package var best: CameraMode? { Self.best(of: all) }

    /// The mode for a live picture: the best within 1920×1080, otherwise the smallest of all.
    package var live: CameraMode? {
        let most = CameraPreset.fullHD.size
        let small = all.filter { $0.size.width <= most.width && $0.size.height <= most.height }
        return Self.best(of: small) ?? all.last
    }

    /// The mode for photos: the largest.
    package var still: CameraMode? { all.first }

    /// The mode to use if a person has chosen a size, perhaps with another camera.
    ///
    /// - Returns: The mode of that size; otherwise that of the largest preset below; otherwise the live mode.
    ///   Nil if the camera has no modes.
    package func mode(preferring size: PixelSize?) -> CameraMode? {
        guard let size else { return live }
        if let mode = mode(of: size) { return mode }
        let below = CameraPreset.allCases.map(\.size).last { preset in
            preset.width <= size.width && preset.height <= size.height && mode(of: preset) != nil
        }
        return below.flatMap { mode(of: $0) } ?? live
    }

    /// The size to use after switching from one camera to another (S5.16).
    ///
    /// - Parameters:
    ///   - chosen: The size with the first camera.
    ///   - other: The modes of the second camera.
    /// - Returns: The chosen size if the second camera has it; otherwise the largest preset that both have
    ///   and that is not larger; otherwise the best of the second camera. Nil if it has no modes.
    package func size(_ chosen: PixelSize, switchingTo other: CameraModes) -> PixelSize? {
        if other.mode(of: chosen) != nil { return chosen }
        let common = CameraPreset.allCases.map(\.size).last { preset in
            preset.width <= chosen.width && preset.height <= chosen.height
                && mode(of: preset) != nil && other.mode(of: preset) != nil
        }
        return common ?? other.best?.size
    }

    /// The best of modes that are sorted from large to small.
    private static func best(of modes: [CameraMode]) -> CameraMode? {
        if let fluent = modes.first(where: \.isFluent) { return fluent }
        guard let fastest = modes.compactMap(\.frameRate).max() else { return modes.first }
        return modes.first { $0.frameRate == fastest }
    }
}

extension CameraMode {
    /// Of a mode that ``CameraModes`` has admitted.
    fileprivate var pixelCount: Int { size.pixelCount ?? 0 }
}
