"""What a database needs before the service may use it, and whether it has it."""

import psycopg

from service.settings import Settings
from service.storage.errors import Unavailable
from service.storage.migrate import Migration, at_head, migrate
from service.storage.pool import Store, connect, require_durable


def prepare(settings: Settings) -> list[Migration]:
    """Look at the server's promises and apply the missing migrations; return those.

    :raises NotDurable: if the server would lose acknowledged writes.
    :raises MigrationError: if its schema and the files do not belong together.
    :raises Unavailable: if it cannot be reached.
    """
    try:
        with connect(settings) as conn:
            if settings.require_durable:
                require_durable(conn)
            return migrate(conn)
    except psycopg.OperationalError as error:
        raise Unavailable(str(error).strip()) from error


def ready(store: Store) -> bool:
    """Whether the database answers and has this version's schema.

    :raises Unavailable: if it does not answer.
    :raises Busy: if it does not answer in time.
    """
    with store.reading() as conn:
        return at_head(conn)
