// SPDX-License-Identifier: MIT

// Only the flags of libfuse3 are needed: stalled-disk is written in C.
