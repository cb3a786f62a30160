// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// The question before very many photos are sent.
@Suite struct ConfirmationTests {
    /// A pick with so many chosen photos.
    private func session(_ count: UInt8, file: FileRequest? = nil) throws -> Session {
        var session = try Session(photos: count, file: file)
        session.key(.selectAll)
        return session
    }

    private func isAsked(_ session: Session) -> Bool {
        session.effects.contains { if case .confirm = $0 { true } else { false } }
    }

    @Test func `a hundred photos are sent without a question`() throws {
        var session = try session(100)
        session.send(.accepted)
        #expect(session.delivered?.count == 100)
    }

    @Test func `more are sent once the person has confirmed their number`() throws {
        var session = try session(101)
        let receipt = session.pick.receipt
        session.send(.accepted)
        #expect(session.effects == [.confirm(receipt)])
        #expect(receipt.count == 101)
        #expect(!session.pick.isFinished)
        session.send(.confirmed)
        #expect(session.delivered?.count == 101)
    }

    @Test func `in place of a file dialog, files are prepared after the question`() throws {
        let filters = FilterClassifier { _ in nil }
            .pictures([FileFilter(name: "JPEG", rules: [.mediaType("image/jpeg")])], current: nil)
        var options = PickOptions()
        options.count = try #require(CountLimits(minimum: 1, maximum: nil))
        let request = FileRequest(
            pick: PickRequest(appID: "", parentWindow: "", title: "", options: options),
            filters: try #require(filters), choices: [])
        var session = try session(101, file: request)
        session.send(.accepted)
        #expect(isAsked(session))
        #expect(!session.pick.isPreparing)
        session.send(.confirmed)
        #expect(session.pick.isPreparing)
    }

    @Test func `a confirmation without a question sends nothing`() throws {
        var session = try session(101)
        session.send(.confirmed)
        #expect(session.effects == [])
        #expect(!session.pick.isFinished)
    }

    @Test func `whoever does not confirm is asked again`() throws {
        var session = try session(101)
        session.send(.accepted)
        session.effects = []
        session.send(.accepted)
        #expect(isAsked(session))
    }

    @Test func `the question is about what is sent`() throws {
        var session = try session(110)
        session.send(.accepted)
        session.effects = []
        session.click(1)
        session.send(.confirmed)
        #expect(isAsked(session))
        #expect(!session.pick.isFinished)
        session.send(.confirmed)
        #expect(session.delivered?.count == 109)
    }

    @Test func `a photo that goes while the person is asked is told before anything is sent`()
        throws
    {
        var session = try session(110)
        session.send(.accepted)
        session.change(to: Array(2...110))
        session.effects = []
        session.send(.confirmed)
        #expect(session.effects == [.announce(.notReady(.changed([.asset(id(1))], name: nil)))])
        session.send(.lossRead)
        session.send(.accepted)
        session.send(.confirmed)
        #expect(session.delivered?.count == 109)
    }
}
