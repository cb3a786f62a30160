// SPDX-License-Identifier: MIT

import Glibc
package import SystemPackage

/// A real dbus-daemon for one test.
package final class PrivateBus: Sendable {
    package let address: String
    private let daemon: ChildProcess

    /// Starts a daemon and waits for its address.
    ///
    /// - Parameter services: A folder with activation files; nil for none.
    package static func start(in home: TestHome, services: FilePath? = nil) async throws
        -> PrivateBus
    {
        let file = home.scratch.appending("bus.conf")
        let folder = services.map { "<servicedir>\($0)</servicedir>" } ?? ""
        try home.write(
            Array(
                """
                <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
                 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
                <busconfig>
                  <type>session</type>
                  <listen>unix:dir=\(home.runtime)</listen>
                  \(folder)
                  <policy context="default">
                    <allow send_destination="*" eavesdrop="true"/>
                    <allow eavesdrop="true"/>
                    <allow own="*"/>
                  </policy>
                  \(limits)
                </busconfig>
                """.utf8), to: file)
        let daemon = try ChildProcess(
            "dbus-daemon", ["--config-file=\(file)", "--print-address=1", "--nofork"],
            environment: home.environment, scratch: home.scratch)
        let address = try await eventually("bus") { daemon.outputLines.first }
        return PrivateBus(address: String(address), daemon: daemon)
    }

    private init(address: String, daemon: ChildProcess) {
        self.address = address
        self.daemon = daemon
    }

    /// The limits of `/usr/share/dbus-1/session.conf`; those of the daemon itself are much lower.
    private static let limits = [
        "max_incoming_bytes": 1_000_000_000, "max_incoming_unix_fds": 250_000_000,
        "max_outgoing_bytes": 1_000_000_000, "max_outgoing_unix_fds": 250_000_000,
        "max_message_size": 1_000_000_000, "service_start_timeout": 120_000,
        "auth_timeout": 240_000, "pending_fd_timeout": 150_000,
        "max_completed_connections": 100_000, "max_incomplete_connections": 10_000,
        "max_connections_per_user": 100_000, "max_pending_service_starts": 10_000,
        "max_names_per_connection": 50_000, "max_match_rules_per_connection": 50_000,
        "max_replies_per_connection": 50_000,
    ].map { "<limit name=\"\($0)\">\($1)</limit>" }.joined()

    /// Runs something while the daemon is suspended.
    package func suspended(_ body: () async throws -> Void) async throws {
        daemon.signal(SIGSTOP)
        defer { daemon.signal(SIGCONT) }
        try await body()
    }

    package func stop() async throws {
        try await daemon.stop()
    }
}
