"""Games to 100 in OpenSpiel's own engine, between a player of ours and OpenSpiel's own bot.

OpenSpiel's gin rummy, with its default parameters, is one hand; here hands are played until someone
has 100 points, and the deal goes round. Its rules are not quite ours: what differs is told in
``tests/engine/test_against_open_spiel.py``. Our player is shown a :class:`KnownGame`, which learns
nothing but what its seat is dealt and draws, what the bot does openly, and what a knock lays open.
Where OpenSpiel does not allow a knock or a lay-off of ours, the card is thrown, or kept.
"""

from random import Random

from engine.actions import Discard, Draw, DrawSource, Knock, KnockKind, Pass
from engine.cards import cards_of
from engine.columns import ScoredHand
from engine.matches import Choose, Clock, PlayedGame, PlayedHand
from engine.melds import best_arrangement, deadwood
from engine.scoring import HandOutcome
from tests.benchmarks.known_game import ME, OTHER, KnownGame
from tests.open_spiel import (
    AGREED,
    DRAWS,
    KNOCK,
    PASS,
    SPIEL,
    UTILS,
    laid_out,
    ours,
    pyspiel,
    theirs,
)

TARGET = 100
MOST_HANDS = 500
PHASE = SPIEL.Phase
OTHER_FROM = {action: Draw(source) for action, source in DRAWS.items()} | {PASS: Pass()}


def play_deal(choose: Choose, seed: int, number: int, clock: Clock) -> tuple[PlayedGame, ...]:
    """Return two games on the same decks: in the second one the seats are exchanged."""
    return tuple(_Game(choose, seed, number, shift, clock).play() for shift in (0, 1))


class _Game:
    def __init__(self, choose: Choose, seed: int, number: int, shift: int, clock: Clock) -> None:
        self._name = f"{seed}|{number}"
        self._shift = shift
        self._clock = clock
        self._choose = choose
        self._dice = Random(f"{self._name}|{shift}|dice")
        self._spiel = pyspiel.load_game("gin_rummy")
        self._times: tuple[list[int], list[int]] = ([], [])
        self.known = KnownGame(AGREED)

    def play(self) -> PlayedGame:
        points, hands, scored = [0, 0], [], ()
        while max(points) < TARGET and len(hands) < MOST_HANDS:
            # OpenSpiel's player 0 is the one that does not deal.
            me = (len(hands) + self._shift) % 2
            played = _Hand(self, me, self._deck(len(hands))).play()
            hands.append(played)
            if played.winner is not None:
                points[played.winner] += played.points
            entry = ScoredHand(len(hands), played.outcome, None, played.winner, played.points)
            self.known.end(entry, scored)
            scored = (*scored, entry)
        finished = max(points) >= TARGET
        return PlayedGame(
            winner=points.index(max(points)) if finished else None,
            finished=finished,
            hands=tuple(hands),
            times=(tuple(self._times[ME]), tuple(self._times[OTHER])),
        )

    def _deck(self, number: int) -> list[int]:
        return Random(f"{self._name}|{number}").sample(range(52), 52)

    def new_state(self):
        return self._spiel.new_initial_state()

    def new_bot(self, player: int):
        return pyspiel.make_simple_gin_rummy_bot(self._spiel.get_parameters(), player)

    def decide(self):
        shown = self.known.view
        return self._timed(ME, lambda: self._choose(shown, self._dice))

    def ask(self, bot, state) -> int:
        return self._timed(OTHER, lambda: bot.step(state))

    def _timed(self, seat, think):
        start = self._clock()
        done = think()
        self._times[seat].append(self._clock() - start)
        return done


class _Hand:
    """One hand; ``me`` is our player's number there."""

    def __init__(self, game: _Game, me: int, deck: list[int]) -> None:
        self._game = game
        self._known = game.known
        self._me = me
        self._deck = iter(deck)
        self._state = game.new_state()
        self._bot = game.new_bot(1 - me)
        self._knocker: int | None = None
        self._gin = False
        self._their_knock: list[int] = []

    def play(self) -> PlayedHand:
        self._deal()
        while not self._state.is_terminal():
            if self._state.current_player() == self._me:
                self._my_turn()
            else:
                action = self._game.ask(self._bot, self._state)
                self._other(action)
        return self._played()

    def _deal(self) -> None:
        dealt = [next(self._deck) for _ in range(21)]
        self._do(*dealt)
        mine = dealt[10 * self._me : 10 * self._me + 10]
        dealer = OTHER if self._me == 0 else ME
        self._known.deal(dealer, cards_of(map(ours, mine)), ours(dealt[20]))

    def _do(self, *actions: int) -> None:
        for action in actions:
            assert action in self._state.legal_actions(), self._state
            self._state.apply_action(action)

    def _played(self) -> PlayedHand:
        mine = self._state.returns()[self._me]
        outcome, winner = HandOutcome.DRAWN, None
        if mine:
            winner = ME if mine > 0 else OTHER
            outcome = HandOutcome.UNDERCUT
            if winner == self._knocker:
                outcome = HandOutcome.GIN if self._gin else HandOutcome.KNOCK
        return PlayedHand((ME, OTHER), outcome, winner, round(abs(mine)))

    # --- the bot's turn

    def _other(self, action: int) -> None:
        phase = self._state.current_phase()
        self._do(action)
        if action == KNOCK:
            if phase == PHASE.WALL:
                self._known.do(OTHER, Draw(DrawSource.DISCARD_PILE))
            self._knocker = OTHER
        elif phase == PHASE.KNOCK:
            self._lays_out(action)
        elif phase == PHASE.DISCARD:
            self._known.other_discards(ours(action))
        elif phase in {PHASE.FIRST_UPCARD, PHASE.DRAW}:
            self._known.do(OTHER, OTHER_FROM[action])
            if DRAWS.get(action) is DrawSource.STOCK:
                self._do(next(self._deck))

    def _lays_out(self, action: int) -> None:
        """Note the discard of its knock, then its melds, until it has laid out all."""
        if action != PASS:
            self._their_knock.append(action)
            return
        discard, *melds = self._their_knock
        laid = tuple(
            cards_of(map(ours, UTILS.int_to_meld[meld - SPIEL.MELD_ACTION_BASE])) for meld in melds
        )
        unmatched = cards_of(map(ours, self._state.hands()[1 - self._me])) & ~sum(laid)
        self._gin = not unmatched
        kind = KnockKind.GIN if self._gin else KnockKind.KNOCK
        self._known.other_knocks(Knock(kind, ours(discard), laid), sum(laid) | unmatched)

    # --- our turn

    def _my_turn(self) -> None:
        phase = self._state.current_phase()
        if phase == PHASE.LAYOFF:
            self._lay_off()
            return
        action = self._game.decide()
        if phase == PHASE.WALL and isinstance(action, Draw):
            self._known.do(ME, action)
            action = self._game.decide()
        match action:
            case Pass():
                self._known.do(ME, action)
                self._do(PASS)
            case Draw(DrawSource.STOCK):
                card = next(self._deck)
                self._do(SPIEL.DRAW_STOCK_ACTION, card)
                self._known.draw(ours(card))
            case Draw():
                self._known.do(ME, action)
                self._do(SPIEL.DRAW_UPCARD_ACTION)
            case Discard(card):
                self._known.do(ME, action)
                self._do(theirs(card))
            case Knock():
                self._knock(action, phase)

    def _knock(self, knock: Knock, phase: object) -> None:
        if KNOCK not in self._state.legal_actions():
            self._do(PASS if phase == PHASE.WALL else theirs(knock.discard))
            if phase != PHASE.WALL:
                self._known.do(ME, Discard(knock.discard))
            return
        kept = self._known.view.you.cards ^ 1 << knock.discard
        melds = best_arrangement(kept).melds
        self._knocker, self._gin = ME, not deadwood(kept)
        self._do(KNOCK, theirs(knock.discard), *laid_out(melds), PASS)

    def _lay_off(self) -> None:
        shown = self._known.view
        cards = cards_of(map(ours, self._state.hands()[self._me]))
        if not self._state.finished_layoffs():
            chosen = self._game.decide().lay_offs
            for each in shown.you.legal.lay_offs.best.lay_offs if chosen is None else chosen:
                if theirs(each.card) in self._state.legal_actions():
                    self._do(theirs(each.card))
                    cards ^= 1 << each.card
            self._do(PASS)
        self._do(*laid_out(best_arrangement(cards).melds), PASS)
