"""The part of the catalogue of problems that is about single fields of a body or a query."""

from typing import Final

from service.problem_kinds import of_engine, of_field

FIELD_PROBLEMS: Final = (
    of_field(
        "required", "This field is missing", "send it", "The `pointer` says where it belongs."
    ),
    of_field(
        "wrong_type",
        "This value is of the wrong type",
        "send what the document says, and no null",
        "Numbers are whole; null is not used.",
    ),
    of_field(
        "unknown_value",
        "This is none of the known values",
        "send one of `values`",
        "See `values`.",
        "values",
    ),
    of_field(
        "unknown_field",
        "There is no such field",
        "look for a misspelt name, or leave it away",
        "Look for a misspelt name.",
    ),
    of_field(
        "field_not_allowed",
        "This field does not go with the action",
        "leave it away",
        "`field` is the one that says so: what goes with which action stands in the document.",
        "field",
    ),
    of_field(
        "contradictory_fields",
        "Two fields exclude each other",
        "send one of them",
        "See `field`.",
        "field",
    ),
    of_field(
        "duplicate_name",
        "This name stands there already",
        "give each player a name of its own",
        "Tell the players apart.",
    ),
    of_field(
        "out_of_range",
        "This number is out of range",
        "send one from `min` to `max`",
        "See `min`, `max`.",
        "min",
        "max",
    ),
    of_field(
        "too_long",
        "This text or list is too long",
        "send no more than `max`",
        "`max` is its length.",
        "max",
    ),
    of_field(
        "bad_text",
        "This text holds characters that it may not",
        "leave control characters away",
        "Control characters, of which line breaks are, too; in the id of a game `|`, blanks and "
        "what is not ASCII.",
    ),
    of_field(
        "nonce_malformed",
        "This is no seed, nonce or commitment of the fair deal",
        "send 64 hex digits in lower case",
        "64 hex digits in lower case: 32 bytes.",
    ),
    of_engine(
        "BadCard",
        "write rank and suit, as in `TH`",
        "A rank A23456789TJQK and a suit CDHS, as in `TH`.",
    ),
    of_engine("DuplicateCard", "send each card once", "A deck has each card once.", "card"),
    of_engine(
        "WrongCardCount", "send from `min` to `max` of them", "See `min`, `max`.", "min", "max"
    ),
    of_field(
        "duplicate_seat",
        "Both sides are at one seat",
        "give each side a seat of its own",
        "Each side has a seat of its own.",
    ),
    of_engine(
        "CardInTwoMelds",
        "put it into one of them",
        "`card` is the one. It counts as deadwood in neither.",
        "card",
    ),
    of_engine("NotASet", "send cards that are one", "Suits do not matter; no card is in it twice."),
    of_engine("NotARun", "send cards that are one", "The ace stands below the two alone."),
    of_engine(
        "RunWrapsAce",
        "lay the ace below the two, or leave it out",
        "A-2-3 is a run, Q-K-A is none.",
    ),
    of_engine(
        "UnknownRuleSet", "take one of `GET /v1/rule-sets`", "`GET /v1/rule-sets` lists them."
    ),
    of_engine(
        "ContradictoryRules",
        "leave this one away, or change `option`",
        "`option` is the other one.",
        "option",
    ),
    of_field(
        "unknown_level",
        "There is no such level",
        "take one of `GET /v1/ai/levels`",
        "`GET /v1/ai/levels` lists those that play; leave `level` away.",
    ),
    of_field(
        "move_number_mismatch",
        "Path and body name two move numbers",
        "send one number in both",
        "They name the same thing, so they have to be the same.",
    ),
    of_field(
        "url_not_allowed",
        "Nothing is sent to this address",
        "give an `https` address of a public host",
        "`https`, a public host by its name or in the usual form of an address, port 443 or from "
        "1024 on, no user and no fragment.",
    ),
    of_field(
        "bad_cursor",
        "This cursor is not one of ours",
        "send `next_cursor` as it came",
        "A cursor belongs to one list and its filters; without one the list begins anew.",
    ),
)
