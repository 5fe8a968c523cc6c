"""The part of the catalogue of problems that is about the call itself, and about the server."""

from typing import Final

from service.problem_kinds import ProblemKind

CALL_PROBLEMS: Final = (
    ProblemKind(
        "malformed_json",
        400,
        "The body is not JSON",
        "send one JSON value in UTF-8",
        "UTF-8 without a byte order mark, no name twice in one object, no NaN, no lone surrogate, "
        "at most 32 levels deep, and no whole number beyond 64 bits.",
    ),
    ProblemKind(
        "idempotency_key_invalid",
        400,
        "This is no Idempotency-Key",
        "send one header with a random UUID",
        "One header with 1 to 255 visible ASCII characters, bare or in quotes. Without a token it "
        "has at least 22, so that nobody can guess it: a random UUID will do.",
    ),
    ProblemKind(
        "token_missing",
        401,
        "A token is needed",
        "send `Authorization: Bearer` with yours",
        "Send `Authorization: Bearer` with a token of this game or this score sheet.",
    ),
    ProblemKind(
        "token_invalid",
        401,
        "This token is not valid",
        "send the one that you were given, or ask for another",
        "It is misspelt, of an unknown kind, or was ended.",
    ),
    ProblemKind(
        "token_expired",
        401,
        "The time of this token or ticket is over",
        "ask for a new one, or make a new game",
        "The tokens of a game end when it has been over for so long that it is archived. A stream "
        "ticket begins a stream within a minute and takes it up again for a day: make a new one "
        "with `createStreamTicket`.",
    ),
    ProblemKind(
        "scope_missing",
        403,
        "This is for a portal key with another scope",
        "let the operator give your key the scope in `params`",
        "`scope` is the one that a key has to have for it; tokens of a game have none.",
        ("scope",),
    ),
    ProblemKind(
        "not_your_seat",
        403,
        "This token belongs to another seat",
        "send the token of the seat that is to act",
        "A seat token acts for its own seat and, where the game asks for it, for a computer seat.",
    ),
    ProblemKind(
        "spectator_read_only",
        403,
        "Spectators may only look",
        "send a seat token to act",
        "A token that was made to watch reads the public view and nothing else.",
    ),
    ProblemKind(
        "hints_disabled",
        403,
        "This game is played without advice",
        "play on without, or make a game with `advice: full`",
        "Only with the rule `advice: full` are there hints and does the computer play for a "
        "person's seat, and with `advice: off` no meld is checked before it is laid out.",
    ),
    ProblemKind(
        "notes_disabled",
        403,
        "This game is played without notes",
        "make a game with `notes: true` to keep some",
        "The rule `notes` is false.",
    ),
    ProblemKind(
        "sandbox_only",
        403,
        "This is for a sandbox alone",
        "leave `deck` and `scenario` away",
        "Games with a `deck` or a `scenario` are made only where the operator allows them.",
    ),
    ProblemKind(
        "share_token_read_only",
        403,
        "This token only reads the score sheet",
        "send the edit token to change it",
        "Whoever made the sheet has two tokens; the one that begins with `gse_` changes it.",
    ),
    ProblemKind(
        "not_found",
        404,
        "There is nothing here",
        "check the address, and that your token belongs to it",
        "An unknown address, or a game, hand, move, join code or score sheet that is unknown or "
        "not yours.",
    ),
    ProblemKind(
        "method_not_allowed",
        405,
        "This address does not take this method",
        "use one of those that the header `Allow` names",
        "A bug of the client, or an address that is almost right.",
    ),
    ProblemKind(
        "not_acceptable",
        406,
        "The answer would be JSON",
        "let `Accept` allow `application/json`",
        "Where an operation answers with text or a stream, `Accept` may ask for that, too.",
    ),
    ProblemKind(
        "too_large",
        413,
        "The body is too large",
        "send no more than `max` bytes",
        "`max` is in bytes.",
        ("max",),
    ),
    ProblemKind(
        "unsupported_media_type",
        415,
        "The body has to be plain JSON",
        "send `Content-Type: application/json`",
        "In UTF-8, with no other `charset` and without `Content-Encoding`.",
    ),
    ProblemKind(
        "idempotency_in_progress",
        409,
        "The same request is being worked on",
        "send it again in a moment, with the same key",
        "It is done once, however often it is sent, and answered the same.",
        retryable=True,
    ),
    ProblemKind(
        "idempotency_key_reused",
        422,
        "This Idempotency-Key stood for another request",
        "take a new key for a new request",
        "A key stands for one request. Take a new one for a new request, and keep it for the "
        "same one sent again.",
    ),
    ProblemKind(
        "validation_failed",
        422,
        "The request is wrong, whatever the state of the game",
        "correct what `errors` names, and send it again",
        "`errors` names each fault with a pointer and a code of its own.",
    ),
)

SERVER_PROBLEMS: Final = (
    ProblemKind(
        "rate_limited",
        429,
        "Too many requests",
        "send the same request again after `Retry-After` seconds",
        "The limit named `policy` is used up, and nothing was done. `RateLimit-Policy` "
        "and `RateLimit` tell on every answer how "
        "much there is.",
        ("policy", "retry_after_seconds"),
        retryable=True,
    ),
    ProblemKind(
        "internal",
        500,
        "Something went wrong here",
        "send it again, and report the `Request-Id` if it stays so",
        "It is logged under the `Request-Id` of the answer.",
    ),
    ProblemKind(
        "busy",
        503,
        "The service is busy",
        "send the same request again after `Retry-After` seconds",
        "Nothing was changed. Too much is going on, or the database is away for a moment.",
        ("retry_after_seconds",),
        retryable=True,
    ),
    ProblemKind(
        "outcome_unknown",
        503,
        "Whether this was done is not known",
        "send exactly the same request again after `Retry-After` seconds",
        "With its Idempotency-Key if it takes one. It is done once, whichever it was.",
        ("retry_after_seconds",),
        retryable=True,
    ),
    ProblemKind(
        "stream_capacity",
        503,
        "No more streams can be held open here",
        "ask for `updates` instead",
        "`getUpdates` tells the same. Ask for a stream again after `Retry-After` seconds.",
        ("retry_after_seconds",),
        retryable=True,
    ),
    ProblemKind(
        "maintenance",
        503,
        "The service is being changed",
        "send the same request again after `Retry-After` seconds",
        "It is starting, stopping or being migrated; nothing was changed.",
        ("retry_after_seconds",),
        retryable=True,
    ),
)
