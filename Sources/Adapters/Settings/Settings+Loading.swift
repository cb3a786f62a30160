// SPDX-License-Identifier: MIT

internal import Desktop
internal import Files
package import SystemPackage

extension Settings {
    /// Reads the configuration of the system, then that of the person.
    ///
    /// The later file takes precedence, except that restrictions add up: a person cannot lift the
    /// restrictions of the system. Restrictions that cannot be read may concern any app, so they
    /// count as restrictions of all apps.
    ///
    /// - Returns: The settings, and the problems found in the files. A missing file is not a problem.
    package static func load() -> (Settings, [SettingsProblem]) {
        load(from: UserFolders.systemConfiguration.reversed() + [UserFolders.configuration])
    }

    /// Reads `photo-portal/photo-portal.conf` in some folders, most important last.
    package static func load(from folders: [FilePath]) -> (Settings, [SettingsProblem]) {
        var settings = Settings()
        var problems: [SettingsProblem] = []
        for folder in folders {
            let file = folder.appending("photo-portal").appending("photo-portal.conf")
            settings.read(file, &problems)
        }
        return (settings, problems)
    }

    /// The largest file that is read.
    private static let largestFile = 1 << 20

    private mutating func read(_ file: FilePath, _ problems: inout [SettingsProblem]) {
        var isPolicyKnown = true
        do {
            guard let text = try Self.text(of: file) else { return }
            let (keys, faults) = try KeyFile.readingLeniently(text)
            for fault in faults {
                problems.append(
                    SettingsProblem(file: file, line: fault.line, message: fault.message))
                if fault.group.map(Self.mayBePolicy) != false { isPolicyKnown = false }
            }
            for entry in keys.entries {
                guard let problem = apply(entry) else { continue }
                problems.append(SettingsProblem(file: file, line: entry.line, message: problem))
                if Self.mayBePolicy(entry.group) || entry.key == "Restricted" {
                    isPolicyKnown = false
                }
            }
        } catch {
            let reason = (error as? KeyFile.FormatError)?.message ?? "\(error)"
            problems.append(
                SettingsProblem(file: file, line: 0, message: "it cannot be read: \(reason)"))
            isPolicyKnown = false
        }
        guard !isPolicyKnown else { return }
        restrictedApps.insert("*")
        problems.append(
            SettingsProblem(
                file: file, line: 0,
                message: "its [\(Self.policy)] cannot be read, so no app may ask for photos"))
    }

    private static let policy = "Policy"

    /// Whether a group was meant to be that of the policy.
    private static func mayBePolicy(_ group: String) -> Bool {
        group.lowercased().drop { !$0.isLetter }.hasPrefix("polic")
    }

    /// Reads a file; nil if there is none.
    ///
    /// - Throws: `Errno`, `.fileTooLarge` if it is larger than any such file.
    private static func text(of file: FilePath) throws(Errno) -> [UInt8]? {
        do throws(Errno) {
            let text = try Descriptor.openForReading(file).read(upTo: largestFile + 1)
            guard text.count <= largestFile else { throw .fileTooLarge }
            return text
        } catch {
            guard [.noSuchFileOrDirectory, .notDirectory].contains(error) else { throw error }
            return nil
        }
    }

    /// Applies one key; returns a description of the problem, if there is one.
    private mutating func apply(_ entry: KeyFile.Entry) -> String? {
        switch (entry.group, entry.key) {
        case ("Library", "Pictures"): Self.set(&pictureFolders, entry)
        case ("Library", "Others"): Self.set(&otherFolders, entry)
        case ("Library", "Excluded"): addExcluded(entry)
        case ("Backends", "Picker"): Self.set(&pickerBackend, entry)
        case ("Backends", "FileChooser"): Self.set(&fileChooser, entry)
        case ("Limits", "RequestsPerCaller"): Self.set(&requestsPerCaller, entry, 1...1000)
        case ("Limits", "Requests"): Self.set(&requests, entry, 1...10_000)
        case ("Policy", "Restricted"): addRestrictions(entry)
        case ("Thumbnails", "Serve"): Self.set(&servesThumbnails, entry)
        case ("Library", _), ("Backends", _), ("Limits", _), ("Policy", _), ("Thumbnails", _):
            "there is no key '\(entry.key)' in [\(entry.group)]"
        default: "there is no group [\(entry.group)]"
        }
    }

    private mutating func addExcluded(_ entry: KeyFile.Entry) -> String? {
        guard let paths = Self.folders(entry) else { return Self.notFolders(entry) }
        excludedFolders.formUnion(paths)
        return nil
    }

    private mutating func addRestrictions(_ entry: KeyFile.Entry) -> String? {
        restrictedApps.formUnion(entry.list)
        return entry.isRepeated
            ? "'\(entry.key)' occurs more than once; put all apps in one line, separated by ';'"
            : nil
    }

    private static func set(_ folders: inout [FilePath], _ entry: KeyFile.Entry) -> String? {
        guard let paths = self.folders(entry) else { return notFolders(entry) }
        folders = paths
        return nil
    }

    private static func set(_ name: inout String, _ entry: KeyFile.Entry) -> String? {
        // The bus validates names strictly; this detects a path or a space early.
        let parts = entry.value.split(separator: ".", omittingEmptySubsequences: false)
        let isName =
            parts.count > 1 && entry.value.utf8.count <= 255
            && parts.allSatisfy { part in
                !part.isEmpty && !(part.first?.isNumber ?? true)
                    && part.allSatisfy {
                        $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0))
                    }
            }
        guard isName else { return "'\(entry.key)' is not a bus name: '\(entry.value)'" }
        name = entry.value
        return nil
    }

    private static func set(
        _ number: inout Int, _ entry: KeyFile.Entry, _ range: ClosedRange<Int>
    ) -> String? {
        guard let value = Int(entry.value), range.contains(value) else {
            return
                "'\(entry.key)' is not a number from \(range.lowerBound) to \(range.upperBound): '\(entry.value)'"
        }
        number = value
        return nil
    }

    private static func set(_ choice: inout Bool, _ entry: KeyFile.Entry) -> String? {
        guard let value = Bool(entry.value) else {
            return "'\(entry.key)' is neither true nor false: '\(entry.value)'"
        }
        choice = value
        return nil
    }

    /// Absolute paths and paths that begin with `~/`; nil if one of them is neither.
    private static func folders(_ entry: KeyFile.Entry) -> [FilePath]? {
        var paths: [FilePath] = []
        for part in entry.list {
            if part.hasPrefix("~/") {
                paths.append(UserFolders.home.appending(String(part.dropFirst(2))))
            } else if part.hasPrefix("/") {
                paths.append(FilePath(part))
            } else {
                return nil
            }
        }
        return paths
    }

    private static func notFolders(_ entry: KeyFile.Entry) -> String {
        "'\(entry.key)' has a path that begins with neither / nor ~/: '\(entry.value)'"
    }
}
