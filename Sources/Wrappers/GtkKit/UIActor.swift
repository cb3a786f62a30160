// SPDX-License-Identifier: MIT

internal import CGtk

/// The thread that owns every widget of the process.
///
/// Code on this actor must not block, or every window freezes. It differs from the main actor, whose
/// jobs do not run on Linux while a GLib loop runs.
@globalActor
package actor UIActor {
    package static let shared = UIActor()
    private static let loop = MainContextThread(name: "ui")

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        Self.loop.asUnownedSerialExecutor()
    }

    /// Runs code synchronously in a C callback on the UI thread.
    static func assumeIsolated<Result: Sendable>(
        _ operation: @UIActor () throws -> Result
    ) rethrows -> Result {
        shared.preconditionIsolated()
        // The same as MainActor.assumeIsolated, which custom global actors do not have.
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
    /// - Parameter programName: The app id of our windows.
    /// - Returns: Whether there is a display; without one nothing else in this module works.
    /// - Source: gtk_init_check(), adw_init().
    package static func initialize(programName: String) -> Bool {
        g_set_prgname(programName)
        guard gtk_init_check() != 0 else { return false }
        adw_init()
        gtk_window_set_default_icon_name(programName)
        return true
    }

    /// Adds CSS rules to all windows.
    package static func addStyle(_ css: String) {
        let provider = gtk_css_provider_new()
        pp_css_provider_load(provider, css)
        gtk_style_context_add_provider_for_display(
            gdk_display_get_default(), OpaquePointer(provider),
            guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        g_object_unref(provider)
    }
}
