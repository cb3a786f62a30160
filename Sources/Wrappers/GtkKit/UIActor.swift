// SPDX-License-Identifier: MIT

internal import CGtk

/// The thread that owns every widget of the process.
///
/// Code on this actor must not block: a stalled thread is a frozen window. It is not the main
/// actor: on Linux nothing runs that one while a GLib loop does.
@globalActor
package actor UIActor {
    package static let shared = UIActor()
    private static let loop = MainContextThread(name: "ui")

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        Self.loop.asUnownedSerialExecutor()
    }

    /// Runs code that a C callback was called for on the user interface's thread.
    static func assumeIsolated<Result: Sendable>(
        _ operation: @UIActor () throws -> Result
    ) rethrows -> Result {
        shared.preconditionIsolated()
        // What MainActor.assumeIsolated does; global actors of one's own do not get it.
        return try withoutActuallyEscaping(operation) { isolated in
            try unsafeBitCast(isolated, to: (() throws -> Result).self)()
        }
    }
}

/// GTK as a whole.
@UIActor
package enum Toolkit {
    /// Connects to the display and loads the platform's style.
    ///
    /// - Parameter programName: The id by which the desktop knows our windows.
    /// - Returns: Whether there is a display; without one nothing else of this module works.
    /// - Source: gtk_init_check(), adw_init().
    package static func initialize(programName: String) -> Bool {
        g_set_prgname(programName)
        guard gtk_init_check() != 0 else { return false }
        adw_init()
        gtk_window_set_default_icon_name(programName)
        return true
    }

    /// Adds rules to the style of all windows.
    package static func addStyle(_ css: String) {
        let provider = gtk_css_provider_new()
        pp_css_provider_load(provider, css)
        gtk_style_context_add_provider_for_display(
            gdk_display_get_default(), OpaquePointer(provider),
            guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        g_object_unref(provider)
    }
}
