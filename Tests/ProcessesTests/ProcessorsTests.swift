// SPDX-License-Identifier: MIT

import Processes
import Testing

struct ProcessorsTests {
    @Test func `the number of processors is that of nproc`() throws {
        let printed = try ProgramOutput.capture("nproc", [], timeout: .seconds(20))
        #expect("\(Processors.availableCount)\n" == String(decoding: printed, as: UTF8.self))
    }
}
