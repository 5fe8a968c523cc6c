"""What gunicorn writes into its log, less what clients sent.

Its lines about requests that it could not read quote them: the address with a ticket in it, a
header with a token. Here only the kind of fault is left.
"""

import logging
import sys
from typing import Any

from gunicorn.glogging import Logger

from service.addresses import without_secrets


class ServerLog(Logger):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's log; no line of it quotes a request."""

    def setup(self, cfg: Any) -> None:  # noqa: ANN401 - gunicorn has no types
        """Prepare the log for a process."""
        super().setup(cfg)
        self.error_log.addFilter(quote_nobody)

    def atoms(self, *request: Any) -> dict[str, object]:
        """Return what the line of an access log is made of, where an operator has one."""
        found: dict[str, object] = super().atoms(*request)
        return {name: _unquoted(value) for name, value in found.items()}


def quote_nobody(record: logging.LogRecord) -> bool:
    """Take out of a line what an error says of a request, and what an address has of secrets."""
    handled = sys.exc_info()[1]
    if handled is not None and str(handled):
        record.msg = str(record.msg).replace(str(handled), type(handled).__name__)
    if isinstance(record.args, tuple):
        record.args = tuple(map(_unquoted, record.args))
    return True


def _unquoted(value: object) -> object:
    if isinstance(value, BaseException):
        return type(value).__name__
    return without_secrets(value) if isinstance(value, str) else value
