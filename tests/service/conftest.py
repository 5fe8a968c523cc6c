"""The tables of :mod:`tests.service.table`, for every test of the service."""

from tests.service.table import _randomness, _session_answering, answering, tables

__all__ = ["_randomness", "_session_answering", "answering", "tables"]
