// SPDX-License-Identifier: MIT

import Photos
import Testing

@testable import Pixels

/// How large a drawing is, as browsers show it when they open the file.
@Suite struct DrawingHeadTests {
    @Test(
        arguments: [
            ("width='48' height='32'", 48, 32),
            ("width=\"48px\" height = '32.5'", 48, 33),
            ("width='2in' height='2.54cm'", 192, 96),
            ("width='25.4mm' height='72pt'", 96, 96),
            ("width='1pc' height='101.6Q'", 16, 96),
            ("width='2em' height='1e2'", 32, 100),
            ("viewBox='0 0 30 40'", 30, 40),
            ("viewBox='-5,-5, 7.5 9'", 8, 9),
            ("width='60' viewBox='0 0 30 40'", 60, 80),
            ("height='80' viewBox='0 0 30 40'", 60, 80),
            ("width='100%' height='100%' viewBox='0 0 30 40'", 30, 40),
            ("width='60' height='auto' viewBox='0 0 30 40'", 60, 80),
            ("width='50%' height='20'", 300, 20),
            ("width='abc' height='-5'", 300, 150),
            ("viewBox='0 0 0 0'", 300, 150),
            ("viewBox='0 0 30'", 300, 150),
            ("", 300, 150),
            ("style='fill:red; width: 33px;HEIGHT:44px' width='5'", 33, 44),
            ("x:width='1' x:height='1' width='3' height='4'", 3, 4),
        ])
    func `size is that which browsers give`(attributes: String, width: Int, height: Int) {
        #expect(
            size("<svg xmlns='http://www.w3.org/2000/svg' \(attributes)/>")
                == PixelSize(width: width, height: height))
    }

    @Test func `declarations and remarks precede the tag`() {
        let text = """
            \u{FEFF}<?xml version='1.0'?><!-- <svg width='1' height='1'> --><!DOCTYPE svg [
            <!ENTITY ns 'http://www.w3.org/2000/svg'>]>
            <s:svg xmlns:s='&ns;' width='48' height='32'><s:g width='2'/></s:svg>
            """
        #expect(size(text) == PixelSize(width: 48, height: 32))
    }

    @Test(
        arguments: [
            "", "<", "<svg", "<svg width", "<svg width=", "<svg width='", "<svg width=4 height=3>",
            "<html width='4' height='3'>", "<svg width='0' height='3'>",
            "<svg width='1e9' height='3'>", "<svg width='nan' height='inf'>",
            "<svg width='1e999' height='3'>",
        ])
    func `damage is not a size`(text: String) {
        // What can be read is as good as a tag without attributes.
        let size = size(text)
        #expect(size == nil || size == PixelSize(width: 300, height: 150))
    }

    private func size(_ text: String) -> PixelSize? { DrawingHead(Array(text.utf8)[...])?.size }
}
