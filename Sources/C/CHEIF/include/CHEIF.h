// SPDX-License-Identifier: MIT
// HEIF and AVIF by libheif, and JPEG XL by libjxl. Only HEIFFormats imports this module.

#ifndef CHEIF_H
#define CHEIF_H

// Makes the functions for these formats in CCodecs use the libraries.
void pp_heif_install(void);

#endif
