#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A photo app: it shows albums and thumbnails, saves photos, fills albums, and follows what changes.

The class PhotoLibrary is all of D-Bus, and needs no display. The function show_window is all of GTK.
"""

import sys
import uuid

import gi
from gi.repository import Gio, GLib

NAME, PATH = "org.freedesktop.portal.PhotoPicker", "/org/freedesktop/portal/desktop"
LIBRARY, REQUEST = "org.freedesktop.portal.PhotoLibrary", "org.freedesktop.portal.Request"
SMART_ALBUMS = {"all": "All photos", "recent": "Recent", "favorites": "Favorites"}  # Apps name them.


class PortalError(Exception):
    """What is said to the person."""


class PhotoLibrary:
    """The person's photo library, as far as they let this app see it."""

    def __init__(self):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def call(self, method, signature, *arguments, files=None):
        """Calls a method. Returns a tuple of its results, and the descriptors that came with them."""
        try:
            # Files take as long as it takes to copy them; everything else is answered soon.
            results, descriptors = self.bus.call_with_unix_fd_list_sync(
                NAME, PATH, LIBRARY, method, GLib.Variant(signature, arguments), None,
                Gio.DBusCallFlags.NONE, GLib.MAXINT if files else 60_000, files, None)
        except GLib.Error as error:
            name = Gio.DBusError.get_remote_error(error)
            raise PortalError(error.message.removeprefix(f"GDBus.Error:{name}: ")) from error
        return results.unpack(), descriptors

    def request(self, method, signature, *arguments, files=None):
        """Calls a method that may ask the person, waits for the Response, and returns its results."""
        # With a token of our own the handle is known before the call, so that the signal cannot be missed.
        token, sender = f"album_{uuid.uuid4().hex}", self.bus.get_unique_name()[1:].replace(".", "_")
        options = {"handle_token": GLib.Variant("s", token)}
        loop, answer = GLib.MainLoop(), []

        def respond(*signal):
            answer.append(signal[5].unpack())
            loop.quit()
        response = self.bus.signal_subscribe(
            NAME, REQUEST, "Response", f"{PATH}/request/{sender}/{token}", None, 0, respond)
        try:
            self.call(method, signature, *arguments, options, files=files)
            # If the service ends, no Response comes.
            owner = Gio.bus_watch_name_on_connection(self.bus, NAME, 0, None, lambda *_: loop.quit())
            loop.run()
            Gio.bus_unwatch_name(owner)
        finally:
            self.bus.signal_unsubscribe(response)
        code, results = answer[0] if answer else (2, {})
        if code != 0:  # 1: the person did not agree, or closed the window; 2: they could not be asked.
            raise PortalError("You have not agreed." if code == 1 else results.get("message", "Please try again."))
        return results

    def authorize(self):
        """Asks the person, unless they have decided before. Everything but `save` needs it."""
        results = self.request("RequestAuthorization", "(ssa{sv})", "", "read-write")
        if results["authorization"] not in (3, 4):  # Authorized; limited to some photos, and to looking.
            raise PortalError("You have decided that this app may not use your photos.")

    def albums(self):
        (albums,), _ = self.call("GetAlbums", "(a{sv})", {})
        return [album | {"title": SMART_ALBUMS.get(album["id"], album["title"])} for album in albums]

    def assets(self, album):
        """The first 1000 photos of an album, and how many it has. The option `offset` leads to more."""
        results, _ = self.call("GetAssets", "(sa{sv})", album, {"limit": GLib.Variant("u", 1000)})
        return results

    def thumbnail(self, asset, size):
        """The pixels of a photo, and a dictionary with their width, height, stride and format."""
        (index, results), descriptors = self.call("GetThumbnail", "(sua{sv})", asset, size, {})
        with open(descriptors.get(index), "rb") as file:  # get() duplicates the descriptor; `with` closes it.
            return file.read(results["stride"] * results["height"]), results

    def save(self, path):
        """Adds a photo to the library, as a camera does. Returns its id."""
        files = Gio.UnixFDList()
        with open(path, "rb") as file:
            index = files.append(file.fileno())  # An `h` is a position in the list of descriptors.
        return self.request("SaveImage", "(sha{sv})", "", index, files=files)["id"]

    def add(self, title, paths):
        """Puts new photos into an album, which is made if need be: all of them, or none. Returns its id."""
        files, changes, names = Gio.UnixFDList(), [], []
        for number, path in enumerate(paths):
            with open(path, "rb") as file:
                changes.append(("create-asset", {"file": GLib.Variant("h", files.append(file.fileno())),
                                                 "placeholder": GLib.Variant("s", f"new{number}")}))
            names.append(f"@new{number}")
        changes.append(("ensure-album", {"title": GLib.Variant("s", title), "placeholder": GLib.Variant("s", "it")}))
        changes.append(("insert-assets", {"album": GLib.Variant("s", "@it"), "assets": GLib.Variant("as", names)}))
        (results,), _ = self.call("PerformChanges", "(a(sa{sv}))", changes, files=files)
        return results[-1]["album"]

    def follow(self, changed):
        """Calls `changed` with the changes of each signal, from now on."""
        def tell(_bus, _sender, _path, _interface, _signal, parameters):
            changed(parameters.unpack()[1])
        self.bus.signal_subscribe(NAME, LIBRARY, "Changed", PATH, None, 0, tell)
        self.call("WatchChanges", "(a{sv})", {})


def show_window(app):
    from gi.repository import Gdk, Gtk
    library = PhotoLibrary()
    albums, photos = Gtk.ListBox(width_request=200), Gtk.FlowBox(valign=Gtk.Align.START, max_children_per_line=20)
    loading = iter(())

    def load():
        """Shows one more thumbnail, so that the window answers in between."""
        asset = next(loading, None)
        if asset is None:
            return GLib.SOURCE_REMOVE
        picture = Gtk.Picture(width_request=160, height_request=160, alternative_text=asset["name"])
        photos.append(picture)
        try:
            pixels, info = library.thumbnail(asset["id"], 256)
            layout = Gdk.MemoryFormat.R8G8B8A8 if info["format"] == "rgba" else Gdk.MemoryFormat.R8G8B8
            picture.set_paintable(Gdk.MemoryTexture.new(
                info["width"], info["height"], layout, GLib.Bytes.new(pixels), info["stride"]))
        except PortalError as error:  # It is damaged, for example.
            picture.set_tooltip_text(str(error))
        return GLib.SOURCE_CONTINUE

    def open_album(_list, row):
        nonlocal loading
        for picture in list(photos):
            photos.remove(picture)
        assets, total = library.assets(row.album)
        window.set_title(f"{len(assets)} of {total} photos")
        loading = iter(assets)
        GLib.idle_add(load)

    def read(changes):
        """Reads all again, which is enough for a small app; `changes` tells what has changed."""
        for row in list(albums):
            albums.remove(row)
        for album in library.albums() if not changes.get("ended") else ():
            row = Gtk.ListBoxRow(child=Gtk.Label(label=f"{album['title']} ({album['count']})", xalign=0))
            row.album = album["id"]
            albums.append(row)
        if row := albums.get_row_at_index(0):
            open_album(albums, row)

    window = Gtk.ApplicationWindow(application=app, title="Photos", default_width=1000, default_height=700)
    window.set_child(Gtk.Paned(start_child=Gtk.ScrolledWindow(child=albums, hscrollbar_policy="never"),
                               end_child=Gtk.ScrolledWindow(child=photos), resize_start_child=False))
    albums.connect("row-activated", open_album)
    window.present()
    try:
        library.authorize()
        library.follow(read)
        read({})
    except PortalError as error:
        window.set_child(Gtk.Label(label=str(error), wrap=True))


def once(command="", *arguments):
    """Carries out one command without a window."""
    library = PhotoLibrary()
    if command != "save":
        library.authorize()
    match command, arguments:
        case "albums", []:
            for album in library.albums():
                print(album["id"], album["count"], album["title"], sep="\t")
        case "list", [album]:
            for asset in library.assets(album)[0]:
                print(asset["id"], asset["media_type"], asset["name"], sep="\t")
        case "save", [path]:
            print(library.save(path))
        case "add", [title, *paths]:
            print(library.add(title, paths))
        case "follow", []:
            library.follow(lambda changes: print(changes, flush=True))
            print("following", flush=True)
            GLib.MainLoop().run()
        case _:
            raise PortalError("albums | list ALBUM | save FILE | add TITLE FILE… | follow")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--once"]:
        try:
            once(*sys.argv[2:])
        except (PortalError, OSError) as problem:
            sys.exit(f"photo_album.py: {problem}")
    else:
        gi.require_version("Gtk", "4.0")
        from gi.repository import Gtk
        application = Gtk.Application(application_id="org.example.PhotoAlbum")
        application.connect("activate", show_window)
        sys.exit(application.run())
