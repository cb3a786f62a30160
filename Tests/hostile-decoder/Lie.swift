// SPDX-License-Identifier: MIT

/// What the program lies about; one lie for each run.
enum Lie: String {
    /// Every reply is as it should be, which shows that only the lies are refused.
    case honest
    /// The facts of a picture are as wide as the process has done jobs.
    case marked

    // The memory file of the pixels
    case unsealed, shrinkable, writable, regularFile, pipe
    case shortPixels, longPixels
    // The size of the picture
    case largerThanAsked, hugeSize, emptySize, overflowingSize

    // The times of a frame
    case frameBeforeStart, frameOfLaterTime, frameOfEarlierTime, frameWithoutDuration
    case frameBackwards, frameForEver

    // The PNG file of a thumbnail
    case entryUnsealed, entryHuge, entryText, entryCut, entryTail, entryUnknownChunk
    case entryOfOtherFile, entryOfOtherTime, entryOfOtherSize, entryTwiceNamed

    // The packet
    case noDescriptor, extraDescriptor, otherReply, unknownCode, unknownError, trailingByte
    case emptyPacket, longPacket

    // Facts and counts
    case hugeFacts, unknownOrientation, unknownType, typesCount
    case longTitle, hiddenCharacters, titleInLines, longKeywords, sixStars

    // Time
    case silent, busy, early, twice
    /// It gets half of a processor, as on a busy machine, so its honest reply comes late.
    case starved
    /// No file is of a type that it knows, and it does not read any.
    case ignorant
    // The first packet
    case unready, otherVersion

    // Derived files
    case derivedUnsealed, derivedHuge, derivedText, derivedOfOtherFormat, derivedTooLong
    case derivedUnaskedRemoval, derivedWithoutChange
    /// From the second job on, no file contains anything that has to go.
    case spoilt
    case partsOverlap, partsUnordered, partsBeyondEnd, partsOfOtherSize, partsCount
    /// Every search finds a place, also in what was made of the one before.
    case placeFoundAgain

    /// Whether the lie is in the reply to a probe.
    var isAboutFacts: Bool {
        [.hugeFacts, .unknownOrientation, .unknownType].contains(self)
    }
}
