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

    /// Returns the stored decision about an app, or asks the person.
    ///
    /// Concurrent questions of one app are asked once. If the person does not decide or the dialog
    /// fails, nothing is stored and the app stays undecided.
    ///
    /// - Throws: ``DBusError`` if the store cannot be read or the person cannot be asked.
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
