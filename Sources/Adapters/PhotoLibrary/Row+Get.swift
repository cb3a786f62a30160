// SPDX-License-Identifier: MIT

internal import GRDB

extension Row {
    /// A column's value, nil for NULL where the type allows it; GRDB's own subscripts trap when a damaged database holds another type.
    func get<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ column: String, _: Value.Type = Value.self
    ) throws -> Value {
        try decode(Value.self, forColumn: column)
    }
}
