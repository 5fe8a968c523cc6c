"""The score sheet of a game, worked out again from its cards by somebody who only knows the rules.

Takes what ``getHand`` says of each hand of a finished game: the cards dealt, the moves, and how
the defender laid out what was left. Knows nothing of the engine; the melding is the brute force's.
"""

from tests.brute_force import DECK, is_meld, least_deadwood, total
from tests.recount import Line, recount


def held_at_the_end(hand: dict) -> dict[int, set[str]]:
    """Each seat's cards at the end, from what it was dealt, drew and threw."""
    held = {each["seat"]: set(each["cards"]) for each in hand["dealt"]}
    for move in hand["moves"]:
        if move["action"] == "draw":
            held[move["seat"]].add(move["card"])
        elif move["action"] == "discard":
            held[move["seat"]].remove(move["card"])
        elif "knock" in move:
            held[move["seat"]].discard(move["knock"].get("discard"))
    return held


def check_cards(hand: dict) -> None:
    """Each card of the hand in one place at a time, and known by one name."""
    first, second = held_at_the_end(hand).values()
    assert not first & second
    assert first | second <= set(DECK)
    by_seat = {side["seat"]: set(side["cards"]) for side in hand["result"]["sides"]}
    if hand["result"]["outcome"] != "resigned":  # who resigns may hold eleven
        assert sorted(map(len, (first, second))) in ([10, 10], [10, 11])
    assert by_seat == held_at_the_end(hand)


def left_after(cards: set[str], melds: list[dict]) -> set[str]:
    """What is left of ``cards`` once ``melds`` are taken from them."""
    left = set(cards)
    for meld in melds:
        assert is_meld(frozenset(meld["cards"])), meld
        assert set(meld["cards"]) <= left, "a card in two melds, or one that is not there"
        left -= set(meld["cards"])
    return left


def line_of(hand: dict, rules: dict) -> Line:
    """What the hand comes to by the rules."""
    check_cards(hand)
    actions = {move["action"]: move for move in hand["moves"]}
    knocked = next((move for move in hand["moves"] if "knock" in move), None)
    if "resign" in actions:
        return Line("resigned", None, 0)
    if knocked is None:
        assert hand["moves"][-1]["after"]["stock_count"] == 2
        return Line("drawn", None, 0)
    return _of_a_knock(hand, knocked["knock"], rules)


def _of_a_knock(hand: dict, knock: dict, rules: dict) -> Line:
    held = held_at_the_end(hand)
    knocker = knock["seat"]
    defender = next(seat for seat in held if seat != knocker)
    assert set(knock["defender"]["cards"]) == held[defender]
    own = total(left_after(held[knocker], knock["melds"]))
    side = next(each for each in hand["result"]["sides"] if each["seat"] == defender)
    rest = _after_lay_offs(held[defender], knock["melds"], side["lay_offs"])
    theirs = total(left_after(rest, side["melds"]))
    assert theirs == least_deadwood(frozenset(rest)), "the defender's best melds count"
    if own == 0:
        assert not side["lay_offs"], "nothing goes onto gin"
        return Line("gin", knocker, rules["gin_bonus"] + theirs)
    assert own <= 10
    if own < theirs:
        return Line("knock", knocker, theirs - own)
    return Line("undercut", defender, rules["undercut_bonus"] + own - theirs)


def _after_lay_offs(cards: set[str], melds: list[dict], lay_offs: list[dict]) -> set[str]:
    on_table = [set(meld["cards"]) for meld in melds]
    left = set(cards)
    for lay_off in lay_offs:
        left.remove(lay_off["card"])
        on_table[lay_off["meld"]].add(lay_off["card"])
        assert is_meld(frozenset(on_table[lay_off["meld"]])), lay_off
    return left


def sheet(hands: list[dict], rules: dict, seats: int) -> dict:
    """The score of a game between ``seats``, whoever gave it up, as :func:`recount` tells it."""
    lines = [line_of(hand, rules) for hand in hands]
    gave_up = [
        move["seat"] for hand in hands for move in hand["moves"] if move["action"] == "resign"
    ]
    if not gave_up:
        return recount(rules, seats, lines)
    totals = recount(rules, seats, lines)["totals"]
    side = gave_up[0] % 2 if seats == 4 else gave_up[0]
    others = [seat for seat in range(seats) if (seat % 2 if seats == 4 else seat) != side]
    leader = max(others, key=lambda seat: (totals[seat][-1], -seat))
    return recount(rules, seats, lines, leader)
