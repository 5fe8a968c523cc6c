"""The part of the catalogue of problems that is about cards: what the rules do not allow."""

from typing import Final

from service.problem_kinds import of_engine

TOLD: Final = " Of cards that are kept elsewhere it stands in `errors` of `validation_failed`."

CARD_PROBLEMS: Final = (
    of_engine("MustDrawStock", "draw from the stock", "From the next turn on both piles are open."),
    of_engine(
        "StockEmpty",
        "draw from the discard pile",
        "The rules `stock_end`, `recycle` and `last_discard` say what follows.",
    ),
    of_engine(
        "DiscardPileEmpty",
        "draw from the stock",
        "There is nothing on it yet, or the stock was made of it.",
    ),
    of_engine(
        "OnlyTopDiscard",
        "leave `card` away to take the top",
        "Others may be taken only in a game with `multi_pickup`.",
        "card",
    ),
    of_engine(
        "PickupNotMelded",
        "choose one of `you.legal.draws`",
        "With `multi_pickup` a card below the top has to go into a meld at once.",
        "card",
    ),
    of_engine(
        "MustKnockOrPass",
        "send one of `you.legal.knocks`, or pass",
        "By the rule `last_discard` it is the last chance; a pass ends the hand without a score.",
    ),
    of_engine(
        "CardNotInDiscards",
        "choose one of `you.legal.draws`",
        "`hand.discard_pile` lists what lies there.",
        "card",
    ),
    of_engine(
        "CardNotInHand",
        "choose one of `you.cards`",
        "`you.cards` lists what this seat holds." + TOLD,
        "card",
    ),
    of_engine(
        "CardJustTaken",
        "throw another card",
        "`you.legal.barred` names this one, and `you.legal.discards` all others.",
        "card",
    ),
    of_engine(
        "CardJustDrawn",
        "throw another card",
        "`you.legal.barred` names this one, and `you.legal.discards` all others.",
        "card",
    ),
    of_engine(
        "WrongDiscardCount",
        "throw `min` cards first",
        "After a pick-up of several cards as many are owed; the knock throws the last one.",
        "min",
    ),
    of_engine(
        "DeadwoodTooHigh",
        "discard and play on, or knock with one of `you.legal.knocks`",
        "The cards kept after the discard leave `deadwood` points." + TOLD,
        "deadwood",
        "knock_limit",
    ),
    of_engine(
        "NotGin",
        "send `kind: knock`, or lay the cards out otherwise",
        "`deadwood` points are left by these melds." + TOLD,
        "deadwood",
    ),
    of_engine(
        "NotBigGin",
        "name a discard to knock",
        "Big gin is eleven cards in melds, without a discard; `deadwood` points are left." + TOLD,
        "deadwood",
    ),
    of_engine(
        "BigGinNotEnabled",
        "name a discard, which makes it gin",
        "The rule `big_gin` is false, so gin is declared with ten cards and a discard." + TOLD,
    ),
    of_engine(
        "LayoutNotMinimal",
        "leave `melds` away to get the best one",
        "The rule is `knocker_layout`; this lay-out leaves `deadwood` points." + TOLD,
        "deadwood",
    ),
    of_engine(
        "MeldNotInHand",
        "lay out cards of your own, without the discard",
        "`meld` is the index of the meld sent." + TOLD,
        "meld",
        "card",
    ),
    of_engine(
        "MeldNotFound",
        "give its index in the knocker's melds",
        "`meld` is an index into the knocker's melds." + TOLD,
        "meld",
    ),
    of_engine(
        "LayOffNotPossible",
        "choose one of `you.legal.lay_offs`",
        "Lay-offs are tried in the order sent." + TOLD,
        "card",
        "meld",
    ),
)
