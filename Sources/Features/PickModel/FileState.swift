// SPDX-License-Identifier: MIT

package import Photos

/// The controls that a file request adds to a pick: the app's questions and its filters.
package struct FileState: Hashable, Sendable {
    package let request: FileRequest
    /// The answers to the app's questions, in their order.
    package private(set) var answers: [String]
    /// The index of the filter in use; nil for all of them together.
    package private(set) var filter: Int?
    /// Whether the app gets copies without location.
    package private(set) var removesLocation: Bool
    /// Whether the person decided that.
    private var isRemovalDecided = false
    /// The photos that are known to have a location.
    var withLocation: Set<AssetID> = []
    /// How many files are ready while the person waits for the others; nil before they wait for long.
    package internal(set) var readyCount: Int?
    /// The URIs of what the app gets; nil until that is ready.
    package internal(set) var prepared: [String]?

    init(_ request: FileRequest) {
        self.request = request
        answers = request.choices.map(\.initial)
        filter = request.filters.current
        removesLocation = request.removesLocation
    }

    /// The media types that the filter in use lets through.
    package var shown: MediaFilter {
        filter.map { request.filters.all[$0].mediaTypes } ?? accepted
    }

    /// The media types that any of the filters lets through.
    package var accepted: MediaFilter { request.filters.union }

    /// The media types of which the app gets files, best first: if the person shows raw files alone, the
    /// app gets those.
    package var delivered: [MediaFilter] { [shown, accepted] }

    /// The reply to the app.
    ///
    /// - Parameter types: The types of the chosen photos.
    package func answer(_ uris: [String], of types: [MediaType]) -> FileAnswer {
        var answer = FileAnswer(
            uris: uris, filter: filter ?? narrowest(for: types), answers: answers)
        answer.removesLocation = isRemovalDecided ? removesLocation : nil
        return answer
    }

    /// Decides whether the location is removed.
    mutating func removeLocation(_ removes: Bool) {
        guard removes != removesLocation else { return }
        removesLocation = removes
        isRemovalDecided = true
    }

    /// The filter that the app is told where nobody selected one: the first that fits, because apps do
    /// not expect none.
    private func narrowest(for types: [MediaType]) -> Int {
        request.filters.all.firstIndex { filter in
            types.allSatisfy { filter.mediaTypes.accepts($0) }
        } ?? 0
    }

    /// Sets an answer; a question or an answer that does not exist is ignored.
    mutating func answer(_ question: Int, with answer: String) {
        guard answers.indices.contains(question) else { return }
        let options = request.choices[question].options.map(\.id)
        guard (options.isEmpty ? ["true", "false"] : options).contains(answer) else { return }
        answers[question] = answer
    }

    /// Chooses a filter.
    ///
    /// - Returns: Whether there is such a filter.
    mutating func choose(filter index: Int?) -> Bool {
        guard index.map(request.filters.all.indices.contains) ?? true else { return false }
        filter = index
        return true
    }
}
