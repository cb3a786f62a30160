// SPDX-License-Identifier: MIT

internal import GRDB
package import SystemPackage

/// An error of the library's database.
package struct LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors, for callers that handle them.
    package enum Code: Hashable, Sendable {
        /// The file is not a valid database.
        case corrupt
        /// There is no database yet: the service has never run.
        case missing
        /// The disk is full, or the folder is not writable.
        case unwritable
        /// Another program has locked the database for too long.
        case busy
        case failed
    }

    package let code: Code
    /// The operation that failed; never contains a path.
    package let operation: String
    /// SQLite's extended result code; 0 if the error did not come from SQLite.
    package let underlying: Int32
    /// The error of a system call; nil if the error did not come from one.
    package let cause: Errno?

    package init(
        code: Code, operation: String, underlying: Int32 = 0, cause: Errno? = nil
    ) {
        self.code = code
        self.operation = operation
        self.underlying = underlying
        self.cause = cause
    }

    init(_ error: any Error, _ operation: String) {
        self.operation = operation
        cause = nil
        guard let error = error as? DatabaseError else {
            code = .failed
            underlying = 0
            return
        }
        underlying = error.extendedResultCode.rawValue
        code =
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt
            case .SQLITE_FULL, .SQLITE_READONLY, .SQLITE_IOERR: .unwritable
            case .SQLITE_CANTOPEN: .missing
            case .SQLITE_BUSY: .busy
            default: .failed
            }
    }

    package var description: String {
        let reason = cause.map { "\($0)" } ?? "SQLite \(underlying)"
        return "\(operation): \(code) (\(reason))"
    }
}

/// Runs database work, and adds the name of the operation to any error.
func withLibraryError<Result>(
    _ operation: String, _ body: () throws -> Result
) throws(LibraryError) -> Result {
    do {
        return try body()
    } catch let error as LibraryError {
        throw error
    } catch {
        throw LibraryError(error, operation)
    }
}
