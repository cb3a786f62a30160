// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// Nothing of the portals runs yet in an installed session; systemd and the bus start all of it.
@Suite(.serialized, .enabled(if: BedSupport.isAvailable, Comment(rawValue: BedSupport.skipReason)))
struct ColdStartTests {
    /// Makes our dialog the backend for files, for each version of xdg-desktop-portal.
    private static let configure = """
        mkdir -p .config/xdg-desktop-portal .config/systemd/user/xdg-desktop-portal.service.d
        echo '[preferred]
        default=gtk
        org.freedesktop.impl.portal.FileChooser=photo-portal' > .config/xdg-desktop-portal/portals.conf
        echo '[Service]
        Environment=XDG_CURRENT_DESKTOP=photo-portal:GNOME' \
            > .config/systemd/user/xdg-desktop-portal.service.d/desktop.conf
        systemctl --user daemon-reload
        """

    /// Asks what an app asks first, and says how many seconds the answer took.
    private static let askForVersion = """
        begin=$(date +%s)
        timeout 60 busctl --user --timeout=60 get-property org.freedesktop.portal.Desktop \
            /org/freedesktop/portal/desktop org.freedesktop.portal.FileChooser version
        echo took $(($(date +%s) - begin)) s
        """

    private static let units = [
        "xdg-desktop-portal.service", "photo-portal-dialog.service", "photo-portal.service",
    ]

    @Test(arguments: Bed.Bus.allCases)
    func `file choosers and picks work after a cold start in any order`(_ bus: Bed.Bus) async throws
    {
        let bed = try await Bed.boot(bus)
        _ = try await bed.output(Self.configure)
        var orders = [[]] + Self.units.map { [$0] }
        for first in Self.units {
            for second in Self.units where second != first {
                orders.append(
                    [first, second] + Self.units.filter { ![first, second].contains($0) })
            }
        }
        for order in orders {
            _ = try await bed.output("systemctl --user stop \(Self.units.joined(separator: " "))")
            let start = order.map { "systemctl --user start --no-block \($0)\n" }.joined()
            let answer = try await bed.output(start + Self.askForVersion)
            #expect(answer.contains(#/^u [34]\ntook [0-9] s/#), "\(order): \(answer)")
            // A window appears, which nobody uses; it closes with its request.
            let pick = try await bed.run(
                """
                portal-pick & pick=$!
                for attempt in $(seq 200); do
                    busctl --user tree org.freedesktop.impl.portal.desktop.photoportal \
                        | grep -q request/ && break
                    sleep 0.05
                done
                kill -TERM $pick
                wait $pick
                status=$?
                # The service has the window closed, for which the bus would start its program.
                for attempt in $(seq 200); do
                    busctl --user tree org.freedesktop.impl.portal.desktop.photoportal \
                        | grep -q request/ || break
                    sleep 0.05
                done
                exit $status
                """)
            #expect(pick.status == 1, "\(order): \(pick)")
        }
        let journal = try await bed.output(
            "journalctl --sync; journalctl --quiet --output=cat _UID=1000", as: .root)
        #expect(!journal.contains("Failed to create file chooser proxy"), "\(journal)")
        try await bed.shutDown()
    }

    @Test(arguments: Bed.Bus.allCases)
    func `without a display a pick ends at once and says why`(_ bus: Bed.Bus) async throws {
        let bed = try await Bed.boot(bus, display: false)
        for _ in 0..<3 {
            let pick = try await bed.run(
                """
                begin=$(date +%s)
                portal-pick
                status=$?
                echo took $(($(date +%s) - begin)) s
                exit $status
                """)
            #expect(pick.status == 2)
            #expect(pick.output.contains(#/took [0-9] s/#), "\(pick)")
            #expect(pick.errors.contains("there is no display"), "\(pick)")
        }
        // The journal does not know the unit of a program that has ended before it looks.
        let journal = try await bed.output(
            "journalctl --sync; journalctl --quiet --output=cat _UID=1000", as: .root)
        #expect(journal.contains("No window can be shown: there is no display"), "\(journal)")
        try await bed.shutDown()
    }
}
