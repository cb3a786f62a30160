// SPDX-License-Identifier: MIT

internal import CGtk

/// The desktop's file dialog, for files to open.
///
/// Paths are what the system calls take: bytes that end with 0.
@UIActor
package final class FileDialog: Object {
    private static let accepted = GTK_RESPONSE_ACCEPT.rawValue

    /// Makes a dialog that takes the input of a window while it is shown.
    ///
    /// - Parameters:
    ///   - types: The MIME types, or patterns of such, of the files to show.
    ///   - typesName: What these are called.
    package init(
        over window: Window, title: String, accept: String, cancel: String, choosesSeveral: Bool,
        types: [String], typesName: String
    ) {
        super.init(
            consuming: pp_file_dialog_new(
                window.widget, title, accept, cancel, choosesSeveral ? 1 : 0))
        let names = types.map { strdup($0) }
        defer { names.forEach { free($0) } }
        var list = names.map { UnsafePointer<CChar>($0) }
        list.append(nil)
        pp_file_dialog_filter(raw, typesName, &list)
    }

    /// Shows the dialog.
    ///
    /// - Parameter handler: Receives the paths of the files; none if the person cancels.
    package func show(_ handler: @escaping @UIActor ([[CChar]]) -> Void) {
        connectResponse { [weak self] response in
            guard let self else { return }
            let isAccepted = response == Self.accepted
            handler(isAccepted ? Self.paths(pp_file_dialog_paths(raw)) : [])
        }
        pp_file_dialog_show(raw)
    }

    /// Closes the dialog, which cannot be shown again.
    package func close() { pp_file_dialog_close(raw) }

    private func connectResponse(_ handler: @escaping @UIActor (Int32) -> Void) {
        typealias Handler = @UIActor (Int32) -> Void
        typealias Trampoline = @convention(c) (UnsafeMutableRawPointer, gint) -> Void
        let trampoline: Trampoline = { context, response in
            UIActor.assumeIsolated { SignalHandler<Handler>.borrow(context)(response) }
        }
        connect("response", unsafeBitCast(trampoline, to: GCallback.self), SignalHandler(handler))
    }

    /// Copies and frees a list of paths.
    fileprivate static func paths(
        _ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> [[CChar]] {
        guard let list else { return [] }
        defer { g_strfreev(list) }
        var paths: [[CChar]] = []
        while let path = list[paths.count] {
            paths.append(Array(UnsafeBufferPointer(start: path, count: strlen(path) + 1)))
        }
        return paths
    }
}

extension Widget {
    /// Calls `handler` with the paths of files that the person drops on the widget.
    package func onFileDrop(_ handler: @escaping @UIActor ([[CChar]]) -> Void) {
        guard let target = gtk_drop_target_new(gdk_file_list_get_type(), GDK_ACTION_COPY) else {
            return
        }
        typealias Handler = @UIActor ([[CChar]]) -> Void
        typealias Trampoline =
            @convention(c) (UnsafeMutableRawPointer, UnsafePointer<GValue>, gdouble, gdouble) ->
            gboolean
        let trampoline: Trampoline = { context, value, _, _ in
            // Sound: GTK calls back on its own thread, where it is used at once.
            nonisolated(unsafe) let value = value
            return UIActor.assumeIsolated {
                let paths = FileDialog.paths(pp_paths_of_value(value))
                SignalHandler<Handler>.borrow(context)(paths)
                return paths.isEmpty ? 0 : 1
            }
        }
        Object(borrowing: UnsafeMutableRawPointer(target)).connect(
            "drop", unsafeBitCast(trampoline, to: GCallback.self), SignalHandler(handler))
        gtk_widget_add_controller(widget, target)
    }

    /// Reads files or a picture from the clipboard.
    ///
    /// - Parameters:
    ///   - types: The MIME types of pictures that are read, the best first.
    ///   - most: The most bytes of a picture.
    package func readClipboard(
        types: [String], most: Int, _ handler: @escaping @UIActor (Pasted) -> Void
    ) {
        guard let clipboard = gtk_widget_get_clipboard(widget) else { return handler(.nothing) }
        let formats = gdk_clipboard_get_formats(clipboard)
        if gdk_content_formats_contain_gtype(formats, gdk_file_list_get_type()) != 0 {
            return Pasted.readFiles(from: clipboard, handler)
        }
        let offered = types.filter { gdk_content_formats_contain_mime_type(formats, $0) != 0 }
        guard let type = offered.first else { return handler(.nothing) }
        Pasted.readPicture(from: clipboard, type, most, handler)
    }
}

/// What was on the clipboard.
package enum Pasted {
    package typealias Handler = @UIActor (Pasted) -> Void

    /// The paths of files; see ``FileDialog``.
    case files([[CChar]])
    /// The bytes of a picture that is no file; nobody has looked at them.
    case picture([UInt8])
    /// A picture with more bytes than are read.
    case tooLarge
    /// Nothing of this kind.
    case nothing

    @UIActor
    fileprivate static func readFiles(
        from clipboard: OpaquePointer, _ handler: @escaping Handler
    ) {
        gdk_clipboard_read_value_async(
            clipboard, gdk_file_list_get_type(), G_PRIORITY_DEFAULT, nil,
            { clipboard, result, context in
                // Sound: GTK calls back on its own thread, where they are used at once.
                nonisolated(unsafe) let (clipboard, result, context) = (clipboard, result, context)
                UIActor.assumeIsolated {
                    guard let clipboard, let context else { return }
                    let box = Unmanaged<SignalHandler<Handler>>.fromOpaque(context)
                        .takeRetainedValue()
                    let value = gdk_clipboard_read_value_finish(
                        OpaquePointer(clipboard), result, nil)
                    let paths = FileDialog.paths(pp_paths_of_value(value))
                    box.handler(paths.isEmpty ? .nothing : .files(paths))
                }
            }, Unmanaged.passRetained(SignalHandler(handler)).toOpaque())
    }

    /// The bytes of a picture on their way from the clipboard.
    ///
    /// Another program sends them, as slowly as it likes; nobody waits for it.
    @UIActor
    private final class Transfer {
        let handler: Handler
        let buffer: UnsafeMutableRawBufferPointer

        init(_ most: Int, _ handler: @escaping Handler) {
            self.handler = handler
            // One more, which tells a picture that is too large. What is not filled costs nothing.
            buffer = .allocate(byteCount: most + 1, alignment: 1)
        }

        isolated deinit {
            buffer.deallocate()
        }
    }

    @UIActor
    fileprivate static func readPicture(
        from clipboard: OpaquePointer, _ type: String, _ most: Int, _ handler: @escaping Handler
    ) {
        let transfer = Unmanaged.passRetained(Transfer(most, handler)).toOpaque()
        type.withCString { name in
            var names: [UnsafePointer<CChar>?] = [name, nil]
            gdk_clipboard_read_async(
                clipboard, &names, G_PRIORITY_DEFAULT, nil,
                { clipboard, result, context in
                    // Sound: GTK calls back on its own thread, where they are used at once.
                    nonisolated(unsafe) let (clipboard, result, context) =
                        (clipboard, result, context)
                    UIActor.assumeIsolated { Pasted.begin(clipboard, result, context) }
                }, transfer)
        }
    }

    @UIActor
    private static func begin(
        _ clipboard: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?,
        _ context: UnsafeMutableRawPointer?
    ) {
        guard let clipboard, let context else { return }
        guard
            let stream = gdk_clipboard_read_finish(OpaquePointer(clipboard), result, nil, nil)
        else {
            Unmanaged<Transfer>.fromOpaque(context).takeRetainedValue().handler(.nothing)
            return
        }
        let buffer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().buffer
        g_input_stream_read_all_async(
            stream, buffer.baseAddress, gsize(buffer.count), G_PRIORITY_DEFAULT, nil,
            { stream, result, context in
                // Sound: GTK calls back on its own thread, where they are used at once.
                nonisolated(unsafe) let (stream, result, context) = (stream, result, context)
                UIActor.assumeIsolated { Pasted.end(stream, result, context) }
            }, context)
        // The call has a reference of its own.
        g_object_unref(stream)
    }

    @UIActor
    private static func end(
        _ stream: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?,
        _ context: UnsafeMutableRawPointer?
    ) {
        guard let stream, let context else { return }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeRetainedValue()
        var count: gsize = 0
        let isWhole =
            UnsafeMutableRawPointer(stream).withMemoryRebound(
                to: GInputStream.self, capacity: 1
            ) { g_input_stream_read_all_finish($0, result, &count, nil) != 0 }
        if Int(clamping: count) >= transfer.buffer.count {
            transfer.handler(.tooLarge)
        } else if isWhole, count > 0 {
            transfer.handler(.picture(Array(transfer.buffer.prefix(Int(count)))))
        } else {
            transfer.handler(.nothing)
        }
    }
}
