"""Orders over HTTP, kept in memory.

POST /orders {"item": …}   takes an order        GET  /orders/ID       shows it
POST /orders/next          hands out an open one  POST /orders/ID/done  closes it
"""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

orders = []
lock = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(*self.show(self.path))

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with lock:
            self.answer(*self.change(self.path, body))

    def show(self, path):
        if path == "/orders":
            return 200, orders
        return self.find(path.removeprefix("/orders/"))

    def change(self, path, body):
        if path == "/orders":
            item = json.loads(body).get("item")
            if not item:
                print("rejected order: no item in it", file=sys.stderr)
                return 400, {"error": "no item"}
            orders.append({"id": len(orders) + 1, "item": item, "state": "open"})
            print(f"took order {len(orders)}: {item}")
            return 201, orders[-1]
        if path == "/orders/next":
            order = next((o for o in orders if o["state"] == "open"), None)
            if order is None:
                return 204, None
            order["state"] = "packing"
            return 200, order
        if path.endswith("/done"):
            status, order = self.find(path.removeprefix("/orders/").removesuffix("/done"))
            if status == 200:
                order["state"] = "done"
            return status, order
        return 404, {"error": "no such thing"}

    def find(self, number):
        if number.isdigit() and 1 <= int(number) <= len(orders):
            return 200, orders[int(number) - 1]
        return 404, {"error": "no such order"}

    def answer(self, status, value):
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):
        pass  # what matters is printed above


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler)
print(f"listening on http://127.0.0.1:{server.server_port}")
server.serve_forever()
