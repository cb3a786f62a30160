// SPDX-License-Identifier: MIT
// The steps of an MD5 wait for each other, so that a processor which computes one is idle most of the time.
// Here, each lane of a vector is the state of another message.

#include "CDigest.h"

#include <string.h>

enum { LANES = 8, BLOCK = 64, WORDS = BLOCK / 4, DIGEST = 16 };

typedef uint32_t lanes __attribute__((vector_size(4 * LANES)));

/// A message, and what follows its last whole block: the rest, padding, and the length in bits.
struct message {
    const uint8_t *bytes;
    size_t whole;
    size_t blocks;
    uint8_t tail[2 * BLOCK];
};

/// The fractions of sines, in 32 bits: `floor(2^32 × |sin(i + 1)|)`.
static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a,
    0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be,
    0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340,
    0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8,
    0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c,
    0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
    0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92,
    0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1,
    0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static const uint32_t start[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

static void put_little_endian(uint8_t *bytes, uint64_t value, int count) {
    for (int index = 0; index < count; index++) bytes[index] = (uint8_t)(value >> (8 * index));
}

static void prepare(struct message *message, const uint8_t *bytes, size_t size) {
    const size_t rest = size % BLOCK;
    // The mark and the length take nine bytes.
    const size_t added = rest + 9 > BLOCK ? 2 : 1;
    message->bytes = bytes;
    message->whole = size / BLOCK;
    message->blocks = message->whole + added;
    memset(message->tail, 0, sizeof message->tail);
    // An empty message may have no address.
    if (rest > 0) memcpy(message->tail, bytes + size - rest, rest);
    message->tail[rest] = 0x80;
    put_little_endian(message->tail + added * BLOCK - 8, (uint64_t)size * 8, 8);
}

/// Puts a block into its lane.
static void load(lanes words[WORDS], int lane, const struct message *message, size_t index) {
    const uint8_t *block = index < message->whole
        ? message->bytes + index * BLOCK
        : message->tail + (index - message->whole) * BLOCK;
    for (int word = 0; word < WORDS; word++) {
        uint32_t value;
        memcpy(&value, block + 4 * word, sizeof value);
        if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) value = __builtin_bswap32(value);
        words[word][lane] = value;
    }
}

#define FIRST(x, y, z) (((x) & (y)) | (~(x) & (z)))
#define SECOND(x, y, z) (((x) & (z)) | ((y) & ~(z)))
#define THIRD(x, y, z) ((x) ^ (y) ^ (z))
#define FOURTH(x, y, z) ((y) ^ ((x) | ~(z)))

#define STEP(mix, a, b, c, d, word, step, bits)                   \
    a += mix(b, c, d) + words[(word) % WORDS] + sines[step];      \
    a = b + ((a << (bits)) | (a >> (32 - (bits))))

/// Sixteen steps; a step digests the word `factor * step + offset`.
#define ROUND(mix, number, factor, offset, s1, s2, s3, s4)                                        \
    for (int step = 0; step < 16; step += 4) {                                                    \
        const int first = (factor) * step + (offset), at = 16 * (number) + step;                  \
        STEP(mix, a, b, c, d, first, at, s1);                                                     \
        STEP(mix, d, a, b, c, first + (factor), at + 1, s2);                                      \
        STEP(mix, c, d, a, b, first + 2 * (factor), at + 2, s3);                                  \
        STEP(mix, b, c, d, a, first + 3 * (factor), at + 3, s4);                                  \
    }

/// Digests a block of each message.
static void digest(lanes state[4], const lanes words[WORDS]) {
    lanes a = state[0], b = state[1], c = state[2], d = state[3];
    ROUND(FIRST, 0, 1, 0, 7, 12, 17, 22)
    ROUND(SECOND, 1, 5, 1, 5, 9, 14, 20)
    ROUND(THIRD, 2, 3, 5, 4, 11, 16, 23)
    ROUND(FOURTH, 3, 7, 0, 6, 10, 15, 21)
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

/// As ``pp_md5_of_each``, for at most as many messages as there are lanes.
static void digest_group(struct message *messages, int count, uint8_t *digests) {
    lanes state[4], words[WORDS];
    size_t blocks = 0;
    for (int part = 0; part < 4; part++) state[part] = (lanes){} + start[part];
    for (int lane = 0; lane < count; lane++) {
        if (messages[lane].blocks > blocks) blocks = messages[lane].blocks;
    }
    memset(words, 0, sizeof words);
    for (size_t index = 0; index < blocks; index++) {
        // Lanes whose message has ended go on with its last block, which changes no digest.
        for (int lane = 0; lane < count; lane++) {
            if (index < messages[lane].blocks) load(words, lane, &messages[lane], index);
        }
        digest(state, words);
        for (int lane = 0; lane < count; lane++) {
            if (index + 1 != messages[lane].blocks) continue;
            for (int part = 0; part < 4; part++) {
                put_little_endian(digests + lane * DIGEST + part * 4, state[part][lane], 4);
            }
        }
    }
}

void pp_md5_of_each(
    const uint8_t *const *messages, const size_t *sizes, size_t count, uint8_t *digests) {
    struct message group[LANES];
    for (size_t first = 0; first < count; first += LANES) {
        const int size = count - first < LANES ? (int)(count - first) : LANES;
        for (int lane = 0; lane < size; lane++) {
            prepare(&group[lane], messages[first + lane], sizes[first + lane]);
        }
        digest_group(group, size, digests + first * DIGEST);
    }
}
