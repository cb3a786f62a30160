# SPDX-License-Identifier: MIT
"""Firefox and Chromium, driven over the protocols that they offer to tests."""
import json
import os
import socket
import subprocess

from desk import Trouble, find, wait
from page import Page


class Browser:
    """A browser that shows the page, started as a desktop starts it: in a unit with the name of its app.

    `program`, `window_class` and the protocol are the subclasses'.
    """

    def __init__(self, fields, scratch):
        self.scratch = scratch
        os.makedirs(f"{scratch}/received")
        os.makedirs(f"{scratch}/profile")
        self.page = Page(fields, f"{scratch}/received")
        self.log = open(f"{scratch}/log", "w")
        self.start()
        wait("page in the browser", self.page.ready.is_set, 180)
        self.window = wait("window of the browser", lambda: find(self.window_class)).number

    def launch(self, *words, **options):
        unit = f"app-gnome-{self.app.replace('-', chr(92) + 'x2d')}-1.scope"
        return subprocess.Popen(
            ["systemd-run", "--user", "--quiet", "--scope", f"--unit={unit}", *words],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, **options)

    def open(self, field):
        """Clicks the label of a field, which opens the chooser."""
        self.click(f"#{field}")

    def check_asking(self):
        """Fails if the browser has ended."""
        if self.process.poll() is not None:
            raise Trouble("the browser ended")

    def answer(self):
        return self.page.answer()

    def forget(self):
        """Drops answers that nobody waited for."""
        self.page.answers.clear()

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Firefox(Browser):
    """With Marionette: messages LENGTH:[TYPE, ID, COMMAND, PARAMETERS] on a socket."""

    app = "firefox-esr"
    window_class = "firefox-esr"
    preferences = {
        "widget.use-xdg-desktop-portal.file-picker": 1,
        "browser.aboutwelcome.enabled": False,
        "browser.startup.homepage_override.mstone": "ignore",
        "datareporting.policy.dataSubmissionEnabled": False,
        "accessibility.force_disabled": 1,
    }

    def start(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        with open(f"{self.scratch}/profile/user.js", "w") as file:
            for key, value in {**self.preferences, "marionette.port": port}.items():
                print(f'user_pref("{key}", {json.dumps(value)});', file=file)
        self.process = self.launch(
            "firefox-esr", "--marionette", "--no-remote", "--profile", f"{self.scratch}/profile")

        def connection():
            if self.process.poll() is not None:
                raise Trouble("Firefox ended")
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=180)
            except OSError:
                return None

        self.socket = wait("Marionette", connection, 180)
        self.stream = self.socket.makefile("rb")
        self.number = 0
        self.receive()
        self.command("WebDriver:NewSession", {})
        self.command("WebDriver:Navigate", {"url": self.page.address})

    def receive(self):
        length = b""
        while not length.endswith(b":"):
            byte = self.stream.read(1)
            if not byte:
                raise Trouble("Firefox ended")
            length += byte
        return json.loads(self.stream.read(int(length[:-1])))

    def command(self, name, parameters):
        self.number += 1
        text = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self.receive()
        if error:
            raise Trouble(f"{name}: {error['message']}")
        return result

    def click(self, selector):
        element = self.command("WebDriver:FindElement", {"using": "css selector", "value": selector})
        self.command("WebDriver:ElementClick", {"id": list(element["value"].values())[0]})


class Chromium(Browser):
    """With the DevTools protocol: JSON objects that end with a zero byte, on two pipes."""

    app = "chromium"
    window_class = "chromium"

    def start(self):
        theirs, ours = os.pipe()
        self.input = os.fdopen(ours, "wb")
        ours, replies = os.pipe()
        self.stream = os.fdopen(ours, "rb")
        # The protocol's descriptors are 3 and 4; the shell has room for higher ones.
        self.process = self.launch(
            "bash", "-c", f'exec 3<&{theirs} 4>&{replies} {theirs}<&- {replies}>&-; exec "$@"', "bash",
            "chromium", "--remote-debugging-pipe", f"--user-data-dir={self.scratch}/profile",
            "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--password-store=basic",
            "--ozone-platform=x11", self.page.address, pass_fds=(theirs, replies))
        os.close(theirs)
        os.close(replies)
        self.number = 0
        self.session = None

        def page():
            targets = self.command("Target.getTargets", {})["targetInfos"]
            return next((t["targetId"] for t in targets if t["url"] == self.page.address), None)

        target = wait("page in Chromium", page, 180)
        self.session = self.command("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]

    def command(self, name, parameters):
        self.number += 1
        message = {"id": self.number, "method": name, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.input.write(json.dumps(message).encode() + b"\0")
        self.input.flush()
        while True:
            answer = json.loads(self.receive())
            if answer.get("id") == self.number:
                break
        if "error" in answer:
            raise Trouble(f"{name}: {answer['error']['message']}")
        return answer["result"]

    def receive(self):
        text = b""
        while not text.endswith(b"\0"):
            byte = self.stream.read(1)
            if not byte:
                raise Trouble("Chromium ended")
            text += byte
        return text[:-1]

    def click(self, selector):
        script = f"""(() => {{ const box = document.querySelector('{selector}').getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2] }})()"""
        result = self.command("Runtime.evaluate", {"expression": script, "returnByValue": True})
        x, y = result["result"]["value"]
        for kind in ("mousePressed", "mouseReleased"):
            self.command("Input.dispatchMouseEvent", {
                "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1})
