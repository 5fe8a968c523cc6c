"""Everything that can be set from outside: one frozen value, read once from the environment.

A value that makes no sense is refused with the name of its variable, and so is a misspelt
``GIN_`` variable. Nothing else in the service reads the environment.
"""

import difflib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, cast
from urllib.parse import urlsplit

T = TypeVar("T")

Network: TypeAlias = IPv4Network | IPv6Network

OTHERS_PREFIXES: Final = ("GIN_SWEEP_", "GIN_BENCH_", "GIN_TEST_")
"""Variables of tests and benchmarks, which are none of the service's business."""

_LIMIT: Final = "limit_"

SHORTEST_SECRET: Final = 32
"""Bytes of the shortest secret that is accepted."""


class SettingsError(ValueError):
    """A setting is missing or makes no sense; the message names its variable."""

    def __init__(self, variable: str, problem: str) -> None:
        super().__init__(f"{variable}: {problem}")
        self.variable = variable


def _setting(variable: str, parse: Callable[[str], T], default: str, *, shown: bool = True) -> T:
    """Declare a field that is read from ``variable``; :func:`load` fills it in."""
    described = {"variable": variable, "parse": parse, "default": default}
    return cast("T", field(repr=shown, metadata=described))


def _text(raw: str) -> str:
    return raw.strip()


def _whole(least: int, most: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from ``least`` to ``most``."""

    def parse(raw: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", raw.strip()) or not (least <= int(raw) <= most):
            raise ValueError(f"must be a whole number from {least} to {most}, not {raw!r}")
        return int(raw)

    return parse


def _seconds(raw: str) -> float:
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", raw.strip()) or not float(raw):
        raise ValueError(f"must be a number of seconds above 0, not {raw!r}")
    return float(raw)


def _switch(raw: str) -> bool:
    words = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    if raw.strip().lower() not in words:
        raise ValueError(f"must be true or false, not {raw!r}")
    return words[raw.strip().lower()]


class Limit(NamedTuple):
    """A rate limit: ``quota`` requests at once, and so many again within each ``seconds``."""

    quota: int
    seconds: int


def _limit(raw: str) -> Limit | None:
    if raw.strip().lower() == "off":
        return None
    quota, _, seconds = raw.partition("/")
    try:
        return Limit(_whole(1, 1_000_000)(quota), _whole(1, 86_400)(seconds))
    except ValueError:
        raise ValueError(
            "must be off, or requests/seconds such as 120/60, with up to 1000000 requests and "
            f"86400 seconds, not {raw!r}"
        ) from None


def _level(raw: str) -> str:
    level = raw.strip().lower()
    if level not in {"debug", "info", "warning", "error"}:
        raise ValueError(f"must be debug, info, warning or error, not {raw!r}")
    return level


def _database(raw: str) -> str | None:
    url = raw.strip()
    if url and urlsplit(url).scheme not in {"postgresql", "postgres"}:
        raise ValueError("must begin with postgresql://")
    return url or None


def _public_url(raw: str) -> str:
    parts = urlsplit(raw.strip())
    if raw.strip() and (
        parts.scheme not in {"http", "https"} or not parts.netloc or parts.query or parts.fragment
    ):
        raise ValueError(f"must be an address such as https://gin.example.org, not {raw!r}")
    return raw.strip().rstrip("/")


def parse_secrets(raw: str) -> tuple[bytes, ...]:
    """Return the secrets of a comma-separated list, the one that makes new tokens first.

    :raises ValueError: if one is too short, or stands there twice.
    """
    secrets = tuple(part.strip().encode() for part in raw.split(",") if part.strip())
    if any(len(secret) < SHORTEST_SECRET for secret in secrets):
        raise ValueError(f"each secret must be at least {SHORTEST_SECRET} bytes long")
    if len(set(secrets)) < len(secrets):
        raise ValueError("the same secret stands there twice")
    return secrets


def _networks(raw: str) -> tuple[Network, ...]:
    try:
        return tuple(ip_network(part.strip()) for part in raw.split(",") if part.strip())
    except ValueError:
        raise ValueError(
            f"must be networks such as 10.1.0.0/16, with commas between them, not {raw!r}"
        ) from None


def _folder(raw: str) -> Path | None:
    return Path(raw.strip()).expanduser().absolute() if raw.strip() else None


def _data_dir(raw: str) -> Path:
    return _folder(raw) or default_data_dir(os.geteuid(), os.environ)


def default_data_dir(user: int, environ: Mapping[str, str]) -> Path:
    """Return the folder that holds the data of ``user`` unless ``GIN_DATA_DIR`` says otherwise."""
    if user == 0:
        return Path("/var/lib/gin-rummy")
    state = environ.get("XDG_STATE_HOME") or Path("~/.local/state").expanduser()
    return Path(state) / "gin-rummy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings, complete and checked; made by :func:`load`.

    ``secrets`` may be empty and ``database_url`` may be ``None`` for commands that need neither;
    :func:`for_serving` insists on both.
    """

    database_url: str | None = _setting("DATABASE_URL", _database, "", shown=False)
    direct_database_url: str | None = _setting(
        "GIN_DIRECT_DATABASE_URL", _database, "", shown=False
    )
    port: int = _setting("PORT", _whole(1, 65535), "8000")
    host: str = _setting("GIN_HOST", _text, "127.0.0.1")
    public_url: str = _setting("GIN_PUBLIC_URL", _public_url, "")
    data_dir: Path = _setting("GIN_DATA_DIR", _data_dir, "")
    pg_bindir: Path | None = _setting("GIN_PG_BINDIR", _folder, "")
    secrets: tuple[bytes, ...] = _setting("GIN_SECRET", parse_secrets, "", shown=False)
    workers: int = _setting("GIN_WORKERS", _whole(1, 256), "2")
    threads: int = _setting("GIN_THREADS", _whole(1, 512), "8")
    pool_size: int = _setting("GIN_POOL_SIZE", _whole(1, 512), "8")
    pool_timeout_seconds: float = _setting("GIN_POOL_TIMEOUT_SECONDS", _seconds, "1")
    pool_max_waiting: int = _setting("GIN_POOL_MAX_WAITING", _whole(1, 100_000), "16")
    statement_timeout_ms: int = _setting("GIN_STATEMENT_TIMEOUT_MS", _whole(1, 600_000), "2000")
    lock_timeout_ms: int = _setting("GIN_LOCK_TIMEOUT_MS", _whole(1, 600_000), "1000")
    idle_in_transaction_timeout_ms: int = _setting(
        "GIN_IDLE_IN_TRANSACTION_TIMEOUT_MS", _whole(1, 600_000), "5000"
    )
    prepare_statements: bool = _setting("GIN_PREPARE_STATEMENTS", _switch, "true")
    require_durable: bool = _setting("GIN_REQUIRE_DURABLE", _switch, "true")
    anonymous_games: bool = _setting("GIN_ANONYMOUS_GAMES", _switch, "true")
    sandbox: bool = _setting("GIN_SANDBOX", _switch, "true")
    expire_waiting_days: int = _setting("GIN_EXPIRE_WAITING_DAYS", _whole(1, 36_500), "1")
    expire_idle_days: int = _setting("GIN_EXPIRE_IDLE_DAYS", _whole(1, 36_500), "30")
    archive_days: int = _setting("GIN_ARCHIVE_DAYS", _whole(1, 36_500), "90")
    expire_sheet_days: int = _setting("GIN_EXPIRE_SHEET_DAYS", _whole(1, 36_500), "365")
    max_body_bytes: int = _setting("GIN_MAX_BODY_BYTES", _whole(1024, 2_097_152), "65536")
    ai_max_ms: int = _setting("GIN_AI_MAX_MS", _whole(1, 10_000), "500")
    idempotency_seconds: int = _setting("GIN_IDEMPOTENCY_SECONDS", _whole(1, 31_536_000), "86400")
    limit_default: Limit | None = _setting("GIN_LIMIT_DEFAULT", _limit, "1200/60")
    limit_scoring: Limit | None = _setting("GIN_LIMIT_SCORING", _limit, "3000/60")
    limit_creates: Limit | None = _setting("GIN_LIMIT_CREATES", _limit, "120/60")
    limit_moves: Limit | None = _setting("GIN_LIMIT_MOVES", _limit, "6000/60")
    limit_ai: Limit | None = _setting("GIN_LIMIT_AI", _limit, "1200/60")
    limit_streams: Limit | None = _setting("GIN_LIMIT_STREAMS", _limit, "120/60")
    trusted_proxies: int = _setting("GIN_TRUSTED_PROXIES", _whole(0, 9), "0")
    followers: int = _setting("GIN_FOLLOWERS", _whole(0, 100_000), "1000")
    longest_wait_seconds: float = _setting("GIN_LONGEST_WAIT_SECONDS", _seconds, "25")
    stream_seconds: float = _setting("GIN_STREAM_SECONDS", _seconds, "300")
    stream_comment_seconds: float = _setting("GIN_STREAM_COMMENT_SECONDS", _seconds, "15")
    presence_seconds: int = _setting("GIN_PRESENCE_SECONDS", _whole(0, 3_600), "30")
    duties: bool = _setting("GIN_DUTIES", _switch, "true")
    send_webhooks: bool = _setting("GIN_SEND_WEBHOOKS", _switch, "true")
    webhook_networks: tuple[Network, ...] = _setting("GIN_WEBHOOK_NETWORKS", _networks, "")
    webhook_timeout_seconds: float = _setting("GIN_WEBHOOK_TIMEOUT_SECONDS", _seconds, "10")
    log_level: str = _setting("GIN_LOG_LEVEL", _level, "info")

    @property
    def address(self) -> str:
        """Where the service listens, as ``host:port``."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def limits(self) -> dict[str, Limit | None]:
        """The rate limit of each bucket by its name; None is none."""
        names = (one.name for one in fields(self) if one.name.startswith(_LIMIT))
        return {name.removeprefix(_LIMIT): getattr(self, name) for name in names}


VARIABLES: Final[Mapping[str, str]] = {
    one.metadata["variable"]: one.metadata["default"] for one in fields(Settings)
}
"""Every variable the service reads, with the text of its default (empty: see its description)."""


def load(environ: Mapping[str, str]) -> Settings:
    """Return the settings that ``environ`` describes; what it leaves out has its default.

    :raises SettingsError: at the first value that makes no sense, or an unknown ``GIN_`` variable.
    """
    _refuse_unknown(environ)
    values = dict(environ)
    values.setdefault("GIN_PG_BINDIR", environ.get("PG_BINDIR", ""))
    values["GIN_PUBLIC_URL"] = environ.get("GIN_PUBLIC_URL") or _own_url(environ)
    read: dict[str, Any] = {}
    for one in fields(Settings):
        variable = one.metadata["variable"]
        raw = values.get(variable, "") or one.metadata["default"]
        try:
            read[one.name] = one.metadata["parse"](raw)
        except ValueError as error:
            raise SettingsError(variable, str(error)) from None
    return Settings(**read)


def for_serving(settings: Settings) -> Settings:
    """Return ``settings`` if a worker can serve with them.

    :raises SettingsError: if there is no secret or no database.
    """
    if not settings.secrets:
        raise SettingsError("GIN_SECRET", f"must hold at least {SHORTEST_SECRET} random bytes")
    if settings.database_url is None:
        raise SettingsError("DATABASE_URL", "must say where the PostgreSQL server is")
    return settings


def _own_url(environ: Mapping[str, str]) -> str:
    return f"http://localhost:{environ.get('PORT') or VARIABLES['PORT']}"


def _refuse_unknown(environ: Mapping[str, str]) -> None:
    for variable in environ:
        if not variable.startswith("GIN_") or variable in VARIABLES:
            continue
        if not variable.startswith(OTHERS_PREFIXES):
            close = difflib.get_close_matches(variable, VARIABLES, 1)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise SettingsError(variable, f"there is no such setting{hint}")
