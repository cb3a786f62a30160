// SPDX-License-Identifier: MIT
// photo-portal-fetcher for the tests' own server: it also goes to 127.0.0.2, and believes the authority in
// authority.pem beside itself alone. It gives up sooner.

import FetcherProgram
import Glibc
import Processes
import SystemPackage
import Web

let server = InternetAddress("127.0.0.2")
exit(
    FetcherProgram.run(
        "trusting-fetcher",
        FetchPolicy(
            authorities: ProgramFolder.sibling("authority.pem").string, patience: .seconds(3)
        ) { $0 == server || $0.isPublic }))
