# SPDX-License-Identifier: MIT
"""Apps in a real Flatpak: programs of this folder, with a runtime made of this system's files."""
import glob
import os
import re
import shutil
import subprocess

from desk import output
from programs import FOLDER, Program

APP = "org.example.Trial"
RUNTIME = "org.example.Runtime"
ARCHITECTURE = {"x86_64": "x86_64", "aarch64": "aarch64"}[os.uname().machine]
LIBRARIES = f"/usr/lib/{ARCHITECTURE}-linux-gnu"
# What GTK and Python need beside programs and libraries.
DATA = [
    f"{LIBRARIES}/girepository-1.0", "/usr/lib/girepository-1.0", "/usr/lib/python3/dist-packages/gi",
    "/usr/share/glib-2.0/schemas/gschemas.compiled", "/usr/share/mime/mime.cache", "/usr/share/fonts",
    "/usr/share/X11", "/usr/share/fontconfig", "/etc/fonts",
]


class Flatpak(Program):
    """The GTK 3 program."""

    program = ("gtk", "3")

    def __init__(self, fields, scratch):
        self.folder = f"{scratch}/flatpak"
        os.makedirs(self.folder)
        self.make_runtime()
        self.make_app()
        name, *words = self.program
        super().__init__(
            fields, scratch, "flatpak", "run", "--user", "--die-with-parent", f"--command={name}", APP, *words)

    def make_runtime(self):
        runtime = f"{self.folder}/runtime"
        python = os.path.realpath("/usr/bin/python3")
        modules = f"/usr/lib/{os.path.basename(python)}"
        programs = [python, "/bin/sh", "/usr/bin/env"]
        code = programs + glob.glob(f"{modules}/lib-dynload/*.so") + glob.glob(
            "/usr/lib/python3/dist-packages/gi/*.so") + [f"{LIBRARIES}/libgtk-3.so.0"]
        libraries = set(re.findall(r"(?:=> |^\s+)(/\S+) \(", output("ldd", *code), re.MULTILINE))
        libraries.add(f"{LIBRARIES}/libgtk-3.so.0")
        for path in [*programs, modules, *DATA]:
            self.copy(path, runtime)
        for path in libraries:
            self.copy(path, runtime)
        os.symlink(os.path.basename(python), f"{runtime}/usr/bin/python3")
        self.copy("/sbin/ldconfig", runtime)
        with open(f"{runtime}/usr/etc/ld.so.conf", "w") as file:
            print(LIBRARIES, file=file)
        # Flatpak takes a folder for a build only if it has this.
        os.makedirs(f"{runtime}/files")
        with open(f"{runtime}/metadata", "w") as file:
            name = f"{RUNTIME}/{ARCHITECTURE}/master"
            file.write(f"[Runtime]\nname={RUNTIME}\nruntime={name}\nsdk={name}\n")
        self.make_repository()
        self.flatpak("build-export", "--disable-sandbox", "--runtime", f"{self.folder}/repository", runtime)
        self.flatpak("remote-add", "--user", "--no-gpg-verify", "trial", f"{self.folder}/repository")
        self.flatpak("install", "--user", "--noninteractive", "trial", RUNTIME)

    def make_repository(self):
        """An empty repository that takes what is exported: by itself, OSTree leaves 3% of the disk free."""
        repository = f"{self.folder}/repository"
        for folder in ("objects", "refs/heads", "tmp"):
            os.makedirs(f"{repository}/{folder}")
        with open(f"{repository}/config", "w") as file:
            file.write("[core]\nrepo_version=1\nmode=archive-z2\nmin-free-space-size=1MB\n")

    def make_app(self):
        app = f"{self.folder}/app"
        self.flatpak("build-init", app, APP, RUNTIME, RUNTIME)
        os.makedirs(f"{app}/files/bin")
        for name in ("gtk", "picker", "uris.py"):
            shutil.copy(f"{FOLDER}/{name}", f"{app}/files/bin/{name}")
        self.flatpak("build-finish", "--socket=x11", "--share=ipc", app)
        self.flatpak("build-export", "--disable-sandbox", f"{self.folder}/repository", app)
        self.flatpak("install", "--user", "--noninteractive", "trial", APP)

    def flatpak(self, command, *words):
        try:
            output("flatpak", command, *words)
        except subprocess.CalledProcessError as error:
            raise SystemExit(f"flatpak {command}: {error.stderr}") from error

    def copy(self, path, runtime):
        """Copies a file or folder; the runtime has the merged /usr of Debian, and /etc in /usr/etc."""
        place = path if path.startswith("/usr/") else f"/usr{path}"
        if not os.path.exists(path) or os.path.lexists(f"{runtime}{place}"):
            return
        os.makedirs(os.path.dirname(f"{runtime}{place}"), exist_ok=True)
        if os.path.isdir(path):
            shutil.copytree(path, f"{runtime}{place}", ignore_dangling_symlinks=True,
                            ignore=shutil.ignore_patterns("__pycache__", "test", "idlelib", "ensurepip"))
        else:
            shutil.copy(path, f"{runtime}{place}")


class FlatpakPicker(Flatpak):
    """The program that knows us."""

    program = ("picker",)
