"""The one source of chance."""

import re

from service import randomness
from service.operations import GameId, Name, SheetId
from service.randomness import SystemRandomness
from service.tokens import SheetToken, TokenKind, Tokens

CHANCE = SystemRandomness()


class TestWhatIsDrawn:
    def test_is_an_id_that_fits_paths_and_tokens(self):
        for _ in range(200):
            game_id = CHANCE.game_id()
            assert re.fullmatch(GameId.regex, game_id)
            tokens = Tokens([b"s" * 32])
            assert tokens.read(tokens.spectator(game_id)).game_id == game_id

    def test_is_an_id_of_a_score_sheet_that_fits_paths_and_tokens(self):
        tokens = Tokens([b"s" * 32])
        for _ in range(200):
            sheet_id = CHANCE.score_sheet_id()
            assert re.fullmatch(SheetId.regex, sheet_id)
            token = SheetToken(TokenKind.SHEET_READER, sheet_id)
            assert tokens.read(tokens.write_sheet(token)) == token

    def test_is_a_key_of_32_bytes(self):
        assert {len(CHANCE.deal_key()) for _ in range(20)} == {32}

    def test_is_a_join_code_that_fits_paths(self):
        for _ in range(200):
            code = CHANCE.join_code()
            assert re.fullmatch(Name.regex, code)
            assert re.fullmatch("[a-z2-7]{16}", code)

    def test_is_never_the_same(self):
        for draw in (CHANCE.game_id, CHANCE.deal_key, CHANCE.join_code):
            assert len({draw() for _ in range(1000)}) == 1000

    def test_comes_from_the_operating_system(self, monkeypatch):
        asked = []

        class System:
            @staticmethod
            def token_bytes(count):
                asked.append(count)
                return bytes(count)

            @staticmethod
            def token_urlsafe(count):
                asked.append(count)
                return "A" * 22

        monkeypatch.setattr(randomness, "secrets", System)
        assert CHANCE.game_id() == "g_" + "A" * 22
        assert CHANCE.deal_key() == bytes(32)
        assert CHANCE.join_code() == "a" * 16
        assert asked == [16, 32, 10]
