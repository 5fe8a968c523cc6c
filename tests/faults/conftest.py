"""What the tests of faults share: the service started again and again on one data folder."""

from tests.faults.test_restart import run

__all__ = ["run"]
