// SPDX-License-Identifier: MIT

package import SDBus

/// The limits of callers.
package struct RequestLimits: Hashable, Sendable {
    /// Live requests of one party.
    package var perCaller = 8
    /// Live requests of all parties.
    package var total = 64
    /// Calls of AwaitResponse that one caller may have open.
    package var waitsPerCaller = 8
    /// Connections of one party that follow the library.
    package var watchersPerCaller = 8
    /// Connections of all parties that follow the library.
    package var watchers = 256
    /// Calls and descriptors of one party.
    package var senders = SenderAccounts.Limits()
    /// How often an app in a sandbox, or a caller that is not identified yet, may call.
    package var callsOfApp = FloodGate.Rate(burst: 400, perSecond: 200)
    /// How often a process outside a sandbox may call.
    package var callsOfHost = FloodGate.Rate(burst: 1000, perSecond: 1000)
    /// How long the response of a detached request is kept.
    package var retention = Duration.seconds(60)

    /// The last places of ``total``, which only parties without a request may take.
    package var reserved: Int { total / 4 }

    package init() {}
}
