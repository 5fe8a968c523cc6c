"""Problems that only portals meet; see :mod:`tests.contract.tour`."""

from service.portal_keys import SCOPES
from service.use_cases.keep_webhooks import MOST_WEBHOOKS
from service.use_cases.manage_keys import create_key

RECEIVER = {"url": "https://receiver.example.org/"}
A_KEY = "a portal's key, which the operator makes"


def _asked(method, path, body, times=1):
    """The last answer to a portal that asks so often."""

    def ask(tables, _unmigrated):
        key = create_key(tables.answering.house.store, "arcade", SCOPES).key
        for _ in range(times):
            answer = tables.answering.send(method, path, body, key)
        return answer

    return ask


OF_PORTALS = {
    "webhook_limit": (A_KEY, _asked("POST", "/v1/webhooks", RECEIVER, MOST_WEBHOOKS + 1)),
    "url_not_allowed": (
        A_KEY,
        _asked("POST", "/v1/webhooks", {"url": "https://169.254.169.254/"}),
    ),
}
