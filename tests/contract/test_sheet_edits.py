"""Any edits of a score sheet: it is what somebody has on paper who did the same, and all is kept.

``GIN_SWEEP_SHEETS`` sheets of two, three or four names, each edited some thirty times: entered,
corrected, confirmed, deleted, sent again, and sent too late.
"""

import os
from collections import Counter
from random import Random
from urllib.parse import urlencode

from tests.recount import as_counted
from tests.score_keeper import ScoreKeeper, as_answered, random_hand, random_rules
from tests.service.sheets import FOUR, Sheets

SHEETS = int(os.environ.get("GIN_SWEEP_SHEETS", "12"))
EDITS = 30


class Edited:
    """A sheet of the service and a paper, kept side by side."""

    def __init__(self, sheets: Sheets, rng: Random) -> None:
        self.rng = rng
        self.names = list(FOUR[: rng.choice((2, 2, 3, 4))])
        self.rules = random_rules(rng, len(self.names))
        self.sheet = sheets(names=self.names, **self.rules)
        self.paper = ScoreKeeper(self.names, self.rules)
        self.last = None  # the last request that was accepted: how to send it again
        self.etags = [self.sheet.etag]
        self.met: Counter = Counter()

    def words(self) -> tuple[str | None, list[str]]:
        """Who says it and who confirms it: nobody, some, or often all."""
        by = self.rng.choice([None, *self.names])
        some = self.rng.sample(self.names, self.rng.randrange(len(self.names) + 1))
        return by, self.names if self.rng.random() < 0.5 else some

    def edit(self) -> None:
        kind = self.rng.random()
        if kind < 0.15 and self.last:
            self.send_again()
        elif kind < 0.25:
            self.send_too_late()
        elif kind < 0.4:
            self.strike()
        else:
            self.put()
        self.compare()

    def put(self) -> None:
        count = len(self.paper.hands)
        new = self.rng.random() < 0.5
        number = count + 1 + (self.rng.random() < 0.05) if new else self.rng.randint(1, count + 1)
        hand = random_hand(self.rng, len(self.names))
        if number <= count and self.rng.random() < 0.3:
            hand = self.paper.hands[number - 1].hand  # to confirm it
        by, confirmed = self.words()
        body = {**hand, "confirmed_by": confirmed, **({"by": by} if by else {})}
        etag = self.sheet.etag
        answer = self.sheet.put(number, body)
        self.judge(answer, self.paper.put(number, hand, by, confirmed))
        if answer.status_code == 200:
            self.last = lambda: self.sheet.put(number, body, etag=etag)

    def strike(self) -> None:
        number = self.rng.randint(1, len(self.paper.hands) + 1)
        by, confirmed = self.words()
        said = [("confirmed_by", name) for name in confirmed] + ([("by", by)] if by else [])
        etag, query = self.sheet.etag, "?" + urlencode(said) if said else ""
        answer = self.sheet.strike(number, query)
        self.judge(answer, self.paper.strike(number, by, confirmed))
        if answer.status_code == 200:
            self.last = lambda: self.sheet.strike(number, query, etag=etag)

    def judge(self, answer, expected: str) -> None:
        self.met[expected] += 1
        if expected in {"changed", "same"}:
            assert answer.status_code == 200, (expected, answer.json)
            assert (self.sheet.etag != self.etags[-1]) == (expected == "changed")
            self.etags.append(self.sheet.etag)
        else:
            assert answer.json["code"] == expected

    def send_again(self) -> None:
        answer = self.last()
        assert answer.status_code == 200
        assert answer.json["etag"] == self.etags[-1]
        self.met["again"] += 1

    def send_too_late(self) -> None:
        stale = [etag for etag in self.etags if etag != self.sheet.etag]
        if not stale:
            return
        etag = self.rng.choice(stale)
        hand = {"outcome": "gin", "winner_seat": 0, "points": 9_999}
        answer = self.sheet.put(self.rng.randint(1, len(self.paper.hands) + 1), hand, etag=etag)
        assert (answer.status_code, answer.json["code"]) == (412, "version_mismatch")
        assert answer.json["score_sheet"] == self.sheet.seen
        self.met["late"] += 1

    def compare(self) -> None:
        seen = self.sheet.get().json
        assert seen["etag"] == self.etags[-1]
        assert as_answered(seen) == self.paper.as_kept()
        assert as_counted(seen["score"]) == self.paper.score()
        counted = [hand["counted"] for hand in seen["score"]["hands"]]
        assert [entry["counted"] for entry in seen["entries"]] == counted

    def is_scored_alike(self) -> bool:
        """Whether scoreGame says the same of the hands that are left."""
        hands = [kept.hand for kept in self.paper.hands]
        body = {"hands": hands, "rules": self.rules, "seats": len(self.names)}
        answer = self.sheet.answering.post("/v1/scoring/games", body)
        assert answer.status_code == 200, answer.json
        return answer.json == self.sheet.seen["score"]


class TestAnyEdits:
    def test_come_to_what_is_on_paper(self, answering):
        sheets, met = Sheets(answering), Counter()
        for seed in range(SHEETS):
            edited = Edited(sheets, Random(seed))
            for _ in range(EDITS):
                edited.edit()
            assert edited.is_scored_alike()
            met += edited.met
            met["uncounted"] += not all(each["counted"] for each in edited.sheet.seen["entries"])
            met["corrected"] += any(each["history"] for each in edited.sheet.seen["entries"])
            met["deleted"] += bool(edited.sheet.seen["deleted"])
        wanted = {"changed", "same", "again", "late", "confirmation_required", "uncounted"}
        assert {name for name, count in met.items() if count} >= wanted | {"corrected", "deleted"}
