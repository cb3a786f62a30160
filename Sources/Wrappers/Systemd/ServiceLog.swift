// SPDX-License-Identifier: MIT

internal import CSystemd
import Glibc
internal import Logging

/// The log of a service: the journal if the service runs under it, otherwise standard error.
package enum ServiceLog {
    /// Directs all loggers of this process there; call it once, before the first logger is made.
    ///
    /// - Parameter identifier: The name of the program, as in `journalctl -t`.
    package static func start(identifier: String) {
        guard isConnectedToJournal else {
            return LoggingSystem.bootstrap(StreamLogHandler.standardError)
        }
        LoggingSystem.bootstrap { _ in JournalLogHandler(identifier: identifier) }
    }

    /// Whether standard error is connected to the journal.
    ///
    /// - Source: systemd.exec(5), `$JOURNAL_STREAM`: the device and inode of the stream.
    private static var isConnectedToJournal: Bool {
        guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else {
            return false
        }
        var information = stat()
        guard fstat(STDERR_FILENO, &information) == 0 else { return false }
        return stream == "\(information.st_dev):\(information.st_ino)"
    }
}

/// Writes to the journal, with a field for each piece of metadata.
///
/// To follow a request, use `journalctl PHOTO_PORTAL_HANDLE=/org/freedesktop/…`.
///
/// - Source: sd_journal_sendv(3), systemd.journal-fields(7).
struct JournalLogHandler: LogHandler {
    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()
    private let identifier: String

    init(identifier: String) {
        self.identifier = identifier
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let details = all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        var fields = [
            "MESSAGE=\(([event.message.description] + details).joined(separator: " "))",
            "PRIORITY=\(Self.priority(event.level))", "SYSLOG_IDENTIFIER=\(identifier)",
        ]
        for (key, value) in all { fields.append("\(Self.fieldName(key))=\(value)") }
        send(fields)
    }

    private func send(_ fields: [String]) {
        let buffers = fields.map { field in
            let bytes = Array(field.utf8)
            let copy = UnsafeMutableRawBufferPointer.allocate(
                byteCount: bytes.count, alignment: 1)
            copy.copyBytes(from: bytes)
            return iovec(iov_base: copy.baseAddress, iov_len: copy.count)
        }
        defer { for buffer in buffers { buffer.iov_base?.deallocate() } }
        sd_journal_sendv(buffers, CInt(clamping: buffers.count))
    }

    /// The name of a field: capital letters, digits and `_`, with a prefix against clashes with the
    /// journal's own fields.
    static func fieldName(_ key: String) -> String {
        "PHOTO_PORTAL_"
            + key.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    }

    private static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
