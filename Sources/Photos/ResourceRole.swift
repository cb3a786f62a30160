// SPDX-License-Identifier: MIT

/// What a file is for its photo, which may consist of several.
///
/// The raw values are the names that apps use.
package enum ResourceRole: String, CaseIterable, Hashable, Sendable {
    /// What people see of the photo, and apps are given.
    case primary
    /// What the camera's sensor saw, beside the picture that the camera made of it.
    case raw
    /// The video of a Live Photo or motion photo: what moved around the moment of the picture.
    case pairedVideo = "paired-video"
    /// A picture that the camera took in quick succession with the one that is shown, and that is not shown.
    case burst
}

extension MediaType {
    /// The types of the pictures that cameras store beside a raw file or a video, best first.
    package static let cameraPictureTypes: [MediaType] = [.jpeg, .heic, .heif]
}
