// SPDX-License-Identifier: MIT

#include "CHEIF.h"
#include "codecs.h"

void pp_heif_install(void) {
    static const pp_heif_codecs codecs = {
        .heif_read_facts = pp_libheif_read_facts,
        .heif_decode = pp_libheif_decode,
        .heif_version = pp_libheif_version,
        .heif_decodes_hevc = pp_libheif_decodes_hevc,
        .heif_decodes_av1 = pp_libheif_decodes_av1,
        .jxl_read_facts = pp_libjxl_read_facts,
        .jxl_decode = pp_libjxl_decode,
        .jxl_restore_jpeg = pp_libjxl_restore_jpeg,
    };
    pp_install_heif_codecs(&codecs);
}
