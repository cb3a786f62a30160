// SPDX-License-Identifier: MIT

import Desktop
import GtkKit
import ImageWork
import Photos
import PickModel
import SystemPackage

/// Files from outside the library: those of the file dialog, and those that are dropped or pasted.
extension PickerWindow {
    /// The most files that are brought at a time; the rest is not looked at.
    private static let mostFiles = 1000

    func connectSources() {
        views.otherFiles.onClick { [weak self] in self?.openFiles() }
        views.camera.onClick { [weak self] in self?.send(.cameraOpened) }
        views.window.onFileDrop { [weak self] paths in self?.bring(paths, from: .files) }
    }

    /// Opens the file dialog, if the app takes files from there.
    func openFiles() {
        guard pick.offersFiles, fileDialog == nil, !pick.isPreparing, !pick.isAbandoned else {
            return
        }
        let offer = pick.offer
        let dialog = FileDialog(
            over: views.window, title: localized("Other Files"), accept: localized("Choose"),
            cancel: localized("Cancel"), choosesSeveral: !isOne,
            types: pick.accepted.patterns.map(\.description),
            typesName: offer.allTitle)
        fileDialog = dialog
        dialog.show { [weak self] paths in
            self?.fileDialog = nil
            dialog.close()
            self?.bring(paths, from: .files)
        }
    }

    private var isOne: Bool { pick.selection.limits.maximum == 1 }

    /// Chooses what is on the clipboard, if the app takes it from there.
    func paste() {
        guard accepts(.clipboard) else { return }
        views.window.readClipboard(types: PastedPictures.types, most: PastedPictures.most) {
            [weak self] pasted in
            guard let self, isOpen else { return }
            switch pasted {
            case .files(let paths): bring(paths, from: .clipboard)
            case .picture(let picture): bring(picture)
            case .tooLarge: tell(localized("The picture is too large to paste"))
            case .nothing: tell(localized("There is no photo on the clipboard"))
            }
        }
    }

    /// Whether the person can still decide what the app gets.
    private var isOpen: Bool { !pick.isFinished && !pick.isAbandoned && !pick.isPreparing }

    /// Whether files from a source can be chosen now; tells the person if the app does not want them.
    private func accepts(_ source: PickedItem.Source) -> Bool {
        guard isOpen else { return false }
        if !pick.takes(source) { tell(localized("The app does not accept other files")) }
        return pick.takes(source)
    }

    /// Makes a file of a picture on the clipboard, and chooses it.
    private func bring(_ picture: [UInt8]) {
        bring(1, from: .clipboard) { await PastedPictures.store(picture).map { [$0] } ?? [] }
    }

    private func bring(_ paths: [[CChar]], from source: PickedItem.Source) {
        guard !paths.isEmpty else { return }
        let paths = paths.prefix(Self.mostFiles).map { FilePath(platformString: $0) }
        bring(paths.count, from: source) { paths }
    }

    /// Chooses files, once it is known that they are what the app asked for.
    ///
    /// Until then the person cannot finish: what they brought would be missing. Where one is wanted, the
    /// last one counts.
    ///
    /// - Parameter paths: Returns the paths; none if there is no file after all.
    func bring(
        _ count: Int, from source: PickedItem.Source, _ paths: @escaping () async -> [FilePath]
    ) {
        guard accepts(source) else { return }
        let earlier = bringing
        if isOne { earlier?.cancel() }
        bringCount += 1
        let number = bringCount
        send(.examining(count))
        bringing = Task { [weak self, library, environment] in
            await earlier?.value
            let paths = await paths()
            var (found, problems): ([AssetID], [String]) = ([], [])
            for path in paths {
                guard let self, !Task.isCancelled, isOpen else { return }
                do throws(DecodeError) {
                    let file = await library.add(
                        try await OtherFile(path, from: source, environment.thumbnails))
                    if let problem = problem(with: file) {
                        problems.append(problem)
                    } else {
                        found.append(file.id)
                    }
                } catch {
                    problems.append(PhotoProblem(error).text(of: path))
                }
            }
            guard let self, !Task.isCancelled, isOpen else { return }
            if number == bringCount { send(.examining(0)) }
            if !found.isEmpty {
                send(.added(found.map { PickedItem(.asset($0), from: source) }))
                // The library may have had it before it was chosen, and shows it as such.
                send(.libraryChanged)
            }
            if paths.isEmpty {
                tell(
                    source == .camera
                        ? localized("The photo cannot be stored")
                        : localized("The picture cannot be pasted"))
            }
            if let first = problems.first {
                tell(problems.count > 1 ? Self.text(ofProblems: problems.count) : first)
            }
        }
    }

    /// Why the app cannot get a file; nil if it can.
    private func problem(with file: OtherFile) -> String? {
        guard pick.accepted.accepts(file.facts.mediaType) else {
            return localized("“%@” is not what the app asked for", file.name?.printable ?? "")
        }
        let filter = pick.request.options.filter
        return filter.broken(by: file.compared).map { pick.offer.text($0, of: filter) }
    }

    private static func text(ofProblems count: Int) -> String {
        localizedCount(
            one: "%@ file cannot be chosen", many: "%@ files cannot be chosen", count: count,
            LocalTime.number(count))
    }
}

extension PhotoProblem {
    /// Why a file cannot be chosen.
    func text(of path: FilePath) -> String {
        let name = path.lastComponent.map { FileURI.displayName($0).printable } ?? ""
        let errors: [DecodeError] = [
            .unreadable, .timedOut, .stalled, .cancelled, .unavailable,
        ]
        return switch cause {
        case .decoding(let error) where errors.contains(error):
            localized("“%@” cannot be opened", name)
        default: localized("“%@” is not a photo or video that can be shown", name)
        }
    }
}
