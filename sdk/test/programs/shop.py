# Acts as a shop and prints the results as JSON.
import base64
import hashlib
import hmac
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../python"))
import kobo

given = json.load(sys.stdin)
warnings = []
shop = kobo.Client(given["baseUrl"], given["apiKey"], given["secretKey"], on_warning=warnings.append)


def order(reference):
    return {
        "amount": 9000,
        "customerEmail": "ada@example.com",
        "paymentReference": reference,
        "currencyCode": "NGN",
        "contractCode": given["contractCode"],
    }


printed = {}
reference = shop.transactions.init(order("shop-1"))["transactionReference"]
account = shop.bank_transfer.init({"transactionReference": reference, "bankCode": "035"})
shop.sandbox.pay_into_account({"bankCode": "035", "accountNumber": account["accountNumber"], "amount": 9000})
printed["status"] = shop.transactions.get({"transactionReference": reference})["paymentStatus"]
try:
    shop.transactions.init(order("shop-1"))
except kobo.Refused as refused:
    printed["refused"] = [refused.status, refused.code, refused.request_id is not None]
shop.transactions.init(order("shop-2"))
shop.transactions.init({**order("shop-3"), "custmerName": "Ada"})
printed["warnings"] = warnings
printed["found"] = [payment["paymentReference"] for payment in shop.transactions.search.each({"size": 1})]
shop.sandbox.change_settings({"webhookUrl": "http://localhost:3000/events"})
printed["isReset"] = shop.sandbox.change_settings({"webhookUrl": None})["webhookUrl"] is None
try:
    kobo.Client("http://127.0.0.1:1", given["apiKey"], given["secretKey"], attempts_max=1).banks.list()
except kobo.NoResponse as no_response:
    printed["noResponse"] = no_response.status
try:
    kobo.Client("localhost:8700", given["apiKey"], given["secretKey"])
except ValueError as error:
    printed["wrongUrl"] = "must start with https://" in str(error)

BODY = b'{"eventType":"SUCCESSFUL_TRANSACTION","eventData":{}}'


def signed(secret, at):
    signature = hmac.new(secret.encode(), f"evt_1.{at}.".encode() + BODY, hashlib.sha256).digest()
    return {"Webhook-Id": "evt_1", "Webhook-Timestamp": str(at), "Webhook-Signature": "v1," + base64.b64encode(signature).decode()}


def is_genuine(secret, at):
    try:
        return kobo.verify_event(BODY, signed(secret, at) if secret else {}, ["an-older-key", given["secretKey"]])["eventType"] == "SUCCESSFUL_TRANSACTION"
    except kobo.InvalidSignature:
        return False


now = int(time.time())
printed["genuine"] = [is_genuine(given["secretKey"], now), is_genuine("forged", now), is_genuine(given["secretKey"], now - 301), is_genuine("", now)]
try:
    kobo.verify_event(BODY, signed("", now), "")
except ValueError:
    printed["emptyKey"] = "rejected"
print(json.dumps(printed))
