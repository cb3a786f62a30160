// SPDX-License-Identifier: MIT

internal import GRDB

extension Row {
    /// A column's value, nil for NULL if the type allows it.
    ///
    /// GRDB's own subscripts trap if a damaged database contains another type.
    func get<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ column: String, _: Value.Type = Value.self
    ) throws -> Value {
        try decode(Value.self, forColumn: column)
    }
}
