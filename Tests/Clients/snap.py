# SPDX-License-Identifier: MIT
"""Apps in a snap, as far as a portal can tell: programs of this folder in a scope with the name that snapd gives it.

snapd itself is missing, so Tests/Clients/snap-tool has to be installed as /usr/bin/snap.
"""
import os

from programs import FOLDER, Program

NAME = "trial"


class Snap(Program):
    """The GTK 3 program."""

    program = ("gtk", "3")

    def __init__(self, fields, scratch):
        self.count = 0
        folder = os.path.expanduser("~/.local/share/applications")
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/{NAME}_{NAME}.desktop", "w") as file:
            file.write(f"[Desktop Entry]\nType=Application\nName=Trial of a Snap\nExec={FOLDER}/gtk\n"
                       f"X-SnapInstanceName={NAME}\nX-SnapAppName={NAME}\n")
        name, *words = self.program
        super().__init__(fields, scratch, f"{FOLDER}/{name}", *words)

    def launch(self, *words):
        self.count += 1
        return super().launch(
            "systemd-run", "--user", "--quiet", "--scope", "--collect",
            f"--unit=snap.{NAME}.{NAME}-{self.count}.scope", *words)


class SnapPicker(Snap):
    """The program that knows us."""

    program = ("picker",)
