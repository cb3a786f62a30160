#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A desktop's settings on an X display, as programs see them while they run.

    xsettings.py NAME=VALUE…

Numbers are integers, other values strings. Takes over from another such program, says "ready", and runs until
it is terminated.
"""
import ctypes
import signal
import struct
import sys

X11 = ctypes.CDLL("libX11.so.6")
for name in ("XOpenDisplay", "XDefaultRootWindow", "XInternAtom", "XCreateSimpleWindow"):
    getattr(X11, name).restype = ctypes.c_void_p if name == "XOpenDisplay" else ctypes.c_ulong


class ClientMessage(ctypes.Structure):
    """XClientMessageEvent with 32-bit data, as large as XEvent."""
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong),
                ("format", ctypes.c_int), ("data", ctypes.c_long * 5), ("rest", ctypes.c_long * 12)]


def padded(data):
    return data + bytes(-len(data) % 4)


def setting(name, value):
    is_number = value.lstrip("-").isdigit()
    head = struct.pack("<BxH", 0 if is_number else 1, len(name)) + padded(name.encode()) + struct.pack("<I", 1)
    if is_number:
        return head + struct.pack("<i", int(value))
    return head + struct.pack("<I", len(value.encode())) + padded(value.encode())


display = ctypes.c_void_p(X11.XOpenDisplay(None))
root = ctypes.c_ulong(X11.XDefaultRootWindow(display))
window = ctypes.c_ulong(X11.XCreateSimpleWindow(display, root, 0, 0, 1, 1, 0, 0, 0))
selection, settings, manager = (
    ctypes.c_ulong(X11.XInternAtom(display, text, 0))
    for text in (b"_XSETTINGS_S0", b"_XSETTINGS_SETTINGS", b"MANAGER"))
values = [pair.split("=", 1) for pair in sys.argv[1:]]
data = struct.pack("<BxxxII", 0, 1, len(values)) + b"".join(setting(*pair) for pair in values)
X11.XChangeProperty(display, window, settings, settings, 8, 0, data, len(data))
X11.XSetSelectionOwner(display, selection, window, ctypes.c_ulong(0))
# 33 is ClientMessage, 1 << 17 StructureNotifyMask.
event = ClientMessage(type=33, window=root.value, message_type=manager.value, format=32)
event.data[1], event.data[2] = selection.value, window.value
X11.XSendEvent(display, root, 0, ctypes.c_long(1 << 17), ctypes.byref(event))
X11.XSync(display, 0)
print("ready", flush=True)
signal.pause()
