import base64
import time

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from service.webhook_secrets import headers_of, new_secret, shown

BODY = b'{"type":"hand_ended"}'


def now() -> int:
    """The time of a message: verifiers refuse what is older than some minutes."""
    return int(time.time())


class TestASecret:
    def test_is_shown_as_the_standard_says(self):
        secret = new_secret()
        assert shown(secret).startswith("whsec_")
        assert base64.b64decode(shown(secret).removeprefix("whsec_")) == secret
        assert len(secret) == 32

    def test_is_another_one_each_time(self):
        assert len({new_secret() for _ in range(100)}) == 100


class TestASignature:
    def test_is_the_one_of_the_published_library(self):
        secret = new_secret()
        headers = headers_of("evt_1", now(), BODY, [secret])
        assert Webhook(shown(secret)).verify(BODY, headers) == {"type": "hand_ended"}

    def test_is_made_with_each_of_several_secrets(self):
        old, new = new_secret(), new_secret()
        headers = headers_of("evt_1", now(), BODY, [new, old])
        assert len(headers["webhook-signature"].split()) == 2
        for secret in (old, new):
            Webhook(shown(secret)).verify(BODY, headers)

    @pytest.mark.parametrize("altered", ["id", "timestamp", "body", "secret"])
    def test_is_of_everything_that_is_sent(self, altered):
        secret = new_secret()
        headers = headers_of("evt_1", now(), BODY, [secret])
        body = BODY + b" " if altered == "body" else BODY
        if altered == "id":
            headers["webhook-id"] = "evt_2"
        if altered == "timestamp":
            headers["webhook-timestamp"] = str(now() + 1)
        key = shown(new_secret() if altered == "secret" else secret)
        with pytest.raises(WebhookVerificationError):
            Webhook(key).verify(body, headers)
