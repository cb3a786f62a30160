// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// The installed programs, started by systemd and the bus of a session.
@Suite(.serialized, .enabled(if: BedSupport.isAvailable, Comment(rawValue: BedSupport.skipReason)))
struct InstalledTests {
    private static let service = "photo-portal.service"

    /// Two photos, and a backend without a window that the bus starts.
    private static func prepare(_ bed: Bed, answer: String) async throws {
        _ = try await bed.output(
            """
            mkdir -p Pictures .config/photo-portal .local/share/dbus-1/services
            python3 - << END
            from PIL import Image
            for name, colour in ("one", "red"), ("two", "blue"):
                Image.new("RGB", (320, 240), colour).save("Pictures/" + name + ".jpg")
            END
            echo '[Backends]
            Picker=org.example.Script' > .config/photo-portal/photo-portal.conf
            echo "[D-BUS Service]
            Name=org.example.Script
            Exec=/usr/bin/photo-portal-script --name org.example.Script --answer '\(answer)'" \
                > .local/share/dbus-1/services/org.example.Script.service
            busctl --user call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus ReloadConfig
            """)
    }

    /// Picks repeatedly until the library has found both photos.
    private static let pickTwo = """
        for attempt in $(seq 100); do
            portal-pick --max 2 > picked || true
            [ "$(wc -l < picked)" != 2 ] || break
        done
        sort picked
        """

    /// The state of the service according to systemd.
    private static func property(_ name: String, in bed: Bed) async throws -> String {
        try await bed.output("systemctl --user show --property=\(name) --value \(service)")
    }

    @Test(arguments: Bed.Bus.allCases)
    func `the bus starts the service and the backend, and a pick succeeds`(_ bus: Bed.Bus)
        async throws
    {
        let bed = try await Bed.boot(bus)
        let program = bus == .daemon ? "dbus-daemon" : "dbus-broker"
        try await Self.prepare(bed, answer: "pick newest 2")
        #expect(try await Self.property("ActiveState", in: bed) == "inactive")
        #expect(
            try await bed.output(Self.pickTwo)
                == "/home/person/Pictures/one.jpg\n/home/person/Pictures/two.jpg")
        #expect(try await bed.output("pgrep --uid person --exact \(program) | wc -l") == "1")
        #expect(try await Self.property("ActiveState", in: bed) == "active")
        #expect(try await Self.property("Type", in: bed) == "dbus")
        let process = try await Self.property("MainPID", in: bed)
        let owner = try await bed.output(
            """
            busctl --user call org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus \
            GetConnectionUnixProcessID s org.freedesktop.portal.PhotoPicker
            """)
        #expect(owner == "u \(process)")
        #expect(try await bed.shutDown() == 0)
    }

    @Test func `the journal has no complaints about thread priorities`() async throws {
        let bed = try await Bed.boot()
        try await Self.prepare(bed, answer: "pick newest 2")
        _ = try await bed.output(Self.pickTwo)
        _ = try await bed.output("systemctl --user stop \(Self.service)")
        let journal = try await bed.output(
            "journalctl --sync; journalctl --quiet --output=cat _UID=1000", as: .root)
        #expect(journal.contains("Stopped"))
        #expect(!journal.contains("thread priority"), "\(journal)")
        try await bed.shutDown()
    }

    @Test func `a service that is stopped answers its requests, and ends with status 0`()
        async throws
    {
        let bed = try await Bed.boot()
        try await Self.prepare(bed, answer: "delay 600s; pick newest 1")
        let result = try await bed.run(
            """
            portal-pick & pick=$!
            until pgrep --exact photo-portal-sc > /dev/null; do sleep 0.05; done
            systemctl --user stop \(Self.service)
            wait $pick
            """)
        #expect(result.status == 2, "\(result)")
        #expect(try await Self.property("ActiveState", in: bed) == "inactive")
        let journal = try await bed.output(
            "journalctl --sync; journalctl --quiet --output=cat USER_UNIT=\(Self.service)",
            as: .root)
        #expect(journal.contains("Stopped \(Self.service)"))
        // systemd reports every status except 0.
        #expect(!journal.contains("exited") && !journal.contains("Failed"))
        try await bed.shutDown()
    }

    @Test func `the watchdog restarts a service that hangs, and only then`() async throws {
        let bed = try await Bed.boot()
        _ = try await bed.output(
            """
            mkdir -p .config/systemd/user/\(Self.service).d
            echo '[Service]
            WatchdogSec=2
            TimeoutAbortSec=1' > .config/systemd/user/\(Self.service).d/bed.conf
            systemctl --user daemon-reload
            systemctl --user start \(Self.service)
            """)
        // Three watchdog notifications take longer than the time after which it would be considered
        // hung.
        let signs = try await bed.output(
            """
            count=0 last=
            while [ $count -lt 4 ]; do
                sign=$(systemctl --user show --property=WatchdogTimestampMonotonic --value \(Self.service))
                [ "$sign" = "$last" ] || { last=$sign; count=$((count + 1)); }
                sleep 0.1
            done
            systemctl --user show --property=NRestarts --value \(Self.service)
            """)
        #expect(signs == "0")
        let restarts = try await bed.output(
            """
            kill -STOP $(systemctl --user show --property=MainPID --value \(Self.service))
            until [ $(systemctl --user show --property=NRestarts --value \(Self.service)) -gt 0 ]; do sleep 0.1; done
            until systemctl --user is-active --quiet \(Self.service); do sleep 0.1; done
            lines() { journalctl --user --quiet --output=cat --unit=\(Self.service); }
            until lines | grep 'Watchdog timeout' > /dev/null; do sleep 0.1; done
            lines | grep -c 'Watchdog timeout'
            """)
        #expect(restarts == "1")
        try await bed.shutDown()
    }

    @Test func `the unit removes privileges that the service does not need`() async throws {
        let bed = try await Bed.boot()
        // A program that tries this in place of the unit's program.
        let attempts = try await bed.output(
            """
            mkdir -p .config/systemd/user
            cat > attempt.py << 'END'
            import ctypes, mmap, os, socket
            def attempt(name, action):
                try:
                    action()
                    print(name, "allowed")
                except OSError as error:
                    print(name, "refused")
            libc = ctypes.CDLL(None, use_errno=True)
            def check(result):
                if result < 0:
                    raise OSError(ctypes.get_errno(), "")
            attempt("network", lambda: socket.socket(socket.AF_INET))
            attempt("bus", lambda: socket.socket(socket.AF_UNIX))
            attempt("namespace", lambda: check(libc.unshare(0x10000000)))
            attempt("code", lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC))
            attempt("realtime", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))
            attempt("system", lambda: open("/usr/attempt", "w"))
            attempt("photos", lambda: os.listdir("/home/person"))
            for line in open("/proc/self/status"):
                if line.startswith(("NoNewPrivs", "Seccomp:")):
                    print(*line.split())
            END
            sed -e 's|^ExecStart=.*|ExecStart=/usr/bin/python3 /home/person/attempt.py|' \
                -e '/^ExecStart=/a StandardOutput=file:/home/person/attempts' \
                -e 's|^Type=dbus|Type=oneshot|' -e '/^BusName=/d' -e '/^Restart/d' \
                /usr/lib/systemd/user/\(Self.service) > .config/systemd/user/attempt.service
            systemctl --user daemon-reload
            systemctl --user start attempt.service
            sort attempts
            """)
        #expect(
            attempts == """
                NoNewPrivs: 1
                Seccomp: 2
                bus allowed
                code refused
                namespace refused
                network refused
                photos allowed
                realtime refused
                system refused
                """)
        try await bed.shutDown()
    }

    @Test func `a video gets a thumbnail under the settings of the unit`() async throws {
        let bed = try await Bed.boot()
        let found = try await bed.output(
            """
            mkdir -p Videos
            ffmpeg -loglevel error -f lavfi -i testsrc=size=320x240:duration=2 -pix_fmt yuv420p Videos/film.mp4
            systemctl --user start \(Self.service)
            thumbnailer=org.freedesktop.thumbnails.Thumbnailer1
            # The unit is started before the service has this name, and the bus would start another program.
            until busctl --user call org.freedesktop.DBus / org.freedesktop.DBus GetNameOwner s $thumbnailer
            do sleep 0.1; done > /dev/null 2>&1
            busctl --user call $thumbnailer /org/freedesktop/thumbnails/Thumbnailer1 $thumbnailer \
                Queue asasssu 1 file:///home/person/Videos/film.mp4 1 video/mp4 normal default 0 > /dev/null
            for attempt in $(seq 300); do
                [ -z "$(find .cache/thumbnails -name '*.png' 2> /dev/null)" ] || break
                sleep 0.1
            done
            find .cache/thumbnails -name '*.png' -printf '%P\n' | cut -d/ -f1
            for key in RestrictNamespaces RestrictAddressFamilies MemoryDenyWriteExecute; do
                systemctl --user show --property=$key --value \(Self.service)
            done
            """)
        let lines = found.split(separator: "\n")
        #expect(lines.first == "normal", "\(found)")
        #expect(lines.count == 4 && lines[2] == "AF_UNIX" && lines[3] == "yes", "\(found)")
        try await bed.shutDown()
    }

    @Test func `nothing keeps running after the person has logged out`() async throws {
        let bed = try await Bed.boot()
        try await Self.prepare(bed, answer: "pick newest 2")
        _ = try await bed.output(Self.pickTwo)
        _ = try await bed.output("systemctl --user start photo-portal-dialog.service")
        let left = try await bed.output(
            """
            pgrep --uid person --count photo-portal > before
            systemctl stop user@1000.service
            for attempt in $(seq 100); do
                pgrep --uid person > /dev/null || break
                sleep 0.1
            done
            pgrep --uid person --list-full || true
            [ ! -e /run/user/1000/photo-portal ]
            # The bus may be the first to end, and what it has started itself, the script, with it.
            journalctl --quiet --output=cat _UID=1000 |
                grep -E '^photo-portal.*(SIGKILL|timed out|core-dump)' || true
            """, as: .root)
        #expect(left == "")
        #expect(try await bed.output("[ $(cat before) -ge 2 ] && echo ok", as: .root) == "ok")
        try await bed.shutDown()
    }

    @Test func `xdg-desktop-portal of this release finds the installed backend`() async throws {
        let bed = try await Bed.boot()
        let portal = try await bed.output(
            """
            busctl --user get-property org.freedesktop.portal.Desktop /org/freedesktop/portal/desktop \
            org.freedesktop.portal.FileChooser version
            /usr/libexec/xdg-desktop-portal --version
            """)
        #expect(portal.contains(#/^u [34]\n/#))
        #expect(portal.contains("1.16") || portal.contains("1.20"))
        try await bed.shutDown()
    }

    @Test func `a bed without a display has none`() async throws {
        let bed = try await Bed.boot(display: false)
        let processes = try await bed.output(
            "systemctl --user show-environment | grep ^DISPLAY= || true; pgrep Xvfb || true")
        #expect(processes == "")
        // The service needs no display.
        _ = try await bed.output("systemctl --user start \(Self.service)")
        try await bed.shutDown()
    }
}
