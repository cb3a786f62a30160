// SPDX-License-Identifier: MIT
// libdeflate. Only Pixels imports this module.

#include <libdeflate.h>
