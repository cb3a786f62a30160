// SPDX-License-Identifier: MIT

import Files
import Glibc
import Photos
import PortalInterface
import SDBus

extension ScriptedBackend {
    /// Answers the next request to show pictures.
    func show(_ call: PreviewCall) async throws(DBusError) -> PreviewOutcome {
        let request = call.request
        write(
            Report(
                method: "PreviewImages", app_id: request.appID.rawValue,
                parent_window: request.parentWindow, title: request.title,
                options: Self.options(of: call)))
        for step in nextSteps() {
            switch step {
            case .delay(let duration): await sleep(for: duration)
            case .grant, .clip, .turn, .choose, .hear: continue
            case .answer(.close(let removed)): return .closed(removed: removed)
            case .answer(.cancel): return .cancelled
            case .answer(.error(let message)): throw PortalError.failed(message)
            case .answer(.die): exit(1)
            case .answer(.hang): await sleep(for: .seconds(1_000_000))
            case .answer(.pick), .answer(.authorize), .answer(.end): return .ended
            }
            if Task.isCancelled {
                _ = closed()
                return .ended
            }
        }
        return .ended
    }

    /// The options of a call, defaults included; a file has its size in place of its descriptor.
    private static func options(of call: PreviewCall) -> Vardict {
        func vardict(of image: PreviewImage) -> Vardict {
            switch image {
            case .asset(let id): return ["id": id.description.variant]
            case .uri(let uri): return ["uri": uri.variant]
            case .file(let index):
                return ["fd": UInt64(clamping: call.files[index].byteCount ?? 0).variant]
            case .web(let uri, let thumbnail):
                var web: Vardict = ["uri": uri.variant]
                if let thumbnail { web["thumbnail"] = vardict(of: thumbnail).values.first }
                return web
            }
        }
        let images = call.request.images.map(vardict)
        return [
            "images": images.variant, "index": UInt32(clamping: call.request.first).variant,
            "allow_remove": call.request.allowsRemoving.variant,
            "modal": call.request.isModal.variant,
        ]
    }
}
