// SPDX-License-Identifier: MIT

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
                  <limit name="max_replies_per_connection">50000</limit>
                </busconfig>
                """.utf8), to: file)
        let daemon = try ChildProcess(
            "dbus-daemon", ["--config-file=\(file)", "--print-address=1", "--nofork"],
            environment: home.environment, scratch: home.scratch)
        let address = try await eventually("bus") {
            daemon.outputText.hasSuffix("\n") ? daemon.outputText.split(separator: "\n").first : nil
        }
        return PrivateBus(address: String(address), daemon: daemon)
    }

    private init(address: String, daemon: ChildProcess) {
        self.address = address
        self.daemon = daemon
    }

    package func stop() async throws {
        try await daemon.stop()
    }
}
