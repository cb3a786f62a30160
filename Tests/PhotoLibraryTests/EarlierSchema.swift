// SPDX-License-Identifier: MIT

/// What takes back versions of the library's tables, so that tests have a library of an earlier release.
enum EarlierSchema {
    /// The versions since those that tests make step by step, without the last one.
    static var versions: Range<Int> { first..<first + undoing.count - 1 }
    private static let first = 5

    /// A script that makes a library of a version from one of the last version.
    static func script(to version: Int) -> String {
        undoing.enumerated().reversed().filter { first + $0.offset > version }.map { offset, step in
            """
            \(step)
            UPDATE state SET value = 0 WHERE key = 'albumRules';
            DELETE FROM grdb_migrations WHERE identifier = '\(first + offset)';

            """
        }.joined()
    }

    /// What takes back the first version, the second, and so on.
    private static let undoing = [
        """
        DROP TABLE change;
        DROP TABLE changeLog;
        """,
        """
        DROP TRIGGER albumDeleted;
        DROP TABLE search;
        DROP TABLE albumSearch;
        DROP TABLE details;
        ALTER TABLE asset DROP COLUMN isAnimated;
        ALTER TABLE asset DROP COLUMN milliseconds;
        ALTER TABLE asset DROP COLUMN hasPlace;
        """,
        "DROP TABLE arrival;",
        "DROP TABLE adjustment;",
        """
        DROP INDEX assetVideo; DROP INDEX assetScreenshot; DROP INDEX assetPanorama;
        DROP INDEX assetSelfie; DROP INDEX assetAnimated; DROP INDEX assetRaw;
        ALTER TABLE asset DROP COLUMN isScreenshot;
        ALTER TABLE asset DROP COLUMN isSelfie;
        DELETE FROM album WHERE kind = 0 AND key NOT IN ('all', 'recent', 'favorites');
        DELETE FROM albumContent WHERE album NOT IN (SELECT id FROM album);
        """,
        """
        DROP TABLE resource;
        DROP INDEX assetRaw;
        DROP INDEX assetLive;
        ALTER TABLE file DROP COLUMN role;
        ALTER TABLE asset DROP COLUMN rawTypes;
        ALTER TABLE asset DROP COLUMN contentIdentifier;
        ALTER TABLE asset DROP COLUMN hasMotion;
        ALTER TABLE asset DROP COLUMN isLive;
        CREATE INDEX assetRaw ON asset(date, id) WHERE mediaType = 'image/x-adobe-dng';
        """,
        """
        DROP TABLE assetDetails;
        DROP INDEX givenWhole;
        """,
        """
        DROP INDEX assetRaw;
        CREATE INDEX assetRaw ON asset(date, id)
            WHERE rawTypes IS NOT NULL OR mediaType IN ('image/x-adobe-dng', 'image/x-nikon-nef');
        """,
        """
        DROP INDEX assetBurst; DROP INDEX assetFrame; DROP INDEX assetFrames;
        ALTER TABLE asset DROP COLUMN burstIdentifier;
        ALTER TABLE asset DROP COLUMN isBurstPrimary;
        ALTER TABLE asset DROP COLUMN burst;
        ALTER TABLE asset DROP COLUMN frameOf;
        ALTER TABLE asset DROP COLUMN frames;
        ALTER TABLE resource DROP COLUMN burstIdentifier;
        ALTER TABLE resource DROP COLUMN isBurstPrimary;
        UPDATE asset SET file = (
            SELECT min(file.id) FROM file WHERE file.asset = asset.id AND role = 0);
        """,
        """
        DROP TRIGGER assetDetailsDeleted;
        DROP TABLE term;
        DROP TABLE termSearch;
        """,
        """
        DROP INDEX assetDay; DROP INDEX albumOnKind;
        ALTER TABLE asset DROP COLUMN colour;
        ALTER TABLE asset DROP COLUMN day;
        ALTER TABLE resource DROP COLUMN colour;
        ALTER TABLE resource DROP COLUMN day;
        ALTER TABLE adjustment DROP COLUMN colour;
        ALTER TABLE adjustment DROP COLUMN originalColour;
        DELETE FROM album WHERE kind > 2;
        DELETE FROM albumContent WHERE album NOT IN (SELECT id FROM album);
        """,
    ]
}
