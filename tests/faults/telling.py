"""The service, telling more than it does: which process answered, and all that is ever logged.

:data:`APPLICATION` is what gunicorn imports in the place of ``service.wsgi:app``. Each answer names
its process, with :data:`LOG_EVERYTHING` in the environment every logger writes to standard error
from the lowest level on, and a request with the header :data:`FAIL` meets an error that nobody
expected: ``inside`` the frame around every operation, or ``outside`` of it.
"""

import logging
import os
from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask, request

APPLICATION = "tests.faults.telling:app()"
WORKER = "Worker"
LOG_EVERYTHING = "GIN_TEST_LOG_EVERYTHING"
FAIL = "Fail"


class Telling:
    """The WSGI layer that says which process it is in."""

    def __init__(self, app: Callable[..., Iterable[bytes]]) -> None:
        self.app = app

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        if environ.get("HTTP_FAIL") == "outside":
            raise RuntimeError("planted")
        response = start_response.__self__  # who gives a connection away looks for it

        class Start:
            __self__ = response

            def __call__(self, status: str, headers: list[tuple[str, str]], *rest: Any) -> object:
                return start_response(status, [*headers, (WORKER, str(os.getpid()))], *rest)

        return self.app(environ, Start())


def _fail() -> None:
    if request.headers.get(FAIL) == "inside":
        raise RuntimeError("planted")


def app() -> Flask:
    """Return the service as it is deployed, with its tongue loosened."""
    from service.wsgi import app as service  # it reads the environment

    if os.environ.get(LOG_EVERYTHING):
        logging.basicConfig(level=logging.NOTSET)
    service.before_request(_fail)
    service.wsgi_app = Telling(service.wsgi_app)
    return service
