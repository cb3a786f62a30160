# SPDX-License-Identifier: MIT
"""A web page with fields for files, and the server that it tells what it got."""
import html
import http.server
import json
import os
import threading
import urllib.parse

from desk import wait

PAGE = """<!doctype html><meta charset=utf-8><title>Trial</title>
<style>label { display: block; padding: 8px; margin: 4px; border: 1px solid } input { display: none }</style>
%s
<script>
const post = (path, body) => fetch(path, {method: 'POST', body});
for (const field of document.querySelectorAll('input')) {
    field.oncancel = () => post('/answer', JSON.stringify(null));
    field.onchange = async () => {
        const answer = [];
        for (const file of field.files) {
            await post('/file?' + encodeURIComponent(file.name), file);
            answer.push({name: file.name, size: file.size, type: file.type});
        }
        await post('/answer', JSON.stringify(answer));
        field.value = '';
    };
}
post('/ready', '');
</script>"""


class Page:
    """Serves the page on this machine.

    fields: (id, accept or None, multiple) of each field; a click on the label with the id opens its chooser.
    """

    def __init__(self, fields, folder):
        self.folder = folder
        self.answers = []
        self.ready = threading.Event()
        rows = [f"<label id={name}>{html.escape(accept or 'all files')}<input type=file"
                + ("" if accept is None else f' accept="{html.escape(accept)}"')
                + (" multiple" if several else "") + "></label>"
                for name, accept, several in fields]
        text = (PAGE % "\n".join(rows)).encode()
        page = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def reply(self, body=b""):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                self.reply(text if self.path == "/" else b"")

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"] or 0))
                address = urllib.parse.urlparse(self.path)
                if address.path == "/file":
                    name = os.path.basename(urllib.parse.unquote(address.query))
                    with open(f"{page.folder}/{name}", "wb") as file:
                        file.write(body)
                elif address.path == "/answer":
                    page.answers.append(json.loads(body))
                elif address.path == "/ready":
                    page.ready.set()
                self.reply()

            def log_message(self, *words):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{server.server_port}/"

    def answer(self):
        """What the page got: a list of {name, size, type, path}, or None if the person cancelled."""
        wait("answer in the page", lambda: self.answers)
        answer = self.answers.pop(0)
        for file in answer or []:
            file["path"] = f"{self.folder}/{file['name']}"
        return answer
