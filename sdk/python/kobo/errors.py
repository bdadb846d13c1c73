from __future__ import annotations


class Refused(Exception):
    """The gateway rejected the call. The call changed nothing."""

    def __init__(self, message: str, status: int, code: str | None, response_code: str, request_id: str | None):
        super().__init__(message)
        self.status = status
        self.code = code
        """The error code for programs, such as `WRONG_OTP`."""
        self.response_code = response_code
        self.request_id = request_id


class NoResponse(Exception):
    """There was no response from the gateway, so it is unknown whether the call took effect."""

    def __init__(self, message: str, status: int | None, idempotency_key: str | None):
        super().__init__(message)
        self.status = status
        self.idempotency_key = idempotency_key
        """Retry with this key to get the outcome without a second effect."""


class InvalidSignature(Exception):
    """The request is not a signed event of this merchant's gateway. Respond with 401."""
