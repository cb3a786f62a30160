// SPDX-License-Identifier: MIT

package import SDBus

/// The limits of callers.
package struct RequestLimits: Hashable, Sendable {
    /// Live requests of one caller.
    package var perCaller = 8
    /// Live requests of all callers.
    package var total = 64
    /// Calls of AwaitResponse that one caller may have open.
    package var waitsPerCaller = 8
    /// Calls and descriptors of one caller.
    package var senders = SenderAccounts.Limits()
    /// How long the response of a detached request is kept.
    package var retention = Duration.seconds(60)

    package init() {}
}
