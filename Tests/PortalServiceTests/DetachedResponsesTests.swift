// SPDX-License-Identifier: MIT

import Photos
import PortalInterface
import SDBus
import Testing

@testable import PortalService

/// Who may wait for the response of a detached request.
@Suite struct DetachedResponsesTests {
    @Test func `a program of another systemd unit may wait for a detached request`() async throws {
        let handle: ObjectPath = "/org/freedesktop/portal/desktop/request/1_1/t"
        // The request was made by another program, whatever its id.
        let terminal = Caller(
            name: ":1.2", identity: AppIdentity(.none, appID: .unknown), processID: 2)
        let responses = await DetachedResponses(limits: RequestLimits())
        await responses.expect(handle)
        await responses.finish(handle, Arguments(0, [:]))
        #expect(try await responses.response(of: handle, for: terminal).values.0 == 0)
    }
}
