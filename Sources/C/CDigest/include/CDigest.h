// SPDX-License-Identifier: MIT
// The MD5 of several messages at once. Only Desktop imports this module.

#ifndef PP_CDIGEST_H
#define PP_CDIGEST_H

#include <stddef.h>
#include <stdint.h>

// Computes the MD5 (RFC 1321) of each of `count` messages; the digests, of 16 bytes each, follow each other. An
// empty message may be null. Messages of about the same length take the least time.
void pp_md5_of_each(
    const uint8_t *_Nullable const *_Nonnull messages, const size_t *_Nonnull sizes, size_t count,
    uint8_t *_Nonnull digests);

#endif
