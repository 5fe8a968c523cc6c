"""No seed is told before its hand has ended, whoever reads whatever while hands end.

Real processes, one of which is killed in between. ``GIN_SWEEP_PROOF_READS`` says how many reads.
"""

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.storage.codec import Codec
from service.storage.sealing import Sealer
from tests.faults.seeds import Dealer, Played, Reader
from tests.service.processes import children

READS = int(os.environ.get("GIN_SWEEP_PROOF_READS", "1000"))
READERS = 32
DEALERS = 4
PATIENCE = 3600


def workers(served):
    """The processes that answer: the youngest of all."""
    [master] = [pid for pid in children(served.process.pid) if len(children(pid)) > 1]
    return children(master)


@pytest.mark.http
class TestHandsThatEnd:
    def test_tell_no_seed_before(self, served, store, session_settings):
        codec, enough = Codec(Sealer(session_settings.secrets)), threading.Event()
        dealers = [Dealer(served.port, store, codec, number) for number in range(DEALERS)]
        readers = [Reader(served.port, dealers, number) for number in range(READERS)]
        each = -(-READS // READERS)
        with ThreadPoolExecutor(DEALERS + READERS) as pool:
            playing = [pool.submit(dealer.play, enough) for dealer in dealers]
            try:
                first = [pool.submit(reader.read, each // 2) for reader in readers]
                for done in first:
                    done.result(PATIENCE)
                os.kill(workers(served)[0], signal.SIGKILL)
                for done in [pool.submit(reader.read, each) for reader in readers]:
                    done.result(PATIENCE)
            finally:
                enough.set()
            for done in playing:
                done.result(PATIENCE)
        assert [early for reader in readers for early in reader.early] == []
        assert sum(reader.reads for reader in readers) >= READS
        # Neither was there nothing to find, nor was all of it open already.
        assert sum(dealer.hands for dealer in dealers) > DEALERS
        assert sum(reader.refused for reader in readers) > READS / 50
        assert sum(reader.proven for reader in readers) > READS / 50


class TestTheReaders:
    def test_find_a_seed_that_is_told_too_early_and_no_other(self):
        seeds = {b"a" * 64: 1, b"b" * 64: 2}
        played = Played("", [], opens_late=False, seeds=seeds, deal_key=b"c" * 64)
        assert played.found_early(b'"seed":"' + b"a" * 64 + b'"') == {1}
        assert played.found_early(b'"seed":"' + b"d" * 64 + b'"') == set()
        played.ending.add(1)
        assert played.found_early(b"a" * 64 + b" " + b"b" * 64) == {2}
        assert played.found_early(b"c" * 64) == {0}
