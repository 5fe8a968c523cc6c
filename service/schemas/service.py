"""The service itself: what it is, how it is, and the problems it can answer with."""

from marshmallow import fields

from service.schemas import declare as wire
from service.schemas.games import Game
from service.schemas.log import Move
from service.schemas.score_sheets import ScoreSheet
from service.schemas.shapes import AnswerSchema


class ServiceInfo(AnswerSchema):
    """What this is."""

    name = wire.text()
    version = wire.text("of the software")
    api_version = wire.text("of this document")
    capabilities = wire.texts("open: what this server can do")
    limits = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata={"description": "open: each limit by name"},
    )
    documentation_url = wire.text()


class Health(AnswerSchema):
    """How it is."""

    status = wire.text("ok")


class ProblemDoc(AnswerSchema):
    """One entry of the catalogue of problems."""

    code = wire.text()
    status = wire.number()
    title = wire.text()
    description = wire.text()
    retryable = wire.flag("the same request may succeed later without change")
    params = wire.texts("the facts that come with it")


class ProblemDocList(AnswerSchema):
    """The catalogue of problems."""

    items = wire.many(ProblemDoc)


class ProblemParams(AnswerSchema):
    """Typed facts behind a code; getProblem lists which. More may be added."""

    expected_move = wire.number(required=False)
    phase = wire.text(required=False)
    to_act_seats = wire.seats(required=False)
    card = wire.card(required=False)
    deadwood = wire.number(required=False)
    knock_limit = wire.number(required=False)
    meld = wire.number(required=False)
    option = wire.text(required=False)
    field = wire.text(required=False)
    values = wire.texts(required=False)
    claimable_at = wire.time(required=False)
    min = wire.number(required=False)
    max = wire.number(required=False)
    names = wire.texts(required=False)
    scope = wire.text(required=False)
    expected_version = wire.number(required=False)
    policy = wire.text(required=False)
    retry_after_seconds = wire.number(required=False)


class FieldError(AnswerSchema):
    """One fault of a request."""

    pointer = wire.text("JSON pointer into the body, or #query/name")
    code = wire.text("stable; switch on this")
    params = wire.one(ProblemParams, required=False)


class Problem(AnswerSchema):
    """RFC 9457."""

    type = fields.Url(required=True, metadata={"format": "uri"})
    title = wire.text("English, for developers")
    status = wire.number()
    code = wire.text("stable; switch on this")
    detail = wire.text("English, for developers", required=False)
    instance = wire.text(required=False)
    retryable = wire.flag("the same request may succeed later without change")
    errors = wire.many(FieldError, required=False)
    params = wire.one(ProblemParams, required=False)
    moves = wire.many(Move, "stale_move: what happened meanwhile", required=False)
    game = wire.one(Game, required=False)
    score_sheet = wire.one(ScoreSheet, required=False)
