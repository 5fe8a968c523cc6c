"""Score sheets in tests: made over HTTP, and their hands entered one after another."""

from tests.service.answering import Answering

TWO = ("Ada", "Bob")
THREE = ("Ada", "Bob", "Cy")
FOUR = ("Ada", "Bob", "Cy", "Di")
DRAWN_HAND = {"outcome": "drawn"}


def won(winner, points, **more) -> dict:
    """Return a hand by points; one that nobody won was drawn."""
    if winner is None:
        return {**DRAWN_HAND, **more}
    return {"winner_seat": winner, "points": points, **more}


class SheetOverHttp:
    """A score sheet over HTTP, with both its tokens and what was last seen of it."""

    def __init__(self, answering: Answering, made: dict) -> None:
        self.answering = answering
        self.made = made
        self.seen = made["score_sheet"]
        self.id = self.seen["id"]
        self.path = f"/v1/score-sheets/{self.id}"
        self.edit, self.share = made["edit_token"], made["share_token"]

    @property
    def etag(self) -> str:
        return self.seen["etag"]

    def get(self, path="", token=None, **options):
        return self.answering.get(self.path + path, token or self.share, **options)

    def put(self, number, body, token=None, etag=None):
        headers = {"If-Match": etag or self.etag}
        path = f"{self.path}/hands/{number}"
        return self._noted(self.answering.put(path, body, token or self.edit, headers=headers))

    def strike(self, number, query="", token=None, etag=None):
        headers = {"If-Match": etag or self.etag}
        path = f"{self.path}/hands/{number}{query}"
        return self._noted(
            self.answering.send("DELETE", path, None, token or self.edit, headers=headers)
        )

    def _noted(self, answer):
        if answer.status_code == 200:
            self.seen = answer.json
        return answer

    def enter(self, *hands: dict) -> dict:
        """Enter ``hands`` after those that are there; return the sheet."""
        for hand in hands:
            answer = self.put(len(self.seen["entries"]) + 1, hand)
            assert answer.status_code == 200, answer.json
        return self.seen


class Sheets:
    """Makes score sheets."""

    def __init__(self, answering: Answering) -> None:
        self.answering = answering

    def __call__(self, *hands: dict, names=TWO, key=None, metadata=None, **rules) -> SheetOverHttp:
        """Make a sheet of ``names`` and ``rules``, and enter ``hands``.

        With the ``key`` of a portal it is the portal's, which may keep ``metadata`` there.
        """
        body = {"names": list(names), "rules": rules}
        if metadata is not None:
            body["metadata"] = metadata
        answer = self.answering.post("/v1/score-sheets", body, key)
        assert answer.status_code == 201, answer.json
        sheet = self.known(answer.json)
        sheet.enter(*hands)
        return sheet

    def known(self, made: dict) -> SheetOverHttp:
        """Return the sheet that the answer ``made`` is about."""
        return SheetOverHttp(self.answering, made)
