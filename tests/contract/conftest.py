"""The tables of :mod:`tests.service.table`, and portals, for every test of the contract."""

from tests.service.portal import portal, portals
from tests.service.table import _randomness, _session_answering, answering, tables

__all__ = ["_randomness", "_session_answering", "answering", "portal", "portals", "tables"]
