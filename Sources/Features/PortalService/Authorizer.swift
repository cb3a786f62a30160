// SPDX-License-Identifier: MIT

package import Photos
package import SDBus

/// Finds out whether an app may use the library: asks the person once, and never again.
@BusActor
package final class Authorizer {
    /// Puts the question to the person; throws when nobody can be asked.
    package typealias Asking =
        @Sendable (AuthorizationRequest) async throws(DBusError) -> AuthorizationDecision

    private struct Question: Hashable {
        let appID: AppID
        let level: AccessLevel
    }

    private let store: AuthorizationStore
    private let ask: Asking
    private var open: [Question: Task<Result<Authorization, DBusError>, Never>] = [:]

    package init(_ store: AuthorizationStore, asking ask: @escaping Asking) {
        self.store = store
        self.ask = ask
    }

    /// What was decided about an app, and if nobody has, what the person decides now.
    ///
    /// Several questions of one app at once are one question. A person who does not decide, and a
    /// dialog that fails, leave the app undecided: nothing is kept.
    ///
    /// - Throws: ``DBusError`` when neither the store nor the person could be asked.
    package func authorize(
        _ request: AuthorizationRequest
    ) async throws(DBusError) -> Authorization {
        let known = try await store.authorization(of: request.appID, for: request.level)
        guard known == .notDetermined else { return known }
        let question = Question(appID: request.appID, level: request.level)
        let task =
            open[question]
            ?? Task {
                defer { open[question] = nil }
                return await decide(request)
            }
        open[question] = task
        return try await task.value.get()
    }

    private func decide(
        _ request: AuthorizationRequest
    ) async -> Result<Authorization, DBusError> {
        do throws(DBusError) {
            guard case .decided(let authorization) = try await ask(request) else {
                return .success(.notDetermined)
            }
            try await store.record(authorization, of: request.appID, for: request.level)
            return .success(authorization)
        } catch {
            return .failure(error)
        }
    }
}
