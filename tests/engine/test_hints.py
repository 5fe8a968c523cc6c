from engine.hints import HintsUsed, counted


class TestTheCount:
    def test_is_one_more_for_each_move(self):
        used = counted(counted((), 1, 3), 1, 5)
        assert used == (HintsUsed(1, 2, 5),)

    def test_is_the_same_for_the_same_move(self):
        used = counted((), 1, 3)
        assert counted(used, 1, 3) is used

    def test_is_kept_by_seat_in_their_order(self):
        used = counted(counted(counted((), 2, 3), 0, 4), 2, 5)
        assert used == (HintsUsed(0, 1, 4), HintsUsed(2, 2, 5))
