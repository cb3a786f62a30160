// SPDX-License-Identifier: MIT

package import Files
package import Photos
package import SDBus

/// What an app wants to be shown, with the files that it has opened.
package struct PreviewCall: Hashable, Sendable {
    package var request: PreviewRequest
    /// The descriptors that ``Photos/PreviewImage/file(_:)`` counts.
    package var files: [Descriptor]
}

/// The arguments and the reply of `PreviewImages`.
package enum PreviewAnswer {
    /// The arguments of the backend's method.
    package typealias Input = Arguments<ObjectPath, String, String, String, Vardict>
    package typealias Garbage = BackendAnswer.Garbage

    // MARK: - Arguments

    /// The arguments for a backend; options with their default value are left out.
    package static func encode(_ call: PreviewCall, at handle: ObjectPath) -> Input {
        let request = call.request
        var options: Vardict = [
            "images": request.images.map { vardict(of: $0, call.files) }.variant
        ]
        if request.first > 0 { options["index"] = UInt32(clamping: request.first).variant }
        if request.allowsRemoving { options["allow_remove"] = true.variant }
        if !request.isModal { options["modal"] = false.variant }
        return Input(
            handle, request.appID.rawValue, request.parentWindow, request.title, options)
    }

    private static func vardict(of image: PreviewImage, _ files: [Descriptor]) -> Vardict {
        switch image {
        case .asset(let id): ["id": id.description.variant]
        case .uri(let uri): ["uri": uri.variant]
        case .file(let index):
            files.indices.contains(index) ? ["fd": files[index].variant] : [:]
        case .web(let uri, let thumbnail): web(uri, thumbnail, files)
        }
    }

    private static func web(
        _ uri: String, _ thumbnail: PreviewImage?, _ files: [Descriptor]
    ) -> Vardict {
        var vardict: Vardict = ["uri": uri.variant]
        // Of either kind, the value is the only one.
        if let thumbnail { vardict["thumbnail"] = self.vardict(of: thumbnail, files).values.first }
        return vardict
    }

    /// Reads the arguments of the backend's method.
    ///
    /// - Throws: As ``call(of:parentWindow:title:_:_:)``.
    package static func decode(_ input: Input) throws(DBusError) -> PreviewCall {
        let (handle, appID, parentWindow, title, options) = input.values
        guard let images = options.value("images", as: [Vardict].self) else {
            throw PortalError.invalidArgument("Expected type 'aa{sv}' for option 'images'")
        }
        var call = try call(
            of: AppID(vouchedFor: appID), parentWindow: parentWindow, title: title, images, options)
        call.request.handle = handle.rawValue
        return call
    }

    /// Reads what an app asks for; unknown keys are ignored.
    ///
    /// - Throws: ``DBusError`` `InvalidArgument`, `NotFound` for a text that can be no id, `NotSupported`
    ///   for a URI that is neither one of a file nor of https; those of a picture begin with its index.
    package static func call(
        of appID: AppID, parentWindow: String, title: String, _ images: [Vardict],
        _ options: Vardict
    ) throws(DBusError) -> PreviewCall {
        guard (1...PreviewRequest.mostImages).contains(images.count) else {
            throw PortalError.invalidArgument(
                "Expected 1 to \(PreviewRequest.mostImages) images, got \(images.count)")
        }
        var call = PreviewCall(
            request: PreviewRequest(
                appID: appID, parentWindow: parentWindow, title: title, images: []),
            files: [])
        for (index, image) in images.enumerated() {
            do throws(DBusError) {
                call.request.images.append(try read(image, &call.files))
            } catch {
                throw error.inImage(index)
            }
        }
        guard call.files.count <= PreviewRequest.mostFiles else {
            throw PortalError.invalidArgument(
                "Expected at most \(PreviewRequest.mostFiles) images with descriptors, got \(call.files.count)"
            )
        }
        let first = try options.decoded("index", .index(below: images.count))
        call.request.first = first ?? 0
        call.request.allowsRemoving = try options.decoded("allow_remove", .flag) ?? false
        call.request.isModal = try options.decoded("modal", .flag) ?? true
        return call
    }

    private static func read(
        _ image: Vardict, _ files: inout [Descriptor]
    ) throws(DBusError) -> PreviewImage {
        let id = try image.decoded("id", .reference)
        let uri = try image.decoded("uri", .reference)
        let file = try image.decoded("fd", .descriptor)
        let isWeb = uri?.lowercased().hasPrefix("https:") == true
        guard isWeb || image["thumbnail"] == nil else {
            throw PortalError.invalidArgument("Expected 'thumbnail' only with 'uri' of the web")
        }
        switch (id, uri, file) {
        case (let id?, nil, nil): return try asset(id)
        case (nil, let uri?, nil) where isWeb:
            guard WebURI.isValid(uri) else {
                throw PortalError.invalidArgument(
                    "Expected an https URI in ASCII with a host and without a user, got "
                        + "'\(uri.excerpt)'")
            }
            return .web(uri, thumbnail: try thumbnail(image, &files))
        case (nil, let uri?, nil):
            guard uri.lowercased().hasPrefix("file:") else {
                throw .notSupported("Expected the URI of a file or of https, got '\(uri.excerpt)'")
            }
            return .uri(uri)
        case (nil, nil, let file?):
            files.append(file)
            return .file(files.count - 1)
        default: throw PortalError.invalidArgument("Expected one of 'id', 'fd' and 'uri'")
        }
    }

    private static func asset(_ id: String) throws(DBusError) -> PreviewImage {
        guard let asset = AssetID(id) else {
            throw PortalError.notFound("There is no photo '\(id.excerpt)'")
        }
        return .asset(asset)
    }

    /// What stands for a picture of the web until it is there: an id or a descriptor.
    private static func thumbnail(
        _ image: Vardict, _ files: inout [Descriptor]
    ) throws(DBusError) -> PreviewImage? {
        if image["thumbnail"] == nil { return nil }
        if image.value("thumbnail", as: String.self) != nil {
            guard let id = try image.decoded("thumbnail", .reference) else { return nil }
            return try asset(id)
        }
        guard let file = image.value("thumbnail", as: Descriptor.self) else {
            throw PortalError.invalidArgument("Expected type 's' or 'h' for option 'thumbnail'")
        }
        files.append(file)
        return .file(files.count - 1)
    }

    // MARK: - Reply

    /// The reply of a backend.
    package static func encode(
        _ outcome: PreviewOutcome, of count: Int
    ) -> Arguments<UInt32, Vardict> {
        switch outcome {
        case .closed(let removed):
            Arguments(ResponseCode.success.rawValue, results(removing: removed, of: count))
        case .cancelled: Arguments(ResponseCode.cancelled.rawValue, [:])
        case .ended: Arguments(ResponseCode.ended.rawValue, [:])
        }
    }

    /// The results of a request for this many pictures.
    ///
    /// - Parameter removed: Indices, ascending.
    package static func results(removing removed: [Int] = [], of count: Int) -> Vardict {
        let gone = Set(removed)
        func numbers(_ indices: [Int]) -> Variant { indices.map { UInt32(clamping: $0) }.variant }
        return [
            "remaining": numbers((0..<count).filter { !gone.contains($0) }),
            "removed": numbers(removed),
        ]
    }

    /// Reads and validates a reply; backends are not trusted.
    package static func decode(
        _ reply: Arguments<UInt32, Vardict>, to request: PreviewRequest
    ) throws(Garbage) -> PreviewOutcome {
        let (code, results) = reply.values
        switch ResponseCode(code) {
        case .cancelled: return .cancelled
        case .ended: return .ended
        case .success: break
        }
        let count = request.images.count
        let remaining = try indices("remaining", results, below: count)
        let removed = try indices("removed", results, below: count)
        // Both ascend, so that together they are all indices only if they have none in common.
        guard Set(remaining).union(removed).count == count,
            remaining.count + removed.count == count
        else { throw Garbage("'remaining' and 'removed' are not all images together") }
        guard removed.isEmpty || request.allowsRemoving else {
            throw Garbage("images were removed, which was not allowed")
        }
        return .closed(removed: removed)
    }

    private static func indices(
        _ key: String, _ results: Vardict, below count: Int
    ) throws(Garbage) -> [Int] {
        guard let numbers = results.value(key, as: [UInt32].self)?.map(Int.init) else {
            throw Garbage("'\(key)' is not of type 'au'")
        }
        guard numbers.allSatisfy({ $0 < count }) else {
            throw Garbage("'\(key)' has an index beyond the end")
        }
        guard zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw Garbage("'\(key)' does not ascend")
        }
        return numbers
    }
}

extension DBusError {
    /// The error, with the index of a picture at its beginning.
    package func inImage(_ index: Int) -> DBusError {
        DBusError(name: name, message: "Image \(index): \(message)")
    }
}

extension Vardict {
    /// Whether the request outlives its caller.
    ///
    /// - Throws: ``DBusError`` `InvalidArgument`.
    package func isDetached() throws(DBusError) -> Bool {
        try decoded("detached", .flag) ?? false
    }
}

extension OptionCoding where Value == String {
    /// The id of a photo, or a URI.
    fileprivate static var reference: OptionCoding {
        OptionCoding(
            decode: { text throws(Expectation) in
                guard text.utf8.count <= 4096 else { throw Expectation("at most 4096 bytes") }
                return text
            }, encode: { $0 })
    }
}

extension OptionCoding where Value == Descriptor {
    fileprivate static var descriptor: OptionCoding {
        OptionCoding(decode: { $0 }, encode: { $0 })
    }
}

extension OptionCoding where Value == Int {
    /// The index of an element of a list.
    fileprivate static func index(below count: Int) -> OptionCoding {
        OptionCoding(
            decode: { (number: UInt32) throws(Expectation) in
                guard number < count else { throw Expectation("0 to \(count - 1)") }
                return Int(number)
            }, encode: { UInt32(clamping: $0) })
    }
}
