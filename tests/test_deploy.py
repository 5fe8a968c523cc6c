"""What is shipped to run the service for others: linted, parsed, complete, and tried."""

import ast
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from service.local import poll
from service.problems import CATALOGUE
from service.settings import VARIABLES, load
from tests.service.stand_in import Served

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
SCRIPTS = Path(sys.executable).parent
OF_COMPOSE = {"POSTGRES_PASSWORD", "PUBLISHED_PORT"}


def run(*command: object, **options) -> str:
    """Run a command that must succeed; return what it says."""
    words = [str(word) for word in command]
    told = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, **options)
    assert told.returncode == 0, told.stdout + told.stderr
    return told.stdout


def pins(lock: Path) -> dict[str, set[str]]:
    """Return the exact versions of each package in a lock file."""
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([a-z0-9.-]+)==(\S+)", lock.read_text(), re.MULTILINE):
        found.setdefault(name, set()).add(version)
    return found


def imports(tree: ast.Module) -> Iterator[str]:
    """The modules that are imported anywhere in a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


class TestTheDockerfile:
    def test_has_no_faults(self):
        run(SCRIPTS / "hadolint", DEPLOY / "Dockerfile")

    def test_does_not_run_as_root(self):
        last = (DEPLOY / "Dockerfile").read_text().rpartition("\nFROM ")[2]
        assert re.search(r"^USER [1-9][0-9]*:[1-9][0-9]*$", last, re.MULTILINE)

    def test_copies_only_what_is_there_and_let_through(self):
        let_through = (ROOT / ".dockerignore").read_text()
        copied = re.findall(
            r"^COPY ([^\s-]\S*) ", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE
        )
        assert len(copied) >= 5
        for path in copied:
            assert (ROOT / path).exists()
            assert f"!{path.split('/')[0]}\n" in let_through

    def test_runs_with_what_it_installs(self):
        """Every import of the service is met by the run-time lock file."""
        installed = {name.replace("-", "_") for name in pins(DEPLOY / "requirements.lock")}
        installed |= {"markdown_it"} if "markdown_it_py" in installed else set()
        imported = {
            name.partition(".")[0]
            for folder in ("engine", "service")
            for path in (ROOT / folder).rglob("*.py")
            for name in imports(ast.parse(path.read_text()))
        }
        ours = {"engine", "service"} | sys.stdlib_module_names
        assert imported - ours - {"psycopg_pool", "markdown_it"} <= installed
        assert {"psycopg_pool", "markdown_it_py"} <= installed


class TestTheComposeFile:
    @pytest.fixture
    def compose(self):
        return yaml.safe_load((DEPLOY / "compose.yaml").read_text())

    def test_follows_the_specification(self):
        schema = ("--builtin-schema", "vendor.compose-spec")
        run(SCRIPTS / "check-jsonschema", *schema, DEPLOY / "compose.yaml")

    def test_publishes_nginx_alone(self, compose):
        assert [name for name, one in compose["services"].items() if "ports" in one] == ["nginx"]

    def test_names_files_that_are_there(self, compose):
        build = compose["services"]["service"]["build"]
        assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()
        mounted = compose["services"]["nginx"]["volumes"][0].split(":")[0]
        assert (DEPLOY / mounted).is_file()

    def test_sets_only_variables_that_exist(self, compose):
        environment = compose["services"]["service"]["environment"]
        assert set(environment) - {"PGPASSWORD"} <= set(VARIABLES)
        load({name: value for name, value in environment.items() if name in VARIABLES})

    def test_gives_workers_the_time_that_gunicorn_gives_them(self, compose):
        seconds = int(compose["services"]["service"]["stop_grace_period"].removesuffix("s"))
        told = re.search(r"^graceful_timeout = (\d+)$", conf(), re.MULTILINE)
        assert told is not None
        assert seconds > int(told[1])


def conf() -> str:
    return (DEPLOY / "gunicorn.conf.py").read_text()


class TestTheListOfSettings:
    @pytest.fixture
    def example(self):
        lines = (DEPLOY / ".env.example").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))

    def test_has_every_setting_and_no_other(self, example):
        assert set(example) - OF_COMPOSE == set(VARIABLES)

    def test_shows_the_defaults(self, example):
        assert {name: example[name] for name in VARIABLES} == dict(VARIABLES)

    def test_explains_each(self):
        blocks = (DEPLOY / ".env.example").read_text().split("\n\n")
        assert all(block.startswith("#") for block in blocks)

    def test_is_understood(self, example):
        assert load(example) == load({})


class TestTheLockFiles:
    LOCKS = (
        ROOT / "requirements.lock",
        DEPLOY / "requirements.lock",
        ROOT / "tests" / "benchmarks" / "requirements.lock",
    )

    @pytest.mark.parametrize("lock", LOCKS, ids=lambda path: str(path.relative_to(ROOT)))
    def test_name_no_host_and_no_folder_and_hash_everything(self, lock):
        text = lock.read_text()
        assert "://" not in text
        assert not re.search(r"^--?\w|^/|file:", text, re.MULTILINE)
        for pinned in re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]:
            assert "==" in pinned
            assert "--hash=sha256:" in pinned

    @pytest.mark.parametrize("lock", LOCKS[1:], ids=["deploy", "benchmarks"])
    def test_agree(self, lock):
        whole = pins(self.LOCKS[0])
        assert all(whole.get(name, versions) == versions for name, versions in pins(lock).items())

    def test_hold_every_dependency(self):
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())
        runtime = project["project"]["dependencies"]
        local = project["project"]["optional-dependencies"]["local"]
        wanted = {re.match(r"[a-z0-9-]+", one)[0] for one in runtime + local}
        wanted |= {re.match(r"[a-z0-9-]+", one)[0] for one in project["dependency-groups"]["dev"]}
        assert wanted <= set(pins(self.LOCKS[0]))

    def test_every_dependency_has_its_reason_beside_it(self):
        text = (ROOT / "pyproject.toml").read_text()
        named = re.findall(r'^  "[a-z0-9-]+(?:\[\w+\])?>=.*$', text, re.MULTILINE)
        assert len(named) > 20
        assert all(re.search(r'",\s+# \w', line) for line in named)


class TestTheScripts:
    def test_have_no_faults(self):
        run(SCRIPTS / "shellcheck", ROOT / ".ci" / "run")

    def test_may_be_run(self):
        assert os.access(ROOT / ".ci" / "run", os.X_OK)

    def test_make_lists_its_targets(self):
        listed = run("make", "help")
        text = (ROOT / "Makefile").read_text()
        phony = re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)[1].split()
        assert re.findall(r"^make ([a-z-]+)", listed, re.MULTILINE) == phony


class TestTheMigrations:
    NOT_OURS = (
        "prefer-bigint-over-int",  # moves, versions and hands of one game do not reach 2^31
        "prefer-bigint-over-smallint",  # and seats are four
        "require-lock-timeout",  # the runner sets one
        "require-statement-timeout",  # what holds no lock may take its time
    )

    def test_have_no_faults(self):
        files = sorted((ROOT / "service" / "storage" / "migrations").glob("*.sql"))
        assert files
        excluded = ",".join(self.NOT_OURS)
        run(SCRIPTS / "squawk", "--assume-in-transaction", f"--exclude={excluded}", *files)


class TestGunicorn:
    @pytest.fixture
    def config(self, monkeypatch):
        from gunicorn.app.wsgiapp import WSGIApplication

        for name in [name for name in os.environ if name.startswith(("GIN_", "PORT"))]:
            monkeypatch.delenv(name)
        monkeypatch.setattr(
            sys, "argv", ["gunicorn", "-c", str(DEPLOY / "gunicorn.conf.py"), "x:y"]
        )
        return WSGIApplication().cfg

    def test_keeps_connections_alive(self, config):
        assert config.worker_connections > config.threads

    def test_has_a_file_for_every_connection(self, config):
        code = (
            "import resource as r, runpy\n"
            "_, most = r.getrlimit(r.RLIMIT_NOFILE)\n"
            "r.setrlimit(r.RLIMIT_NOFILE, (64, most))\n"
            f"runpy.run_path({str(DEPLOY / 'gunicorn.conf.py')!r})\n"
            "print(r.getrlimit(r.RLIMIT_NOFILE)[0], most)"
        )
        now, most = map(int, run(sys.executable, "-c", code).split())
        assert now > config.worker_connections or now == most

    def test_holds_those_who_wait_beside_all_others(self, config):
        settings = load({})
        assert config.worker_connections - settings.followers > config.threads

    def test_shares_nothing_across_a_fork(self, config):
        assert not config.preload_app

    def test_leaves_nothing_in_the_users_home(self, config):
        assert config.control_socket_disable

    def test_limits_the_header(self, config):
        limits = (config.limit_request_line, config.limit_request_fields)
        assert limits == (8190, 100)


@pytest.fixture
def upstream():
    """What nginx stands in front of."""
    with Served() as served:
        yield served


@pytest.fixture
def nginx(tmp_path, upstream):
    """nginx with the shipped configuration, but for its addresses and shorter time limits."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        text = (DEPLOY / "nginx.conf").read_text()
        for old, new in {
            "service:8000": f"127.0.0.1:{upstream.port}",
            "listen 8080": f"listen 127.0.0.1:{port}",
            " 5s;": " 300ms;",
            "/tmp/": f"{tmp_path}/",
            "worker_processes auto": "worker_processes 1",
        }.items():
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "nginx.conf").write_text(text)
        (tmp_path / "nginx.conf").chmod(0o644)
        probe.close()
        process = subprocess.Popen(
            ["nginx", "-p", tmp_path, "-c", tmp_path / "nginx.conf", "-g", "daemon off; user root;"]
            if os.geteuid() == 0
            else ["nginx", "-p", tmp_path, "-c", tmp_path / "nginx.conf", "-g", "daemon off;"],
            stderr=subprocess.PIPE,
            text=True,
        )

        def up() -> bool:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                return True
            return process.poll() is not None

        assert poll(up, 10)
        assert process.poll() is None, process.stderr.read()
        yield port
        process.send_signal(signal.SIGTERM)
        process.communicate()


def speak(port: int, said: bytes) -> bytes:
    """Send some bytes and no more, and return all that comes back until the other side closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
        client.sendall(said)
        heard = b""
        with contextlib.suppress(ConnectionResetError):
            while part := client.recv(65536):
                heard += part
        return heard


def post(path: str, length: int) -> bytes:
    head = (
        f"POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
    )
    return head.encode() + b"x" * length


@pytest.mark.system("nginx")
class TestNginx:
    def test_hands_requests_on(self, nginx):
        heard = speak(nginx, b"GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert heard.endswith(b"stand-in")

    def test_cuts_off_a_slow_header(self, nginx):
        assert speak(nginx, b"GET / HTTP/1.1\r\nHost:") == b""

    def test_cuts_off_a_silent_client(self, nginx):
        assert speak(nginx, b"") == b""

    def test_cuts_off_a_slow_body_before_it_costs_a_thread(self, nginx, upstream):
        whole = post("/v1/games", 1000)
        assert b"stand-in" not in speak(nginx, whole[:-500])
        assert upstream.requests == 0

    @pytest.mark.parametrize(
        ("path", "length", "status"),
        [
            ("/v1/games", 65_536, b"200"),
            ("/v1/games", 65_537, b"413"),
            ("/v1/scoring/analyses/batch", 65_537, b"200"),
            ("/v1/scoring/hands/batch", 2_097_152, b"200"),
            ("/v1/scoring/hands/batch", 2_097_153, b"413"),
            ("/v1/games/batch", 65_537, b"413"),
        ],
    )
    def test_limits_bodies_and_allows_batches_more(self, nginx, path, length, status):
        heard = speak(nginx, post(path, length))
        assert heard.split(b" ")[1] == status

    def test_says_what_it_refuses_as_problems_that_any_page_can_read(self, nginx):
        heard = speak(nginx, post("/v1/games", 65_537)).decode()
        head, _, body = heard.partition("\r\n\r\n")
        assert "\r\nAccess-Control-Allow-Origin: *" in head
        assert "\r\nContent-Type: application/problem+json" in head
        self.is_in_the_catalogue(json.loads(body), 413)
        assert json.loads(body)["params"] == {"max": 65_536}
        batch = speak(nginx, post("/v1/scoring/hands/batch", 2_097_153)).decode()
        assert json.loads(batch.partition("\r\n\r\n")[2])["params"] == {"max": 2_097_152}

    def test_says_so_as_well_when_the_service_is_away(self, nginx, upstream):
        upstream.__exit__()
        try:
            heard = speak(nginx, post("/v1/games", 2)).decode()
        finally:
            upstream.__enter__()
        head, _, body = heard.partition("\r\n\r\n")
        assert head.count("Access-Control-Allow-Origin: *") == 1
        assert "\r\nRetry-After: 1" in head
        self.is_in_the_catalogue(json.loads(body), 503)

    @staticmethod
    def is_in_the_catalogue(problem, status):
        kind = CATALOGUE[problem["code"]]
        assert (kind.status, kind.title) == (status, problem["title"])
        assert problem["status"] == status
        assert problem["type"] == f"/v1/problems/{kind.code}"
        assert problem["retryable"] == kind.retryable
        assert problem.get("params", {}).keys() == set(kind.params)

    def test_hands_on_the_clients_address_and_nothing_that_it_says_itself(self, nginx, upstream):
        claimed = b"X-Forwarded-For: 6.6.6.6\r\nConnection: close\r\n\r\n"
        speak(nginx, b"GET / HTTP/1.1\r\nHost: x\r\n" + claimed)
        assert upstream.forwarded == "127.0.0.1"

    def test_does_not_tell_its_version(self, nginx):
        heard = speak(nginx, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert b"Server: nginx\r\n" in heard
