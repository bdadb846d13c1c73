"""A webhook endpoint in Python without packages: KOBO_SECRET_KEY=… python3 webhook.py"""
import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET_KEY = os.environ.get("KOBO_SECRET_KEY", "").encode()
if not SECRET_KEY:
    raise SystemExit("KOBO_SECRET_KEY is missing")  # anyone can sign with an empty key


class WebhookHandler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))  # the raw body, before parsing
        expected = hmac.new(SECRET_KEY, body, hashlib.sha512).hexdigest()
        given = self.headers.get("service-signature", "")
        if not hmac.compare_digest(expected.encode(), given.encode()):
            self.send_response(401)
            self.end_headers()
            return
        event = json.loads(body)
        print("received", event["eventType"], event["eventData"].get("paymentReference", ""), flush=True)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), WebhookHandler)
print("listening on", server.server_port, flush=True)
server.serve_forever()
