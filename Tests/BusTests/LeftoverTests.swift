// SPDX-License-Identifier: MIT

import Glibc
import SystemPackage
import TestSupport
import Testing

/// What programs of ours leave behind when they are killed.
@Suite struct LeftoverTests {
    @Test func `unfinished files of killed programs are removed from the person's folders`()
        async throws
    {
        let home = try TestHome()
        let thumbnails = home.cache.appending("thumbnails")
        let folders = [
            thumbnails.appending("normal"), thumbnails.appending("large"),
            thumbnails.appending("fail").appending("photo-portal-3"),
            home.data.appending("photo-portal"),
            home.home.appending(".local").appending("state").appending("photo-portal"),
        ]
        let old = time(nil) - 7200
        for folder in folders {
            // Somebody may still be writing the last one.
            for (name, date) in [
                (".photo-portal-x1Y2z3", old), (".other-x1Y2z3", old),
                (".photo-portal-Ab0Cd1", time(nil)),
            ] {
                try home.write([1], to: folder.appending(name))
                home.setDate(of: folder.appending(name), date)
            }
        }
        let session = try await Session.start(home: home)
        let service = try await session.startService()
        for folder in folders {
            try await eventually("the end of the old file in \(folder)") {
                !names(in: folder).contains(".photo-portal-x1Y2z3")
            }
            #expect(names(in: folder).contains(".photo-portal-Ab0Cd1"))
            #expect(names(in: folder).contains(".other-x1Y2z3"))
        }
        #expect(try await service.stop() == 0)
    }
}
