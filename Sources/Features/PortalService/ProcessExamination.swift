// SPDX-License-Identifier: MIT

import Desktop
package import Files
import Photos
import Processes
import SDBus
package import SystemPackage
import Systemd

/// Finds out which app a process belongs to.
///
/// A process that cannot be examined never counts as a host app: every error denies access.
package struct ProcessExamination: Sendable {
    /// Why a process could not be examined.
    package struct Denial: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    private let processes: FilePath
    private let snapTool: String

    /// Makes an examiner.
    ///
    /// - Parameters:
    ///   - processes: Where proc(5) is mounted.
    ///   - snapTool: The program `snap`; an absolute path, because `PATH` may list folders that apps
    ///     can write to.
    package init(processes: FilePath = "/proc", snapTool: String = "/usr/bin/snap") {
        self.processes = processes
        self.snapTool = snapTool
    }

    /// Examines a process.
    ///
    /// - Parameter handle: A pidfd of the process, if the bus provides one.
    /// - Throws: ``Denial``, also if the process ended during the examination, because another
    ///   process may have its id now.
    /// - Isolation: any thread; blocks on the files of the process.
    package func identity(
        of processID: Int32, handle: Descriptor? = nil
    ) throws(Denial) -> AppIdentity {
        let folder = processes.appending(String(processID))
        guard let start = ProcessStart(of: processID, in: folder) else {
            throw Denial("the process has ended, or cannot be examined")
        }
        let identity = try identity(processID, folder)
        guard handle?.hasProcessEnded != true, ProcessStart(of: processID, in: folder) == start
        else {
            throw Denial("the process has ended")
        }
        return identity
    }

    private func identity(
        _ processID: Int32, _ folder: FilePath
    ) throws(Denial) -> AppIdentity {
        if let appID = try flatpakAppID(folder) { return AppIdentity(.flatpak, appID: appID) }
        if let name = try snapName(processID, folder) {
            return AppIdentity(.snap, appID: AppID(vouchedFor: "snap.\(name)"))
        }
        guard let appID = UserUnit.appID(ofProcess: processID), DesktopApp(appID: appID) != nil
        else { return AppIdentity(.none, appID: .unknown) }
        return AppIdentity(.none, appID: AppID(vouchedFor: appID))
    }

    // MARK: - Network

    /// Whether an app can use the network itself.
    ///
    /// - Parameters:
    ///   - app: The app that the process was found to belong to.
    /// - Throws: ``Denial``, also if the process belongs to another app now.
    /// - Isolation: any thread; blocks on the files of the process, and for a snap on `snap`.
    package func hasNetwork(_ app: AppIdentity, processID: Int32) throws(Denial) -> Bool {
        guard try identity(of: processID) == app else {
            throw Denial("the process has ended")
        }
        switch app.sandbox {
        case .none: return true
        case .flatpak:
            let information = try flatpakInformation(processes.appending(String(processID)))
            // A list, whose elements may be separated by nothing else.
            let shared = information?["Context", "shared"] ?? ""
            return shared.split(separator: ";").contains("network")
        case .snap: return try hasNetworkPlug(String(app.appID.rawValue.dropFirst("snap.".count)))
        }
    }

    /// Whether the plug `network` of a snap is connected.
    ///
    /// - Source: snap(8), `snap connections`: a line has the interface, the plug, the slot, or `-` for
    ///   none, and notes.
    private func hasNetworkPlug(_ name: String) throws(Denial) -> Bool {
        let output: [UInt8]
        do {
            output = try ProgramOutput.capture(
                snapTool, ["connections", name], timeout: .seconds(5))
        } catch {
            throw Denial("snap cannot tell its connections: \(error)")
        }
        return String(decoding: output, as: UTF8.self).split(separator: "\n").contains { line in
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            return fields.count >= 3 && fields[0] == "network"
                && fields[1].hasPrefix("\(name):") && fields[2] != "-"
        }
    }

    // MARK: - Flatpak

    /// The id of a Flatpak; nil for a process of none.
    private func flatpakAppID(_ folder: FilePath) throws(Denial) -> AppID? {
        guard let info = try flatpakInformation(folder) else { return nil }
        let name = info["Application", "name"] ?? info["Runtime", "name"]
        guard let appID = name.flatMap({ AppID($0) }) else {
            throw Denial("its .flatpak-info has no valid id")
        }
        return appID
    }

    /// The file `.flatpak-info` in the root folder of the process, which only Flatpak can have put
    /// there; nil if there is no such file.
    ///
    /// - Source: flatpak-metadata(5).
    private func flatpakInformation(_ folder: FilePath) throws(Denial) -> KeyFile? {
        let path = folder.appending("root")
        let root: Descriptor
        do {
            root = try Descriptor.openFolder(path)
        } catch {
            // Toolbox containers have a root folder on a file system that not even their owner may
            // read.
            if error == .permissionDenied, FileSystem.isFUSE(path) { return nil }
            throw Denial("its root folder cannot be opened: \(error)")
        }
        let file: Descriptor
        do {
            file = try root.openForReading(in: ".flatpak-info")
        } catch {
            if error == .noSuchFileOrDirectory { return nil }
            throw Denial("its .flatpak-info cannot be opened: \(error)")
        }
        do {
            guard try file.information().type == .regular else {
                throw Denial("its .flatpak-info is not a file")
            }
            return try KeyFile(try file.read(upTo: 1 << 20))
        } catch {
            throw Denial("its .flatpak-info cannot be read: \(error)")
        }
    }

    // MARK: - Snap

    /// The name of the snap that the process belongs to; nil if it belongs to none.
    private func snapName(_ processID: Int32, _ folder: FilePath) throws(Denial) -> String? {
        let groups: [UInt8]
        do {
            groups = try Descriptor.openForReading(folder.appending("cgroup")).read(upTo: 1 << 16)
        } catch {
            throw Denial("its control groups cannot be read: \(error)")
        }
        guard AppIdentity.isSnap(controlGroups: String(decoding: groups, as: UTF8.self)) else {
            return nil
        }
        let name: String?
        do {
            let output = try ProgramOutput.capture(
                snapTool, ["routine", "portal-info", String(processID)], timeout: .seconds(5))
            name = try KeyFile(output)["Snap Info", "InstanceName"]
        } catch {
            throw Denial("snap cannot tell its name: \(error)")
        }
        guard let name, AppIdentity.isSnapName(name) else {
            throw Denial("snap cannot tell its name")
        }
        return name
    }
}
