"""The part of the catalogue of problems that is about single fields of a body or a query."""

from typing import Final

from service.problem_kinds import of_engine, of_field

FIELD_PROBLEMS: Final = (
    of_field("required", "This field is missing", "It has to be sent."),
    of_field(
        "wrong_type", "This value is of the wrong type", "Numbers are whole; null is not used."
    ),
    of_field("unknown_value", "This is none of the known values", "See `values`.", "values"),
    of_field("unknown_field", "There is no such field", "Look for a misspelt name."),
    of_field(
        "field_not_allowed", "This field does not go with the action", "Leave it away.", "field"
    ),
    of_field("contradictory_fields", "Two fields exclude each other", "See `field`.", "field"),
    of_field("duplicate_name", "This name stands there already", "Tell the players apart."),
    of_field("out_of_range", "This number is out of range", "See `min`, `max`.", "min", "max"),
    of_field("too_long", "This text or list is too long", "`max` is its length.", "max"),
    of_field(
        "bad_text",
        "This text holds characters that it may not",
        "Control characters, of which line breaks are, too; in the id of a game `|`, blanks and "
        "what is not ASCII.",
    ),
    of_field(
        "nonce_malformed",
        "This is no seed, nonce or commitment of the fair deal",
        "64 hex digits in lower case: 32 bytes.",
    ),
    of_engine("BadCard", "A rank A23456789TJQK and a suit CDHS, as in `TH`."),
    of_engine("DuplicateCard", "A deck has each card once.", "card"),
    of_engine("WrongCardCount", "See `min`, `max`.", "min", "max"),
    of_field("duplicate_seat", "Both sides are at one seat", "Each side has a seat of its own."),
    of_engine("CardInTwoMelds", "Put it into one of them.", "card"),
    of_engine("NotASet", "See the rules of melds."),
    of_engine("NotARun", "See the rules of melds."),
    of_engine("RunWrapsAce", "A-2-3 is a run, Q-K-A is none."),
    of_engine("UnknownRuleSet", "`GET /v1/rule-sets` lists them."),
    of_engine("ContradictoryRules", "`option` is the other one.", "option"),
    of_field(
        "unknown_level",
        "There is no such level",
        "`GET /v1/ai/levels` lists those that play; leave `level` away.",
    ),
    of_field("move_number_mismatch", "Path and body name two move numbers", "Send one number."),
    of_field(
        "url_not_allowed",
        "Nothing is sent to this address",
        "`https`, a public host by its name or in the usual form of an address, port 443 or from "
        "1024 on, no user and no fragment.",
    ),
    of_field("bad_cursor", "This cursor is not one of ours", "Send `next_cursor` as it came."),
)
