"""What is left of gunicorn's lines about requests."""

import io
import logging
from datetime import timedelta
from types import SimpleNamespace

import pytest
from gunicorn.config import Config
from gunicorn.http.errors import InvalidRequestLine

from service.server_log import ServerLog

TICKET = "grt_AQAAAAAAAABrDeQdJP7k4dq33UkQFSqZ0eczgt5"
ADDRESS = f"/v1/games/g_1/updates/stream?ticket={TICKET}"


@pytest.fixture
def said():
    """A log at debug, and what it says; gunicorn's logger is as before afterwards."""
    logger = logging.getLogger("gunicorn.error")
    before = logger.level, logger.handlers, logger.filters, logger.propagate
    logger.handlers, logger.filters = [], []
    config = Config()
    config.set("loglevel", "debug")
    log, text = ServerLog(config), io.StringIO()
    [handler] = logger.handlers
    handler.setStream(text)
    yield log, text
    logger.level, logger.handlers, logger.filters, logger.propagate = before


class TestALine:
    def test_names_the_kind_of_an_error_that_is_handled(self, said):
        log, text = said
        try:
            raise InvalidRequestLine(f"GET {ADDRESS} HTP/1.1")
        except InvalidRequestLine as error:
            msg = "Invalid request from ip={ip}: {error}"
            log.warning(msg.format(ip="192.0.2.7", error=str(error)))  # as gunicorn does
        assert text.getvalue().endswith("Invalid request from ip=192.0.2.7: InvalidRequestLine\n")

    def test_names_the_kind_of_an_error_that_is_its_argument(self, said):
        log, text = said
        log.debug("Ignored premature client disconnection. %s", ValueError(ADDRESS))
        assert text.getvalue().endswith("disconnection. ValueError\n")

    def test_has_addresses_without_their_secrets(self, said):
        log, text = said
        log.error("Error handling request %s %s", "GET", ADDRESS)
        assert text.getvalue().endswith("GET /v1/games/g_1/updates/stream?ticket=***\n")

    def test_of_an_access_log_has_them_without_as_well(self, said):
        log, _ = said
        asked = SimpleNamespace(headers=[("REFERER", f"http://localhost{ADDRESS}")])
        answer = SimpleNamespace(status="200 OK", sent=7, headers=[])
        environ = {
            "REMOTE_ADDR": "192.0.2.7",
            "REQUEST_METHOD": "GET",
            "RAW_URI": ADDRESS,
            "PATH_INFO": "/v1/invitations/abcdefghij234567",
            "QUERY_STRING": f"ticket={TICKET}",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_REFERER": f"http://localhost{ADDRESS}",
        }
        atoms = log.atoms(answer, asked, environ, timedelta(seconds=1))
        assert atoms["r"] == "GET /v1/games/g_1/updates/stream?ticket=*** HTTP/1.1"
        assert (atoms["U"], atoms["q"]) == ("/v1/invitations/***", "ticket=***")
        assert not [text for text in atoms.values() if TICKET in str(text)]
        assert atoms["h"] == "192.0.2.7"

    def test_stays_what_it_is_otherwise(self, said):
        log, text = said
        log.info("Booting worker with pid: %s", 7)
        assert text.getvalue().endswith("Booting worker with pid: 7\n")
