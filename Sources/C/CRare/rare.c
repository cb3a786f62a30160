// SPDX-License-Identifier: MIT

#include "rare.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int read_failure;

ssize_t pp_rare_read_at(int fd, void *bytes, size_t count, off_t offset) {
    ssize_t received;
    do {
        received = pread(fd, bytes, count, offset);
    } while (received < 0 && errno == EINTR);
    // A damaged file may name an offset that no file has.
    if (received < 0 && errno != EINVAL && errno != EOVERFLOW) atomic_store(&read_failure, 1);
    return received;
}

int pp_rare_take_read_failure(void) { return atomic_exchange(&read_failure, 0); }

uint64_t pp_rare_file_size(int fd) {
    uint64_t low = 0, high = UINT64_C(1) << 40;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        uint8_t byte;
        if (pp_rare_read_at(fd, &byte, 1, (off_t)middle) == 1) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

pp_rare_status pp_rare_allocate(pp_rare_picture *picture, uint64_t width, uint64_t height,
                                size_t size, uint64_t most) {
    if (width == 0 || height == 0) return PP_RARE_DAMAGED;
    if (width > most || height > most / width) return PP_RARE_TOO_LARGE;
    picture->pixels = calloc((size_t)(width * height), size);
    if (!picture->pixels) return PP_RARE_TOO_LARGE;
    picture->width = (uint32_t)width;
    picture->height = (uint32_t)height;
    return PP_RARE_OK;
}
