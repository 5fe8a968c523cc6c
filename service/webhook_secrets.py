"""The secrets of webhooks, and what is signed with them: Standard Webhooks 1.0.0.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

import base64
import hmac
import secrets
from collections.abc import Sequence
from typing import Final

PREFIX: Final = "whsec_"
SECRET_BYTES: Final = 32


def new_secret() -> bytes:
    """Return a new secret: 32 bytes of chance."""
    return secrets.token_bytes(SECRET_BYTES)


def shown(secret: bytes) -> str:
    """Return a secret as its portal gets it: ``whsec_`` and base64."""
    return PREFIX + base64.b64encode(secret).decode()


def headers_of(
    message_id: str, timestamp: int, body: bytes, keys: Sequence[bytes]
) -> dict[str, str]:
    """Return the three headers of a message, signed with each of ``keys``.

    ``timestamp`` is in seconds since 1970.
    """
    signed = b"%s.%d.%s" % (message_id.encode(), timestamp, body)
    signatures = (base64.b64encode(hmac.digest(key, signed, "sha256")).decode() for key in keys)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(f"v1,{signature}" for signature in signatures),
    }
