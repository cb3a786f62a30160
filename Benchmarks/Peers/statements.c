// SPDX-License-Identifier: MIT
// What SQLite alone takes for statements that a program would need: reads all values of all rows of each.
//   statements DATABASE ROUNDS STATEMENT…    prints the milliseconds of each round, and the last integer
// The statement "PUBLISH OLD NEW" gives a synchronized file another name, so that a loss of power loses
// nothing; in the next round it gets its old name back.

#include <fcntl.h>
#include <libgen.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

/// Reads a value as a program would that makes no text of it.
static void read_value(sqlite3_stmt *statement, int column) {
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: (void)sqlite3_column_int64(statement, column); break;
    case SQLITE_FLOAT: (void)sqlite3_column_double(statement, column); break;
    case SQLITE_TEXT: (void)sqlite3_column_text(statement, column); break;
    case SQLITE_BLOB: (void)sqlite3_column_blob(statement, column); break;
    default: break;
    }
}

/// Gives a file another name; returns 0 if that fails.
static int publish(const char *words) {
    char old[4096], new[4096];
    if (sscanf(words, "%4095s %4095s", old, new) != 2) return 0;
    if (rename(old, new) != 0 && rename(new, old) != 0) return 0;
    const int folder = open(dirname(new), O_RDONLY | O_CLOEXEC);
    if (folder < 0) return 0;
    const int result = fsync(folder);
    close(folder);
    return result == 0;
}

/// Returns 0 if the statement fails.
static int run(sqlite3 *database, const char *text, long long *last) {
    if (strncmp(text, "PUBLISH ", 8) == 0) return publish(text + 8);
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(database, text, -1, &statement, NULL) != SQLITE_OK) return 0;
    int result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        const int count = sqlite3_column_count(statement);
        for (int column = 0; column < count; column++) read_value(statement, column);
        *last = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    return result == SQLITE_DONE;
}

int main(int count, char **words) {
    sqlite3 *database;
    if (count < 4 || sqlite3_open(words[1], &database) != SQLITE_OK) return 64;
    sqlite3_busy_timeout(database, 5000);
    long long last = 0;
    // As the library does it when people change something.
    run(database, "PRAGMA synchronous = FULL", &last);
    run(database, "PRAGMA wal_autocheckpoint = 4000", &last);
    for (int round = 0; round < atoi(words[2]); round++) {
        double start = now();
        for (int index = 3; index < count; index++) {
            if (!run(database, words[index], &last)) {
                fprintf(stderr, "%s: %s\n", words[index], sqlite3_errmsg(database));
                return 1;
            }
        }
        printf("%.3f %lld\n", now() - start, last);
    }
    return 0;
}
