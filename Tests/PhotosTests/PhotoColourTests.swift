// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct PhotoColourTests {
    @Test(arguments: [0, 0x0102FF, 0xFF_FFFF])
    func `a colour is one number, and the number is that colour`(number: Int) throws {
        #expect(try #require(PhotoColour(number: number)).number == number)
    }

    @Test func `the channels are red, green and blue`() {
        #expect(PhotoColour(number: 0x0102FF) == PhotoColour(red: 1, green: 2, blue: 255))
    }

    @Test(arguments: [-1, 0x100_0000, .min, .max])
    func `a number that is too small or too large is no colour`(number: Int) {
        #expect(PhotoColour(number: number) == nil)
    }

    @Test func `colours stay with their photos when lists are merged`() throws {
        let colours = [nil, PhotoColour(number: 1), PhotoColour(number: 2)]
        func list(_ numbers: [Int]) throws -> PhotoList {
            var list = PhotoList()
            for number in numbers {
                list.append(
                    AssetID(0, UInt64(number)), size: PixelSize(width: 1, height: 1),
                    taken: Int64(-number), colour: colours[number])
            }
            return list
        }
        #expect(try list([0, 2]).merging(list([1])).colours == colours)
    }
}
