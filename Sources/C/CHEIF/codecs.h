// SPDX-License-Identifier: MIT
// The functions that are installed; see CCodecs.h.

#ifndef PP_HEIF_CODECS_H
#define PP_HEIF_CODECS_H

#include "codec.h"

pp_status pp_libheif_read_facts(int fd, int64_t hidden, int turns, pp_facts *facts);
pp_status pp_libheif_decode(int fd, uint32_t side, int64_t hidden, int is_turned, int *turns,
                            pp_picture *picture);
uint32_t pp_libheif_version(void);
int pp_libheif_decodes_hevc(void);
int pp_libheif_decodes_av1(void);

pp_status pp_libjxl_read_facts(int fd, pp_facts *facts);
pp_status pp_libjxl_decode(int fd, pp_picture *picture);
pp_status pp_libjxl_restore_jpeg(const uint8_t *file, size_t count, pp_output *output);

#endif
