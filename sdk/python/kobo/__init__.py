"""A client for the Kobo payment gateway."""

from .client import Client
from .errors import InvalidSignature, NoResponse, Refused
from .events import verify_event

__all__ = ["Client", "InvalidSignature", "NoResponse", "Refused", "verify_event"]
