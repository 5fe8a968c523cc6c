"""What the tests of faults share: the service started again and again on one data folder.

And the tables of :mod:`tests.service.table`, for what can be seen in one process.
"""

from tests.faults.test_restart import run
from tests.service.table import _randomness, _session_answering, answering, tables

__all__ = ["_randomness", "_session_answering", "answering", "run", "tables"]
