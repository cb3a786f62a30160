// SPDX-License-Identifier: MIT

import FetcherProgram
import Glibc

/// Fetches one picture of the web in a process that can do nothing else.
@main
enum Main {
    static func main() {
        exit(FetcherProgram.run("photo-portal-fetcher", .web))
    }
}
