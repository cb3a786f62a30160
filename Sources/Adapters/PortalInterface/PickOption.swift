// SPDX-License-Identifier: MIT

package import Photos
package import SDBus

/// The methods that take pick options.
package enum PickMethod: CaseIterable, Sendable {
    case openImage
    case pickImages
}

/// One option of `OpenImage` and `PickImages`.
///
/// All code that handles options is driven by ``all``: the validation of calls, the property
/// `SupportedOptions`, the options of a backend call and their decoding, the report of the scripted
/// backend, and the tests, which also compare the table with the XML and with the flags of
/// `portal-pick`.
package struct PickOption: Sendable {
    /// Where an option takes effect.
    package enum Audience: Sendable {
        /// The service passes it on to the backend.
        case backend
        /// The service handles it; the backend never sees it.
        case service
    }

    package let key: String
    /// The D-Bus type of the value.
    package let signature: String
    package let methods: Set<PickMethod>
    package let audience: Audience
    /// The XML's text for an omitted option; nil for an option that always has a value.
    package let absence: String?
    /// A valid value other than the default.
    package let sample: Variant
    /// Values of the right type that are not allowed.
    package let refused: [Variant]
    private let read: @Sendable (Variant, inout OptionDraft) throws(Expectation) -> Void
    private let write: @Sendable (OptionDraft) -> Variant?
    private let isDefault: @Sendable (OptionDraft) -> Bool

    /// An option of the window: a property of ``PickOptions``.
    ///
    /// - Parameters:
    /// - absent: The meaning of omitting the option, if no value expresses it.
    ///   - sample: A valid value other than the default; the tests use it.
    init<Value: Equatable>(
        _ key: String, _ coding: OptionCoding<Value>,
        at property: any WritableKeyPath<PickOptions, Value> & Sendable,
        for methods: Set<PickMethod> = Set(PickMethod.allCases), absent: String? = nil,
        sample: Value
    ) {
        self.init(
            key, coding, methods, .backend, absent, sample, get: { $0.pick[keyPath: property] },
            set: { $0.pick[keyPath: property] = $1 })
    }

    /// An option of the call itself, which the backend does not see.
    init<Value: Equatable>(
        _ key: String, _ coding: OptionCoding<Value>,
        ofCall property: any WritableKeyPath<OptionDraft, Value> & Sendable, sample: Value
    ) {
        self.init(
            key, coding, Set(PickMethod.allCases), .service, nil, sample,
            get: { $0[keyPath: property] }, set: { $0[keyPath: property] = $1 })
    }

    /// One of the two options that make up ``PickOptions/count``.
    init<Value: Equatable>(
        _ key: String, _ coding: OptionCoding<Value>,
        ofCount property: any WritableKeyPath<OptionDraft, Value> & Sendable, sample: Value
    ) {
        self.init(
            key, coding, [.pickImages], .backend, nil, sample, get: { $0[keyPath: property] },
            set: { $0[keyPath: property] = $1 })
    }

    private init<Value: Equatable>(
        _ key: String, _ coding: OptionCoding<Value>, _ methods: Set<PickMethod>,
        _ audience: Audience, _ absence: String?, _ sample: Value,
        get: @escaping @Sendable (OptionDraft) -> Value,
        set: @escaping @Sendable (inout OptionDraft, Value) -> Void
    ) {
        self.key = key
        self.methods = methods
        self.audience = audience
        self.absence = absence
        signature = coding.signature
        refused = coding.refused
        self.sample = coding.encode(sample) ?? .string("")
        read = { variant, draft throws(Expectation) in set(&draft, try coding.decode(variant)) }
        write = { coding.encode(get($0)) }
        let standard = get(OptionDraft())
        isDefault = { get($0) == standard }
    }

    /// The default as a value; nil if no value expresses omitting the option.
    package var defaultValue: Variant? { write(OptionDraft()) }

    /// The heading of the option in the XML, before its description.
    package var documentation: String {
        let value = defaultValue.map { "default `\($0.text(isNested: false))`" }
        return "`\(key)` (`\(signature)`, \(value ?? "default: \(absence ?? "")")):"
    }

    /// Reads and validates the value of a call.
    ///
    /// - Throws: ``DBusError`` `org.freedesktop.portal.Error.InvalidArgument` that names the
    ///   key, the expected value and the value received.
    func decode(_ value: Variant, into draft: inout OptionDraft) throws(DBusError) {
        do {
            try read(value, &draft)
        } catch {
            throw error.error(for: key, signature, value)
        }
    }

    /// The value on the bus; nil if no value expresses it.
    func encode(_ draft: OptionDraft) -> Variant? { write(draft) }

    /// The value on the bus; nil for the default.
    func encodeUnlessDefault(_ draft: OptionDraft) -> Variant? {
        isDefault(draft) ? nil : write(draft)
    }
}

/// The validated options of a call.
package struct ParsedOptions: Hashable, Sendable {
    package var token: HandleToken
    package var isDetached: Bool
    package var pick: PickOptions

    /// Reads the options of a call.
    ///
    /// - Parameters:
    ///   - vardict: The options of the call. Unknown keys are ignored. Those of the other method have no
    ///     effect, but their values must be valid.
    ///   - method: The method that was called.
    /// - Throws: ``DBusError`` `org.freedesktop.portal.Error.InvalidArgument` that names the
    ///   key, the expected value and the value received.
    package init(_ vardict: Vardict, of method: PickMethod) throws(DBusError) {
        var draft = OptionDraft()
        // Of what has no effect.
        var rest = OptionDraft()
        for option in PickOption.all {
            guard let value = vardict[option.key] else { continue }
            if option.methods.contains(method) {
                try option.decode(value, into: &draft)
            } else {
                try option.decode(value, into: &rest)
            }
        }
        if method == .pickImages {
            draft.pick.count = try draft.count()
        }
        token = draft.token
        isDetached = draft.isDetached
        pick = draft.pick
    }
}

extension PickOptions {
    /// The options of a backend call: those that differ from their defaults.
    package func vardict(for method: PickMethod) -> Vardict {
        let draft = OptionDraft(self)
        return Self.vardict(for: method) { $0.encodeUnlessDefault(draft) }
    }

    /// The options of a backend call, and the defaults of those that it leaves out.
    package func completeVardict(for method: PickMethod) -> Vardict {
        let draft = OptionDraft(self)
        return Self.vardict(for: method) { $0.encode(draft) }
    }

    private static func vardict(
        for method: PickMethod, value: (PickOption) -> Variant?
    ) -> Vardict {
        var vardict: Vardict = [:]
        for option in PickOption.all
        where option.audience == .backend && option.methods.contains(method) {
            vardict[option.key] = value(option)
        }
        return vardict
    }
}

/// A draft of the options: values that are valid only in combination are separate here.
struct OptionDraft {
    var token = HandleToken.standard
    var isDetached = false
    var minimum = 1
    var maximum: Int?
    var pick = PickOptions()

    init() {}

    init(_ pick: PickOptions) {
        self.pick = pick
        minimum = pick.count.minimum
        maximum = pick.count.maximum
    }

    /// The limits that ``minimum`` and ``maximum`` make up.
    ///
    /// - Throws: ``DBusError`` `org.freedesktop.portal.Error.InvalidArgument` if no number is within
    ///   them.
    func count() throws(DBusError) -> CountLimits {
        guard let count = CountLimits(minimum: minimum, maximum: maximum) else {
            throw PortalError.invalidArgument(
                "Expected at most \(maximum ?? 0) (max_count) for option 'min_count', got \(minimum)"
            )
        }
        guard count.minimum <= CountLimits.most else {
            throw PortalError.invalidArgument(
                "Expected at most \(CountLimits.most) for option 'min_count', got \(count.minimum)")
        }
        return count
    }
}

extension Vardict {
    /// The value of an option; nil if it is omitted.
    ///
    /// - Throws: ``DBusError`` `org.freedesktop.portal.Error.InvalidArgument` that names the key, the
    ///   expected value and the value received.
    func decoded<Content>(
        _ key: String, _ coding: OptionCoding<Content>
    ) throws(DBusError) -> Content? {
        guard let value = self[key] else { return nil }
        do {
            return try coding.decode(value)
        } catch {
            throw error.error(for: key, coding.signature, value)
        }
    }
}

// MARK: - Texts

extension Expectation {
    /// The error of a call with another value.
    fileprivate func error(
        for key: String, _ signature: String, _ value: Variant
    ) -> DBusError {
        // Where only the type is wrong, the value alone would look right.
        let received =
            received ?? (value.signature == signature ? value.excerpt : value.typedExcerpt)
        return PortalError.invalidArgument(
            "Expected \(text) for option '\(key)', got \(received)")
    }
}

extension Variant {
    /// The value in an error message with its type, shortened.
    var typedExcerpt: String { "\(excerpt) of type '\(signature)'" }

    /// The value in an error message, shortened.
    fileprivate var excerpt: String {
        switch self {
        case .boolean(let value): "\(value)"
        case .string(let value): "'\(value.excerpt)'"
        case .byte(let value): "\(value)"
        case .int16(let value): "\(value)"
        case .uint16(let value): "\(value)"
        case .int32(let value): "\(value)"
        case .uint32(let value): "\(value)"
        case .int64(let value): "\(value)"
        case .uint64(let value): "\(value)"
        case .double(let value): "\(value)"
        case .structure(let fields) where fields.count <= 8:
            "(\(fields.map(\.excerpt).joined(separator: ", ")))"
        case .array("s", let values) where values.count <= 8:
            "[\(values.map(\.excerpt).joined(separator: ", "))]"
        case .array(_, let values): "\(values.count) elements"
        default: "a value"
        }
    }

    /// The value, as the XML writes a default.
    fileprivate func text(isNested: Bool) -> String {
        switch self {
        case .string(let value): isNested ? "'\(value)'" : value
        case .structure(let fields):
            "(\(fields.map { $0.text(isNested: true) }.joined(separator: ", ")))"
        case .array(_, let values):
            "[\(values.map { $0.text(isNested: true) }.joined(separator: ", "))]"
        default: excerpt
        }
    }
}
