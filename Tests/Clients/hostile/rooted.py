# SPDX-License-Identifier: MIT
"""A program whose root folder is on a file system that may not answer.

usage: rooted.py FOLDER

Connects to the session bus, moves its root folder, and prints its unique name. It ends when its
standard input does.
"""
import os
import sys

import dbus

bus = dbus.SessionBus()
name = bus.get_unique_name()
os.chroot(sys.argv[1])
os.chdir("/")
print(name, flush=True)
sys.stdin.read()
