"""An application that lets callers wait for as long as they want; the tests' own lets nobody."""

from dataclasses import replace

import pytest

from service.app import create_app
from tests.service.answering import Answering
from tests.service.table import Table


@pytest.fixture
def patient(settings, tables, _randomness):
    """The same tables at an application whose polls wait for long, with one connection for all."""
    waiting = replace(settings, longest_wait_seconds=25, stream_seconds=300, pool_size=1)
    app = create_app(waiting, _randomness)

    def at(table) -> Table:
        return Table(
            Answering(app),
            {
                **table.made,
                "tokens": [
                    {"seat": seat, "token": token}
                    for seat, token in table.tokens.items()
                    if isinstance(seat, int)
                ],
            },
        )

    yield at
    app.extensions["gin-rummy"].notifier.close()
    app.extensions["gin-rummy"].store.close()
