# SPDX-License-Identifier: MIT
"""What a person has in front of them: the windows on the screen, and a pair of hands."""
import json
import os
import re
import subprocess
import time

SOURCE = os.path.realpath(f"{os.path.dirname(__file__)}/../..")

# The classes of windows that answer a request for files.
PHOTOS = "org.freedesktop.portal.photopicker"
FILES = "xdg-desktop-portal-gtk"


class Trouble(Exception):
    """Something that a person could not do or see."""


def wait(what, look, seconds=60):
    """Calls `look` until it returns something; it is long, because a machine may be slow and busy."""
    deadline = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > deadline:
            raise Trouble(f"no {what() if callable(what) else what} within {seconds} s")
        time.sleep(0.05)


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


class Person:
    """scripts/person, which uses our window."""

    def __init__(self):
        self.script = subprocess.Popen(
            [f"{SOURCE}/scripts/person"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def do(self, command):
        print(command, file=self.script.stdin, flush=True)
        answer = json.loads(self.script.stdout.readline() or '{"ok": false, "error": "it ended"}')
        if not answer.pop("ok"):
            raise Trouble(f"{command}: {answer['error']}")
        return answer


class Window:
    """A window of the screen."""

    def __init__(self, number):
        self.number = number
        text = subprocess.run(
            ["xprop", "-id", str(number), "WM_CLASS", "WM_NAME", "WM_TRANSIENT_FOR", "_NET_WM_WINDOW_TYPE"],
            capture_output=True, text=True).stdout
        self.classes = [name.lower() for name in re.findall(r'"([^"]*)"', text.split("WM_NAME")[0])]
        self.title = (re.findall(r'WM_NAME[^=]*= "(.*)"', text) or [""])[0]
        self.parent = int((re.findall(r"WM_TRANSIENT_FOR.*window id # (0x\w+)", text) or ["0"])[0], 16)
        self.types = re.findall(r"_NET_WM_WINDOW_TYPE_(\w+)", text)


def windows():
    """The windows on the screen, the lowest first."""
    text = output("xprop", "-root", "_NET_CLIENT_LIST_STACKING")
    return [Window(int(number, 16)) for number in re.findall(r"0x[0-9a-f]+", text.partition("#")[2])]


def find(name):
    """The topmost window with this class or title, or None."""
    found = [w for w in windows() if name.lower() in w.classes or name == w.title]
    return found[-1] if found else None


def describe_screen():
    """The windows, the lowest first, and where the pointer is."""
    places = [f"{w.number:#x} {w.title!r}: " + " ".join(output("xdotool", "getwindowgeometry", str(w.number)).split())
              for w in windows()]
    return "\n".join([*places, "pointer: " + output("xdotool", "getmouselocation").strip()])


def is_above(name, other):
    numbers = [w.number for w in windows()]
    return numbers.index(name) > numbers.index(other)


def activate(window):
    """Brings a window to the front, as a click on the taskbar does."""
    subprocess.run(["xdotool", "windowactivate", str(window)], check=False, stderr=subprocess.DEVNULL)


def is_active(window):
    text = output("xprop", "-root", "_NET_ACTIVE_WINDOW")
    return re.findall(r"0x[0-9a-f]+", text.partition("#")[2]) == [hex(window)]


def press(window, key):
    """Presses a key in a window; does nothing but bring it to the front if it is not there."""
    if is_active(window):
        output("xdotool", "key", key)
    else:
        activate(window)
