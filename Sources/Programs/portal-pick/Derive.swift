// SPDX-License-Identifier: MIT

import ArgumentParser
import Desktop
import Files
import Glibc
import ImageWork
import Photos
import PortalInterface
import SystemPackage

/// Makes files the way apps receive them.
struct Derive: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "derive", _superCommandName: "portal-pick",
        abstract:
            "Makes files the way apps receive them: upright, smaller, converted, without location.",
        discussion: """
            Examples:

              portal-pick derive --remove-location -o out *.jpg
              portal-pick derive --representation preview -o out IMG_1.heic
              portal-pick derive --format webp --max-bytes 100000 -o out photo.png
              portal-pick derive --clip 0,0,640,480 -o out photo.jpg
              portal-pick derive --turn 90 --angle=-1.5 -o out photo.jpg

            Prints the path of each file. A file that needs no change is copied. Exit status: 0 \
            success, 1 standard output is full or closed, 2 at least one file failed, 64 invalid \
            command line, 128 and the number of a signal that ended it.
            """)

    @Argument(help: ArgumentHelp("The photos.", valueName: "file"), completion: .file())
    var files: [FileArgument]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder for the results; created if missing.", valueName: "folder"),
        completion: .directory)
    var output: FileArgument

    @Option(
        help: ArgumentHelp(
            "A format you accept: jpeg, png or webp, or its MIME type. May be repeated; photos in "
                + "other formats are converted to the first.", valueName: "F"))
    var format: [OutputFormat] = []

    @Option(
        help: ArgumentHelp(
            "original, compatible (upright, sRGB), or preview (the same, within 1280 pixels, the "
                + "shorter side of a panorama)."))
    var representation: Representation = .original

    @Option(help: ArgumentHelp("The longest side in pixels.", valueName: "N"))
    var maxDimension: Int?

    @Option(help: ArgumentHelp("The largest file size in bytes; 0 for any.", valueName: "N"))
    var maxBytes: UInt64?

    @Option(help: ArgumentHelp("The quality of lossy compression, 1 to 100.", valueName: "N"))
    var quality = OutputOptions().quality

    @Flag(help: "Remove the location.")
    var removeLocation = false

    @Flag(help: "Remove all metadata, except for orientation and colour.")
    var removeMetadata = false

    @Option(
        help: ArgumentHelp(
            "The part to keep, in pixels of the upright photo; must overlap it.",
            valueName: "x,y,w,h"))
    var clip: PixelRectangle?

    @Option(
        help: ArgumentHelp(
            "Straighten the photo by this many degrees clockwise, -45 to 45.", valueName: "D"))
    var angle = 0.0

    @Option(
        help: ArgumentHelp(
            "Turn the part by 90, 180 or 270 degrees clockwise.", valueName: "D"))
    var turn = 0

    func validate() throws {
        guard !files.isEmpty else { throw ValidationError("No file is given.") }
        guard OutputOptions.qualities.contains(quality) else {
            throw ValidationError("--quality is a number from 1 to 100.")
        }
        guard Rotation(turn: 0, angle: angle) != nil else {
            throw ValidationError("--angle is a number from -45 to 45.")
        }
        guard Rotation(turn: turn, angle: 0) != nil else {
            throw ValidationError("--turn is 0, 90, 180 or 270.")
        }
        if let maxDimension, !(1...PixelLimits.maximumSide).contains(maxDimension) {
            throw ValidationError("--max-dimension is a number from 1 to 65535.")
        }
    }

    func run() async throws {
        let decoders = ShellDecoders.make()
        defer { decoders.close() }
        let folder = output.path
        do {
            // As with mkdir(1), the umask decides who else can enter.
            try Directory.make(folder, permissions: FilePermissions(rawValue: 0o777))
        } catch {
            ShellDecoders.fail("\(folder): the folder cannot be created: \(error)")
            throw ExitCode(ShellDecoders.failure)
        }
        // Where files cannot be without names, earlier runs that were killed may have left some.
        try? AtomicFile.removeLeftovers(in: folder)
        var hasFailed = false
        for file in files where !Task.isCancelled {
            let made: FilePath
            do throws(ShellFailure) {
                made = try await derive(file.path, in: folder, decoders)
            } catch {
                ShellDecoders.fail("\(file.path): \(error.text)")
                hasFailed = true
                continue
            }
            try StandardOutput.write(made)
        }
        if hasFailed { throw ExitCode(ShellDecoders.failure) }
    }

    /// The part to keep, and how it is turned; nil for the photo as it is.
    private func part(of facts: ImageFacts) throws(ShellFailure) -> Clip? {
        let rotation = Rotation(turn: turn, angle: angle) ?? .none
        guard clip != nil || rotation != .none else { return nil }
        guard facts.mediaType.isImage else {
            throw ShellFailure("a video cannot be cropped or turned")
        }
        // Making the file finds out why the size is unknown.
        guard let size = facts.size else {
            return Clip(
                area: clip ?? PixelRectangle(PixelSize(width: 0, height: 0)), rotation: rotation)
        }
        var options = ClipOptions()
        options.mode = .optional
        do {
            return try options.clip(of: size, chosen: clip, rotation: rotation)
        } catch {
            throw ShellFailure(
                "the part is outside the photo, whose size is \(size.width)x\(size.height)")
        }
    }

    private func derive(
        _ path: FilePath, in folder: FilePath, _ decoders: DecoderPool
    ) async throws(ShellFailure) -> FilePath {
        let file: Descriptor
        let information: Stat
        do {
            file = try Descriptor.openForReading(path)
            information = try file.information()
        } catch {
            throw ShellFailure("it cannot be read: \(error)")
        }
        guard information.type == .regular, let stem = path.stemBytes else {
            throw ShellFailure("it cannot be read, because it is not a file")
        }
        let facts = try await facts(of: file, decoders)
        let derivation = Derivation(
            of: facts, byteCount: UInt64(clamping: information.size), options: options,
            clip: try part(of: facts), removesLocation: removeLocation,
            removesMetadata: removeMetadata)
        guard facts.mediaType.isImage || !removeMetadata else {
            throw ShellFailure("the metadata of a video cannot be removed, only its location")
        }
        // What is searched is what becomes the result: a program that has mapped the photo can change it
        // without changing its date. A picture that is encoded again is no copy.
        let isCopied = derivation?.picture == nil
        var draft = try Self.draft(in: folder, of: isCopied ? file : nil)
        let source: Descriptor
        do {
            source = isCopied ? try draft.openForReading() : file
        } catch {
            throw ShellFailure("\(error)")
        }
        var type = facts.mediaType
        var made: DerivedFile?
        if let derivation {
            made = try await make(derivation, of: source, type, decoders)
            if made?.isConverted == true { type = derivation.picture?.format.mediaType ?? type }
        }
        do {
            if !isCopied, made?.parts != nil || made == nil { try draft.fill(from: file) }
            if let made { try made.replace(draft) }
        } catch {
            throw ShellFailure("\(error)")
        }
        var isAsSearched = true
        if !isCopied, derivation?.removesLocation == true {
            isAsSearched = try await !findsNewPlace(in: draft, of: made, decoders)
        }
        guard isAsSearched, (try? FileVersion(of: file)) == FileVersion(information) else {
            throw ShellFailure("it has changed meanwhile; try again")
        }
        return try name(
            &draft, in: folder, stem, type.fileExtension ?? path.extension ?? "")
    }

    /// An empty file without a name, or a copy.
    private static func draft(
        in folder: FilePath, of file: Descriptor?
    ) throws(ShellFailure) -> AtomicFile.Draft {
        do {
            let draft = try AtomicFile.Draft(in: folder, isNameless: true)
            if let file { try draft.fill(from: file) }
            return draft
        } catch {
            throw ShellFailure("\(error)")
        }
    }

    private func make(
        _ derivation: Derivation, of file: Descriptor, _ type: MediaType, _ decoders: DecoderPool
    ) async throws(ShellFailure) -> DerivedFile? {
        do throws(DecodeError) {
            return try await decoders.run(.derive(derivation), on: file, priority: .visible)
        } catch {
            guard error == .unsupported, type.isVideo else { throw ShellFailure(error) }
            throw ShellFailure(
                "photo-portal-video, which checks videos without their location, is not installed")
        }
    }

    private func findsNewPlace(
        in draft: borrowing AtomicFile.Draft, of made: DerivedFile?, _ decoders: DecoderPool
    ) async throws(ShellFailure) -> Bool {
        let copy: Descriptor
        do {
            copy = try draft.openForReading()
        } catch {
            throw ShellFailure("\(error)")
        }
        do throws(DecodeError) {
            return try await decoders.session(client: "derive").findsNewPlace(in: copy, of: made)
        } catch {
            throw ShellFailure(error)
        }
    }

    private func facts(
        of file: Descriptor, _ decoders: DecoderPool
    ) async throws(ShellFailure) -> ImageFacts {
        do throws(DecodeError) {
            return try await decoders.run(.probe, on: file, priority: .visible)
        } catch {
            throw ShellFailure(error)
        }
    }

    private var options: OutputOptions {
        var options = OutputOptions()
        options.formats = format
        options.representation = representation
        options.maximumSide = maxDimension
        options.maximumByteCount = maxBytes == 0 ? nil : maxBytes
        options.quality = quality
        return options
    }

    /// Gives a result the first unused name; existing files are never overwritten.
    private func name(
        _ draft: inout AtomicFile.Draft, in folder: FilePath, _ stem: [UInt8], _ ending: String
    ) throws(ShellFailure) -> FilePath {
        for number in 1..<10_000 {
            let rest = number == 1 ? ".\(ending)" : "-\(number).\(ending)"
            let name = (stem + rest.utf8).map { CInterop.PlatformChar(bitPattern: $0) } + [0]
            guard let component = FilePath.Component(platformString: name) else { break }
            let path = folder.appending(component)
            do throws(Errno) {
                try draft.name(path, permissions: Self.permissions, replaces: false)
                return path
            } catch {
                guard error == .fileExists else { throw ShellFailure("\(error)") }
            }
        }
        throw ShellFailure("there is no name for the result")
    }

    /// The permissions that the person gives new files.
    ///
    /// Asked before there is a second thread, because umask(2) tells only what it changes.
    static let permissions: FilePermissions = {
        let mask = umask(0)
        umask(mask)
        return FilePermissions(rawValue: 0o666 & ~mask)
    }()
}

extension FilePath {
    /// The name of the file without its extension, which need not be UTF-8.
    fileprivate var stemBytes: [UInt8]? {
        guard let component = lastComponent, component.kind == .regular else { return nil }
        let name = FilePath(root: nil, [component]).bytes
        guard component.extension != nil, let dot = name.lastIndex(of: UInt8(ascii: ".")) else {
            return name
        }
        return Array(name[..<dot])
    }
}

// MARK: - Arguments

extension OutputFormat: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(named: argument.contains("/") ? argument : "image/\(argument)")
    }

    public static var allValueStrings: [String] { ["jpeg", "png", "webp"] }
}

extension Representation: ExpressibleByArgument {}

extension PixelRectangle: ExpressibleByArgument {
    public init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false)
            .map { Int($0) }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
            let height = numbers[3], x >= 0, y >= 0, width > 0, height > 0
        else { return nil }
        self.init(x: x, y: y, width: width, height: height)
    }
}
