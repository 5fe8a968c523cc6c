"""The catalogue of problems: every code an answer can carry, with its status and its sentences.

Knows no HTTP library and no resource. Refusals are raised from it, ``GET /v1/problems`` serves it,
and the OpenAPI document names its codes; a code that is not in it cannot be sent.
"""

from typing import Final

from service.call_problems import CALL_PROBLEMS, SERVER_PROBLEMS
from service.card_problems import CARD_PROBLEMS
from service.field_problems import FIELD_PROBLEMS
from service.problem_kinds import FIELD, ProblemKind, of_engine

_GAME: Final = (
    ProblemKind(
        "stale_move",
        409,
        "The game has moved on",
        "draw `game` and choose again, with `expected_move`",
        "`move_number` has to equal `next_move` of the game. `moves` tells what happened since, "
        "`game` is how it stands now.",
        ("expected_move",),
    ),
    of_engine(
        "GameNotStarted",
        "wait until every seat is taken",
        "The first hand is dealt when the last seat is taken; `getUpdates` tells of it.",
    ),
    of_engine(
        "GameOver",
        "make a rematch, or a new game",
        "Nothing more can be played; the score is final.",
    ),
    of_engine(
        "HandOver",
        "ask for the next deal",
        "`next_hand.number` is its number, and `dealHand` deals it; either seat may ask.",
    ),
    of_engine(
        "HandInProgress",
        "play it to its end first",
        "`hand` of the game shows it, and `you.legal` what may be done now.",
    ),
    of_engine(
        "ConfirmationPending",
        "wait until `to_act_seats` have confirmed it",
        "`to_act_seats` have still to send `PUT …/hands/{hand_number}/confirmation`.",
        "to_act_seats",
    ),
    of_engine(
        "CutPending",
        "wait until `to_act_seats` have cut",
        "`to_act_seats` have still to send `PUT …/hands/{hand_number}/cut`.",
        "to_act_seats",
    ),
    of_engine(
        "VoidNotPossible",
        "play it to its end, or resign",
        "Only a hand between people can be called off, if both consent.",
    ),
    ProblemKind(
        "game_in_progress",
        409,
        "The game is not over yet",
        "ask again once `over` is true",
        "Its record shows every card, with the rule `reveal: game` so does the proof of each hand, "
        "play is judged afterwards (a hand sooner with `advice: full` and `reveal: hand`), and a "
        "seat can be left only before the first deal.",
    ),
    ProblemKind(
        "sandbox_no_proof",
        409,
        "A sandbox game proves nothing",
        "play a game without `deck` and `scenario` to get one",
        "Its decks were chosen, and do not follow from the seed that the server committed to.",
    ),
    of_engine(
        "NotYourTurn",
        "wait until `to_act_seats` names your seat",
        "`to_act_seats` are due.",
        "to_act_seats",
    ),
    of_engine(
        "WrongPhase",
        "choose one of `you.legal.actions`",
        "`phase` is the one that the hand is in, and `you.legal` says all that may be done in it.",
        "phase",
    ),
    of_engine(
        "NotClaimableYet",
        "wait until `claim` is in `you.legal.actions`",
        "`claimable_at` says from when on the seat that plays against the one that is due may "
        "claim the game; without it nothing can come of waiting. See `you.legal.actions`.",
        "claimable_at",
    ),
    ProblemKind(
        "no_ai_to_move",
        409,
        "No computer is due at this seat",
        "ask while `ai_pending` is true, for a seat of `to_act_seats`",
        "Ask for a computer's move while `ai_pending` is true, for a seat of `to_act_seats`.",
    ),
    ProblemKind(
        "seat_taken",
        409,
        "This seat is taken",
        "join without `seat` to get any free one",
        "Somebody was quicker; `getInvitation` shows which seats are free.",
    ),
    ProblemKind(
        "game_full",
        409,
        "Every seat of this game is taken",
        "make a game of your own, or look for another open one",
        "`listOpenGames` has those that wait for somebody.",
    ),
    ProblemKind(
        "already_joined",
        409,
        "This token already sits in this game",
        "join without a token to take a second seat",
        "A token is one player, who sits down once.",
    ),
    ProblemKind(
        "token_limit",
        409,
        "This seat was given as many tokens as it may have",
        "end those that are not used, and go on with one of the others",
        "`listSeatTokens` names them, `deleteSeatToken` ends one; there may be `max`.",
        ("max",),
    ),
    ProblemKind(
        "webhook_limit",
        409,
        "This portal has as many webhooks as it may have",
        "delete one, or send several types of events to the same",
        "There may be `max`; `event_types` says what one is told of.",
        ("max",),
    ),
)

_CUTS: Final = (
    ProblemKind(
        "nonce_mismatch",
        422,
        "This is not the nonce that the seat has committed to",
        "send the nonce that belongs to your seat's commitment",
        "Send the 64 hex digits whose SHA-256, with `GRD1|nonce|` before them, is the commitment "
        "of your seat in `next_hand.nonce_commits`.",
    ),
    ProblemKind(
        "nonce_commit_reused",
        422,
        "This game has seen this commitment before",
        "commit to a new random nonce",
        "Commit to a nonce of your own, another one for each hand.",
    ),
)

_SHEETS: Final = (
    ProblemKind(
        "version_mismatch",
        412,
        "It has changed since you looked",
        "look at it as it is now, and decide again",
        "`If-Match` has to name the ETag of the game or the score sheet as it is; a sheet comes "
        "along as `score_sheet`. Nothing was changed; look at it and decide again.",
        ("expected_version",),
    ),
    ProblemKind(
        "version_required",
        428,
        "It is not said which version you have looked at",
        "send `If-Match` with the `etag` that you looked at",
        "It keeps two who write at once from undoing what the other did.",
    ),
    of_engine(
        "ConfirmationRequired",
        "send it again with the others in `confirmed_by`",
        "At least `min` of `names` have still to say so, in `by` or `confirmed_by`: any one while "
        "no later hand is entered, after that all. A finished game's last hand is like one with a "
        "later hand once all have confirmed it.",
        "min",
        "names",
    ),
    of_engine(
        "HandNumberTooHigh",
        "enter the hand with the number `max`",
        "The next hand has the number `max`.",
        "max",
    ),
    of_engine(
        "ScoreSheetFull",
        "go on with a new one",
        "It holds at most `max`: 500 hands, and 2,000 changes of them.",
        "max",
    ),
)

_PARTS: Final = (
    CALL_PROBLEMS,
    _GAME,
    _CUTS,
    _SHEETS,
    CARD_PROBLEMS,
    FIELD_PROBLEMS,
    SERVER_PROBLEMS,
)

CATALOGUE: Final[dict[str, ProblemKind]] = {kind.code: kind for part in _PARTS for kind in part}
"""Every problem by its code."""

FIELD_CODES: Final = frozenset(
    code for code, kind in CATALOGUE.items() if kind.description.startswith(FIELD)
)
"""The codes that stand in ``errors`` of a ``validation_failed`` problem, never alone."""

CODE_OF_STATUS: Final[dict[int, str]] = {
    400: "malformed_json",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "too_large",
    415: "unsupported_media_type",
}
"""The code of what the web framework itself refuses, by HTTP status."""

MOVE_CODES: Final = (
    "stale_move",
    "game_not_started",
    "cut_pending",
    "game_over",
    "hand_over",
    "not_your_turn",
    "wrong_phase",
    "outcome_unknown",
)
"""What every move can be refused with, in the order of the checks."""
