"""A shop with one product: it creates a payment, sends the customer to the checkout, and receives events."""

import json
import os
import re
import uuid
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

import kobo

PRICE = 9000
BODY_BYTES_MAX = 1_000_000
SECRET_KEY = os.environ["KOBO_SECRET_KEY"]

client = kobo.Client(os.environ.get("KOBO_URL", "http://localhost:8080"), os.environ["KOBO_API_KEY"], SECRET_KEY)

# Orders by payment reference; use a database in a real shop.
orders = {}
lock = Lock()


def buy():
    """Creates an order and its payment, and returns the checkout URL."""
    reference = f"order-{uuid.uuid4()}"
    orders[reference] = {"status": "OPEN", "deliveries": 0}
    payment = client.transactions.init({
        "amount": PRICE,
        "customerName": "Ada Obi",
        "customerEmail": "ada@example.com",
        "paymentReference": reference,
        "paymentDescription": "Two pairs of shoes",
        "currencyCode": "NGN",
        "contractCode": os.environ["KOBO_CONTRACT_CODE"],
    })
    return {"reference": reference, "checkoutUrl": payment["checkoutUrl"]}


def deliver_if_paid(reference):
    """Queries the payment's status, because an event is only a hint, and delivers the goods if it is paid."""
    if reference not in orders:
        return
    payment = client.transactions.query({"paymentReference": reference})
    is_paid = (
        payment["paymentStatus"] in ("PAID", "OVERPAID")
        and Decimal(payment["amountPaid"]) >= PRICE
        and payment["currency"] == "NGN"
    )
    with lock:
        order = orders[reference]
        order["status"] = payment["paymentStatus"]
        if is_paid and order["deliveries"] == 0:  # the same event can arrive twice
            order["deliveries"] = 1


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        found = re.fullmatch(r"/orders/([\w-]+)", self.path.split("?")[0])
        if found is None:
            return self.respond(404, {"error": "Not found"})
        return self.respond(200, orders.get(found[1], {"status": "UNKNOWN"}))

    def do_POST(self):
        act = {"/buy": self.sell, "/events": self.receive}.get(self.path)
        try:
            self.respond(*(act() if act else (404, {"error": "Not found"})))
        except kobo.Refused as refused:
            self.respond(422, {"error": str(refused), "code": refused.code})
        except kobo.NoResponse as no_response:
            self.respond(502, {"error": str(no_response)})  # the gateway retries an event

    def sell(self):
        return 200, buy()

    def receive(self):
        length = int(self.headers.get("content-length", "0"))
        if length > BODY_BYTES_MAX:
            return 413, {"error": "Too large"}
        try:
            event = kobo.verify_event(self.rfile.read(length), self.headers, SECRET_KEY)
        except kobo.InvalidSignature as error:
            return 401, {"error": str(error)}
        if event["eventType"] == "SUCCESSFUL_TRANSACTION":
            deliver_if_paid(event["eventData"]["paymentReference"])
        return 200, {"received": True}

    def respond(self, status, body):
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Shop)
print(f"The shop is open at http://localhost:{server.server_port}", flush=True)
server.serve_forever()
