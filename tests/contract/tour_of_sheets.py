"""The problems that score sheets can meet; a part of :mod:`tests.contract.tour`."""

from tests.service.sheets import DRAWN_HAND, Sheets


def _sheet(number=2, by="Ada", body=None, token="edit_token", seen=None, **said):
    """The refusal of a hand of a score sheet that has two."""

    def ask(tables):
        sheet = Sheets(tables.answering)({"winner_seat": 0, "points": 7}, DRAWN_HAND)
        sent = {"winner_seat": 1, "points": 9, "by": by, **said} if body is None else body
        headers = {} if seen == "nothing" else {"If-Match": seen or sheet.etag}
        path, token_sent = f"{sheet.path}/hands/{number}", sheet.made[token]
        return tables.answering.put(path, sent, token_sent, headers=headers)

    return ask


OF_SHEETS = {
    "share_token_read_only": _sheet(token="share_token"),
    "version_mismatch": _sheet(seen='"1-e-1"'),
    "version_required": _sheet(seen="nothing"),
    "confirmation_required": _sheet(1),
    "hand_number_too_high": _sheet(4),
    "contradictory_fields": _sheet(
        body={"outcome": "undercut", "winner_seat": 0, "knocker_seat": 0, "points": 30}
    ),
}
