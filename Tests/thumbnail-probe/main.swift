// SPDX-License-Identifier: MIT
// Gets the thumbnail of each file twice, as a program that shows it and as one that serves it, and
// prints what becomes of that: for tests that change what is mounted, or who may read.
//   thumbnail-probe DECODER CACHE FILE…

import Desktop
import ImageWork
import Photos
import SystemPackage
import Thumbnails

let words = CommandLine.arguments.map { FilePath($0) }
guard words.count > 3 else { fatalError("thumbnail-probe DECODER CACHE FILE…") }
let decoders = DecoderPool(program: words[1], workers: 1)
let loader = ThumbnailLoader(cache: ThumbnailCache(folder: words[2]), decoders: decoders)
for file in words.dropFirst(3) {
    do throws(DecodeError) {
        let picture = try await loader.thumbnail(of: file, .large, priority: .visible)
        print("\(picture.size.width)x\(picture.size.height)")
    } catch {
        print(error)
    }
    do throws(ThumbnailFailure) {
        let uri = FileURI.make(file) ?? ""
        try await loader.provide(uri, .large, priority: .visible, client: "")
        print("there")
    } catch {
        print(error)
    }
}
decoders.close()
