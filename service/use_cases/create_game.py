"""Make a game, seat who is known, and deal if nobody is missing."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.cards import Card
from engine.game import SeatKind, Setup, new_game
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
from service.use_cases.sit_down import SatDown, sit_down


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
    commits: Mapping[int, str] | None = None,
    keep: Keep[Created] | None = None,
) -> Created:
    """Make a game of ``rules``; the first hand is dealt if every seat is occupied.

    ``decks`` are those of its first hands, for a sandbox. A ``scenario`` is played to its position:
    the rules and decks are its own, and every seat is occupied. ``owner`` says whose it is.
    ``commits`` are the commitments of seats to their first nonces.
    ``keep`` keeps the answer.

    :raises ContradictoryRules: if so many seats cannot play by these rules.
    :raises Refused: ``nonce_commit_reused`` if two seats have the same commitment.
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
    if scenario is None:
        here = sit_down(house, new_game(setup), seats, commits or {})
    else:
        made = play_scenario(scenario, setup)
        here = SatDown(with_replies(made, seats, Thinking.within(house.ai_max_ms)), ())
    time_is_up = scenario is not None and scenario.time_is_up
    join_code = None if complete else house.randomness.join_code()

    def write(conn: Connection) -> Created:
        stored = games.insert(
            conn,
            house.codec,
            here.made.game,
            seats,
            join_code,
            here.made.moves,
            owner,
            here.changes,
            time_is_up=time_is_up,
        )
        spectators = house.tokens.spectator(setup.id)
        return Created(stored, logged(stored, here.made), _grants(house, stored), spectators)

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
