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
            return switch member.shape {
            case .method(let input, let output):
                pp_vtable_row(
                    kind: Character("m").code, member: name, signature: types(input),
                    result: types(output), names: names(input + output))
            case .signal(let content):
                pp_vtable_row(
                    kind: Character("s").code, member: name, signature: types(content),
                    result: nil, names: names(content))
            case .property(let signature, let emitsChange):
                pp_vtable_row(
                    kind: Character(emitsChange ? "e" : "p").code, member: name,
                    signature: keep(signature), result: nil, names: nil)
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
