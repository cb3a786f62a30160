// SPDX-License-Identifier: MIT

import Photos

/// The script of a backend without a window.
///
/// Each line answers one request; the last line also answers all requests after it. A line consists
/// of steps, separated by semicolons; `#` starts a comment.
struct Script: Hashable, Sendable {
    /// One step of an answer.
    enum Step: Hashable, Sendable {
        case delay(Duration)
        /// Grants a wish for the photos that are picked.
        case grant(Grants)
        /// Crops each photo, as if the person had changed the rectangle.
        case clip(PixelRectangle)
        case turn(Rotation)
        /// Chooses photos, and tells an app that follows the choice.
        case choose(Photos)
        /// Waits until the app removes photos from the choice, or changes how many it accepts.
        case hear
        case answer(Answer)
    }

    /// How a request ends.
    enum Answer: Hashable, Sendable {
        case pick(Photos)
        /// Removes these from the pictures of an app, by index, and closes their window.
        case close(removing: [Int])
        case cancel
        case end
        /// The decision about the library.
        case authorize(Authorization)
        /// Replies to the call with an error.
        case error(String)
        /// Ends the process without a reply.
        case die
        /// Never replies.
        case hang
    }

    /// The photos that are picked.
    enum Photos: Hashable, Sendable {
        case newest(Count)
        case ids([AssetID])
        case files([String])
        case preselected
        /// Those that were chosen last, and that the app has not removed.
        case chosen
    }

    /// The number of photos to pick.
    enum Count: Hashable, Sendable {
        case exactly(Int)
        /// As many as the request allows.
        case most
        /// As few as the request allows.
        case fewest
    }

    /// An error in a script.
    struct ParseError: Error, Hashable, CustomStringConvertible {
        let line: Int
        let problem: String

        var description: String { "line \(line): \(problem)" }
    }

    /// The steps for each request in turn.
    let lines: [[Step]]

    /// Reads a script.
    ///
    /// - Throws: ``ParseError`` for the first line that is invalid, or if there is no line.
    init(_ text: String) throws(ParseError) {
        var lines: [[Step]] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let content = line.prefix { $0 != "#" }
            let parts = content.split(separator: ";").filter { !$0.allSatisfy(\.isWhitespace) }
            guard !parts.isEmpty else { continue }
            lines.append(try Self.steps(parts, line: index + 1))
        }
        guard !lines.isEmpty else { throw ParseError(line: 1, problem: "the script is empty") }
        self.lines = lines
    }

    /// The steps for the request with this number, from 0.
    func steps(forRequest number: Int) -> [Step] {
        lines[min(number, lines.count - 1)]
    }

    private static func steps(
        _ parts: [Substring], line: Int
    ) throws(ParseError) -> [Step] {
        var steps: [Step] = []
        for (index, part) in parts.enumerated() {
            let words = part.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let step = step(words) else {
                throw ParseError(
                    line: line, problem: "'\(words.joined(separator: " "))' is not a step")
            }
            let isLast = index == parts.count - 1
            if case .answer = step {
                guard isLast else {
                    throw ParseError(line: line, problem: "nothing can follow an answer")
                }
            } else if isLast {
                throw ParseError(line: line, problem: "the line has no answer")
            }
            steps.append(step)
        }
        return steps
    }

    private static func step(_ words: [String]) -> Step? {
        let rest = words.dropFirst().map(\.self)
        switch words.first {
        case "delay": return rest.count == 1 ? duration(rest[0]).map { .delay($0) } : nil
        case "grant": return grants(rest).map { .grant($0) }
        case "clip": return rectangle(rest).map { .clip($0) }
        case "turn": return rotation(rest).map { .turn($0) }
        case "choose": return photos(rest).map { .choose($0) }
        case "hear": return rest.isEmpty ? .hear : nil
        case "pick": return photos(rest).map { .answer(.pick($0)) }
        case "close": return rest.isEmpty ? .answer(.close(removing: [])) : nil
        case "remove": return indices(rest).map { .answer(.close(removing: $0)) }
        case "allow":
            return rest.isEmpty
                ? .answer(.authorize(.authorized))
                : rest == ["limited"] ? .answer(.authorize(.limited)) : nil
        case "deny": return rest.isEmpty ? .answer(.authorize(.denied)) : nil
        case "cancel": return rest.isEmpty ? .answer(.cancel) : nil
        case "end": return rest.isEmpty ? .answer(.end) : nil
        case "error": return .answer(.error(rest.joined(separator: " ")))
        case "die": return rest.isEmpty ? .answer(.die) : nil
        case "hang": return rest.isEmpty ? .answer(.hang) : nil
        default: return nil
        }
    }

    private static func photos(_ words: [String]) -> Photos? {
        let rest = words.dropFirst().map(\.self)
        switch words.first {
        case "newest": return rest.count == 1 ? count(rest[0]).map { .newest($0) } : nil
        case "ids":
            let ids = rest.compactMap { AssetID($0) }
            return ids.count == rest.count && !ids.isEmpty ? .ids(ids) : nil
        case "files": return rest.isEmpty ? nil : .files(rest)
        case "preselected": return rest.isEmpty ? .preselected : nil
        case "chosen": return rest.isEmpty ? .chosen : nil
        default: return nil
        }
    }

    private static func indices(_ words: [String]) -> [Int]? {
        let indices = words.compactMap { UInt32($0).map(Int.init) }
        return indices.count == words.count && !indices.isEmpty ? indices : nil
    }

    private static func grants(_ words: [String]) -> Grants? {
        let names: [String: Grants] = [
            "persistent": .persistent, "writable": .writable, "location": .location,
        ]
        let grants = words.compactMap { names[$0] }
        return grants.count == words.count && !grants.isEmpty ? Grants(grants) : nil
    }

    /// Reads left, top, width and height.
    private static func rectangle(_ words: [String]) -> PixelRectangle? {
        let numbers = words.compactMap { UInt32($0).map(Int.init) }
        guard words.count == 4, numbers.count == 4 else { return nil }
        return PixelRectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    private static func rotation(_ words: [String]) -> Rotation? {
        guard (1...2).contains(words.count), let turn = Int(words[0]),
            let angle = words.count == 2 ? Double(words[1]) : 0
        else { return nil }
        return Rotation(turn: turn, angle: angle)
    }

    private static func count(_ word: String) -> Count? {
        switch word {
        case "most": .most
        case "fewest": .fewest
        default: Int(word).flatMap { $0 >= 0 ? .exactly($0) : nil }
        }
    }

    /// Reads `250ms` or `2s`.
    private static func duration(_ word: String) -> Duration? {
        // A clock cannot wait for a number of seconds that is too large to add to the time.
        if word.hasSuffix("ms") { return UInt32(word.dropLast(2)).map { .milliseconds($0) } }
        return word.hasSuffix("s") ? UInt32(word.dropLast()).map { .seconds($0) } : nil
    }
}
