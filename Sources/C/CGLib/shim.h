// SPDX-License-Identifier: MIT
// GLib and GIO. Imported by the module Desktop alone.

#include <gio/gdesktopappinfo.h>
#include <gio/gio.h>
#include <libintl.h>
