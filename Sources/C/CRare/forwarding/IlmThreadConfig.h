// SPDX-License-Identifier: MIT
// OpenEXR's headers include this one without its folder from version 3.2 on.

#include <OpenEXR/IlmThreadConfig.h>
