// SPDX-License-Identifier: MIT

package import Photos
package import SDBus

/// Finds out whether an app may use the library; asks the person only if nothing is stored.
@BusActor
package final class Authorizer {
    /// Asks the person; throws if that is not possible.
    package typealias Asking =
        @Sendable (AuthorizationRequest) async throws(DBusError) -> AuthorizationDecision

    private struct Question: Hashable {
        let app: AppIdentity
        let level: AccessLevel
    }

    /// A question that the person is being asked, and those who wait for the answer.
    @BusActor
    private final class OpenQuestion {
        typealias Answer = Result<Authorization, DBusError>

        var task: Task<Void, Never>?
        private var waiting: [Int: CheckedContinuation<Answer, Never>] = [:]
        private var count = 0

        /// Waits for the answer; the last one who gives up ends the question.
        ///
        /// - Parameter abandon: Called when nobody waits any more.
        func answer(abandon: @escaping @BusActor () -> Void) async -> Answer {
            count += 1
            let number = count
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    waiting[number] = continuation
                    if Task.isCancelled { giveUp(number, abandon) }
                }
            } onCancel: {
                Task { @BusActor in self.giveUp(number, abandon) }
            }
        }

        func finish(_ answer: Answer) {
            let waiters = waiting.values
            waiting = [:]
            for waiter in waiters { waiter.resume(returning: answer) }
        }

        private func giveUp(_ number: Int, _ abandon: @BusActor () -> Void) {
            guard let waiter = waiting.removeValue(forKey: number) else { return }
            waiter.resume(returning: .failure(.cancelled))
            guard waiting.isEmpty else { return }
            task?.cancel()
            abandon()
        }
    }

    private let store: AuthorizationStore
    private let ask: Asking
    private var open: [Question: OpenQuestion] = [:]
    /// Those of which the person was reminded; an app must not get its way by asking again and again.
    private var reminded: Set<Question> = []

    package init(_ store: AuthorizationStore, asking ask: @escaping Asking) {
        self.store = store
        self.ask = ask
    }

    /// Returns what is decided about an app, without asking.
    ///
    /// - Throws: ``DBusError`` if the store cannot be read.
    package func known(
        _ app: AppIdentity, _ level: AccessLevel
    ) async throws(DBusError) -> Authorization {
        try await store.authorization(of: app, for: level)
    }

    /// Calls `handler` whenever a decision about reading the library may have changed.
    func watch(
        _ handler: @escaping @BusActor () -> Void
    ) async throws(DBusError) -> Subscription {
        try await store.watch(handler)
    }

    /// Returns the stored decision about an app, or asks the person.
    ///
    /// Concurrent questions of one app are asked once, until the last task that waits is cancelled. If
    /// the person does not decide or the dialog fails, nothing is stored, and what was decided stays.
    ///
    /// A person who said no before is asked again only by a reminder, once for each app and level while
    /// the service runs.
    ///
    /// - Parameter turn: Waits until the question may be shown, and returns what is kept until it is
    ///   answered; nil if it may not be.
    /// - Throws: ``DBusError`` if the store cannot be read or the person cannot be asked.
    package func authorize(
        _ request: AuthorizationRequest, of app: AppIdentity,
        turn: @escaping @BusActor () async -> (any Sendable)? = { () }
    ) async throws(DBusError) -> Authorization {
        let known = try await known(app, request.level)
        let question = Question(app: app, level: request.level)
        var request = request
        switch known {
        case .notDetermined: request.isReminder = false
        case .denied where request.isReminder:
            guard reminded.insert(question).inserted || open[question] != nil else { return known }
        case .denied, .restricted, .authorized, .limited: return known
        }
        let asked: OpenQuestion
        if let same = open[question] {
            asked = same
        } else {
            asked = OpenQuestion()
            open[question] = asked
            asked.task = Task { [request] in
                asked.finish(await decide(request, of: app, turn))
                forget(question, asked)
            }
        }
        return try await asked.answer { self.forget(question, asked) }.get()
    }

    private func forget(_ question: Question, _ asked: OpenQuestion) {
        guard open[question] === asked else { return }
        open[question] = nil
    }

    private func decide(
        _ request: AuthorizationRequest, of app: AppIdentity,
        _ turn: @BusActor () async -> (any Sendable)?
    ) async -> Result<Authorization, DBusError> {
        guard let turn = await turn() else { return .failure(.cancelled) }
        defer { withExtendedLifetime(turn) {} }
        do throws(DBusError) {
            guard case .decided(let authorization) = try await ask(request) else {
                return .success(request.isReminder ? .denied : .notDetermined)
            }
            try await store.record(authorization, of: app, for: request.level)
            return .success(authorization)
        } catch {
            return .failure(error)
        }
    }
}
