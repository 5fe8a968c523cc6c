"""From a request about a score sheet to a use case and back: who calls, and how refusals look."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from service import sheet_answers
from service.auth import SheetCaller, sheet_caller_of_request
from service.blueprints.calls import Answer, refusing
from service.errors import Refusal
from service.limits import charge_of_portal, count
from service.portal_keys import PortalKey
from service.preconditions import expected_versions
from service.schemas.dump_scores import Wire
from service.storage.score_sheets import StoredSheet
from service.use_cases.house import House
from service.use_cases.open_game import ChargePortal
from service.use_cases.open_score_sheet import check_may_write, open_score_sheet
from service.use_cases.refusals import Refused


def path_of(sheet_id: str) -> str:
    """Return the address of a score sheet."""
    return f"/v1/score-sheets/{sheet_id}"


@contextmanager
def _refusing(*, for_portal: bool) -> Iterator[None]:
    """Turn what a use case refuses into a problem that shows the sheet as it stands."""
    try:
        with refusing(None):
            yield
    except Refusal as refusal:
        why = refusal.__cause__
        if isinstance(why, Refused) and why.sheet is not None:
            refusal.score_sheet = sheet_answers.score_sheet(why.sheet, for_portal=for_portal)
        raise


@dataclass(frozen=True, slots=True)
class Looking:
    """Somebody who looks at a score sheet."""

    stored: StoredSheet
    for_portal: bool

    @property
    def etag(self) -> str:
        """The ETag of what the caller sees."""
        return sheet_answers.etag_of(self.stored, for_portal=self.for_portal)

    def wire(self) -> Wire:
        """Return the sheet as the caller sees it."""
        return sheet_answers.score_sheet(self.stored, for_portal=self.for_portal)

    def changed(self, change: Callable[[frozenset[int] | None], StoredSheet]) -> Answer:
        """Make a change; return the sheet after it, and of what address this is.

        ``change`` gets the versions that the caller has seen, None for whichever it is.
        """
        seen = expected_versions(sheet_answers.viewers_of(self.stored))
        with _refusing(for_portal=self.for_portal):
            now = replace(self, stored=change(seen))
        return now.wire(), 200, {"ETag": now.etag, "Content-Location": path_of(now.stored.id)}


def caller_of(house: House) -> tuple[SheetCaller, ChargePortal]:
    """Return who calls, and how a portal is counted; whoever has a token is counted here.

    :raises Refusal: ``token_missing``, ``token_invalid``, ``not_found`` or ``rate_limited``.
    """
    caller = sheet_caller_of_request(house.tokens)
    if not isinstance(caller, PortalKey):
        with refusing(None):
            count(house, None)
    return caller, partial(charge_of_portal, house)


def open_sheet(house: House, sheet_id: str, *, to_write: bool = False) -> Looking:
    """Return the sheet for the caller, who may have to hold the edit token or a portal's key.

    :raises Refusal: as :func:`caller_of`; ``scope_missing``, ``share_token_read_only``.
    """
    caller, charge_portal = caller_of(house)
    with refusing(None):
        opened = open_score_sheet(house, caller, sheet_id, charge_portal)
        if to_write:
            check_may_write(caller)
    return Looking(opened.stored, opened.portal is not None)
