// SPDX-License-Identifier: MIT
// GLib and GIO. Only Desktop imports this module.

#include <gio/gdesktopappinfo.h>
#include <gio/gio.h>
#include <libintl.h>
