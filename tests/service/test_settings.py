"""Settings: complete, typed, and refused by the name of their variable."""

from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

from service.settings import (
    VARIABLES,
    Limit,
    Settings,
    SettingsError,
    default_data_dir,
    for_serving,
    load,
    parse_secrets,
)

SECRET = "0123456789abcdef0123456789abcdef"


class TestNothingSet:
    def test_has_a_default_for_everything(self):
        settings = load({})
        assert (settings.host, settings.port, settings.address) == (
            "127.0.0.1", 8000, "127.0.0.1:8000",
        )  # fmt: skip
        assert settings.database_url is None
        assert settings.secrets == ()
        assert settings.require_durable

    def test_an_empty_value_is_the_default(self):
        assert load(dict.fromkeys(VARIABLES, "")) == load({})

    def test_cannot_be_changed_afterwards(self):
        with pytest.raises(FrozenInstanceError):
            load({}).port = 1


class TestValues:
    @pytest.mark.parametrize(
        ("variable", "raw", "name", "value"),
        [
            ("DATABASE_URL", "postgresql://a@b/c", "database_url", "postgresql://a@b/c"),
            ("PORT", " 9000 ", "port", 9000),
            ("GIN_HOST", "0.0.0.0", "host", "0.0.0.0"),
            ("GIN_PUBLIC_URL", "https://gin.example.org/", "public_url", "https://gin.example.org"),
            ("GIN_DATA_DIR", "/srv/gin", "data_dir", Path("/srv/gin")),
            ("GIN_PG_BINDIR", "/opt/pg/bin", "pg_bindir", Path("/opt/pg/bin")),
            ("PG_BINDIR", "/opt/pg/bin", "pg_bindir", Path("/opt/pg/bin")),
            ("GIN_WORKERS", "4", "workers", 4),
            ("GIN_THREADS", "16", "threads", 16),
            ("GIN_POOL_SIZE", "16", "pool_size", 16),
            ("GIN_POOL_TIMEOUT_SECONDS", "0.5", "pool_timeout_seconds", 0.5),
            ("GIN_POOL_MAX_WAITING", "1", "pool_max_waiting", 1),
            ("GIN_STATEMENT_TIMEOUT_MS", "10", "statement_timeout_ms", 10),
            ("GIN_LOCK_TIMEOUT_MS", "10", "lock_timeout_ms", 10),
            ("GIN_IDLE_IN_TRANSACTION_TIMEOUT_MS", "10", "idle_in_transaction_timeout_ms", 10),
            ("GIN_PREPARE_STATEMENTS", "no", "prepare_statements", False),
            ("GIN_REQUIRE_DURABLE", "0", "require_durable", False),
            ("GIN_ANONYMOUS_GAMES", "FALSE", "anonymous_games", False),
            ("GIN_MAX_BODY_BYTES", "2048", "max_body_bytes", 2048),
            ("GIN_AI_MAX_MS", "20", "ai_max_ms", 20),
            ("GIN_IDEMPOTENCY_SECONDS", "60", "idempotency_seconds", 60),
            ("GIN_LOG_LEVEL", "Debug", "log_level", "debug"),
            ("GIN_LIMIT_DEFAULT", "120/60", "limit_default", (120, 60)),
            ("GIN_LIMIT_SCORING", " 1/1 ", "limit_scoring", (1, 1)),
            ("GIN_LIMIT_CREATES", "off", "limit_creates", None),
            ("GIN_LIMIT_MOVES", "1000000/86400", "limit_moves", (1_000_000, 86_400)),
            ("GIN_LIMIT_AI", "OFF", "limit_ai", None),
            ("GIN_LIMIT_STREAMS", "5 / 60", "limit_streams", (5, 60)),
            ("GIN_TRUSTED_PROXIES", "2", "trusted_proxies", 2),
        ],
    )
    def test_are_read(self, variable, raw, name, value):
        assert getattr(load({variable: raw}), name) == value

    def test_secrets_are_a_list(self):
        settings = load({"GIN_SECRET": f"{SECRET}1, {SECRET}2"})
        assert settings.secrets == (f"{SECRET}1".encode(), f"{SECRET}2".encode())

    def test_secrets_and_passwords_are_not_shown(self):
        shown = repr(load({"GIN_SECRET": SECRET, "DATABASE_URL": "postgresql://a:hush@b/c"}))
        assert SECRET not in shown
        assert "hush" not in shown

    def test_our_own_name_for_the_programs_comes_first(self):
        both = {"PG_BINDIR": "/other", "GIN_PG_BINDIR": "/ours"}
        assert load(both).pg_bindir == Path("/ours")

    def test_the_public_address_follows_the_port(self):
        assert load({"PORT": "81"}).public_url == "http://localhost:81"

    def test_an_address_of_version_six_is_bracketed(self):
        assert load({"GIN_HOST": "::1"}).address == "[::1]:8000"


class TestNonsense:
    @pytest.mark.parametrize(
        ("variable", "raw"),
        [
            ("DATABASE_URL", "mysql://b/c"),
            ("PORT", "0"),
            ("PORT", "65536"),
            ("PORT", "80a"),
            ("PORT", "8_0"),
            ("PORT", "٨٠"),
            ("PORT", "9" * 5000),
            ("GIN_WORKERS", "-1"),
            ("GIN_WORKERS", "1.5"),
            ("GIN_POOL_TIMEOUT_SECONDS", "0"),
            ("GIN_POOL_TIMEOUT_SECONDS", "nan"),
            ("GIN_PREPARE_STATEMENTS", "maybe"),
            ("GIN_PUBLIC_URL", "gin.example.org"),
            ("GIN_PUBLIC_URL", "https://gin.example.org/?a=b"),
            ("GIN_LOG_LEVEL", "loud"),
            ("GIN_SECRET", "short"),
            ("GIN_SECRET", f"{SECRET},short"),
            ("GIN_SECRET", f"{SECRET},{SECRET}"),
            ("GIN_MAX_BODY_BYTES", "1"),
            ("GIN_LIMIT_MOVES", "120"),
            ("GIN_LIMIT_MOVES", "0/60"),
            ("GIN_LIMIT_MOVES", "120/0"),
            ("GIN_LIMIT_MOVES", "-1/60"),
            ("GIN_LIMIT_MOVES", "120/60/60"),
            ("GIN_LIMIT_MOVES", "120/1m"),
            ("GIN_LIMIT_MOVES", "1e3/60"),
            ("GIN_LIMIT_MOVES", "1000001/60"),
            ("GIN_LIMIT_MOVES", "120/86401"),
            ("GIN_LIMIT_MOVES", "false"),
            ("GIN_TRUSTED_PROXIES", "-1"),
            ("GIN_TRUSTED_PROXIES", "true"),
        ],
    )
    def test_is_refused_by_name(self, variable, raw):
        with pytest.raises(SettingsError, match=f"^{variable}: ") as refused:
            load({variable: raw})
        assert refused.value.variable == variable

    def test_a_short_secret_is_not_told(self):
        with pytest.raises(SettingsError) as refused:
            load({"GIN_SECRET": "hush-hush"})
        assert "hush" not in str(refused.value)

    def test_a_misspelt_variable_is_refused_with_the_right_one(self):
        with pytest.raises(SettingsError, match=r"did you mean GIN_WORKERS\?"):
            load({"GIN_WORKER": "2"})

    def test_variables_of_others_are_none_of_our_business(self):
        assert load({"PATH": "/bin", "GIN_SWEEP_HANDS": "20000"}) == load({})


class TestRateLimits:
    def test_are_all_there_by_name(self):
        limits = load({"GIN_LIMIT_AI": "off", "GIN_LIMIT_MOVES": "7/8"}).limits
        assert set(limits) == {"default", "scoring", "creates", "moves", "ai", "streams"}
        assert (limits["ai"], limits["moves"]) == (None, Limit(7, 8))


class TestServing:
    def test_needs_a_secret(self):
        with pytest.raises(SettingsError, match="GIN_SECRET"):
            for_serving(load({"DATABASE_URL": "postgresql:///x"}))

    def test_needs_a_database(self):
        with pytest.raises(SettingsError, match="DATABASE_URL"):
            for_serving(load({"GIN_SECRET": SECRET}))

    def test_needs_nothing_else(self):
        settings = load({"GIN_SECRET": SECRET, "DATABASE_URL": "postgresql:///x"})
        assert for_serving(settings) is settings


class TestSecrets:
    def test_empty_parts_are_none(self):
        assert parse_secrets(",") == ()


class TestTheDataFolder:
    def test_of_root_belongs_to_the_system(self):
        assert default_data_dir(0, {}) == Path("/var/lib/gin-rummy")

    def test_of_others_is_their_state_folder(self):
        assert default_data_dir(1000, {"XDG_STATE_HOME": "/s"}) == Path("/s/gin-rummy")
        assert default_data_dir(1000, {}) == Path("~/.local/state/gin-rummy").expanduser()


class TestTheListOfVariables:
    def test_is_that_of_the_fields(self):
        assert len(VARIABLES) == len(fields(Settings))
