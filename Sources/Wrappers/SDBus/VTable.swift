// SPDX-License-Identifier: MIT

internal import CSDBus

/// The C vtable of an export, with the strings that it points to.
@BusActor
final class VTable {
    let table: UnsafeMutablePointer<sd_bus_vtable>
    private var strings: [UnsafeMutablePointer<CChar>] = []

    init(_ interface: Interface) {
        var strings: [UnsafeMutablePointer<CChar>] = []
        func keep(_ text: String) -> UnsafePointer<CChar> {
            let bytes = Array(text.utf8CString)
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
            copy.initialize(from: bytes, count: bytes.count)
            strings.append(copy)
            return UnsafePointer(copy)
        }
        func types(_ arguments: [MemberShape.Argument]) -> UnsafePointer<CChar> {
            keep(arguments.map(\.signature).joined())
        }
        func names(_ arguments: [MemberShape.Argument]) -> UnsafePointer<CChar> {
            keep(arguments.map { "\($0.name)\0" }.joined())
        }
        let rows = interface.members.map { member in
            let name = keep(member.name.rawValue)
            func row(
                _ kind: TypeCode, _ signature: UnsafePointer<CChar>,
                _ result: UnsafePointer<CChar>? = nil, _ names: UnsafePointer<CChar>? = nil
            ) -> pp_vtable_row {
                pp_vtable_row(
                    kind: kind.rawValue, member: name, signature: signature, result: result,
                    names: names)
            }
            return switch member.shape {
            case .method(let input, let output):
                row("m", types(input), types(output), names(input + output))
            case .signal(let content): row("s", types(content), nil, names(content))
            case .property(let signature, let emitsChange):
                row(emitsChange ? "e" : "p", keep(signature))
            }
        }
        let table = pp_vtable_make(
            rows, rows.count,
            { message, context, _ in
                BusActor.assumeIsolated {
                    guard let message, let export = Unmanaged<Export>.borrow(context) else {
                        return 0
                    }
                    return export.receive(Message(borrowing: message))
                }
            },
            { _, _, _, property, reply, context, _ in
                BusActor.assumeIsolated {
                    guard let property, let reply, let export = Unmanaged<Export>.borrow(context)
                    else { return 0 }
                    return export.get(String(cString: property), into: reply)
                }
            })
        guard let table else { preconditionFailure("out of memory for a vtable") }
        self.table = table
        self.strings = strings
    }

    isolated deinit {
        free(table)
        for string in strings { string.deallocate() }
    }
}
