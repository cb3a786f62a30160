// SPDX-License-Identifier: MIT

/// How much callers may ask for at a time.
package struct RequestLimits: Hashable, Sendable {
    /// Live requests of one caller.
    package var perCaller = 8
    /// Live requests of all callers.
    package var total = 64
    /// Calls of AwaitResponse that one caller may have open.
    package var waitsPerCaller = 8
    /// Calls of one caller that are worked on at the same moment.
    package var callsPerCaller = 32
    /// How long the response of a detached request is kept.
    package var retention = Duration.seconds(60)

    package init() {}
}
