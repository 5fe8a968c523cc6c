"""What an operation answered: its data, or an error to raise."""

from typing import TypeVar

from gin_rummy_client.models import Problem

T = TypeVar("T")


class Refused(Exception):
    """A refusal. Switch on ``problem.code``; the message is for developers."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.code}: {problem.detail or problem.title}")
        self.problem = problem


def told(answer: T | Problem | None) -> T:
    """Return what was answered; raises Refused."""
    if isinstance(answer, Problem):
        raise Refused(answer)
    assert answer is not None
    return answer
