// SPDX-License-Identifier: MIT
// photo-portal-fetcher for the tests' own server: it also goes to 127.0.0.2, and believes the authority in
// authority.pem beside itself alone. The file patience there says after how many seconds it gives up.

import FetcherProgram
import Files
import Glibc
import Processes
import SystemPackage
import Web

let patience = try? Descriptor.openForReading(ProgramFolder.sibling("patience")).read(upTo: 9)
let seconds = patience.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 60
let server = InternetAddress("127.0.0.2")
exit(
    FetcherProgram.run(
        "trusting-fetcher",
        FetchPolicy(
            authorities: ProgramFolder.sibling("authority.pem").string, patience: .seconds(seconds)
        ) { $0 == server || $0.isPublic }))
