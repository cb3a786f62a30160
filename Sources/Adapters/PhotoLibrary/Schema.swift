// SPDX-License-Identifier: MIT

internal import GRDB

/// The tables of the library.
///
/// A *file* is a name in a folder; an *asset* is a photo or video, however many names it has. Files
/// only cache the disk and can be read again, but assets hold data that is stored nowhere else.
/// Tables are strict: a column only accepts values of its own type.
///
/// A released migration is never changed; every change to the tables is a new migration.
enum Schema {
    /// The state of a file.
    enum FileStatus: Int {
        /// Found but not examined yet, or changed since it was examined.
        case pending = 0
        case asset = 1
        case notPicture = 2
        /// Could not be read, which may pass; it is tried again. Keeps its photo.
        case unreadable = 3
        /// The decoder found the content damaged.
        case damaged = 4
    }

    static let tables = [
        "folder", "file", "asset", "album", "albumContent", "member", "given", "state", "changeLog",
        "change", "arrival", "details", "search", "albumSearch", "adjustment", "resource",
        "assetDetails", "term", "termSearch",
    ]

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(
                sql: """
                    CREATE TABLE folder (
                        id INTEGER PRIMARY KEY,
                        path BLOB NOT NULL UNIQUE,
                        kind INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE asset (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        key BLOB NOT NULL UNIQUE,
                        fingerprint BLOB NOT NULL,
                        mediaType TEXT NOT NULL,
                        width INTEGER NOT NULL,
                        height INTEGER NOT NULL,
                        date INTEGER NOT NULL,
                        hasCaptureDate INTEGER NOT NULL,
                        file INTEGER,
                        inAll INTEGER NOT NULL DEFAULT 0
                    ) STRICT;
                    CREATE TABLE file (
                        id INTEGER PRIMARY KEY,
                        folder INTEGER NOT NULL REFERENCES folder(id) ON DELETE CASCADE,
                        name BLOB NOT NULL,
                        device INTEGER NOT NULL,
                        inode INTEGER NOT NULL,
                        size INTEGER NOT NULL,
                        modified INTEGER NOT NULL,
                        status INTEGER NOT NULL,
                        asset INTEGER REFERENCES asset(id),
                        UNIQUE (folder, name)
                    ) STRICT;
                    CREATE TABLE album (
                        id INTEGER PRIMARY KEY,
                        key TEXT NOT NULL UNIQUE,
                        kind INTEGER NOT NULL,
                        title TEXT NOT NULL,
                        folder INTEGER UNIQUE REFERENCES folder(id) ON DELETE CASCADE,
                        images INTEGER NOT NULL DEFAULT 0,
                        videos INTEGER NOT NULL DEFAULT 0,
                        cover INTEGER
                    ) STRICT;
                    CREATE TABLE given (
                        app TEXT NOT NULL,
                        asset BLOB NOT NULL,
                        PRIMARY KEY (app, asset)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE state (
                        key TEXT PRIMARY KEY,
                        value INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX fileOnInode ON file(device, inode);
                    CREATE INDEX fileOnAsset ON file(asset) WHERE asset IS NOT NULL;
                    CREATE INDEX filePending ON file(modified) WHERE status = 0;
                    CREATE INDEX assetOnFingerprint ON asset(fingerprint);
                    CREATE INDEX assetNewest ON asset(date, id) WHERE file IS NOT NULL;
                    CREATE INDEX assetNewestInAll ON asset(date, id)
                        WHERE file IS NOT NULL AND inAll = 1;
                    INSERT INTO album (key, kind, title) VALUES ('all', 0, ''), ('recent', 0, '');
                    """)
        }
        migrator.registerMigration("2") { database in
            // Counts and covers are stored for each media type, so that they are correct for every
            // filter. Albums are derived from the files, and are counted again when the library is
            // opened.
            try database.execute(
                sql: """
                    DROP TABLE album;
                    CREATE TABLE album (
                        id INTEGER PRIMARY KEY,
                        key TEXT NOT NULL UNIQUE,
                        kind INTEGER NOT NULL,
                        title TEXT NOT NULL,
                        folder INTEGER UNIQUE REFERENCES folder(id) ON DELETE CASCADE
                    ) STRICT;
                    CREATE TABLE albumContent (
                        album INTEGER NOT NULL REFERENCES album(id) ON DELETE CASCADE,
                        mediaType TEXT NOT NULL,
                        count INTEGER NOT NULL,
                        cover INTEGER NOT NULL REFERENCES asset(id),
                        PRIMARY KEY (album, mediaType)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("3") { database in
            // `former` is the photo of a file that is no picture at the moment, perhaps because it
            // is just being written.
            try database.execute(
                sql: """
                    ALTER TABLE file ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE file ADD COLUMN former INTEGER REFERENCES asset(id);
                    """)
        }
        migrator.registerMigration("4") { database in
            // Whether an app was given a whole photo: all of it, as large as it is.
            //
            // The photos of an album that a person or an app filled, in its order. The numbers have
            // gaps, so that a photo is inserted without touching the others.
            try database.execute(
                sql: """
                    ALTER TABLE given ADD COLUMN whole INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE asset ADD COLUMN favorite INTEGER NOT NULL DEFAULT 0;
                    CREATE INDEX assetFavorite ON asset(date, id) WHERE favorite = 1;
                    CREATE TABLE member (
                        album INTEGER NOT NULL REFERENCES album(id) ON DELETE CASCADE,
                        position INTEGER NOT NULL,
                        asset INTEGER NOT NULL REFERENCES asset(id),
                        PRIMARY KEY (album, position)
                    ) STRICT, WITHOUT ROWID;
                    CREATE UNIQUE INDEX memberOnAsset ON member(asset, album);
                    """)
        }
        migrator.registerMigration("5") { database in
            // A log of changes for each view that an app follows: of everything, whose `app` is null, or
            // of what an app was given. A row of `change` is a photo or an album, with whether the view
            // had it before and has it now. `oldest` is the generation from which the rows are complete.
            try database.execute(
                sql: """
                    CREATE TABLE changeLog (
                        id INTEGER PRIMARY KEY,
                        app TEXT UNIQUE,
                        oldest INTEGER NOT NULL,
                        head INTEGER NOT NULL,
                        used INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE change (
                        log INTEGER NOT NULL REFERENCES changeLog(id) ON DELETE CASCADE,
                        generation INTEGER NOT NULL,
                        asset BLOB,
                        album TEXT,
                        was INTEGER NOT NULL,
                        isNow INTEGER NOT NULL,
                        PRIMARY KEY (log, generation)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("6") { database in
            // What a photo's file, or its sidecar file, says; no row if that is nothing. Keywords are
            // an array in JSON.
            //
            // `search` has a row for each photo that has files, `albumSearch` one for each album; see
            // SearchTable. They have no index of prefixes, which would cost more than it saves.
            try database.execute(
                sql: """
                    ALTER TABLE asset ADD COLUMN isAnimated INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE asset ADD COLUMN milliseconds INTEGER;
                    ALTER TABLE asset ADD COLUMN hasPlace INTEGER NOT NULL DEFAULT 0;
                    CREATE TABLE details (
                        file INTEGER PRIMARY KEY REFERENCES file(id) ON DELETE CASCADE,
                        title TEXT,
                        caption TEXT,
                        keywords TEXT,
                        rating INTEGER,
                        camera TEXT,
                        lens TEXT,
                        hasPlace INTEGER NOT NULL
                    ) STRICT;
                    CREATE VIRTUAL TABLE search USING fts5(
                        name, title, caption, keywords, camera,
                        columnsize = 0, tokenize = 'unicode61 remove_diacritics 2');
                    CREATE VIRTUAL TABLE albumSearch USING fts5(
                        title, path, columnsize = 0, tokenize = 'unicode61 remove_diacritics 2');
                    CREATE TRIGGER albumDeleted AFTER DELETE ON album BEGIN
                        DELETE FROM albumSearch WHERE rowid = old.id;
                    END;
                    """)
            for album in try Int64.fetchAll(
                database, sql: "SELECT id FROM album WHERE title <> ''")
            {
                try SearchTable.update(album: album, in: database)
            }
            // Earlier releases did not read what photos say; this is done in the background.
            if let last = try Int.fetchOne(database, sql: "SELECT max(id) FROM file") {
                try LibraryState.set(.lastUnreadFile, last, in: database)
            }
        }
        migrator.registerMigration("7") { database in
            // A file that an app adds, under a hidden name. When the library has the photo, it is
            // settled, and gets its own name; see `Arrival`.
            try database.execute(
                sql: """
                    CREATE TABLE arrival (
                        id INTEGER PRIMARY KEY,
                        folder BLOB NOT NULL,
                        hidden BLOB NOT NULL,
                        settled INTEGER NOT NULL DEFAULT 0,
                        name BLOB,
                        file INTEGER
                    ) STRICT;
                    """)
        }
        migrator.registerMigration("8") { database in
            // The adjusted version of a photo; see `Adjustment`. While there is one, `asset` has its
            // facts, and those of the original are here. `deleted` is when an app deleted the photo, in
            // seconds since 1970.
            try database.execute(
                sql: """
                    CREATE TABLE adjustment (
                        asset INTEGER PRIMARY KEY REFERENCES asset(id),
                        name BLOB NOT NULL UNIQUE,
                        dataName BLOB NOT NULL UNIQUE,
                        format TEXT NOT NULL,
                        version TEXT NOT NULL,
                        device INTEGER NOT NULL,
                        inode INTEGER NOT NULL,
                        size INTEGER NOT NULL,
                        modified INTEGER NOT NULL,
                        changed INTEGER NOT NULL,
                        mediaType TEXT NOT NULL,
                        width INTEGER NOT NULL,
                        height INTEGER NOT NULL,
                        isAnimated INTEGER NOT NULL,
                        milliseconds INTEGER,
                        originalType TEXT NOT NULL,
                        originalWidth INTEGER NOT NULL,
                        originalHeight INTEGER NOT NULL,
                        originalIsAnimated INTEGER NOT NULL,
                        originalMilliseconds INTEGER,
                        deleted INTEGER
                    ) STRICT;
                    """)
        }
        migrator.registerMigration("9") { database in
            // Albums that have few of the photos of a large library find them by these indexes. What the
            // columns are follows when the albums are counted again.
            try database.execute(
                sql: """
                    ALTER TABLE asset ADD COLUMN isScreenshot INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE asset ADD COLUMN isSelfie INTEGER NOT NULL DEFAULT 0;
                    CREATE INDEX assetVideo ON asset(date, id)
                        WHERE mediaType >= 'video/' AND mediaType < 'video0';
                    CREATE INDEX assetScreenshot ON asset(date, id) WHERE isScreenshot = 1;
                    CREATE INDEX assetPanorama ON asset(date, id)
                        WHERE width >= 2 * height AND width >= 2000;
                    CREATE INDEX assetSelfie ON asset(date, id) WHERE isSelfie = 1;
                    CREATE INDEX assetAnimated ON asset(date, id) WHERE isAnimated = 1;
                    CREATE INDEX assetRaw ON asset(date, id)
                        WHERE mediaType IN (
                            'image/x-canon-cr2', 'image/x-canon-cr3', 'image/x-adobe-dng',
                            'image/x-nikon-nef', 'image/x-sony-arw', 'image/x-pentax-pef',
                            'image/x-fuji-raf', 'image/x-panasonic-rw2', 'image/x-olympus-orf');
                    """)
        }
        migrator.registerMigration("10") { database in
            // What a file is for its photo; see `ResourceRole`. The row of a photo has the facts of its
            // primary file, and a row of `resource` those of another one. `rawTypes` has the types of the
            // raw files beside a picture, with commas between; a row of `albumContent` counts photos with
            // the same types, of the primary file and then of raw files.
            //
            // `contentIdentifier` pairs the files of a Live Photo, `hasMotion` says that the file of a
            // picture contains a video, and `isLive` that there is a video in the file or beside it.
            //
            // The albums are counted again, which works out the new columns. Files of earlier releases
            // are joined when they are examined again, in the background.
            try database.execute(
                sql: """
                    ALTER TABLE file ADD COLUMN role INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE asset ADD COLUMN rawTypes TEXT;
                    ALTER TABLE asset ADD COLUMN contentIdentifier TEXT;
                    ALTER TABLE asset ADD COLUMN hasMotion INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE asset ADD COLUMN isLive INTEGER NOT NULL DEFAULT 0;
                    CREATE TABLE resource (
                        file INTEGER PRIMARY KEY REFERENCES file(id) ON DELETE CASCADE,
                        fingerprint BLOB NOT NULL,
                        mediaType TEXT NOT NULL,
                        width INTEGER NOT NULL,
                        height INTEGER NOT NULL,
                        date INTEGER NOT NULL,
                        hasCaptureDate INTEGER NOT NULL,
                        isAnimated INTEGER NOT NULL,
                        milliseconds INTEGER,
                        contentIdentifier TEXT,
                        hasMotion INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX assetLive ON asset(date, id) WHERE isLive = 1;
                    DROP INDEX assetRaw;
                    CREATE INDEX assetRaw ON asset(date, id)
                        WHERE rawTypes IS NOT NULL OR mediaType IN (
                            'image/x-canon-cr2', 'image/x-canon-cr3', 'image/x-adobe-dng',
                            'image/x-nikon-nef', 'image/x-sony-arw', 'image/x-pentax-pef',
                            'image/x-fuji-raf', 'image/x-panasonic-rw2', 'image/x-olympus-orf');
                    """)
            if let last = try Int.fetchOne(database, sql: "SELECT max(id) FROM file") {
                try LibraryState.set(.lastUnreadFile, last, in: database)
            }
        }
        migrator.registerMigration("11") { database in
            // What a photo says, with its sidecar files, for lists; no row if that is nothing.
            try database.execute(
                sql: """
                    CREATE TABLE assetDetails (
                        asset INTEGER PRIMARY KEY REFERENCES asset(id) ON DELETE CASCADE,
                        title TEXT,
                        caption TEXT,
                        keywords TEXT,
                        rating INTEGER,
                        camera TEXT,
                        lens TEXT,
                        hasPlace INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX givenWhole ON given(asset) WHERE whole = 1;
                    """)
            try SearchTable.keepAllDetails(in: database)
        }
        migrator.registerMigration("12") { database in
            // For a list in parentheses, SQLite makes a table whenever it changes a photo.
            try database.execute(
                sql: """
                    DROP INDEX assetRaw;
                    CREATE INDEX assetRaw ON asset(date, id)
                        WHERE rawTypes IS NOT NULL
                            OR mediaType = 'image/x-canon-cr2'
                            OR mediaType = 'image/x-canon-cr3'
                            OR mediaType = 'image/x-adobe-dng'
                            OR mediaType = 'image/x-nikon-nef'
                            OR mediaType = 'image/x-sony-arw'
                            OR mediaType = 'image/x-pentax-pef'
                            OR mediaType = 'image/x-fuji-raf'
                            OR mediaType = 'image/x-panasonic-rw2'
                            OR mediaType = 'image/x-olympus-orf';
                    """)
        }
        migrator.registerMigration("13") { database in
            // `burstIdentifier` and `isBurstPrimary` are what a file says of its burst, and `burst` is what
            // all photos of a burst have in common, which may follow from the name. `frameOf` is the photo
            // that is shown instead, and `frames` how many photos one is shown for; see `BurstFrame`.
            //
            // Files of earlier releases are examined again, in the background.
            try database.execute(
                sql: """
                    ALTER TABLE asset ADD COLUMN burstIdentifier TEXT;
                    ALTER TABLE asset ADD COLUMN isBurstPrimary INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE asset ADD COLUMN burst TEXT;
                    ALTER TABLE asset ADD COLUMN frameOf INTEGER;
                    ALTER TABLE asset ADD COLUMN frames INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE resource ADD COLUMN burstIdentifier TEXT;
                    ALTER TABLE resource ADD COLUMN isBurstPrimary INTEGER NOT NULL DEFAULT 0;
                    CREATE INDEX assetBurst ON asset(burst) WHERE burst IS NOT NULL;
                    CREATE INDEX assetFrame ON asset(frameOf) WHERE frameOf IS NOT NULL;
                    CREATE INDEX assetFrames ON asset(date, id) WHERE frames > 0;
                    """)
            if let last = try Int.fetchOne(database, sql: "SELECT max(id) FROM file") {
                try LibraryState.set(.lastUnreadFile, last, in: database)
            }
        }
        migrator.registerMigration("14") { database in
            // The words that a search suggests.
            try database.execute(sql: TermTable.schema)
            try TermTable.addAll(in: database)
        }
        migrator.registerMigration("15") { database in
            // `colour` is the dominant colour as in 0xRRGGBB, null if it is unknown. `day` is the day on
            // which a photo was taken, by the clock of its own place, as in 20261128; 0 if there is none.
            //
            // Until files of earlier releases are examined again, in the background, their days are those
            // of this machine's clock.
            try database.execute(
                sql: """
                    ALTER TABLE asset ADD COLUMN colour INTEGER;
                    ALTER TABLE asset ADD COLUMN day INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE resource ADD COLUMN colour INTEGER;
                    ALTER TABLE resource ADD COLUMN day INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE adjustment ADD COLUMN colour INTEGER;
                    ALTER TABLE adjustment ADD COLUMN originalColour INTEGER;
                    """)
            try PhotoDay.workOutAll(in: database)
            try database.execute(
                sql: """
                    CREATE INDEX assetDay ON asset(day, date, id) WHERE file IS NOT NULL AND inAll = 1;
                    CREATE INDEX albumOnKind ON album(kind, key);
                    """)
            if let last = try Int.fetchOne(database, sql: "SELECT max(id) FROM file") {
                try LibraryState.set(.lastUnreadFile, last, in: database)
            }
        }
        return migrator
    }
}
