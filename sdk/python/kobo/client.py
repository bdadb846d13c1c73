"""The client: tokens, retries and pages. The calls themselves are in api.py."""

from __future__ import annotations

import base64
import http.client
import json
import random
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from decimal import Decimal
from typing import Any, Callable, Generic, Iterator, Mapping, TypeVar

from .api import ENDPOINTS, Api
from .errors import NoResponse, Refused

Fields = TypeVar("Fields")
Entry = TypeVar("Entry")
Reply = TypeVar("Reply")

LOOPBACK = re.compile(r"localhost|127(\.[0-9]+){3}|::1")
RENEWED_SHARE = 0.8
"""Tokens are renewed after this share of their lifetime."""
TOKEN_REFUSALS = ("EXPIRED_TOKEN", "INVALID_TOKEN")
NO_EFFECT = (429, 503)
"""Statuses that mean the request had no effect, unless the error code is one of `UNKNOWN_EFFECT`."""
UNKNOWN_EFFECT = ("DATABASE_AWAY", "OUTCOME_UNKNOWN")
MAYBE_EFFECT = (500, 502, 504)
"""Statuses of a gateway or proxy after which the effect is unknown."""
WAIT_SECONDS_MAX = 30


class Call(Generic[Fields, Reply]):
    """Calls a route with its path, query and body fields, and returns the response body without the envelope."""

    def __init__(self, client: Client, endpoint: Mapping[str, Any]):
        self._client = client
        self._endpoint = endpoint

    def __call__(self, fields: Fields | None = None, idempotency_key: str | None = None) -> Reply:
        return self._client._perform(self._endpoint, fields or {}, idempotency_key)


class PageCall(Call[Fields, Reply], Generic[Fields, Entry, Reply]):
    """Calls a route that returns pages of results; `each` iterates over all pages."""

    def each(self, fields: Fields | None = None) -> Iterator[Entry]:
        given: Mapping[str, Any] = fields or {}  # type: ignore[assignment]
        key = self._endpoint["pageKey"]
        page = int(given.get(key) or 0)
        while True:
            response = self._client._perform(self._endpoint, {**given, key: page}, None)
            yield from response["content"]
            if response["last"] or not response["content"]:
                return
            page += 1


class _Group:
    def __init__(self, client: Client, endpoints: Mapping[str, Mapping[str, Any]]):
        for name, endpoint in endpoints.items():
            setattr(self, name, (PageCall if "pageKey" in endpoint else Call)(client, endpoint))


class _SameUrl(urllib.request.HTTPRedirectHandler):
    """Keys and tokens must not follow a redirect."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _Response:
    """The result of an attempt. `envelope` is None if no gateway responded."""

    def __init__(self, status: int | None, headers: Mapping[str, str], text: bytes, why: str):
        self.status, self.headers, self.why = status, headers, why
        try:
            parsed = json.loads(text, parse_float=Decimal)
        except ValueError:
            parsed = None
        self.envelope = parsed if isinstance(parsed, dict) and "requestSuccessful" in parsed else None
        self.code = headers.get("kobo-refusal") if self.envelope is not None else None


class Client(Api):
    """A client with a merchant's keys: `kobo.transactions.init({...})`. Sends nothing before the first call."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        secret_key: str,
        *,
        timeout_seconds: float = 40,
        attempts_max: int = 3,
        allow_http: bool = False,
        on_warning: Callable[[str], None] | None = None,
    ):
        """`allow_http` allows unencrypted http to another machine. `on_warning` receives the sandbox's warnings, such as a
        misspelt field that was ignored."""
        url = urllib.parse.urlsplit(base_url)
        if url.scheme not in ("https", "http") or not url.hostname:
            raise ValueError(f"base_url must start with https://, or http:// on this machine; it is '{base_url}'")
        if url.scheme == "http" and not allow_http and LOOPBACK.fullmatch(url.hostname) is None:
            raise ValueError("base_url must be an https URL because keys are sent there; set allow_http=True to allow http")
        if not api_key or not secret_key:
            raise ValueError("api_key or secret_key is missing")
        self._base_url = base_url.rstrip("/")
        self._basic = "Basic " + base64.b64encode(f"{api_key}:{secret_key}".encode()).decode()
        self._timeout_seconds = timeout_seconds
        self._attempts_max = attempts_max
        self._on_warning = on_warning
        self._opener = urllib.request.build_opener(_SameUrl)
        self._lock = threading.Lock()
        self._token: str | None = None
        self._token_until = 0.0
        for name, endpoints in ENDPOINTS.items():
            setattr(self, name, _Group(self, endpoints))

    def _perform(self, endpoint: Mapping[str, Any], fields: Any, idempotency_key: str | None) -> Any:
        """Sends a request and retries it while that is safe and useful."""
        key = (idempotency_key or str(uuid.uuid4())) if "isRepeatable" in endpoint else None
        url, body = self._addressed(endpoint, fields)
        headers = {"Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if key is not None:
            headers["Idempotency-Key"] = key
        safe_to_retry = endpoint["method"] == "GET" or endpoint["access"] == "keys" or key is not None
        attempt = 1
        while True:
            response = self._send_with_token(endpoint, url, headers, body)
            temporary = response.status is None or response.status in NO_EFFECT + MAYBE_EFFECT
            no_effect = response.envelope is not None and response.status in NO_EFFECT and response.code not in UNKNOWN_EFFECT
            if attempt >= self._attempts_max or not temporary or not (no_effect or safe_to_retry):
                return self._concluded(response, key)
            # Jitter spreads the retries of clients that failed together.
            backoff = 0.25 * 2 ** (attempt - 1) * (0.5 + random.random())
            after = response.headers.get("retry-after", "")
            time.sleep(min(max(backoff, float(after) if after.isdigit() else 0), WAIT_SECONDS_MAX))
            attempt += 1

    def _concluded(self, response: _Response, key: str | None) -> Any:
        if response.envelope is None or response.status is None:
            raise NoResponse(response.why, response.status, key)
        for warning in response.envelope.get("warnings", []):
            if self._on_warning is not None:
                self._on_warning(warning)
        if response.status == 200:
            return response.envelope.get("responseBody")
        raise Refused(
            response.envelope["responseMessage"],
            response.status,
            response.code,
            response.envelope["responseCode"],
            response.headers.get("x-request-id"),
        )

    def _addressed(self, endpoint: Mapping[str, Any], fields: Mapping[str, Any]) -> tuple[str, bytes | None]:
        """Puts the fields into the path, the query or the body."""
        others = dict(fields)

        def filled(match: re.Match[str]) -> str:
            value = others.pop(match[1], None)
            if value is None or value == "":
                raise ValueError(f"{match[1]} is missing")
            return urllib.parse.quote(str(value), safe="")

        url = self._base_url + re.sub(r":(\w+)", filled, endpoint["path"])
        if "hasBody" in endpoint:
            content = others.get(endpoint["bodyKey"]) if "bodyKey" in endpoint else others
            return url, json.dumps(content, default=str).encode()
        texts = {name: str(value).lower() if isinstance(value, bool) else value for name, value in others.items() if value is not None}
        return url + ("?" + urllib.parse.urlencode(texts, doseq=True) if texts else ""), None

    def _send_with_token(
        self, endpoint: Mapping[str, Any], url: str, headers: Mapping[str, str], body: bytes | None
    ) -> _Response:
        """Sends a request, and once more with a new token if the token was rejected."""

        def send(authorization: str | None) -> _Response:
            own = {} if authorization is None else {"Authorization": authorization}
            return self._send(urllib.request.Request(url, body, {**headers, **own}, method=endpoint["method"]))

        if endpoint["access"] == "keys":
            return send(self._basic)
        if endpoint["access"] == "open":
            return send(None)
        token = self._current_token(None)
        response = send(f"Bearer {token}")
        return response if response.code not in TOKEN_REFUSALS else send(f"Bearer {self._current_token(token)}")

    def _send(self, request: urllib.request.Request) -> _Response:
        try:
            with self._opener.open(request, timeout=self._timeout_seconds) as reply:
                return self._received(reply.status, reply.headers, reply.read())
        except urllib.error.HTTPError as error:
            try:
                return self._received(error.code, error.headers, error.read())
            except (OSError, http.client.HTTPException) as lost:
                return _Response(None, {}, b"", f"The gateway cannot be reached: {lost}")
        except (OSError, http.client.HTTPException) as error:
            return _Response(None, {}, b"", f"The gateway cannot be reached: {error}")

    @staticmethod
    def _received(status: int, headers: Mapping[str, str], text: bytes) -> _Response:
        return _Response(status, headers, text, f"The response with status {status} is not from a Kobo gateway")

    def _current_token(self, rejected: str | None) -> str:
        """The token, new if it has expired or is the rejected one; concurrent callers share one login."""
        with self._lock:
            if self._token is None or self._token == rejected or time.monotonic() >= self._token_until:
                started_at = time.monotonic()
                login = self._perform(ENDPOINTS["authentication"]["login"], {}, None)
                self._token = str(login["accessToken"])
                self._token_until = started_at + float(login["expiresIn"]) * RENEWED_SHARE
            return self._token
