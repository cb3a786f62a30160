// SPDX-License-Identifier: MIT
// libdeflate. Imported by the module Pixels alone.

#include <libdeflate.h>
