// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// Rules that hold after any sequence of events.
@Suite struct PropertyTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `the rules hold after random events`(seed: UInt64) throws {
        var random = Random(state: seed)
        let minimum = Int.random(in: 0...2, using: &random)
        let maximum = [nil, 1, 2, 3, 5].randomElement(using: &random) ?? nil
        var session = try Session(
            photos: 8, minimum: min(minimum, maximum ?? minimum), maximum: maximum,
            unfit: [2, 5]
        ) {
            $0.isImmediate = [nil, true, false].randomElement(using: &random) ?? nil
            $0.layout = PickLayout.allCases.randomElement(using: &random) ?? .grid
            $0.preselected = (0..<3).map { _ in id(.random(in: 1...8, using: &random)) }
            $0.wishes = .location
        }
        var loads: [PhotoLoad] = []
        for _ in 0..<120 where !session.pick.isFinished {
            let before = session.pick
            session.effects = []
            let event = Self.event(&session, loads, &random)
            session.send(event)
            check(session, before, event, loads)
            loads += session.effects.compactMap {
                if case .load(let load) = $0 { load } else { nil }
            }
        }
    }

    private func check(
        _ session: Session, _ before: Pick, _ event: PickEvent, _ loads: [PhotoLoad]
    ) {
        let pick = session.pick
        let chosen = pick.selection.items.map(\.reference)
        #expect(pick.selection.count <= pick.selection.limits.maximum ?? .max)
        #expect(Set(chosen).count == chosen.count)
        // Every number on a photo is its place in the delivery.
        for (index, reference) in chosen.enumerated() {
            guard case .asset(let id) = reference else { continue }
            #expect(pick.selection.number(of: id) == index + 1)
        }
        if let preview = pick.preview {
            #expect((preview.chosen ?? pick.photos.ids).contains(preview.id))
            if let burst = preview.burst, preview.shown != preview.id {
                #expect(burst.frames.index(of: preview.shown) != nil)
            }
        }
        for id in pick.photos.ids {
            #expect(pick.numbers(of: id) == pick.numbers(of: id).sorted())
            if pick.selection.contains(id) { #expect(!pick.numbers(of: id).isEmpty) }
        }
        for id in [pick.focus, pick.anchor].compactMap(\.self) {
            #expect(pick.photos.index(of: id) != nil)
        }
        // The results of another query are never shown.
        switch event {
        case .loaded(let load, _), .began(let load, _), .failed(let load):
            if load.number != loads.map(\.number).max() {
                #expect(pick.photos == before.photos && pick.page == before.page)
            }
        default: break
        }
        // The camera opens by the person's wish alone.
        if pick.isCameraOpen, !before.isCameraOpen { #expect(event == .cameraOpened) }
        // A sheet can open the grid, and nothing else can change what is behind the other pages.
        if pick.layout == .sheet { #expect(pick.request.options.layout == .sheet) }
        if let newest = pick.newest {
            let index = pick.photos.index(of: newest)
            #expect(index.map { pick.photos.brokenRule(at: $0) == nil } == true)
        }
        for effect in session.effects {
            switch effect {
            case .finish(.picked(let items, let grants)):
                #expect(items == pick.selection.items)
                #expect(pick.selection.limits.allows(items.count))
                #expect(pick.request.options.wishes.isSuperset(of: grants))
            case .announce(.tooMany(let maximum)):
                #expect(pick.selection.count == maximum)
            case .announce(.unfit(let rule, _)):
                let meant: [AssetID] =
                    switch event {
                    case .groupToggled, .key(.selectAll), .loaded: pick.photos.ids
                    default: [pick.preview?.id, pick.focus].compactMap(\.self)
                    }
                var broken = meant.compactMap { pick.photos.index(of: $0) }
                    .compactMap { pick.photos.brokenRule(at: $0) }
                if let preview = pick.preview, let frames = preview.burst?.frames,
                    let index = frames.index(of: preview.shown),
                    let rule = frames.brokenRule(at: index)
                {
                    broken.append(rule)
                }
                #expect(broken.contains(rule))
            case .announce(.examining): #expect(pick.obstacle == .examining)
            case .announce(.tooFew(let minimum)):
                #expect(pick.selection.count < minimum)
            case .announce(.deselected(let count)):
                #expect(pick.selection.count + count == before.selection.count)
            case .suggest(let query): #expect(query == pick.query)
            case .finish, .browse, .load, .prepare, .reload, .reportAbandonment, .confirm,
                .announce(.notReady), .announce(.listChanged), .announce(.notCropped):
                break
            }
        }
    }

    private static let albums = [AlbumID.all, album("sea")]

    /// An event that a window may send now, or an event about a photo that has disappeared.
    private static func event(
        _ session: inout Session, _ loads: [PhotoLoad], _ random: inout Random
    ) -> PickEvent {
        let photo = id(.random(in: 1...10, using: &random))
        switch Int.random(in: 0..<19, using: &random) {
        case 0...2:
            return .clicked(
                photo, presses: .random(in: 1...2, using: &random),
                isExtending: .random(using: &random), isSettled: .random(using: &random))
        case 3:
            let other = id(.random(in: 1...10, using: &random))
            return .random(using: &random) ? .activated(photo) : .groupToggled([photo, other])
        case 4: return .focused(photo)
        case 5: return .key(.toggle)
        case 6: return .key(.move(to: photo))
        case 7, 8: return .key(.extend(to: photo))
        case 9:
            return .key([.open, .selectAll, .deselectAll].randomElement(using: &random) ?? .open)
        case 10:
            let name = UInt8.random(in: 0...2, using: &random)
            let source: PickedItem.Source = .random(using: &random) ? .files : .camera
            return .added([PickedItem(.uri("file:///\(name)"), from: source)])
        case 11:
            return Bool.random(using: &random)
                ? .removed(.asset(photo))
                : .moved(.asset(photo), to: .random(in: -1...6, using: &random))
        case 12: return .albumChosen(albums.randomElement(using: &random) ?? .all)
        case 13:
            for album in albums {
                session.library[album] = (1...10).filter { _ in .random(using: &random) }
            }
            return .libraryChanged
        case 14:
            guard let load = loads.randomElement(using: &random) else { return .libraryChanged }
            let contents = session.contents(for: load)
            let gone = Set(session.pick.selection.assetIDs).subtracting(contents.photos.ids)
            return [
                .loaded(load, session.contents(for: load, gone: gone)),
                .began(load, contents.photos), .failed(load),
            ].randomElement(using: &random) ?? .failed(load)
        case 15:
            // The picture that is shown may be any of them.
            guard let shown = session.pick.preview?.id else { return .previewed(photo) }
            let numbers = ([shown, photo].compactMap(\.bytes.first) + [21, 22, 23]).shuffled(
                using: &random)
            let frames = Array(Set(numbers)).sorted().prefix(.random(in: 1...5, using: &random))
            return .burstFound(
                shown, Burst(shown: photo, frames: list(Array(frames), unfit: [2, 5])))
        case 16:
            return Bool.random(using: &random)
                ? .frameMoved(PreviewStep.allCases.randomElement(using: &random) ?? .next)
                : .frameShown(id(.random(in: 20...24, using: &random)))
        case 17:
            return [
                .gridOpened, .sheetReturned, .newestChosen(isSettled: false), .cameraOpened,
                .cameraClosed, .cameraFound(.random(using: &random)),
                .cameraForbidden(.random(using: &random)),
            ].randomElement(using: &random) ?? .gridOpened
        default:
            // Rare, so that sequences become long.
            return [
                .accepted, .newestChosen(isSettled: true), .previewed(photo), .previewClosed,
                .previewLimited(true),
                .previewLimited(false), .examining(.random(in: 0...1, using: &random)),
                .previewMoved(PreviewStep.allCases.randomElement(using: &random) ?? .next),
                .granted(.location, true), .granted(.location, false),
                .deselected([photo, id(.random(in: 1...10, using: &random))]),
            ].randomElement(using: &random) ?? .accepted
        }
    }
}

/// Numbers that are the same in each run.
private struct Random: RandomNumberGenerator {
    var state: UInt64

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
