"""The tables of :mod:`tests.service.table`, for every test of the contract."""

from tests.service.table import _randomness, _session_answering, answering, tables

__all__ = ["_randomness", "_session_answering", "answering", "tables"]
