// SPDX-License-Identifier: MIT

/// Counts what each sender has in progress, for all exports that share this object.
///
/// A sender that is known to belong to a larger party shares one account with it. Until then it has
/// an account of its own, in which it may keep little.
@BusActor
package final class SenderAccounts {
    /// The limits of one account.
    package struct Limits: Hashable, Sendable {
        /// The calls in progress.
        package var callsPerSender: Int
        /// The memory for the arguments of calls in progress, in bytes.
        package var bytesPerSender = 8 << 20
        /// The same for a sender that is not identified yet.
        package var bytesPerUnknownSender = 1 << 20
        /// The same for all senders together.
        package var bytes = Int.max
        /// The descriptors kept for one account.
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

    /// What one sender, or one party of senders, has in progress.
    @BusActor
    fileprivate final class Account {
        var calls = 0
        var bytes = 0
        var descriptors = 0
        /// The account that replaced this one when its sender was identified.
        var party: Account?
        /// The senders that share the account.
        var members = 0

        var current: Account { party ?? self }
        var isEmpty: Bool { calls == 0 && bytes == 0 && descriptors == 0 }

        /// Moves everything to another account.
        func join(_ other: Account) {
            other.calls += calls
            other.bytes += bytes
            other.descriptors += descriptors
            other.members += 1
            party = other
        }
    }

    package nonisolated let limits: Limits
    private var accounts: [BusName: Account] = [:]
    private var parties: [AnyHashable: Account] = [:]
    private var descriptors = 0
    private var bytes = 0

    package nonisolated init(limits: Limits = Limits()) {
        self.limits = limits
    }

    // MARK: - Parties

    /// Makes a sender share the account of its party.
    ///
    /// Call ``forget(_:)`` when the sender has left the bus.
    package func identified(_ sender: BusName, as party: some Hashable & Sendable) {
        let own = accounts[sender] ?? Account()
        guard own.party == nil else { return }
        let shared = parties[party] ?? Account()
        parties[party] = shared
        own.join(shared)
        accounts[sender] = own
    }

    /// Forgets a sender that has left the bus; calls in progress still count for its party.
    package func forget(_ sender: BusName) {
        guard let shared = accounts.removeValue(forKey: sender)?.party else { return }
        shared.members -= 1
        if shared.members == 0 { parties = parties.filter { $0.value !== shared } }
    }

    // MARK: - Counting

    /// Counts a call until the returned object is released; nil if its sender has too many calls in
    /// progress.
    func beginCall(of sender: BusName) -> CallClaim? {
        let account = account(of: sender)
        guard account.current.calls < limits.callsPerSender else { return nil }
        account.current.calls += 1
        return CallClaim(sender: sender, account: account, accounts: self)
    }

    /// How much memory the arguments of a call of this sender may take, in bytes.
    func bytesLeft(for sender: BusName) -> Int {
        let account = accounts[sender]
        let limit = account?.party == nil ? limits.bytesPerUnknownSender : limits.bytesPerSender
        return max(min(limit - (account?.current.bytes ?? 0), limits.bytes - bytes), 0)
    }

    /// How many descriptors a message of this sender may contain.
    func descriptorsLeft(for sender: BusName) -> Int {
        let own = accounts[sender]?.current.descriptors ?? 0
        return max(min(limits.descriptorsPerSender - own, limits.descriptors - descriptors), 0)
    }

    /// Counts descriptors while the returned object lives; nil if there are none.
    func claim(_ count: Int, for sender: BusName) -> DescriptorClaim? {
        guard count > 0 else { return nil }
        let account = account(of: sender)
        account.current.descriptors += count
        descriptors += count
        return DescriptorClaim(count: count, sender: sender, account: account, accounts: self)
    }

    private func account(of sender: BusName) -> Account {
        if let account = accounts[sender] { return account }
        let account = Account()
        accounts[sender] = account
        return account
    }

    fileprivate func keep(bytes count: Int, for account: Account) {
        bytes += count
        account.current.bytes += count
    }

    fileprivate func release(_ count: Int, of sender: BusName, _ account: Account) {
        descriptors -= count
        account.current.descriptors -= count
        removeIfEmpty(sender, account)
    }

    fileprivate func endCall(of sender: BusName, _ account: Account, bytes: Int) {
        account.current.calls -= 1
        account.current.bytes -= bytes
        self.bytes -= bytes
        removeIfEmpty(sender, account)
    }

    private func removeIfEmpty(_ sender: BusName, _ account: Account) {
        guard account.party == nil, account.isEmpty, accounts[sender] === account else { return }
        accounts[sender] = nil
    }
}

/// A call that counts for its sender until this object is released.
@BusActor
final class CallClaim {
    private let sender: BusName
    private let account: SenderAccounts.Account
    private let accounts: SenderAccounts
    private var bytes = 0

    fileprivate init(
        sender: BusName, account: SenderAccounts.Account, accounts: SenderAccounts
    ) {
        self.sender = sender
        self.account = account
        self.accounts = accounts
    }

    isolated deinit {
        accounts.endCall(of: sender, account, bytes: bytes)
    }

    /// Counts the memory that the arguments of the call take.
    func keep(bytes count: Int) {
        bytes += count
        accounts.keep(bytes: count, for: account)
    }
}

/// The descriptors of one call, which count for its sender until this object is released.
///
/// Keep it as long as the descriptors are open.
@BusActor
package final class DescriptorClaim {
    private let count: Int
    private let sender: BusName
    private let account: SenderAccounts.Account
    private let accounts: SenderAccounts

    fileprivate init(
        count: Int, sender: BusName, account: SenderAccounts.Account, accounts: SenderAccounts
    ) {
        self.count = count
        self.sender = sender
        self.account = account
        self.accounts = accounts
    }

    isolated deinit {
        accounts.release(count, of: sender, account)
    }
}
