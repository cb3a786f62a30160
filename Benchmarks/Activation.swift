// SPDX-License-Identifier: MIT

import Glibc
import SDBus
import SystemPackage
import TestSupport

/// The cost of starting the programs on demand: the time to the first reply and the memory used
/// afterwards, compared with xdg-desktop-portal and its GTK backend.
struct Activation {
    private static let runs = 9

    /// A program that the bus activates.
    private struct Program {
        let name: BusName
        let executable: String

        static let service = Program(
            name: "org.freedesktop.portal.PhotoPicker",
            executable: Programs.path("photo-portal"))
        static let dialog = Program(
            name: "org.freedesktop.impl.portal.desktop.photoportal",
            executable: Programs.path("photo-portal-dialog"))
        static let portal = Program(
            name: "org.freedesktop.portal.Desktop", executable: "/usr/libexec/xdg-desktop-portal")
        static let gtk = Program(
            name: "org.freedesktop.impl.portal.desktop.gtk",
            executable: "/usr/libexec/xdg-desktop-portal-gtk")
        static let all = [service, dialog, portal, gtk]
    }

    func measure() async throws -> [Row] {
        let home = try TestHome()
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: home.pictures.appending("a.jpg"))
        let services = home.scratch.appending("services")
        for program in Program.all {
            try home.write(
                Array("[D-BUS Service]\nName=\(program.name)\nExec=\(program.executable)\n".utf8),
                to: services.appending("\(program.name).service"))
        }
        let portals = home.scratch.appending("portals")
        try home.write(
            Array(
                """
                [portal]
                DBusName=\(Program.gtk.name)
                Interfaces=org.freedesktop.impl.portal.FileChooser
                UseIn=bench
                """.utf8), to: portals.appending("gtk.portal"))
        let session = try await Session.start(home: home, services: services)
        let screen = try await Screen(home)
        let connection = try await session.connect()
        try await setEnvironment(
            screen.environment.merging([
                "XDG_DESKTOP_PORTAL_DIR": portals.string, "XDG_CURRENT_DESKTOP": "bench",
                "DBUS_SESSION_BUS_ADDRESS": session.bus.address,
            ]) { $1 }, connection)
        var figures: [BusName: (time: Double, memory: Double)] = [:]
        for program in Program.all { figures[program.name] = try await start(program, connection) }
        func rows(_ what: String, _ ours: Program, _ theirs: Program, _ peer: String) -> [Row] {
            guard let own = figures[ours.name], let other = figures[theirs.name] else { return [] }
            return [
                .lessIsBetter(
                    "activation of the \(what) to its first reply", unit: "ms", ours: own.time,
                    peer: peer, theirs: other.time),
                .lessIsBetter(
                    "memory of the \(what), idle", unit: "MiB", ours: own.memory, peer: peer,
                    theirs: other.memory),
            ]
        }
        return rows("service", .service, .portal, "xdg-desktop-portal")
            + rows("dialog", .dialog, .gtk, "xdg-desktop-portal-gtk")
    }

    private func setEnvironment(
        _ environment: [String: String], _ connection: Connection
    ) async throws {
        _ = try await connection.call(
            Method<Arguments<[String: String]>, Arguments<>>(
                "UpdateActivationEnvironment", takes: ["environment"]),
            to: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", on: "org.freedesktop.DBus",
            Arguments(environment))
    }

    /// Starts a program several times and returns the medians, in milliseconds and MiB.
    private func start(
        _ program: Program, _ connection: Connection
    ) async throws -> (time: Double, memory: Double) {
        var times: [Double] = []
        var memories: [Double] = []
        // The first start reads the programs from the disk.
        for run in 0...Self.runs {
            let time = try await milliseconds {
                _ = try await connection.call(
                    Method<Arguments<>, Arguments<String>>("Introspect", returns: ["xml"]),
                    to: program.name, at: "/org/freedesktop/portal/desktop",
                    on: "org.freedesktop.DBus.Introspectable", Arguments())
            }
            let processID = Int32(
                try await connection.credentials(of: program.name).processID ?? 0)
            let memory = try await settledMemory(of: processID)
            kill(processID, SIGTERM)
            try await eventually("the end of \(program.name)") {
                try await connection.owner(of: program.name) == nil
            }
            if run > 0 {
                times.append(time)
                memories.append(memory)
            }
        }
        return (median(times), median(memories))
    }

    /// The memory use once it is stable.
    private func settledMemory(of process: Int32) async throws -> Double {
        var last = -1.0
        var equal = 0
        try await eventually("rest") {
            let now = anonymousMemory(of: process)
            equal = now == last ? equal + 1 : 0
            last = now
            return equal >= 60
        }
        return last
    }
}
