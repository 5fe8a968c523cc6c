"""What may be wrong with cards, with rules, and with an action: one type each, with a sentence.

The docstring of a type is its message. Attributes are the facts behind it; their names are those
of the API's problem parameters. Cards are numbers, as in :mod:`engine.cards`.
"""

from typing import ClassVar


class EngineError(ValueError):
    """Something the engine refuses."""

    code: ClassVar[str] = "engine_error"

    def __init__(self, **params: object) -> None:
        super().__init__((type(self).__doc__ or "").split("\n", 1)[0])
        self.params = params


class BadInput(EngineError):
    """Wrong whatever the position."""


class BadCard(BadInput):
    """No card of a 52-card deck has this name."""

    code = "bad_card"

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class DuplicateCard(BadInput):
    """A card appears twice."""

    code = "duplicate_card"

    def __init__(self, card: int) -> None:
        super().__init__(card=card)


class WrongCardCount(BadInput):
    """That is not the right number of cards."""

    code = "wrong_card_count"

    def __init__(self, minimum: int, maximum: int) -> None:
        super().__init__(min=minimum, max=maximum)


class NotASet(BadInput):
    """A set is three or four cards of one rank."""

    code = "not_a_set"


class NotARun(BadInput):
    """A run is three or more consecutive cards of one suit."""

    code = "not_a_run"


class RunWrapsAce(BadInput):
    """The ace is low only, and a run does not pass over it."""

    code = "run_wraps_ace"


class UpcardNeeded(BadInput):
    """By these rules it depends on the upcard, which is missing."""

    code = "required"


class CardInTwoMelds(BadInput):
    """A card cannot belong to two melds at once."""

    code = "card_in_two_melds"

    def __init__(self, card: int) -> None:
        super().__init__(card=card)


class UnknownRuleSet(BadInput):
    """There is no rule set of this name."""

    code = "unknown_rule_set"

    def __init__(self, base: str) -> None:
        super().__init__()
        self.base = base


class OptionError(BadInput):
    """Something is wrong with one option of the rules."""

    def __init__(self, name: str, /, **params: object) -> None:
        super().__init__(**params)
        self.option = name


class UnknownOption(OptionError):
    """The rules have no option of this name."""

    code = "unknown_field"


class WrongOptionType(OptionError):
    """This is none of the option's values."""

    code = "wrong_type"


class OutOfRange(OptionError):
    """The number lies outside the option's range."""

    code = "out_of_range"

    def __init__(self, option: str, least: int, greatest: int) -> None:
        super().__init__(option, min=least, max=greatest)


class ContradictoryRules(OptionError):
    """Two options exclude each other."""

    code = "contradictory_rules"

    def __init__(self, option: str, against: str) -> None:
        super().__init__(option, option=against)
        self.options = (option, against)


class IllegalAction(EngineError):
    """Right in itself, but not possible now."""


class GameNotStarted(IllegalAction):
    """The game waits for players."""

    code = "game_not_started"


class GameOver(IllegalAction):
    """The game is over."""

    code = "game_over"


class HandOver(IllegalAction):
    """The hand is over."""

    code = "hand_over"


class HandInProgress(IllegalAction):
    """A hand is being played, so the next one cannot be dealt yet."""

    code = "hand_in_progress"


class _OthersAreDue(IllegalAction):
    """Others are due first."""

    def __init__(self, to_act_seats: tuple[int, ...]) -> None:
        super().__init__(to_act_seats=to_act_seats)


class ConfirmationPending(_OthersAreDue):
    """The score of the last hand has still to be confirmed."""

    code = "confirmation_pending"


class CutPending(_OthersAreDue):
    """Seats have still to cut before the hand is dealt."""

    code = "cut_pending"


class NonceMismatch(BadInput):
    """The nonce is not the one that the seat has committed to."""

    code = "nonce_mismatch"


class NonceCommitReused(BadInput):
    """The game has seen this commitment before, from this seat or another."""

    code = "nonce_commit_reused"


class VoidNotPossible(IllegalAction):
    """A hand that a computer plays cannot be made void, since computers never consent."""

    code = "void_not_possible"


class NotYourTurn(_OthersAreDue):
    """It is not this seat's turn."""

    code = "not_your_turn"


class NotClaimableYet(IllegalAction):
    """No time has run out that this seat could claim the game for."""

    code = "not_claimable_yet"


class WrongPhase(IllegalAction):
    """This action does not belong to the present phase of the hand."""

    code = "wrong_phase"

    def __init__(self, phase: str) -> None:
        super().__init__(phase=phase)


class MustDrawStock(IllegalAction):
    """Both seats refused the upcard."""

    code = "must_draw_stock"


class StockEmpty(IllegalAction):
    """The stock is empty."""

    code = "stock_empty"


class DiscardPileEmpty(IllegalAction):
    """The discard pile is empty."""

    code = "discard_pile_empty"


class OnlyTopDiscard(IllegalAction):
    """Only the top card of the discard pile may be taken."""

    code = "only_top_discard"

    def __init__(self, card: int) -> None:
        super().__init__(card=card)


class CardNotInDiscards(IllegalAction):
    """The discard pile does not hold this card."""

    code = "card_not_in_discards"

    def __init__(self, card: int) -> None:
        super().__init__(card=card)


class CardNotInHand(IllegalAction):
    """This seat does not hold this card."""

    code = "card_not_in_hand"

    def __init__(self, card: int) -> None:
        super().__init__(card=card)


class CardJustTaken(IllegalAction):
    """A card taken from the discard pile may not be thrown in the same turn."""

    code = "card_just_taken"

    def __init__(self, card: int) -> None:
        super().__init__(card=card)


class CardJustDrawn(IllegalAction):
    """By these rules a card just drawn may not be thrown in the same turn."""

    code = "card_just_drawn"

    def __init__(self, card: int) -> None:
        super().__init__(card=card)


class DeadwoodTooHigh(IllegalAction):
    """Deadwood is above the knock limit."""

    code = "deadwood_too_high"

    def __init__(self, deadwood: int, knock_limit: int) -> None:
        super().__init__(deadwood=deadwood, knock_limit=knock_limit)


class NotGin(IllegalAction):
    """Gin was declared, but deadwood is left."""

    code = "not_gin"

    def __init__(self, deadwood: int) -> None:
        super().__init__(deadwood=deadwood)


class NotBigGin(IllegalAction):
    """Big gin was declared, but not every card lies in a meld."""

    code = "not_big_gin"

    def __init__(self, deadwood: int) -> None:
        super().__init__(deadwood=deadwood)


class BigGinNotEnabled(IllegalAction):
    """Big gin is not played in this game."""

    code = "big_gin_not_enabled"


class LayoutNotMinimal(IllegalAction):
    """By these rules the lay-out has to leave the least deadwood possible."""

    code = "layout_not_minimal"

    def __init__(self, deadwood: int) -> None:
        super().__init__(deadwood=deadwood)


class MeldNotInHand(IllegalAction):
    """The lay-out uses a card that this seat does not hold, or throws."""

    code = "meld_not_in_hand"

    def __init__(self, meld: int, card: int) -> None:
        super().__init__(meld=meld, card=card)


class MeldNotFound(IllegalAction):
    """The knocker laid out no such meld."""

    code = "meld_not_found"

    def __init__(self, meld: int) -> None:
        super().__init__(meld=meld)


class LayOffNotPossible(IllegalAction):
    """This card does not fit this meld."""

    code = "layoff_not_possible"

    def __init__(self, card: int, meld: int) -> None:
        super().__init__(card=card, meld=meld)


class MustKnockOrPass(IllegalAction):
    """The last discard may only be taken to knock or go gin."""

    code = "must_knock_or_pass"


class PickupNotMelded(IllegalAction):
    """A buried discard may only be taken for a meld that holds it."""

    code = "pickup_not_melded"

    def __init__(self, card: int) -> None:
        super().__init__(card=card)


class WrongDiscardCount(IllegalAction):
    """So many cards have to be thrown before a knock."""

    code = "wrong_discard_count"

    def __init__(self, owed: int) -> None:
        super().__init__(min=owed)


class HandNumberTooHigh(IllegalAction):
    """The hands of a score sheet are numbered without a gap."""

    code = "hand_number_too_high"

    def __init__(self, greatest: int) -> None:
        super().__init__(max=greatest)


class ScoreSheetFull(IllegalAction):
    """The score sheet takes no more."""

    code = "score_sheet_full"

    def __init__(self, most: int) -> None:
        super().__init__(max=most)


class ConfirmationRequired(IllegalAction):
    """This correction does not count yet, since others have still to confirm it."""

    code = "confirmation_required"

    def __init__(self, needed: int, seats: tuple[int, ...]) -> None:
        super().__init__(min=needed, seats=seats)
