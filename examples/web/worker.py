"""Packs one order after the other, for ever."""

import time

from client import call

while True:
    status, order = call("POST", "/orders/next")
    if status == 204:
        time.sleep(0.1)
        continue
    print(f"packing {order['item']}")
    call("POST", f"/orders/{order['id']}/done")
