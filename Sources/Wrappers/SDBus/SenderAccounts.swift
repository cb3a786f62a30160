// SPDX-License-Identifier: MIT

/// Counts what each sender has in progress, for all exports that share this object.
@BusActor
package final class SenderAccounts {
    /// The limits of senders.
    package struct Limits: Hashable, Sendable {
        /// The calls of one sender in progress.
        package var callsPerSender: Int
        /// The descriptors kept for one sender.
        package var descriptorsPerSender: Int
        /// The descriptors kept for all senders.
        package var descriptors: Int

        package init(
            callsPerSender: Int = 32, descriptorsPerSender: Int = 64, descriptors: Int = 256
        ) {
            self.callsPerSender = callsPerSender
            self.descriptorsPerSender = descriptorsPerSender
            self.descriptors = descriptors
        }
    }

    private struct Account {
        var calls = 0
        var descriptors = 0
    }

    package nonisolated let limits: Limits
    private var accounts: [BusName: Account] = [:]
    private var descriptors = 0

    package nonisolated init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Counts a call; returns false if its sender has too many calls in progress.
    func beginCall(of sender: BusName) -> Bool {
        guard accounts[sender, default: Account()].calls < limits.callsPerSender else {
            return false
        }
        accounts[sender, default: Account()].calls += 1
        return true
    }

    func endCall(of sender: BusName) {
        change(sender) { $0.calls -= 1 }
    }

    /// How many descriptors a message of this sender may contain.
    func descriptorsLeft(for sender: BusName) -> Int {
        let own = accounts[sender]?.descriptors ?? 0
        return max(min(limits.descriptorsPerSender - own, limits.descriptors - descriptors), 0)
    }

    /// Counts descriptors while the returned object lives; nil if there are none.
    func claim(_ count: Int, for sender: BusName) -> DescriptorClaim? {
        guard count > 0 else { return nil }
        accounts[sender, default: Account()].descriptors += count
        descriptors += count
        return DescriptorClaim(count: count, sender: sender, accounts: self)
    }

    fileprivate func release(_ count: Int, of sender: BusName) {
        descriptors -= count
        change(sender) { $0.descriptors -= count }
    }

    private func change(_ sender: BusName, _ body: (inout Account) -> Void) {
        guard var account = accounts[sender] else { return }
        body(&account)
        accounts[sender] = account.calls > 0 || account.descriptors > 0 ? account : nil
    }
}

/// The descriptors of one call, which count for its sender until this object is released.
///
/// Keep it as long as the descriptors are open.
@BusActor
package final class DescriptorClaim {
    private let count: Int
    private let sender: BusName
    private let accounts: SenderAccounts

    fileprivate init(count: Int, sender: BusName, accounts: SenderAccounts) {
        self.count = count
        self.sender = sender
        self.accounts = accounts
    }

    isolated deinit {
        accounts.release(count, of: sender)
    }
}
