# SPDX-License-Identifier: MIT
"""An app that attacks the photo picker over the session bus, and reports what it got.

usage: hostile.py ATTACK CONNECTIONS SECONDS [FILE]

Each connection makes calls as fast as the bus takes them for SECONDS, and then as long as FILE is
empty. Says `flooding` on standard output once all connections do. At the end it prints one line of
JSON: the calls sent, the replies, the errors by name, and the connections that the bus ended.

It speaks the protocol itself, because a D-Bus library would be the bottleneck.
"""

import collections
import json
import os
import select
import socket
import struct
import sys
import time

NAME = "org.freedesktop.portal.PhotoPicker"
PATH = "/org/freedesktop/portal/desktop"


def pad(data, alignment):
    return data + bytes(-len(data) % alignment)


def text(value):
    value = value.encode()
    return struct.pack("<I", len(value)) + value + b"\0"


def signature(value):
    return bytes([len(value)]) + value.encode() + b"\0"


def message(destination, path, interface, member, types="", body=b"", flags=0, descriptors=0):
    """A call with the serial 0, which `Peer.send` replaces."""
    fields = b""
    for code, kind, value in [
        (1, "o", path), (2, "s", interface), (3, "s", member), (6, "s", destination),
        (8, "g", types), (9, "u", descriptors),
    ]:
        if not value:
            continue
        fields = pad(fields, 8) + bytes([code]) + signature(kind)
        if kind == "g":
            fields += signature(value)
        else:
            fields = pad(fields, 4)
            fields += struct.pack("<I", value) if kind == "u" else text(value)
    header = struct.pack("<cBBBIII", b"l", 1, flags, 1, len(body), 0, len(fields)) + fields
    return pad(header, 8) + body


def options(*entries, title=""):
    """The arguments `("", title, options)`: an `a{sv}` of keys, types and marshalled values.

    The values are built for an offset that is a multiple of 8.
    """
    body = pad(text(""), 4) + text(title)
    body = pad(body, 4)
    start = len(body)
    body += bytes(4)
    body = pad(body, 8)
    begin = len(body)
    for key, kind, value in entries:
        body = pad(body, 8) + text(key) + signature(kind)
        body = pad(body, 8) if kind[0] in "(t" or kind.startswith("a") else pad(body, 4)
        body += value
    return body[:start] + struct.pack("<I", len(body) - begin) + body[start + 4:]


def pick(*entries, flags=0, descriptors=0, title=""):
    return message(
        NAME, PATH, NAME, "PickImages", "ssa{sv}", options(*entries, title=title), flags,
        descriptors)


def nested(depth):
    """A variant in a variant in a variant."""
    return signature("v") * depth + signature("y") + b"\0"


ATTACKS = {
    "calls": lambda: [pick()],
    # No more calls than the service answers, so that none waits in the bus.
    "eager": lambda: [pick()],
    # Each connection makes a few calls and is replaced by a new one, which nobody knows yet.
    "churn": lambda: [pick()],
    # Requests that nobody answers, so that they keep their places.
    "holding": lambda: [pick(title="Hold")],
    "silent": lambda: [pick(flags=1)],
    "unread": lambda: [pick()],
    "descriptors": lambda: [
        pick(
            ("unknown", "ah", struct.pack("<I16I", 64, *range(16))), descriptors=16)],
    "large": lambda: [pick(("unknown", "s", text("x" * (8 << 20))))],
    "nested": lambda: [pick(("unknown", "v", nested(20)))],
    "mixed": lambda: [
        message(NAME, PATH, "org.freedesktop.DBus.Introspectable", "Introspect"),
        message(
            NAME, PATH, "org.freedesktop.DBus.Properties", "GetAll", "s", text(NAME)),
        message(NAME, PATH + "/request", "org.freedesktop.DBus.Introspectable", "Introspect"),
        message(NAME, "/none", NAME, "None"),
        message(NAME, PATH, NAME, "AwaitResponse", "o", text("/none")),
        message(NAME, PATH, NAME, "PickImages", "s", text("wrong types")),
        pick(("handle_token", "s", text("a/b"))),
        pick(),
    ],
}


class Peer:
    def __init__(self, address, attack):
        self.reads = attack != "unread"
        self.most = {"eager": 100, "churn": 20}.get(attack)
        self.open = 0
        self.serial = 0
        self.incoming = b""
        self.outgoing = b""
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(address)
        self.descriptors = None
        self.send_line(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode())
        self.send_line(b"NEGOTIATE_UNIX_FD")
        self.socket.sendall(b"BEGIN\r\n")
        hello = self.numbered(message(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello"))
        self.socket.sendall(hello)
        while not self.messages():
            self.incoming += self.socket.recv(65536)
        self.socket.setblocking(False)

    def send_line(self, line):
        self.socket.sendall(line + b"\r\n")
        answer = b""
        while not answer.endswith(b"\r\n"):
            part = self.socket.recv(1)
            if not part:
                raise EOFError("the bus refused the greeting")
            answer += part

    def numbered(self, data):
        self.serial += 1
        return data[:8] + struct.pack("<I", self.serial) + data[12:]

    def messages(self):
        """Takes the complete messages that have arrived."""
        found = []
        while len(self.incoming) >= 16:
            body, _, fields = struct.unpack_from("<III", self.incoming, 4)
            length = 16 + fields + (-fields % 8) + body
            if len(self.incoming) < length:
                break
            found.append(self.incoming[:length])
            self.incoming = self.incoming[length:]
        return found

    def write(self, calls, sent):
        """Sends as much as the bus takes."""
        while True:
            if not self.outgoing:
                if self.descriptors:
                    call = self.numbered(calls[0])
                    count = self.socket.sendmsg([call], [(
                        socket.SOL_SOCKET, socket.SCM_RIGHTS,
                        struct.pack("16i", *self.descriptors))])
                    self.outgoing = call[count:]
                    sent["sent"] += 1
                    continue
                batch = max(1, min(200, (1 << 18) // len(calls[0])))
                if self.most:
                    batch = min(batch, self.most - self.open)
                    if batch <= 0:
                        return
                    self.open += batch
                self.outgoing = b"".join(
                    self.numbered(calls[i % len(calls)]) for i in range(batch))
                sent["sent"] += batch
            count = self.socket.send(self.outgoing)
            self.outgoing = self.outgoing[count:]

    def read(self, result):
        data = self.socket.recv(1 << 20)
        if not data:
            raise EOFError
        self.incoming += data
        for reply in self.messages():
            self.open -= reply[1] in (2, 3)
            if reply[1] == 2:
                result["replies"] += 1
            elif reply[1] == 3:
                fields = struct.unpack_from("<I", reply, 12)[0]
                start = reply.find(b".Error.", 0, 16 + fields)
                name = reply[start + 7:reply.find(b"\0", start)].decode() if start > 0 else "?"
                result["errors"][name] += 1


def main():
    attack, connections, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    address = os.environ["DBUS_SESSION_BUS_ADDRESS"].split("unix:path=")[1].split(",")[0]
    calls = ATTACKS[attack]()
    peers = [Peer(address, attack) for _ in range(connections)]
    if attack == "descriptors":
        files = [os.open("/dev/null", os.O_RDONLY) for _ in range(16)]
        for peer in peers:
            peer.descriptors = files
    result = {"sent": 0, "replies": 0, "errors": collections.Counter(), "disconnected": 0}
    end = time.monotonic() + seconds
    poll = select.poll()
    by_number = {}
    for peer in peers:
        by_number[peer.socket.fileno()] = peer
        poll.register(peer.socket, select.POLLOUT | (select.POLLIN if peer.reads else 0))
    is_first = True

    def goes_on():
        return len(sys.argv) > 4 and not os.path.getsize(sys.argv[4])

    while by_number and (time.monotonic() < end or goes_on()):
        for number, event in poll.poll(100):
            peer = by_number[number]
            if attack == "churn" and peer.serial > 20 and not peer.outgoing:
                poll.unregister(number)
                peer.socket.close()
                del by_number[number]
                peer = Peer(address, attack)
                by_number[peer.socket.fileno()] = peer
                poll.register(peer.socket, select.POLLOUT | select.POLLIN)
                continue
            try:
                if event & select.POLLIN:
                    peer.read(result)
                if event & (select.POLLHUP | select.POLLERR):
                    raise EOFError
                if event & select.POLLOUT:
                    peer.write(calls, result)
                if peer.most:
                    # With nothing to send, it would always be ready.
                    is_idle = peer.open >= peer.most and not peer.outgoing
                    poll.modify(number, select.POLLIN | (0 if is_idle else select.POLLOUT))
            except BlockingIOError:
                pass
            except (EOFError, OSError):
                result["disconnected"] += 1
                poll.unregister(number)
                del by_number[number]
        if is_first:
            print("flooding", flush=True)
            is_first = False
    print(json.dumps(result), flush=True)


main()
