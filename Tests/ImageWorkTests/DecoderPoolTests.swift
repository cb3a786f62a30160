// SPDX-License-Identifier: MIT

import Files
import Glibc
import ImageWork
import Photos
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// The pool with the real decoder, and with programs that are not decoders.
@Suite(.serialized) struct DecoderPoolTests {
    private let decoder = FilePath(Programs.path("photo-portal-decoder"))
    private let heif = FilePath(Programs.path("photo-portal-heif"))
    private let rare = FilePath(Programs.path("photo-portal-rare"))

    @Test func `a picture comes back with its pixels`() async throws {
        let pool = DecoderPool(program: decoder, workers: 1)
        defer { pool.close() }
        let picture = try await thumbnail(pool, "orientation/6.jpg")
        #expect(picture.size == PixelSize(width: 48, height: 32))
        let pixels = try MappedMemory(sealed: picture.file)
        // The first block of the upright picture is red.
        #expect(pixels.bytes[0] > 200 && pixels.bytes[1] < 60)
    }

    @Test func `a decoder reports its types, and decodes them in its sandbox`() async throws {
        let pool = DecoderPool(program: decoder, heif: heif, rare: rare, workers: 1)
        defer { pool.close() }
        let types = await pool.supportedTypes()
        // All types that Debian's libraries decode; their modules were loaded in time.
        #expect(
            Set(types).isSuperset(of: [
                .jpeg, .png, .webp, .gif, .tiff, .svg, .compressedSVG, .jpegXL, .heic, .avif, .bmp,
                .icon,
                .canonRaw3, .jpeg2000, .openEXR, .photoshop, .radiance, .netpbm, .targa, .pcx, .qoi,
            ]))
        #expect(!types.contains { !$0.isImage })
        for folder in ["formats", "raw"] {
            for name in names(in: Fixtures.path(folder)) {
                let picture = try await thumbnail(pool, "\(folder)/\(name)")
                #expect(picture.size == PixelSize(width: 48, height: 32), "\(name)")
            }
        }
    }

    @Test func `many jobs at once are all answered`() async throws {
        let pool = DecoderPool(program: decoder, workers: 2)
        defer { pool.close() }
        let file = try Fixtures.open("jpeg/baseline.jpg")
        let answered = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    if (try? await pool.run(.probe, on: file, priority: .background)) != nil {
                        return true
                    }
                    return false
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(answered == 200)
    }

    @Test func `jobs on several files have their own results, in order`() async throws {
        let pool = DecoderPool(program: decoder, heif: heif, rare: rare, workers: 2)
        defer { pool.close() }
        let expected: [(name: String, result: Result<MediaType, DecodeError>)] = [
            ("formats/blocks.heic", .success(.heic)), ("broken/text.jpg", .failure(.unsupported)),
            ("jpeg/grey.jpg", .success(.jpeg)), ("formats/blocks.jp2", .success(.jpeg2000)),
            ("broken/huge.png", .success(.png)), ("jpeg/baseline.jpg", .success(.jpeg)),
        ]
        // More than one process answers at a time.
        for _ in 0..<20 {
            let files = try expected.map { try Fixtures.open($0.name) }
            let results = await pool.run(.probe, onEach: files, priority: .background)
            #expect(results.map { $0.map(\.mediaType) } == expected.map(\.result))
        }
        #expect(await pool.run(.probe, onEach: [], priority: .background).isEmpty)
    }

    @Test func `each of several jobs has a result when the caller no longer wants it`() async throws
    {
        let pool = DecoderPool(program: decoder, workers: 1)
        defer { pool.close() }
        let file = try Fixtures.open("jpeg/baseline.jpg")
        let files = Array(repeating: file, count: 2000)
        let task = Task { await pool.run(.probe, onEach: files, priority: .background) }
        try await eventually("jobs wait") { pool.waitingCount > 0 }
        task.cancel()
        let results = await task.value
        #expect(results.count == files.count)
        #expect(
            results.allSatisfy {
                if case .failure(let error) = $0 { error == .cancelled } else { true }
            })
        #expect(results.contains { if case .failure = $0 { true } else { false } })
        #expect(pool.waitingCount == 0)
        _ = try await pool.run(.probe, on: file, priority: .background)
    }

    @Test(
        arguments: [
            ("broken/text.jpg", .unsupported), ("broken/header-only.jpg", .damaged),
            ("broken/huge.png", .tooLarge),
        ] as [(String, DecodeError)])
    func `an invalid file only fails its own job`(name: String, error: DecodeError) async throws {
        let pool = DecoderPool(program: decoder, workers: 1)
        defer { pool.close() }
        await #expect(throws: error) { try await thumbnail(pool, name) }
        _ = try await thumbnail(pool, "jpeg/grey.jpg")
    }

    @Test func `a decoder that is killed between jobs is replaced unnoticed`() async throws {
        let pool = DecoderPool(program: decoder, workers: 1)
        defer { pool.close() }
        _ = try await thumbnail(pool, "jpeg/grey.jpg")
        let victims = children()
        #expect(!victims.isEmpty)
        for victim in victims { kill(victim, SIGKILL) }
        _ = try await thumbnail(pool, "jpeg/grey.jpg")
        #expect(Set(children()).isDisjoint(with: victims))
    }

    @Test func `jobs succeed although decoders are killed again and again`() async throws {
        let pool = DecoderPool(program: decoder, workers: 2)
        defer { pool.close() }
        let end = Recorder<Void>()
        let kills = Recorder<pid_t>()
        let killer = Task {
            while end.count == 0 {
                if let victim = children().randomElement(), kill(victim, SIGKILL) == 0 {
                    kills.note(victim)
                }
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
        var failures = 0
        for _ in 0..<100 {
            do {
                _ = try await thumbnail(pool, "jpeg/baseline.jpg")
            } catch let error as DecodeError where [.crashed, .unavailable].contains(error) {
                failures += 1
            }
        }
        end.note(())
        await killer.value
        // A job fails only if it is killed twice. How many are is up to the machine.
        #expect(failures <= kills.count / 2)
        _ = try await thumbnail(pool, "jpeg/baseline.jpg")
    }

    @Test(arguments: [
        DecoderPool.Lifetime(jobs: 3), DecoderPool.Lifetime(bytes: 3 * 1_000),
    ])
    func `a decoder is replaced after a lot of work`(lifetime: DecoderPool.Lifetime) async throws {
        let pool = DecoderPool(program: decoder, workers: 1, lifetime: lifetime)
        defer { pool.close() }
        var processes: Set<pid_t> = []
        for _ in 0..<12 {
            _ = try await thumbnail(pool, "jpeg/grey.jpg")
            processes.formUnion(children())
        }
        #expect(processes.count > 1)
    }

    @Test(arguments: ["/bin/true", "/bin/echo"])
    func `a program that is no decoder is no reason to think the file damaged`(program: String)
        async throws
    {
        let pool = DecoderPool(program: FilePath(program), workers: 1)
        defer { pool.close() }
        await #expect(throws: DecodeError.unavailable) {
            try await thumbnail(pool, "jpeg/grey.jpg")
        }
    }

    @Test func `a decoder that never replies is killed in time`() async throws {
        let home = try TestHome()
        let pool = DecoderPool(
            program: try HostileDecoder.program("silent", in: home), workers: 1,
            timeout: .milliseconds(200))
        defer { pool.close() }
        await #expect(throws: DecodeError.stalled) { try await thumbnail(pool, "jpeg/grey.jpg") }
        // The template, from which the next decoder is made.
        #expect(children().count == 1)
    }

    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `few decoders get stuck on a disk that does not answer`() async throws {
        let home = try TestHome()
        let place = home.scratch.appending("mounted")
        let disk = try await StalledDisk.mount(at: place, of: home) { content in
            for number in 0..<10 {
                try home.write(
                    Fixtures.bytes("jpeg/grey.jpg"), to: content.appending("\(number).jpg"))
            }
        }
        var files = try names(in: place).map { try Descriptor.openForReading(place.appending($0)) }
        #expect(files.count == 10)
        let pool = DecoderPool(program: decoder, workers: 2, timeout: .milliseconds(200))
        defer { pool.close() }
        _ = try await thumbnail(pool, "jpeg/grey.jpg")
        try disk.stall(.getattr, .read)
        var errors: [DecodeError] = []
        for file in files {
            do throws(DecodeError) {
                _ = try await pool.run(.probe, on: file, priority: .visible)
            } catch {
                errors.append(error)
            }
            // Files elsewhere are not affected.
            _ = try await thumbnail(pool, "jpeg/grey.jpg")
        }
        #expect(errors.count == files.count)
        let stuck = children().filter { state(of: $0) == "D" }
        print("stuck decoders: \(stuck.count), errors: \(errors)")
        // The disk is given up, which says nothing about the files.
        #expect(stuck.count <= 4)
        #expect(stuck.isEmpty || errors.last == .stalled)
        // Open files would keep it mounted.
        files = []
        try await disk.end()
        try await eventually("the end of the stuck decoders") {
            children().allSatisfy { !stuck.contains($0) }
        }
    }

    @Test func `without a program there is a clear error`() async throws {
        let pool = DecoderPool(program: "/nonexistent/decoder", workers: 1)
        defer { pool.close() }
        await #expect(throws: DecodeError.unavailable) {
            try await thumbnail(pool, "jpeg/grey.jpg")
        }
    }

    @Test func `a job that comes while the last worker leaves does not wait for ever`() async throws
    {
        // Workers end immediately and jobs are short, which gives thousands of chances for a race.
        let pool = DecoderPool(program: "/nowhere", workers: 2, idleTime: 0)
        defer { pool.close() }
        let file = try Fixtures.open("jpeg/baseline.jpg")
        let done = Atomic(0)
        let jobs = Task {
            for _ in 0..<10_000 {
                _ = try? await pool.run(.probe, on: file, priority: .visible)
                done.add(1, ordering: .relaxed)
            }
        }
        defer { jobs.cancel() }
        var count = 0
        while count < 10_000 {
            count = try await eventually("job after the first \(count)", within: .seconds(30)) {
                let next = done.load(ordering: .relaxed)
                return next > count ? next : nil
            }
        }
    }

    @Test func `cancelled jobs are dropped, and visible jobs come first`()
        async throws
    {
        let home = try TestHome()
        let script = home.scratch.appending("slow")
        // Takes most of a second for a job, so that the tasks that wait for the replies end in their order.
        let steady = try HostileDecoder.program("starved", in: home)
        // Occupies the only worker until the test continues.
        let gate = home.scratch.appending("gate")
        try home.write(
            Array(
                """
                #!/bin/sh
                while [ ! -e \(gate) ]; do sleep 0.01; done
                exec \(steady)
                """.utf8), to: script)
        script.withPlatformString { _ = chmod($0, 0o700) }
        let pool = DecoderPool(program: script, workers: 1)
        defer { pool.close() }
        let file = try Fixtures.open("jpeg/grey.jpg")
        let order = Recorder<String>()
        func start(_ name: String, _ priority: DecoderPool.Priority) -> Task<Void, Never> {
            Task {
                if (try? await pool.run(.probe, on: file, priority: priority)) != nil {
                    order.note(name)
                }
            }
        }
        let first = start("first", .background)
        try await eventually("the worker") { !children().isEmpty }
        let background = start("background", .background)
        let dropped = start("dropped", .visible)
        let visible = start("visible", .visible)
        try await eventually("the queue") { pool.waitingCount == 3 }
        dropped.cancel()
        await dropped.value
        try home.write([], to: gate)
        for task in [first, background, visible] { await task.value }
        #expect(order.all == ["first", "visible", "background"])
    }

    @Test func `an idle process ends, and a new one starts with the next job`() async throws {
        let pool = DecoderPool(program: decoder, workers: 2, idleTime: 0)
        defer { pool.close() }
        _ = try await thumbnail(pool, "jpeg/grey.jpg")
        try await eventually("the end of the process") { children().isEmpty }
        _ = try await thumbnail(pool, "jpeg/grey.jpg")
    }

    @Test func `closing ends the processes and cancels waiting jobs`() async throws {
        let pool = DecoderPool(program: decoder, workers: 1)
        _ = try await thumbnail(pool, "jpeg/grey.jpg")
        pool.close()
        try await eventually("the end of the process") { children().isEmpty }
        await #expect(throws: DecodeError.cancelled) { try await thumbnail(pool, "jpeg/grey.jpg") }
    }

    private func thumbnail(
        _ pool: DecoderPool, _ name: String
    ) async throws -> RawPicture {
        let file = try Fixtures.open(name)
        return try await pool.run(.pixels(side: 256), on: file, priority: .visible)
    }

    /// What a process is doing, as proc(5) abbreviates it: `D` if it cannot even be killed.
    private func state(of process: pid_t) -> String {
        let bytes = try? Descriptor.openForReading(FilePath("/proc/\(process)/stat"))
            .read(upTo: 1000)
        return String(decoding: bytes ?? [], as: UTF8.self).split(separator: ")").last?
            .split(separator: " ").first.map(String.init) ?? ""
    }

    /// The child processes that have not been waited for, except those of the test harness.
    private func children() -> [pid_t] {
        let own = getpid()
        return names(in: "/proc").compactMap { pid_t($0.string) }.filter { process in
            guard
                let bytes = try? Descriptor.openForReading(FilePath("/proc/\(process)/stat"))
                    .read(upTo: 1000)
            else { return false }
            // "PID (name) state parent …"
            let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?
                .split(separator: " ")
            return fields?.dropFirst().first.flatMap { pid_t($0) } == own && fields?.first != "Z"
        }
    }
}
