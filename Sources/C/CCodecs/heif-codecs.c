// SPDX-License-Identifier: MIT
// Calls the codecs of HEIF, AVIF and JPEG XL where they are installed.

#include "codec.h"

#include <stdatomic.h>

static const pp_heif_codecs *_Atomic installed;

void pp_install_heif_codecs(const pp_heif_codecs *codecs) { installed = codecs; }

int pp_has_heif_codecs(void) { return installed != NULL; }

pp_status pp_heif_read_facts(int fd, int64_t hidden, int turns, pp_facts *facts) {
    return installed ? installed->heif_read_facts(fd, hidden, turns, facts) : PP_UNSUPPORTED;
}

pp_status pp_heif_decode(int fd, uint32_t side, int64_t hidden, int is_turned, int *turns,
                         pp_picture *picture) {
    if (!installed) return PP_UNSUPPORTED;
    return installed->heif_decode(fd, side, hidden, is_turned, turns, picture);
}

uint32_t pp_heif_version(void) { return installed ? installed->heif_version() : 0; }

int pp_heif_decodes_hevc(void) { return installed ? installed->heif_decodes_hevc() : 0; }

int pp_heif_decodes_av1(void) { return installed ? installed->heif_decodes_av1() : 0; }

pp_status pp_jxl_read_facts(int fd, pp_facts *facts) {
    return installed ? installed->jxl_read_facts(fd, facts) : PP_UNSUPPORTED;
}

pp_status pp_jxl_decode(int fd, pp_picture *picture) {
    return installed ? installed->jxl_decode(fd, picture) : PP_UNSUPPORTED;
}

pp_status pp_jxl_restore_jpeg(const uint8_t *file, size_t count, pp_output *output) {
    return installed ? installed->jxl_restore_jpeg(file, count, output) : PP_UNSUPPORTED;
}
