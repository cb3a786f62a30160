# SPDX-License-Identifier: MIT
"""An https server with pictures and with all that can go wrong with them.

    pictures.py ADDRESS CERTIFICATE KEY FOLDER [PORT]

Prints its port, then the path of each request. `FOLDER/open-NAME` is the sign for /gate/NAME to go on."""
import http.server
import os
import ssl
import sys
import time
import urllib.parse

address, certificate, key, folder = sys.argv[1:5]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def answer(self, status, body=b'', **headers):
        self.send_response(status)
        for name, value in {'Content_Length': str(len(body)), **headers}.items():
            for part in value if isinstance(value, list) else [value]:
                if part is not None:
                    self.send_header(name.replace('_', '-'), part)
        self.end_headers()
        self.wfile.write(body)

    def read(self, name):
        with open(os.path.join(folder, os.path.basename(name)), 'rb') as file:
            return file.read()

    def do_GET(self):
        print(self.path, '|', *(f'{name}={value}' for name, value in self.headers.items()), flush=True)
        path, _, query = self.path.partition('?')
        query = urllib.parse.unquote(query)
        kind, _, name = path[1:].partition('/')
        self.close_connection = True
        if kind == 'to':  # the URI in the query
            self.answer(302, b'elsewhere', Location=query)
        elif kind == 'circle':
            self.answer(307, Location='/circle')
        elif kind == 'hop':  # the status is the name, Cache-Control the query
            self.answer(int(name), Location='/known/picture.jpg?max-age=600', ETag='"1"',
                        Cache_Control=query or None)
        elif kind == 'chain':  # as many redirects as the name says
            self.answer(301, Location=f'/chain/{int(name) - 1}' if int(name) else '/file/picture.jpg')
        elif kind == 'gate':  # half of it, and the rest when the gate is open
            body = self.read('picture.jpg')
            self.answer(200, body[:len(body) // 2], Content_Length=str(len(body)))
            while not os.path.exists(os.path.join(folder, f'open-{name}')):
                time.sleep(0.01)
            self.wfile.write(body[len(body) // 2:])
        elif kind == 'silent':
            time.sleep(600)
        elif kind == 'endless':
            self.answer(200, Content_Length=None)
            while True:
                self.wfile.write(bytes(1 << 20))
        elif kind == 'huge':
            self.answer(200, b'x', Content_Length=str(1 << 30))
        elif kind == 'short':
            self.answer(200, b'x', Content_Length='1000')
        elif kind == 'known':  # with a validator; the query is Cache-Control
            control = query or None
            if self.headers.get('If-None-Match') == '"1"':
                self.answer(304, ETag='"1"', Cache_Control=control)
            else:
                self.answer(200, self.read(name), ETag='"1"', Cache_Control=control)
        elif kind == 'fields':  # several of one name
            self.answer(200, self.read('picture.jpg'), ETag='"1"',
                        Cache_Control=['max-age=600', 'no-store'])
        elif kind == 'vary':
            self.answer(200, self.read('picture.jpg'), ETag='"1"', Cache_Control='max-age=600',
                        Vary=['Accept', '*'])
        elif kind == 'status':
            self.answer(int(name), b'<p>No</p>')
        elif kind == 'file':  # whatever it is, it claims to be a picture
            try:
                self.answer(200, self.read(name), Content_Type='image/jpeg')
            except FileNotFoundError:
                self.answer(404, b'<p>No</p>')
        else:
            self.answer(404)


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        pass


server = Server((address, int(sys.argv[5]) if len(sys.argv) > 5 else 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(server.server_address[1], flush=True)
server.serve_forever()
