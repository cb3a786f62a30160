// SPDX-License-Identifier: MIT

import Desktop
import Files
import ImageWork
import PhotoCopies
import PhotoLibrary
import Photos
import Processes
import SystemPackage
import Thumbnails

/// Photos that the person took with the camera, and that become files of the library.
///
/// The service finds them there like every other new file.
enum TakenPhotos {
    /// Why a photo is in no folder of the library.
    enum Problem: Hashable, Sendable {
        /// There is no folder for pictures.
        case noFolder
        /// The disk has no room.
        case noSpace
        /// The folder does not take it.
        case refused
    }

    private static let owner = "camera"
    private static let permissions: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]

    /// Makes a file of a photo, in the library if that can be done, and otherwise where it stays for a day or, on
    /// a disk without any room, until the person logs out.
    ///
    /// - Parameters:
    ///   - photo: A memory file; one that is no JPEG file is not stored.
    ///   - app: The name of the app that gets it, which the folder has too; nil for “Camera”.
    /// - Returns: The path; nil if the photo cannot be stored anywhere. And why it is not in the library.
    static func store(
        _ photo: Descriptor, of app: String?, _ environment: PickerEnvironment
    ) async -> (path: FilePath?, problem: Problem?) {
        guard await isPhoto(photo, environment) else { return (nil, nil) }
        let pictures = environment.cameras.pictures
        let title = AppFolder.name(from: app ?? "") ?? AppFolder.name(from: localized("Camera"))
        var problem = Problem.noFolder
        if let pictures, let title {
            let kept = await FileCalls.shared.run(on: pictures) { _ in
                keep(photo, in: pictures, title)
            }
            switch kept {
            case .success(let path): return (path, nil)
            case .failure(let error): problem = Problem(error)
            case nil: problem = .refused
            }
        }
        let runtime = UserFolders.runtime.appending("photo-portal").appending("taken")
        for folder in [PhotoCopies.pastedFolder, runtime] {
            let path = await FileCalls.shared.run(on: folder) { _ in put(photo, into: folder) }
            if let path = path ?? nil { return (path, problem) }
        }
        return (nil, problem)
    }

    /// Whether a file is what it should be: a picture that decodes, and does not say where it was made.
    ///
    /// The program for cameras is not trusted.
    private static func isPhoto(
        _ photo: Descriptor, _ environment: PickerEnvironment
    ) async -> Bool {
        do throws(DecodeError) {
            let opened = try await OpenedPhoto(photo, environment.thumbnails, priority: .visible)
            guard opened.facts.mediaType == .jpeg, opened.facts.size != nil else { return false }
        } catch {
            return false
        }
        do throws(PhotoCopies.Failure) {
            return try await !environment.copies.hasLocation(photo.ownPath)
        } catch {
            return false
        }
    }

    /// Puts a photo into a folder of the library, which is made if it is missing.
    private static func keep(
        _ photo: Descriptor, in pictures: FilePath, _ title: FilePath.Component
    ) -> Result<FilePath, Errno> {
        do throws(Errno) {
            try Directory.make(pictures)
            let root = try Descriptor.openFolder(pictures)
            // Others may read it who may read the folder for pictures.
            let rights = try root.information().permissions
            for _ in 0..<mostAttempts {
                let (folder, _) = try Directory.open(
                    title, in: root, makingItWith: rights.union(.ownerReadWriteExecute))
                do throws(Errno) {
                    let name = try add(
                        photo, to: folder,
                        permissions.intersection(rights.union(.ownerReadWrite)))
                    return .success(pictures.appending(title).appending(name))
                } catch .noSuchFileOrDirectory {
                    // The service, which had made the folder for a photo that it refused, has removed it.
                    continue
                }
            }
            return .failure(.noSuchFileOrDirectory)
        } catch {
            return .failure(error)
        }
    }

    private static let mostAttempts = 16

    /// Adds a photo to an open folder, under a name that no other file has.
    private static func add(
        _ photo: Descriptor, to folder: Descriptor, _ permissions: FilePermissions
    ) throws(Errno) -> String {
        let stamp = LocalTime.stamp()
        for attempt in 1...1000 {
            let name = attempt == 1 ? "\(stamp).jpg" : "\(stamp)-\(attempt).jpg"
            do throws(Errno) {
                try AtomicFile.copy(
                    photo, to: folder.ownPath.appending(name), permissions: permissions,
                    replaces: false)
                return name
            } catch .fileExists {
                continue
            }
        }
        throw .fileExists
    }

    private static func put(_ photo: Descriptor, into folder: FilePath) -> FilePath? {
        let place = folder.appending(owner)
            .appending(String(UInt64.random(in: .min ... .max), radix: 36))
        do throws(Errno) {
            try Directory.make(place)
            let name = try add(photo, to: Descriptor.openFolder(place), .ownerReadWrite)
            return place.appending(name)
        } catch {
            return nil
        }
    }
}

extension TakenPhotos.Problem {
    init(_ error: Errno) {
        self = [.noSpace, .diskQuotaExceeded].contains(error) ? .noSpace : .refused
    }

    /// What the person is told.
    var text: String {
        switch self {
        case .noFolder:
            localized(
                "There is no folder for pictures to keep it in. The app gets it all the same.")
        case .noSpace:
            localized(
                "The disk is full, so it is not in your library. The app gets it all the same.")
        case .refused:
            localized(
                "It cannot be written to your folder for pictures. The app gets it all the same.")
        }
    }
}
