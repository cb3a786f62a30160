// SPDX-License-Identifier: MIT

import Photos
import Testing

@testable import photo_portal_script

@Suite struct ScriptTests {
    @Test func `each kind of line is read`() throws {
        let id = "00112233445566778899aabbccddeeff"
        let script = try Script(
            """
            # a comment
            pick newest 3
            delay 250ms; pick newest most   # and another
            pick ids \(id)

            delay 1s; delay 2s; cancel
            error it is broken
            end
            die
            hang
            pick preselected
            pick files file:///a file:///b
            grant writable location; clip 1 2 30 40; pick preselected
            turn 270 -1.25; pick preselected
            choose newest 2; hear; choose preselected; pick chosen
            close
            delay 1s; remove 2 0
            """)
        let asset = try #require(AssetID(id))
        #expect(
            script.lines == [
                [.answer(.pick(.newest(.exactly(3))))],
                [.delay(.milliseconds(250)), .answer(.pick(.newest(.most)))],
                [.answer(.pick(.ids([asset])))],
                [.delay(.seconds(1)), .delay(.seconds(2)), .answer(.cancel)],
                [.answer(.error("it is broken"))],
                [.answer(.end)], [.answer(.die)], [.answer(.hang)],
                [.answer(.pick(.preselected))],
                [.answer(.pick(.files(["file:///a", "file:///b"])))],
                [
                    .grant([.writable, .location]),
                    .clip(PixelRectangle(x: 1, y: 2, width: 30, height: 40)),
                    .answer(.pick(.preselected)),
                ],
                [.turn(Rotation(quarters: 3, hundredths: -125)), .answer(.pick(.preselected))],
                [
                    .choose(.newest(.exactly(2))), .hear, .choose(.preselected),
                    .answer(.pick(.chosen)),
                ],
                [.answer(.close(removing: []))],
                [.delay(.seconds(1)), .answer(.close(removing: [2, 0]))],
            ])
    }

    @Test func `the last line answers all further requests`() throws {
        let script = try Script("cancel\nend")
        #expect(script.steps(forRequest: 0) == [.answer(.cancel)])
        #expect(script.steps(forRequest: 1) == [.answer(.end)])
        #expect(script.steps(forRequest: 1000) == [.answer(.end)])
    }

    @Test(arguments: [
        ("", 1), ("# only a comment", 1), ("cancel\npick", 2), ("pick newest", 1),
        ("pick newest -1", 1), ("pick ids x", 1), ("delay 1s", 1), ("delay; cancel", 1),
        ("cancel; end", 1), ("hear", 1), ("choose; cancel", 1),
        ("hear now; cancel", 1), ("cancel now", 1), ("\n\njump", 3), ("pick files", 1),
        ("grant writable", 1), ("clip 1 2 3; cancel", 1), ("clip 1 2 -3 4; cancel", 1),
        ("turn 45; cancel", 1), ("turn; cancel", 1), ("turn 90 46; cancel", 1),
        ("turn 0 nan; cancel", 1), ("remove", 1), ("remove x", 1), ("remove -1", 1), ("close 0", 1),
        ("remove 0; close", 1),
    ])
    func `an error is reported with its line`(text: String, line: Int) {
        let error = #expect(throws: Script.ParseError.self) { try Script(text) }
        #expect(error?.line == line)
    }
}
