// SPDX-License-Identifier: MIT

internal import CGtk

/// A strong reference to a GObject.
@UIActor
package class Object {
    let raw: UnsafeMutableRawPointer

    /// Takes ownership of the floating reference that `gtk_…_new` functions return.
    init(sinking raw: UnsafeMutableRawPointer) {
        self.raw = g_object_ref_sink(raw)
    }

    /// Takes ownership of a reference that a C function returned.
    init(consuming raw: UnsafeMutableRawPointer) {
        self.raw = raw
    }

    /// Adds a reference to an object with another owner.
    init(borrowing raw: UnsafeMutableRawPointer) {
        self.raw = g_object_ref(raw)
    }

    isolated deinit {
        g_object_unref(raw)
    }

    /// The pointer for functions of types that have no public structure.
    var opaque: OpaquePointer { OpaquePointer(raw) }

    /// The pointer for functions of types that have a public structure.
    ///
    /// The wrapper's class guarantees that the object has that type or a subtype.
    func pointer<Structure>(_: Structure.Type = Structure.self) -> UnsafeMutablePointer<Structure> {
        raw.assumingMemoryBound(to: Structure.self)
    }
}

/// Keeps a Swift closure alive as the user data of a signal.
@UIActor
final class SignalHandler<Handler> {
    let handler: Handler

    init(_ handler: Handler) {
        self.handler = handler
    }

    static func borrow(_ context: UnsafeMutableRawPointer) -> Handler {
        Unmanaged<SignalHandler<Handler>>.fromOpaque(context).takeUnretainedValue().handler
    }
}

// MARK: - Signals

extension Object {
    /// Calls `handler` whenever a signal without a result is emitted.
    func connect(_ signal: String, _ handler: @escaping @UIActor () -> Void) {
        typealias Trampoline = @convention(c) (UnsafeMutableRawPointer) -> Void
        let trampoline: Trampoline = { context in
            UIActor.assumeIsolated { SignalHandler<@UIActor () -> Void>.borrow(context)() }
        }
        connect(signal, unsafeBitCast(trampoline, to: GCallback.self), SignalHandler(handler))
    }

    /// Calls `handler` whenever a signal with one optional object is emitted.
    func connectObject(
        _ signal: String, _ handler: @escaping @UIActor (UnsafeMutableRawPointer?) -> Void
    ) {
        typealias Handler = @UIActor (UnsafeMutableRawPointer?) -> Void
        typealias Trampoline =
            @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer?) -> Void
        let trampoline: Trampoline = { context, object in
            // Sound: GTK calls back on its own thread, where it is used at once.
            nonisolated(unsafe) let object = object
            UIActor.assumeIsolated { SignalHandler<Handler>.borrow(context)(object) }
        }
        connect(signal, unsafeBitCast(trampoline, to: GCallback.self), SignalHandler(handler))
    }

    /// Calls `handler` whenever a signal with one text is emitted.
    func connectText(_ signal: String, _ handler: @escaping @UIActor (String) -> Void) {
        typealias Handler = @UIActor (String) -> Void
        typealias Trampoline =
            @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>) -> Void
        let trampoline: Trampoline = { context, text in
            let text = String(cString: text)
            UIActor.assumeIsolated { SignalHandler<Handler>.borrow(context)(text) }
        }
        connect(signal, unsafeBitCast(trampoline, to: GCallback.self), SignalHandler(handler))
    }

    /// Calls `handler`, which returns whether it handled the signal, for each emission.
    func connectHandled(_ signal: String, _ handler: @escaping @UIActor () -> Bool) {
        typealias Trampoline = @convention(c) (UnsafeMutableRawPointer) -> gboolean
        let trampoline: Trampoline = { context in
            UIActor.assumeIsolated { SignalHandler<@UIActor () -> Bool>.borrow(context)() ? 1 : 0 }
        }
        connect(signal, unsafeBitCast(trampoline, to: GCallback.self), SignalHandler(handler))
    }

    /// Calls `handler` whenever a gesture's signal with a count and a position is emitted.
    func connectPosition(
        _ signal: String, _ handler: @escaping @UIActor (Int, Double, Double) -> Void
    ) {
        typealias Handler = @UIActor (Int, Double, Double) -> Void
        typealias Trampoline =
            @convention(c) (UnsafeMutableRawPointer, gint, gdouble, gdouble) -> Void
        let trampoline: Trampoline = { context, count, x, y in
            UIActor.assumeIsolated { SignalHandler<Handler>.borrow(context)(Int(count), x, y) }
        }
        connect(signal, unsafeBitCast(trampoline, to: GCallback.self), SignalHandler(handler))
    }

    /// Calls `handler` whenever a gesture's signal with a position is emitted.
    func connectPoint(_ signal: String, _ handler: @escaping @UIActor (Double, Double) -> Void) {
        typealias Handler = @UIActor (Double, Double) -> Void
        typealias Trampoline = @convention(c) (UnsafeMutableRawPointer, gdouble, gdouble) -> Void
        let trampoline: Trampoline = { context, x, y in
            UIActor.assumeIsolated { SignalHandler<Handler>.borrow(context)(x, y) }
        }
        connect(signal, unsafeBitCast(trampoline, to: GCallback.self), SignalHandler(handler))
    }

    /// Calls `handler` whenever a signal with one number is emitted.
    func connectNumber(_ signal: String, _ handler: @escaping @UIActor (Double) -> Void) {
        typealias Handler = @UIActor (Double) -> Void
        typealias Trampoline = @convention(c) (UnsafeMutableRawPointer, gdouble) -> Void
        let trampoline: Trampoline = { context, number in
            UIActor.assumeIsolated { SignalHandler<Handler>.borrow(context)(number) }
        }
        connect(signal, unsafeBitCast(trampoline, to: GCallback.self), SignalHandler(handler))
    }

    /// Calls `handler` before a tooltip is shown; it returns whether it gave the tooltip its content.
    func connectTooltip(_ handler: @escaping @UIActor (OpaquePointer) -> Bool) {
        typealias Handler = @UIActor (OpaquePointer) -> Bool
        typealias Trampoline =
            @convention(c) (UnsafeMutableRawPointer, gint, gint, gboolean, OpaquePointer) ->
            gboolean
        let trampoline: Trampoline = { context, _, _, _, tooltip in
            // Sound: GTK calls back on its own thread, where it is used at once.
            nonisolated(unsafe) let tooltip = tooltip
            return UIActor.assumeIsolated {
                SignalHandler<Handler>.borrow(context)(tooltip) ? 1 : 0
            }
        }
        connect(
            "query-tooltip", unsafeBitCast(trampoline, to: GCallback.self), SignalHandler(handler))
    }

    /// Calls `handler` for each turn of a wheel; it returns whether to stop the event there.
    func connectScroll(_ handler: @escaping @UIActor (Double, Double) -> Bool) {
        typealias Handler = @UIActor (Double, Double) -> Bool
        typealias Trampoline =
            @convention(c) (UnsafeMutableRawPointer, gdouble, gdouble) -> gboolean
        let trampoline: Trampoline = { context, x, y in
            UIActor.assumeIsolated { SignalHandler<Handler>.borrow(context)(x, y) ? 1 : 0 }
        }
        connect("scroll", unsafeBitCast(trampoline, to: GCallback.self), SignalHandler(handler))
    }

    /// Calls `handler` for each emission of a key event's signal.
    func connectKey(
        _ signal: String, _ handler: @escaping @UIActor (UInt32, GdkModifierType) -> Bool
    ) {
        typealias Handler = @UIActor (UInt32, GdkModifierType) -> Bool
        typealias Trampoline =
            @convention(c) (UnsafeMutableRawPointer, guint, guint, GdkModifierType) -> gboolean
        let trampoline: Trampoline = { context, key, _, modifiers in
            UIActor.assumeIsolated {
                SignalHandler<Handler>.borrow(context)(key, modifiers) ? 1 : 0
            }
        }
        connect(signal, unsafeBitCast(trampoline, to: GCallback.self), SignalHandler(handler))
    }

    /// Calls `handler` for each event; it returns whether to stop the event there.
    func connectEvent(_ handler: @escaping @UIActor (OpaquePointer) -> Bool) {
        typealias Handler = @UIActor (OpaquePointer) -> Bool
        typealias Trampoline =
            @convention(c) (UnsafeMutableRawPointer, OpaquePointer) -> gboolean
        let trampoline: Trampoline = { context, event in
            // Sound: GTK calls back on its own thread, where it is used at once.
            nonisolated(unsafe) let event = event
            return UIActor.assumeIsolated {
                SignalHandler<Handler>.borrow(context)(event) ? 1 : 0
            }
        }
        connect("event", unsafeBitCast(trampoline, to: GCallback.self), SignalHandler(handler))
    }

    /// Connects with the user data first, so that one trampoline serves signals with any further
    /// arguments; GLib releases the box when the object or the connection ends.
    func connect<Handler>(
        _ signal: String, _ trampoline: GCallback, _ box: SignalHandler<Handler>
    ) {
        g_signal_connect_data(
            raw, signal, trampoline, Unmanaged.passRetained(box).toOpaque(),
            { context, _ in
                guard let context else { return }
                Unmanaged<AnyObject>.fromOpaque(context).release()
            }, G_CONNECT_SWAPPED)
    }
}
