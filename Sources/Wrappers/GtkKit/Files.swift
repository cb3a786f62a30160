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
    package func readClipboard(_ handler: @escaping @UIActor (Pasted) -> Void) {
        guard let clipboard = gtk_widget_get_clipboard(widget) else { return handler(.nothing) }
        let formats = gdk_clipboard_get_formats(clipboard)
        let files = gdk_file_list_get_type()
        let isFiles = gdk_content_formats_contain_gtype(formats, files) != 0
        let box = Unmanaged.passRetained(SignalHandler(handler)).toOpaque()
        gdk_clipboard_read_value_async(
            clipboard, isFiles ? files : gdk_texture_get_type(), G_PRIORITY_DEFAULT, nil,
            { clipboard, result, context in
                // Sound: GTK calls back on its own thread, where they are used at once.
                nonisolated(unsafe) let (clipboard, result, context) = (clipboard, result, context)
                UIActor.assumeIsolated {
                    guard let clipboard, let context else { return }
                    let box = Unmanaged<SignalHandler<@UIActor (Pasted) -> Void>>
                        .fromOpaque(context).takeRetainedValue()
                    let value = gdk_clipboard_read_value_finish(
                        OpaquePointer(clipboard), result, nil)
                    box.handler(Pasted(value))
                }
            }, box)
    }
}

/// What was on the clipboard.
package enum Pasted {
    /// The paths of files; see ``FileDialog``.
    case files([[CChar]])
    /// A picture that is no file, as a PNG file.
    case picture([UInt8])
    /// Nothing of this kind.
    case nothing

    @UIActor
    fileprivate init(_ value: UnsafePointer<GValue>?) {
        let paths = FileDialog.paths(pp_paths_of_value(value))
        guard paths.isEmpty else {
            self = .files(paths)
            return
        }
        guard let picture = pp_png_of_value(value) else {
            self = .nothing
            return
        }
        defer { g_bytes_unref(picture) }
        var count: gsize = 0
        let bytes = g_bytes_get_data(picture, &count)
        self = .picture(Array(UnsafeRawBufferPointer(start: bytes, count: Int(count))))
    }
}
