"""How gunicorn runs the service: `make run`, the container and a bare machine all use this file.

The settings are those of the service, from the environment; see .env.example.
"""

import os
import resource
import signal
from pathlib import Path

from service.leash import follow_parent
from service.settings import load

settings = load(os.environ)

bind = settings.address
workers = settings.workers
# gthread, less the threads of those who wait for news: their connections are held by one thread.
worker_class = "service.worker.FollowingWorker"
threads = settings.threads
# More than threads, or no connection could be kept alive; the rest wait without a thread.
worker_connections = max(1000, 4 * settings.threads) + settings.followers

# Each connection is an open file; a worker that runs out of them would stop.
_soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
_wanted = max(_soft, worker_connections + 200)
_allowed = _wanted if _hard == resource.RLIM_INFINITY else min(_wanted, _hard)
if _soft != resource.RLIM_INFINITY:
    resource.setrlimit(resource.RLIMIT_NOFILE, (_allowed, _hard))
keepalive = 5

# A request past these limits is refused before the application sees it: 414, 431, 400.
limit_request_line = 8190
limit_request_fields = 100
limit_request_field_size = 8190

# A worker that hangs is replaced; one that is told to stop finishes its requests first.
timeout = 30
graceful_timeout = 10

# Heartbeats go to memory where there is some: a slow disk must not look like a hung worker.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108
# Its default place is one file in the home of the user, shared by all of that user's servers.
control_socket_disable = True

loglevel = settings.log_level
# No line quotes what a client sent: codes, tokens and keys stand in addresses and headers.
logger_class = "service.server_log.ServerLog"


def pre_request(worker, req):
    """Say nothing of a request; gunicorn would write its address into the log."""


def post_fork(server, worker):
    """Stop when the master dies, whatever it dies of."""
    follow_parent(signal.SIGTERM)


def post_worker_init(worker):
    """Open the pool in the worker: connections must not cross a fork, and no threads do."""
    house = getattr(worker, "house", None)
    if house:
        house.store.open()
        house.notifier.open()
        worker.duties.open()
        if worker.webhooks is not None:
            worker.webhooks.start()


def worker_exit(server, worker):
    """Give the connections back."""
    house = getattr(worker, "house", None)  # none, if the worker did not get that far
    if house:
        worker.duties.close()
        if worker.webhooks is not None:
            worker.webhooks.stop()
        house.notifier.close()
        house.store.close()
