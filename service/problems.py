"""The catalogue of problems: every code an answer can carry, with its status and its sentences.

Knows no HTTP library and no resource. Refusals are raised from it, ``GET /v1/problems`` serves it,
and the OpenAPI document names its codes; a code that is not in it cannot be sent.
"""

from typing import Final

from service.field_problems import FIELD_PROBLEMS
from service.problem_kinds import FIELD, ProblemKind, of_engine

TOLD: Final = " Of cards that are kept elsewhere it stands in `errors` of `validation_failed`."

_CALL: Final = (
    ProblemKind(
        "malformed_json",
        400,
        "The body is not JSON",
        "UTF-8 without a byte order mark, no name twice in one object, no NaN, no lone surrogate, "
        "at most 32 levels deep, and no whole number beyond 64 bits.",
    ),
    ProblemKind(
        "idempotency_key_invalid",
        400,
        "This is no Idempotency-Key",
        "One header with 1 to 255 visible ASCII characters, bare or in quotes. Without a token it "
        "has at least 22, so that nobody can guess it: a random UUID will do.",
    ),
    ProblemKind(
        "token_missing",
        401,
        "A token is needed",
        "Send `Authorization: Bearer` with a token of this game or this score sheet.",
    ),
    ProblemKind(
        "token_invalid",
        401,
        "This token is not valid",
        "It is misspelt, of an unknown kind, or was ended.",
    ),
    ProblemKind(
        "token_expired",
        401,
        "The time of this token or ticket is over",
        "The tokens of a game end when it has been over for so long that it is archived. A stream "
        "ticket begins a stream within a minute and takes it up again for a day: make a new one "
        "with `createStreamTicket`.",
    ),
    ProblemKind(
        "scope_missing",
        403,
        "This is for a portal key with another scope",
        "`scope` is the one that a key has to have for it; tokens of a game have none.",
        ("scope",),
    ),
    ProblemKind(
        "not_your_seat",
        403,
        "This token belongs to another seat",
        "A seat token acts for its own seat and, where the game asks for it, for a computer seat.",
    ),
    ProblemKind(
        "spectator_read_only",
        403,
        "Spectators may only look",
        "Send a seat token to act.",
    ),
    ProblemKind(
        "hints_disabled",
        403,
        "This game is played without advice",
        "Only with the rule `advice: full` are there hints and does the computer play for a "
        "person's seat, and with `advice: off` no meld is checked before it is laid out.",
    ),
    ProblemKind(
        "notes_disabled",
        403,
        "This game is played without notes",
        "The rule `notes` is false.",
    ),
    ProblemKind(
        "sandbox_only",
        403,
        "This is for a sandbox alone",
        "Games with a `deck` or a `scenario` are made only where the operator allows them.",
    ),
    ProblemKind(
        "share_token_read_only",
        403,
        "This token only reads the score sheet",
        "Send the edit token to change it.",
    ),
    ProblemKind(
        "not_found",
        404,
        "There is nothing here",
        "An unknown address, or a game, hand, move, join code or score sheet that is unknown or "
        "not yours.",
    ),
    ProblemKind(
        "method_not_allowed",
        405,
        "This address does not take this method",
        "The header `Allow` names those it takes.",
    ),
    ProblemKind(
        "not_acceptable",
        406,
        "The answer would be JSON",
        "Let `Accept` allow `application/json`, or the text that the operation answers with.",
    ),
    ProblemKind("too_large", 413, "The body is too large", "`max` is in bytes.", ("max",)),
    ProblemKind(
        "unsupported_media_type",
        415,
        "The body has to be plain JSON",
        "Send `Content-Type: application/json`, in UTF-8 and without `Content-Encoding`.",
    ),
    ProblemKind(
        "idempotency_in_progress",
        409,
        "The same request is being worked on",
        "Send it again in a moment, with the same Idempotency-Key: it is done once.",
        retryable=True,
    ),
    ProblemKind(
        "idempotency_key_reused",
        422,
        "This Idempotency-Key stood for another request",
        "A key stands for one request. Take a new one for a new request, and keep it for the "
        "same one sent again.",
    ),
    ProblemKind(
        "validation_failed",
        422,
        "The request is wrong, whatever the state of the game",
        "`errors` names each fault with a pointer and a code of its own.",
    ),
)

_GAME: Final = (
    ProblemKind(
        "stale_move",
        409,
        "The game has moved on",
        "`move_number` has to equal `next_move` of the game. `moves` tells what happened since, "
        "`game` is how it stands now.",
        ("expected_move",),
    ),
    of_engine("GameNotStarted", "Wait until every seat is taken."),
    of_engine("GameOver", "Nothing more can be played; the score is final."),
    of_engine("HandOver", "Ask for the next deal."),
    of_engine("HandInProgress", "Play the hand to its end first."),
    of_engine(
        "ConfirmationPending",
        "`to_act_seats` have still to send `PUT …/hands/{hand_number}/confirmation`.",
        "to_act_seats",
    ),
    of_engine(
        "CutPending",
        "`to_act_seats` have still to send `PUT …/hands/{hand_number}/cut`.",
        "to_act_seats",
    ),
    of_engine("VoidNotPossible", "Play it to its end, or resign."),
    ProblemKind(
        "game_in_progress",
        409,
        "The game is not over yet",
        "Its record shows every card, with the rule `reveal: game` so does the proof of each hand, "
        "play is judged afterwards (a hand sooner with `advice: full` and `reveal: hand`), and a "
        "seat can be left only before the first deal: ask again once `over` is true.",
    ),
    ProblemKind(
        "sandbox_no_proof",
        409,
        "A sandbox game proves nothing",
        "Its decks were chosen, and do not follow from the seed that the server committed to.",
    ),
    of_engine("NotYourTurn", "`to_act_seats` are due.", "to_act_seats"),
    of_engine("WrongPhase", "`you.legal.actions` names what is possible.", "phase"),
    of_engine(
        "NotClaimableYet",
        "`claimable_at` says from when on the seat that plays against the one that is due may "
        "claim the game; without it nothing can come of waiting. See `you.legal.actions`.",
        "claimable_at",
    ),
    ProblemKind(
        "no_ai_to_move",
        409,
        "No computer is due at this seat",
        "Ask for a computer's move while `ai_pending` is true, for a seat of `to_act_seats`.",
    ),
    ProblemKind(
        "seat_taken",
        409,
        "This seat is taken",
        "Join without `seat` to get any free one.",
    ),
    ProblemKind("game_full", 409, "Every seat of this game is taken", "Make a game of your own."),
    ProblemKind(
        "already_joined",
        409,
        "This token already sits in this game",
        "Join without a seat token to take a second seat.",
    ),
    ProblemKind(
        "token_limit",
        409,
        "This seat was given as many tokens as it may have",
        "End tokens that are not used, and go on with one of the others.",
        ("max",),
    ),
    ProblemKind(
        "webhook_limit",
        409,
        "This portal has as many webhooks as it may have",
        "Delete one, or send several types of events to the same.",
        ("max",),
    ),
)

_CUTS: Final = (
    ProblemKind(
        "nonce_mismatch",
        422,
        "This is not the nonce that the seat has committed to",
        "Send the 64 hex digits whose SHA-256, with `GRD1|nonce|` before them, is the commitment "
        "of your seat in `next_hand.nonce_commits`.",
    ),
    ProblemKind(
        "nonce_commit_reused",
        422,
        "This game has seen this commitment before",
        "Commit to a nonce of your own, another one for each hand.",
    ),
)

_SHEETS: Final = (
    ProblemKind(
        "version_mismatch",
        412,
        "It has changed since you looked",
        "`If-Match` has to name the ETag of the game or the score sheet as it is; a sheet comes "
        "along as `score_sheet`. Nothing was changed; look at it and decide again.",
        ("expected_version",),
    ),
    ProblemKind(
        "version_required",
        428,
        "Say which version you have looked at",
        "Send `If-Match` with the `etag` of the score sheet.",
    ),
    of_engine(
        "ConfirmationRequired",
        "At least `min` of `names` have still to say so, in `by` or `confirmed_by`: any one while "
        "no later hand is entered, after that all. A finished game's last hand is like one with a "
        "later hand once all have confirmed it.",
        "min",
        "names",
    ),
    of_engine("HandNumberTooHigh", "The next hand has the number `max`.", "max"),
    of_engine(
        "ScoreSheetFull",
        "It holds at most `max`: 500 hands, and 2,000 changes of them. Go on with a new one.",
        "max",
    ),
)

_CARDS: Final = (
    of_engine("MustDrawStock", "From the next turn on both piles are open."),
    of_engine("StockEmpty", "Draw from the discard pile, or wait for what the rules say."),
    of_engine("DiscardPileEmpty", "Draw from the stock."),
    of_engine("OnlyTopDiscard", "Leave `card` away to take the top.", "card"),
    of_engine("PickupNotMelded", "`you.legal.draws` lists the discards that may be taken.", "card"),
    of_engine("MustKnockOrPass", "The hand is at its end: see `you.legal.knocks`, or pass."),
    of_engine("CardNotInDiscards", "`hand.discard_pile` lists what lies there.", "card"),
    of_engine("CardNotInHand", "`you.cards` lists what this seat holds." + TOLD, "card"),
    of_engine("CardJustTaken", "Throw another card; `you.legal.barred` names this one.", "card"),
    of_engine("CardJustDrawn", "Throw another card; `you.legal.barred` names this one.", "card"),
    of_engine(
        "WrongDiscardCount", "Throw `min` cards first; the knock throws the last one.", "min"
    ),
    of_engine(
        "DeadwoodTooHigh",
        "The cards kept after the discard leave `deadwood` points." + TOLD,
        "deadwood",
        "knock_limit",
    ),
    of_engine("NotGin", "Send `kind: knock`, or lay the cards out otherwise." + TOLD, "deadwood"),
    of_engine("NotBigGin", "Name a discard to knock." + TOLD, "deadwood"),
    of_engine("BigGinNotEnabled", "Name a discard: it is gin." + TOLD),
    of_engine("LayoutNotMinimal", "Leave `melds` away to get the best lay-out." + TOLD, "deadwood"),
    of_engine("MeldNotInHand", "`meld` is the index of the meld sent." + TOLD, "meld", "card"),
    of_engine("MeldNotFound", "`meld` is an index into the knocker's melds." + TOLD, "meld"),
    of_engine("LayOffNotPossible", "Lay-offs are tried in the order sent." + TOLD, "card", "meld"),
)

_SERVER: Final = (
    ProblemKind(
        "rate_limited",
        429,
        "Too many requests",
        "The limit named `policy` is used up, and nothing was done. Send the same request again "
        "after `Retry-After` seconds. `RateLimit-Policy` and `RateLimit` tell on every answer how "
        "much there is.",
        ("policy", "retry_after_seconds"),
        retryable=True,
    ),
    ProblemKind(
        "internal",
        500,
        "Something went wrong here",
        "It is logged under the `Request-Id` of the answer.",
    ),
    ProblemKind(
        "busy",
        503,
        "The service is busy",
        "Nothing was changed. Send the same request again after `Retry-After` seconds.",
        ("retry_after_seconds",),
        retryable=True,
    ),
    ProblemKind(
        "outcome_unknown",
        503,
        "Whether this was done is not known",
        "Send exactly the same request again, with its Idempotency-Key if it takes one: it is "
        "done once, whichever it was.",
        ("retry_after_seconds",),
        retryable=True,
    ),
    ProblemKind(
        "stream_capacity",
        503,
        "No more streams can be held open here",
        "Ask for `updates` instead, and for a stream again after `Retry-After` seconds.",
        ("retry_after_seconds",),
        retryable=True,
    ),
    ProblemKind(
        "maintenance",
        503,
        "The service is being changed",
        "It is starting, stopping or being migrated. Try again after `Retry-After` seconds.",
        ("retry_after_seconds",),
        retryable=True,
    ),
)

CATALOGUE: Final[dict[str, ProblemKind]] = {
    kind.code: kind
    for kind in (*_CALL, *_GAME, *_CUTS, *_SHEETS, *_CARDS, *FIELD_PROBLEMS, *_SERVER)
}
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
