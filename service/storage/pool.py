"""Connections to PostgreSQL: kept, limited in number and in time, and honest about failures.

Every connection commits each statement by itself; what must happen together is one statement, or
stands in ``with connection.transaction()``. Waiting for a connection, for a lock and for a
statement all end early: fail fast, so that one slow game does not take all.
"""

import contextlib
import logging
import select
import threading
from collections.abc import Callable, Iterator
from typing import Final

import psycopg
from psycopg import errors as pg
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout, TooManyRequests

from service.settings import Settings
from service.storage.errors import Busy, NotDurable, OutcomeUnknown, StatementRefused, Unavailable


class Connection(psycopg.Connection[TupleRow]):
    """A connection of the pool. ``changed`` is the game whose version a statement has raised."""

    changed: str | None = None
    _listening: "select.poll | None" = None

    def has_something_to_say(self) -> bool:
        """Return whether the server has sent something unasked."""
        if self._listening is None:
            self._listening = select.poll()
            self._listening.register(self.fileno(), select.POLLIN)
        return bool(self._listening.poll(0))

    def take_changed(self) -> str | None:
        """Return ``changed``, and forget it."""
        game_id, self.changed = self.changed, None
        return game_id


CONNECT_SECONDS: Final = 2
RECONNECT_SECONDS: Final = 2.0
"""How long the pool tries on its own; after that the next caller makes it try again."""

DURABLE: Final = ("fsync", "full_page_writes", "synchronous_commit")
"""Server settings that must not be off: each would lose acknowledged moves in a crash."""

TOO_LONG: Final = (pg.LockNotAvailable, pg.QueryCanceled, pg.TransactionRollback)
"""Waited for a lock, worked too long, or lost against another transaction: rolled back."""

CANNOT: Final = (psycopg.OperationalError, psycopg.InterfaceError, pg.ReadOnlySqlTransaction)
"""No connection, a server that is stopping, full, or a standby."""

log = logging.getLogger(__name__)


def _nobody(_game_id: str) -> None:
    """Tell nobody."""


class Store:
    """The pool of one process. Opens itself at first use, so that it may be made before a fork.

    ``changed`` is told of each game that was changed, after the commit; it must not wait.
    """

    def __init__(self, settings: Settings, changed: Callable[[str], None] = _nobody) -> None:
        if settings.database_url is None:
            raise ValueError("there is no DATABASE_URL to connect to")
        self._settings = settings
        self._changed = changed
        self._opening = threading.Lock()
        self._is_open = False
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            settings.database_url,
            connection_class=Connection,
            kwargs={
                "autocommit": True,
                "connect_timeout": CONNECT_SECONDS,
                "prepare_threshold": 0 if settings.prepare_statements else None,
                "application_name": "gin-rummy",
            },
            configure=self._configure,
            check=_check,
            min_size=1,
            max_size=settings.pool_size,
            open=False,
            timeout=settings.pool_timeout_seconds,
            max_waiting=settings.pool_max_waiting,
            reconnect_timeout=RECONNECT_SECONDS,
            num_workers=1,
        )

    def open(self) -> None:
        """Open the pool if it is not open.

        A server that is away is no error, since it may come back.

        :raises NotDurable: if the server would lose acknowledged writes.
        """
        with self._opening:
            if self._is_open:
                return
            try:
                with connect(self._settings) as conn:
                    self._configure(conn)
            except psycopg.OperationalError as error:
                log.warning("the database is away: %s", error)
            self._pool.open(wait=False)
            self._is_open = True

    def close(self) -> None:
        """Close the pool; it does not open again."""
        self._pool.close()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """Lend a connection for statements that change nothing.

        :raises Unavailable: if there is none, or it is lost.
        :raises Busy: if a statement took too long.
        :raises StatementRefused: if the server found fault with one.
        """
        conn = self._lent()
        try:
            yield conn
        except psycopg.Error as error:
            failure = _failure(error, Unavailable)
            raise failure from failure.__cause__
        finally:
            self._pool.putconn(conn)

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """Lend a connection for statements that change something.

        A server that acknowledges a commit with a warning did not keep its promise (a cancelled
        wait for a standby does this), so a notice leaves the outcome as open as a lost connection.

        :raises Unavailable: if there is no connection, or the server refused; nothing was changed.
        :raises Busy: if a statement took too long, or lost a race; nothing was changed.
        :raises OutcomeUnknown: if the connection was lost, or a notice came.
        :raises StatementRefused: if the server found fault with a statement; nothing was changed.
        """
        notices: list[str] = []

        def note(notice: pg.Diagnostic) -> None:
            notices.append(notice.message_primary or "a notice")

        conn = self._lent()
        conn.add_notice_handler(note)
        try:
            yield conn
        except psycopg.Error as error:
            unknown = bool(notices) or _lost(conn, error)
            failure = _failure(error, OutcomeUnknown if unknown else Unavailable)
            raise failure from failure.__cause__
        finally:
            conn.remove_notice_handler(note)
            game_id = conn.take_changed()
            self._pool.putconn(conn)
            if game_id is not None:  # perhaps it was not; a call too many does no harm
                self._changed(game_id)
        if notices:
            raise OutcomeUnknown(notices[0])

    def _lent(self) -> Connection:
        self.open()
        try:
            return self._pool.getconn()
        except (PoolTimeout, PoolClosed, TooManyRequests) as error:
            raise Unavailable(str(error)) from error

    def _configure(self, conn: Connection) -> None:
        """Set the time limits of a new connection, and look at the server's promises.

        As statements, since PgBouncer refuses start-up options.
        """
        limits = {
            "statement_timeout": self._settings.statement_timeout_ms,
            "lock_timeout": self._settings.lock_timeout_ms,
            "idle_in_transaction_session_timeout": self._settings.idle_in_transaction_timeout_ms,
        }
        for name, milliseconds in limits.items():
            conn.execute("SELECT set_config(%s, %s, false)", (name, str(milliseconds)))
        if self._settings.require_durable:
            require_durable(conn)


def open_store(settings: Settings) -> Store:
    """Return an open :class:`Store`.

    :raises NotDurable: if the server would lose acknowledged writes.
    """
    store = Store(settings)
    store.open()
    return store


def connect(settings: Settings) -> Connection:
    """Return a connection outside the pool, for commands; the caller closes it.

    :raises psycopg.OperationalError: if there is none to be had.
    """
    return Connection.connect(
        settings.database_url or "",
        autocommit=True,
        connect_timeout=CONNECT_SECONDS,
        prepare_threshold=None,
    )


def require_durable(conn: Connection) -> None:
    """Look whether the server keeps what it acknowledges.

    :raises NotDurable: if it does not, naming the setting.
    """
    query = "SELECT name FROM unnest(%s::text[]) AS name WHERE current_setting(name) = 'off'"
    off = [name for (name,) in conn.execute(query, (list(DURABLE),))]
    if off:
        raise NotDurable(f"PostgreSQL runs with {off[0]} = off and would lose acknowledged moves")


def read_consistently(conn: Connection) -> None:
    """Let what follows in this transaction read one moment of the database."""
    conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")


def _failure(error: psycopg.Error, cannot: type[Exception]) -> Exception:
    """Return what a failed statement becomes; ``cannot`` is for a server that could not do it."""
    if isinstance(error, TOO_LONG):
        ours: Exception = Busy(str(error))
    elif isinstance(error, CANNOT):
        ours = cannot(str(error))
    else:
        return _without_values(error)
    ours.__cause__ = error
    return ours


def _without_values(error: psycopg.Error) -> StatementRefused:
    """Return ``error`` as a log may have it: what was wrong and where, not the row it was about.

    The server quotes the whole row, with names and join code, and a value that it could not read.
    What it says of a statement that makes no sense names only what is ours.
    """
    of, state = error.diag, error.sqlstate or ""
    ours = of.message_primary if state.startswith("42") else None
    said = (type(error).__name__, state, of.table_name, of.column_name, of.constraint_name, ours)
    refused = StatementRefused(" ".join(word for word in said if word))
    return refused.with_traceback(error.__traceback__)


def _lost(conn: Connection, error: psycopg.Error) -> bool:
    """Whether the server may have done its work without our hearing of it."""
    state = error.sqlstate or "08"
    return conn.closed or state.startswith(("08", "57P"))


def _check(conn: Connection) -> None:
    """Look at an idle connection before it is lent: free unless the server has sent something.

    What a server sends unasked is nearly always its farewell; only then is a round trip worth it.
    """
    if conn.has_something_to_say():
        ConnectionPool.check_connection(conn)
