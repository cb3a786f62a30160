// SPDX-License-Identifier: MIT

/// A position whose latitude and longitude are in texts of their own, such as two keywords.
enum PlaceParts {
    /// Of more texts, or of longer ones, all are said to belong to a position.
    private static let mostTexts = 64
    private static let mostBytes = 16 << 10

    /// Which of some texts, none of which tells a position, tell one together.
    ///
    /// As few of them as possible, because the others are harmless.
    static func tellingPosition(_ texts: [[UInt8]]) -> Set<Int> {
        var telling: Set<Int> = []
        var rest = Array(texts.indices)
        // Each round finds one position.
        while rest.count > 1, tellPosition(rest, texts) {
            let size = rest.reduce(0) { $0 + texts[$1].count }
            guard rest.count <= mostTexts, size <= mostBytes else {
                return telling.union(rest)
            }
            var position = rest
            for index in rest {
                let others = position.filter { $0 != index }
                if tellPosition(others, texts) { position = others }
            }
            telling.formUnion(position)
            rest.removeAll { position.contains($0) }
        }
        return telling
    }

    private static func tellPosition(_ indices: [Int], _ texts: [[UInt8]]) -> Bool {
        PlaceText.tellsPosition(indices.map { texts[$0] }.joined(separator: [0x0A]))
    }
}
