// SPDX-License-Identifier: MIT
// libsystemd's bus and event loop, and the vtable macros, which Swift cannot import. Only SDBus
// imports this module.

#ifndef PP_CSDBUS_SHIM_H
#define PP_CSDBUS_SHIM_H

#include <linux/sockios.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-event.h>

// The memory of what the peer of a socket has not read yet; 0 if that is unknown. Source: unix(7), SIOCOUTQ.
static inline int pp_unread_bytes(int socket) {
    int count = 0;
    return ioctl(socket, SIOCOUTQ, &count) == 0 ? count : 0;
}

// The bytes that wait to be read from a socket; 0 if that is unknown. Source: unix(7), SIOCINQ.
static inline int pp_waiting_bytes(int socket) {
    int count = 0;
    return ioctl(socket, SIOCINQ, &count) == 0 ? count : 0;
}

// One row of a vtable, without bit-fields and unions.
typedef struct {
    char kind;              // 'm' method, 's' signal, 'p' property that never changes,
                            // 'e' property whose changes are signalled
    const char *member;
    const char *signature;  // arguments in, arguments of the signal, or the property's type
    const char *result;     // arguments out, for a method
    const char *names;      // the names of all arguments in order, each ended by a zero byte
} pp_vtable_row;

// Makes the vtable for sd_bus_add_object_vtable; free it with free(3) after the slot is gone. The
// strings are borrowed and must live as long as the vtable. NULL if out of memory.
static inline sd_bus_vtable *_Nullable
pp_vtable_make(const pp_vtable_row *_Nonnull rows, size_t count,
               sd_bus_message_handler_t _Nonnull method, sd_bus_property_get_t _Nonnull get) {
    sd_bus_vtable *table = (sd_bus_vtable *)calloc(count + 2, sizeof *table);
    if (!table) return NULL;
    table[0] = (sd_bus_vtable)SD_BUS_VTABLE_START(0);
    for (size_t i = 0; i < count; i++) {
        const pp_vtable_row *row = &rows[i];
        switch (row->kind) {
        case 'm':
            table[i + 1] = (sd_bus_vtable){
                .type = _SD_BUS_VTABLE_METHOD,
                .flags = SD_BUS_VTABLE_UNPRIVILEGED,
                .x = {.method = {.member = row->member,
                                 .signature = row->signature,
                                 .result = row->result,
                                 .handler = method,
                                 .names = row->names}},
            };
            break;
        case 's':
            table[i + 1] = (sd_bus_vtable)SD_BUS_SIGNAL_WITH_NAMES(row->member, row->signature,
                                                                   row->names, 0);
            break;
        default:
            table[i + 1] = (sd_bus_vtable)SD_BUS_PROPERTY(
                row->member, row->signature, get, 0,
                row->kind == 'e' ? SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE
                                 : SD_BUS_VTABLE_PROPERTY_CONST);
        }
    }
    table[count + 1] = (sd_bus_vtable)SD_BUS_VTABLE_END;
    return table;
}

#endif
