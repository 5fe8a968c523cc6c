from engine.lay_off_search import search_lay_offs
from engine.melds import parse_meld
from engine.rules import STANDARD
from service.use_cases.find_lay_offs import find_lay_offs
from tests.tables import cards


class TestTheDefender:
    def test_lays_off_on_the_melds_of_the_knocker(self):
        meld, held, own = cards("6C 7C 8C"), cards("5C 4C KH KD KS"), (cards("KH KD KS"),)
        targets = (parse_meld(meld),)
        assert find_lay_offs((meld,), held, STANDARD) == search_lay_offs(targets, held, STANDARD)
        made = find_lay_offs((meld,), held, STANDARD, own, ())
        assert made == search_lay_offs(targets, held, STANDARD, lay_offs=(), own_melds=own)
        assert (made.chosen.deadwood, made.best.deadwood) == (9, 0)
