# SPDX-License-Identifier: MIT
"""How the programs in this folder print what they get."""
import base64
import json
import os
import sys
import urllib.parse


def show(uri, name=None):
    """Prints a URI; with --read also what is in the file, as this program can read it.

    name: The name that the portal gives it; without one, that of the file.
    """
    print(uri)
    if "--read" in sys.argv:
        path = urllib.parse.unquote(urllib.parse.urlparse(uri).path)
        with open(path, "rb") as file:
            data = file.read()
        print("read", json.dumps({
            "name": name or os.path.basename(path), "size": os.path.getsize(path),
            "content": base64.b64encode(data).decode()}), flush=True)
