// SPDX-License-Identifier: MIT

import CameraProgram
import Glibc

/// Delivers frames and photos of cameras from a process that can do little else.
@main
enum Main {
    static func main() {
        exit(CameraProgram.run("photo-portal-camera"))
    }
}
