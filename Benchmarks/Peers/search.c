// SPDX-License-Identifier: MIT
// What SQLite alone takes for a search: the photos that a word finds, the newest first, and their number.
//   search DATABASE WORD ROUNDS    prints the milliseconds of each round, and the number

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char *statements[] = {
    "SELECT key, mediaType, width, height, date, name, size FROM asset"
    " JOIN file ON file.id = asset.file"
    " WHERE asset.id IN (SELECT rowid FROM search WHERE search MATCH ?) AND inAll = 1"
    " ORDER BY date DESC, asset.id DESC LIMIT 100",
    "SELECT count(*) FROM asset"
    " WHERE id IN (SELECT rowid FROM search WHERE search MATCH ?) AND inAll = 1",
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

int main(int count, char **words) {
    sqlite3 *database;
    if (count != 4 ||
        sqlite3_open_v2(words[1], &database, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
        return 64;
    }
    char match[256];
    snprintf(match, sizeof match, "\"%s\"*", words[2]);
    for (int round = 0; round < atoi(words[3]); round++) {
        double start = now();
        long long last = 0;
        for (int index = 0; index < 2; index++) {
            sqlite3_stmt *statement;
            if (sqlite3_prepare_v2(database, statements[index], -1, &statement, NULL) !=
                SQLITE_OK) {
                fprintf(stderr, "%s\n", sqlite3_errmsg(database));
                return 1;
            }
            sqlite3_bind_text(statement, 1, match, -1, SQLITE_STATIC);
            while (sqlite3_step(statement) == SQLITE_ROW) {
                if (index == 1) last = sqlite3_column_int64(statement, 0);
            }
            sqlite3_finalize(statement);
        }
        printf("%.3f %lld\n", now() - start, last);
    }
    return 0;
}
