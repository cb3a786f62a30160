// SPDX-License-Identifier: MIT
#pragma once

// libFuzzer as a library, where the program was linked with it; see scripts/fuzz.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int (*PPFuzzerCall)(const uint8_t *data, size_t size);

// Source: “Using libFuzzer as a library”, LLVM.
extern int LLVMFuzzerRunDriver(int *count, char ***words, PPFuzzerCall call) __attribute__((weak));

// Calls `call` with inputs until an option of libFuzzer ends it; false if the program was built without.
static inline bool pp_fuzzer_run(int count, char **words, PPFuzzerCall call) {
    if (!LLVMFuzzerRunDriver) {
        return false;
    }
    LLVMFuzzerRunDriver(&count, &words, call);
    return true;
}
