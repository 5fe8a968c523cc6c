"""Make a game, seat who is known, and deal if nobody is missing."""

from dataclasses import dataclass, replace

from engine.cards import Card
from engine.game import SeatKind, Setup, Transition, new_game
from engine.progress import begin
from engine.rules import Rules, check_seats
from engine.scenarios import Scenario, play_scenario
from service.storage import games
from service.storage.games import NOBODYS, LoggedMove, Ownership, StoredGame
from service.storage.occupants import Occupant
from service.storage.pool import Connection
from service.use_cases.computer_seats import Thinking, with_replies
from service.use_cases.do_once import Keep, write_keeping
from service.use_cases.expire_overdue import brought_up_to_time
from service.use_cases.house import House
from service.use_cases.make_move import logged


@dataclass(frozen=True, slots=True)
class SeatGrant:
    """A seat that the maker of a game may act for, and its token."""

    seat: int
    token: str


@dataclass(frozen=True, slots=True)
class Created:
    """A new game, with the tokens for its maker and for those who watch."""

    stored: StoredGame
    moves: list[LoggedMove]
    grants: tuple[SeatGrant, ...]
    spectator_token: str


def create_game(
    house: House,
    rules: Rules,
    seats: tuple[Occupant, ...],
    decks: tuple[tuple[Card, ...], ...] = (),
    scenario: Scenario | None = None,
    owner: Ownership = NOBODYS,
    keep: Keep[Created] | None = None,
) -> Created:
    """Make a game of ``rules``; the first hand is dealt if every seat is occupied.

    ``decks`` are those of its first hands, for a sandbox. A ``scenario`` is played to its position:
    the rules and decks are its own, and every seat is occupied. ``owner`` says whose it is.
    ``keep`` keeps the answer.

    :raises ContradictoryRules: if so many seats cannot play by these rules.
    """
    check_seats(rules, len(seats))
    setup = Setup(
        house.randomness.game_id(),
        rules,
        tuple(seat.kind for seat in seats),
        house.randomness.deal_key(),
        decks,
    )
    complete = all(seat.occupied for seat in seats)
    made = Transition(new_game(setup), ())
    if complete:
        made = begin(setup) if scenario is None else play_scenario(scenario, setup)
        made = with_replies(made, seats, Thinking.within(house.ai_max_ms))
    time_is_up = scenario is not None and scenario.time_is_up
    join_code = None if complete else house.randomness.join_code()

    def write(conn: Connection) -> Created:
        stored = games.insert(
            conn, house.codec, made.game, seats, join_code, made.moves, owner, time_is_up=time_is_up
        )
        spectators = house.tokens.spectator(setup.id)
        return Created(stored, logged(stored, made), _grants(house, stored), spectators)

    created = write_keeping(house, write, keep)
    assert created is not None  # a new game stands in nobody's way
    if time_is_up:
        created = replace(created, stored=brought_up_to_time(house, created.stored))
    return created


def _grants(house: House, stored: StoredGame) -> tuple[SeatGrant, ...]:
    """Grant the people's seats that are taken; where only computers play, theirs."""
    people = [seat for seat in stored.seats if seat.kind is SeatKind.HUMAN]
    game_id = stored.game.setup.id
    return tuple(
        SeatGrant(number, house.tokens.seat(game_id, number, seat.token_version))
        for number, seat in enumerate(stored.seats)
        if seat.occupied and (seat.kind is SeatKind.HUMAN or not people)
    )
