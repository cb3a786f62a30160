// SPDX-License-Identifier: MIT

import Thumbnails

/// The codes of the signal `Error`, which are those of tumbler.
///
/// - Source: tumbler, `TumblerError`.
enum ThumbnailerError: Int32 {
    case unsupported = 0
    case invalidFormat = 2
    case isThumbnail = 3
    case saveFailed = 4
    case unsupportedFlavor = 5
    case noContent = 6
    case shuttingDown = 7
    case other = 8

    init(_ failure: ThumbnailFailure) {
        switch failure {
        case .unsupported: self = .unsupported
        case .unreadable: self = .noContent
        case .damaged: self = .invalidFormat
        case .isThumbnail: self = .isThumbnail
        case .notStored: self = .saveFailed
        case .unavailable: self = .other
        }
    }

    /// For people who look for the cause.
    ///
    /// Programs use the code.
    var message: String {
        switch self {
        case .unsupported: "This kind of file is not supported"
        case .invalidFormat: "The file is damaged or too large"
        case .isThumbnail: "The file is a thumbnail itself"
        case .saveFailed: "The thumbnail could not be saved"
        case .unsupportedFlavor: "This thumbnail flavor does not exist"
        case .noContent: "The file cannot be read"
        case .shuttingDown: "The thumbnail service is shutting down"
        case .other: "No decoder could be started"
        }
    }
}
