# SPDX-License-Identifier: MIT
"""The GTK, Qt and libportal programs of this folder, each started anew for a request."""
import base64
import json
import os
import subprocess

from desk import Trouble, find, wait

FOLDER = os.path.dirname(os.path.realpath(__file__))


class Program:
    """A program that asks once: fields are (name, accept or None, several), as in a web page.

    words: The program and its first arguments; the types follow them.
    """

    def __init__(self, fields, scratch, *words):
        self.fields = {name: (accept, several) for name, accept, several in fields}
        self.scratch = scratch
        self.words = words
        self.process = None

    def types(self, accept):
        return f"types={accept or ''}"

    def open(self, field, *words):
        """Starts the program, which asks at once.

        words: Further arguments of the program.
        """
        accept, several = self.fields[field]
        self.stop()
        self.process = self.launch(
            *self.words, self.types(accept), *["multiple"] * several, *words, "--window", "--read")
        self.window = wait("window of the program", lambda: self.check() or find("Trial")).number

    def launch(self, *words):
        self.output = open(f"{self.scratch}/output", "w+")
        return subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.STDOUT,
            env={**os.environ, "NO_AT_BRIDGE": "1", "GTK_A11Y": "none", "QT_ACCESSIBILITY": "0"})

    def text(self):
        with open(f"{self.scratch}/output") as output:
            return output.read()

    def check(self):
        if self.process.poll():
            raise Trouble(f"the program ended with {self.process.returncode}: {self.text()[-2000:]}")

    def check_asking(self):
        """Fails if the program waits for files no longer."""
        self.check()
        if self.process.poll() is not None:
            raise Trouble(f"the program ended without a window: {self.text()[-2000:]}")

    def answer(self):
        """What the program got: a list of {name, size, path}, or None if the person cancelled."""
        wait(lambda: f"end of the program: {self.text()}", lambda: self.check() or self.process.poll() is not None)
        lines = self.text().splitlines()
        if any(line.startswith("cancelled") for line in lines):
            return None
        return [self.keep(json.loads(line.removeprefix("read "))) for line in lines if line.startswith("read ")]

    def keep(self, file):
        """Stores what the program read: the file that it had may go with it."""
        file["path"] = f"{self.scratch}/received-{file['name']}"
        with open(file["path"], "wb") as copy:
            copy.write(base64.b64decode(file.pop("content")))
        return file

    def forget(self):
        self.stop()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
        if self.process:
            self.process.wait()
            wait("end of the program's window", lambda: not find("Trial"))


class GTK3(Program):
    def __init__(self, fields, scratch):
        super().__init__(fields, scratch, f"{FOLDER}/gtk", "3")


class GTK4(Program):
    def __init__(self, fields, scratch):
        super().__init__(fields, scratch, f"{FOLDER}/gtk", "4")


class Qt(Program):
    """Qt has no filter for all pictures: programs list suffixes or types."""

    listed = {"image/*": ".png,.jpg,.jpeg", "video/*": "video/mp4,video/webm"}

    def types(self, accept):
        return super().types(self.listed.get(accept, accept))


class Qt5(Qt):
    def __init__(self, fields, scratch):
        super().__init__(fields, scratch, f"{FOLDER}/qt", "5")


class Qt6(Qt):
    def __init__(self, fields, scratch):
        super().__init__(fields, scratch, f"{FOLDER}/qt", "6")


class Libportal(Program):
    def __init__(self, fields, scratch):
        super().__init__(fields, scratch, f"{FOLDER}/libportal")
