// SPDX-License-Identifier: MIT
// libsystemd's journal, service notification and login sessions. Only Systemd imports this module.

#ifndef PP_CSYSTEMD_SHIM_H
#define PP_CSYSTEMD_SHIM_H

#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-login.h>

#endif
