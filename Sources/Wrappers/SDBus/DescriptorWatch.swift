// SPDX-License-Identifier: MIT

internal import CSDBus
package import Files

/// Waits on the bus thread until a descriptor is readable, for example a pidfd whose process has
/// ended.
@BusActor
package final class DescriptorWatch {
    private let descriptor: Descriptor
    private let handler: @BusActor () -> Void
    private var source: OpaquePointer?

    /// Begins to wait; stops when this object is released.
    ///
    /// - Parameter handler: Called once.
    /// - Source: sd_event_add_io(3).
    package init(
        _ descriptor: Descriptor, _ handler: @escaping @BusActor () -> Void
    ) throws(WireError) {
        self.descriptor = descriptor
        self.handler = handler
        try check(
            sd_event_add_io(
                BusActor.loop.event, &source, descriptor.rawValue, UInt32(EPOLLIN.rawValue),
                { _, _, _, context in
                    BusActor.assumeIsolated {
                        Unmanaged<DescriptorWatch>.borrow(context)?.finish()
                    }
                    return 0
                }, Unmanaged.passUnretained(self).toOpaque()), "sd_event_add_io")
    }

    isolated deinit {
        stop()
    }

    private func finish() {
        stop()
        handler()
    }

    private func stop() {
        sd_event_source_disable_unref(source)
        source = nil
    }
}
