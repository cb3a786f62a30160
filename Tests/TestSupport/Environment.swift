// SPDX-License-Identifier: MIT

import Glibc

/// A variable of the test process's own environment.
package func environmentVariable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}
