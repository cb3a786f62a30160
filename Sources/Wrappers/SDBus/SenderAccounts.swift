// SPDX-License-Identifier: MIT

/// What each sender has in progress, counted over all exports that share this object.
@BusActor
package final class SenderAccounts {
    /// The most that callers may hold at a time.
    package struct Limits: Hashable, Sendable {
        /// Calls of one sender that are worked on.
        package var callsPerSender: Int
        /// Descriptors that are kept for one sender.
        package var descriptorsPerSender: Int
        /// Descriptors that are kept for all senders.
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

    /// Counts a call; returns false when its sender has too many in progress.
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

    /// The number of descriptors that a message of this sender may carry.
    func descriptorsLeft(for sender: BusName) -> Int {
        let own = accounts[sender]?.descriptors ?? 0
        return max(min(limits.descriptorsPerSender - own, limits.descriptors - descriptors), 0)
    }

    /// Counts descriptors for as long as the returned object lives; nil for none.
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

/// The descriptors of one call, counted for its sender until this object is released.
///
/// Keep it as long as the descriptors.
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
