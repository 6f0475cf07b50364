"""Orders something and waits until it is packed. Exit code 0: the stack works."""

import sys
import time

from client import call

status, order = call("POST", "/orders", {"item": "teapot"})
assert status == 201, status

status, _ = call("POST", "/orders", {"item": ""})
assert status == 400, status

deadline = time.monotonic() + 30
while order["state"] != "done":
    if time.monotonic() > deadline:
        sys.exit(f"order {order['id']} is still {order['state']}")
    time.sleep(0.1)
    _, order = call("GET", f"/orders/{order['id']}")
print("the teapot is packed")
