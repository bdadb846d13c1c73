"""Webhook events."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from decimal import Decimal
from typing import Any, Mapping, Sequence

from .errors import InvalidSignature

TOLERANCE_SECONDS = 300
SIGNATURES_MAX = 5
"""The gateway sends at most two signatures."""


def verify_event(
    body: bytes, headers: Mapping[str, str], secret_key: str | Sequence[str], now: float | None = None
) -> dict[str, Any]:
    """Verifies a request's signature and returns its event, or raises `InvalidSignature`.

    Pass the raw body, before any parsing. During a rotation, pass both the old and the new secret key.
    """
    secrets = [secret_key] if isinstance(secret_key, str) else list(secret_key)
    if not secrets or "" in secrets:
        raise ValueError("secret_key is missing")
    given = {name.lower(): value for name, value in headers.items()}
    event_id, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    if event_id == "" or re.fullmatch(r"[0-9]{1,12}", timestamp) is None:
        raise InvalidSignature("The headers webhook-id, webhook-timestamp and webhook-signature are missing or malformed")
    # Rejects replayed requests.
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE_SECONDS:
        raise InvalidSignature(f"The signature's time differs from now by more than {TOLERANCE_SECONDS} seconds")
    signatures = given.get("webhook-signature", "").split(" ")[:SIGNATURES_MAX]
    signed = f"{event_id}.{timestamp}.".encode() + body
    genuine = False
    for secret in secrets:
        expected = b"v1," + base64.b64encode(hmac.new(secret.encode(), signed, hashlib.sha256).digest())
        for signature in signatures:
            genuine = hmac.compare_digest(expected, signature.encode()) or genuine
    if not genuine:
        raise InvalidSignature("The signature does not match")
    return json.loads(body, parse_float=Decimal)
