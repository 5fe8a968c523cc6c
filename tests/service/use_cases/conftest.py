"""What tests of use cases share: something that happens between a decision and its write."""

import pytest

from service.storage import games

WRITES = ("save", "seat", "change")


@pytest.fixture
def meanwhile(monkeypatch):
    """Lets something happen just before each of the next so many guarded writes."""
    left = [0]

    def arrange(happens, times=1):
        left[0] = times
        for name in WRITES:
            monkeypatch.setattr(games, name, _late(getattr(games, name), happens, left))

    return arrange


def _late(write, happens, left):
    def late(*arguments, **options):
        if left[0]:
            left[0] -= 1
            happens()
        return write(*arguments, **options)

    return late
