"""How a game moves on: hands until someone reaches the target.

>>> from engine.game import SeatKind
>>> from engine.rules import Rules
>>> game = begin(Setup("g_1", Rules(), (SeatKind.HUMAN, SeatKind.AI), bytes(32))).game
>>> game.phase, game.next_move
(<Phase.FIRST_UPCARD: 'first_upcard'>, 3)
"""

from collections.abc import Iterable

from engine import dealing, decisions, seating, shuffle
from engine.actions import Action, Claim, DealHand, Resign
from engine.columns import scored_hand
from engine.dealing import draws_for_dealer, next_deal
from engine.errors import (
    ConfirmationPending,
    CutPending,
    GameNotStarted,
    GameOver,
    HandInProgress,
    HandOver,
    NotClaimableYet,
)
from engine.events import Claimed, DealerDrawn, Dealt, Event, HandEvent, Knocked, LaidOff, Resigned
from engine.frozen import with_changes
from engine.game import After, Game, Move, Mover, SeatKind, Setup, Transition, new_game
from engine.hand import Phase, check_cards, ended, evolve, start
from engine.hints import counted
from engine.scoring import HandResult
from engine.seating import SeatCount
from engine.settlement import best_opponent
from engine.shuffle import dealt_out


def begin(setup: Setup) -> Transition:
    """Return the game with its first hand dealt.

    With ``first_dealer: draw`` the seats first draw for the deal, from the same committed seed; of
    partners only the two who play first.
    """
    return deal_first(new_game(setup))


def deal_first(game: Game) -> Transition:
    """Return ``game``, in which nothing was dealt yet, with its first hand dealt."""
    moves: tuple[Move, ...] = ()
    if game.rules.first_dealer == "draw":
        game, moves = record(game, Mover.SERVER, (DealerDrawn(draws_for_dealer(game)),))
    game, dealt = record(game, Mover.SERVER, (next_deal(game),))
    return Transition(game, moves + dealt)


def apply(game: Game, seat: int, action: Action, by: Mover = Mover.PLAYER) -> Transition:
    """Return the game after ``seat`` did ``action``, and the moves that followed from it.

    :raises IllegalAction: if it may not be done now; the game is as it was.
    """
    return Transition(*record(game, by, decide(game, seat, action)))


def decide(
    game: Game, seat: int, action: Action, reshuffle: decisions.Reshuffle | None = None
) -> tuple[Event, ...]:
    """Return what follows when ``seat`` does ``action``.

    Discards that are shuffled come in the order of the fair deal, unless ``reshuffle`` has another.

    :raises GameNotStarted: if nothing is dealt yet.
    :raises GameOver: if the game has ended.
    :raises HandInProgress: if a deal is asked for while a hand is played.
    :raises ConfirmationPending, CutPending: if something else is due before the deal.
    :raises HandOver: if a move of play, or a claim, comes after the end of the hand.
    :raises NotClaimableYet: if the game is claimed, and nobody is out of time against this seat.
    :raises IllegalAction: for what else the rules of the hand refuse.
    """
    if game.over:
        raise GameOver
    hand, phase = game.hand, game.phase
    if phase is Phase.WAITING:
        raise GameNotStarted
    if isinstance(action, Resign):
        return (Resigned(seat, best_opponent(game.score, seat), _result_given_up(game)),)
    if isinstance(action, DealHand):
        _check_deal_due(game)
        return (next_deal(game),)
    if isinstance(action, Claim) and phase is Phase.CUTTING:
        return (_claimed(game, seat),)
    if hand is None:
        raise CutPending(game.cutting_seats)
    if hand.over:
        raise HandOver
    if isinstance(action, Claim):
        return (_claimed(game, seat),)
    shuffled = reshuffle or dealing.reshuffle(game.setup, hand)
    events = decisions.decide(hand, game.rules, seat, action, shuffled)
    return tuple(_with_team(event, game.seat_count) for event in events)


def _check_deal_due(game: Game) -> None:
    if not (game.hand is None or game.hand.over):
        raise HandInProgress
    if game.unconfirmed_seats:
        raise ConfirmationPending(game.unconfirmed_seats)
    if game.cutting_seats:
        raise CutPending(game.cutting_seats)


def _result_given_up(game: Game) -> HandResult | None:
    """Return the result of the present hand when the game is given up; None if none is played."""
    return None if game.hand is None else decisions.resigned_result(game.hand, game.rules)


def _claimed(game: Game, seat: int) -> Claimed:
    """Return the claim of ``seat``: the game ends as if the late seat had given it up."""
    late = game.late_seat
    if late is None or seat not in game.claimants:
        raise NotClaimableYet
    return Claimed(seat, late, best_opponent(game.score, late), _result_given_up(game))


def _with_team(event: HandEvent, seats: int) -> HandEvent:
    """Return ``event`` with the team that won the hand by it, where partners play."""
    if not isinstance(event, Knocked | LaidOff) or event.result is None:
        return event
    winner = event.result.winner
    team = None if winner is None else seating.team_of(seats, winner)
    if team is None:
        return event
    return with_changes(event, result=with_changes(event.result, winner_team=team))


# --- bookkeeping


def record(game: Game, by: Mover, events: Iterable[Event]) -> tuple[Game, tuple[Move, ...]]:
    """Return the game after ``events``, and the move that each of them becomes."""
    moves: list[Move] = []
    for event in events:
        game = evolve_game(game, event)
        # What follows from a move, such as the end of a drawn hand, is the server's doing.
        move = _move(game, event, Mover.SERVER if moves else _by(by, event))
        game = after_move(game, move)
        moves.append(move)
    if game.hand is not None:
        check_cards(game.hand)
    return game, tuple(moves)


def after_move(game: Game, move: Move) -> Game:
    """Return the game, which holds the fact of ``move`` already, with it as the last move.

    Who was late has moved, or its hand has ended: nothing can be claimed any more. And any move of
    the player of a seat, or one that it asked the computer for, takes the seat back from the
    computer that played it by the clock.
    """
    away, hints, seat = game.away_seats, game.hints, move.seat
    if away and move.by is not Mover.CLOCK:
        away = tuple(each for each in away if each != seat)
    if move.by is Mover.AI and seat is not None and game.setup.seats[seat] is SeatKind.HUMAN:
        hints = counted(hints, seat, move.number)  # a person was played for
    return with_changes(
        game,
        next_move=move.number + 1,
        last_move=move,
        late_seat=None,
        away_seats=away,
        hints=hints,
    )


def _by(by: Mover, event: Event) -> Mover:
    return Mover.SERVER if isinstance(event, DealerDrawn | Dealt) else by


def _move(game: Game, event: Event, by: Mover) -> Move:
    hand = game.hand
    return Move(
        number=game.next_move,
        hand_number=hand.number if hand else 1,
        turn=hand.turn if hand else 0,
        seat=getattr(event, "seat", None),
        by=by,
        event=event,
        after=_after(game),
    )


def _after(game: Game) -> After:
    hand = game.hand
    return After(
        phase=game.phase,
        to_act_seats=game.to_act_seats,
        stock_count=len(hand.stock) if hand else 0,
        card_counts=tuple(
            SeatCount(seat, hand.holdings[seat].bit_count()) for seat in hand.playing_seats
        )
        if hand
        else (),
        top_discard=hand.discard_pile[-1] if hand and hand.discard_pile else None,
    )


def evolve_game(game: Game, event: Event) -> Game:
    """Return the game after ``event``. Never refuses."""
    if isinstance(event, DealerDrawn):
        drawn = (draw.card for draw in event.draws)
        _, dealer = shuffle.draw_for_dealer(drawn, seating.drawing_seats(game.seat_count))
        return with_changes(game, dealer_draw=event.draws, first_dealer=dealer)
    if isinstance(event, Dealt):
        dealt = start(event, game.seat_count, game.rules)
        shares = dealt_out(game.shares)
        return with_changes(game, hand=dealt, shares=shares, void_consents=(), confirmed_by=())
    hand = game.hand
    if isinstance(event, Resigned | Claimed):
        ends = None if hand is None else ended(hand)
        game = with_changes(game, given_to=event.winner, hand=ends)
    else:
        assert hand is not None, "a hand is dealt before anything happens in it"
        game = with_changes(game, hand=evolve(hand, game.rules, event))
    result: HandResult | None = getattr(event, "result", None)
    return game if result is None else _with_result(game, result)


def _with_result(game: Game, result: HandResult) -> Game:
    hands = (*game.hands, scored_hand(result))
    game = with_changes(game, last_result=result, hands=hands, void_consents=())
    # Computers confirm at once.
    kinds = game.setup.seats
    at_once = (seat for seat in game.unconfirmed_seats if kinds[seat] is SeatKind.AI)
    return with_changes(game, confirmed_by=tuple(at_once))
