"""Addresses without what must not be told on."""

import pytest

from service.addresses import without_secrets
from service.portal_keys import new_key
from service.tickets import PREFIX
from service.tokens import TokenKind

LONG = "AQAAAAAADrl_cPAUhI-Nzi99SyEFokEMKefG4Iz5wwjktXurG2QavSMq"


class TestAnAddress:
    @pytest.mark.parametrize("prefix", [*TokenKind, PREFIX, new_key()[:4]])
    def test_loses_every_kind_of_token(self, prefix):
        told = without_secrets(f"/v1/games/{prefix}{LONG}/moves?ticket={prefix}{LONG}&after=3")
        assert told == "/v1/games/***/moves?ticket=***&after=3"

    def test_loses_one_that_is_percent_encoded(self):
        hidden = "".join(f"%{byte:02x}" for byte in f"grt_{LONG}".encode())
        assert without_secrets(f"/v1/x?ticket={hidden}") == "/v1/x?ticket=***"

    @pytest.mark.parametrize("code", ["abcdefghij234567", "no/code", "with space"])
    def test_loses_a_join_code(self, code):
        assert without_secrets(f"/v1/invitations/{code}") == "/v1/invitations/***"

    @pytest.mark.parametrize(
        "address",
        [
            "/v1/games/g_Drl_cPAUhI-Nzi99SyEFog/seats/0/tokens/st_0_1",
            "/v1/score-sheets/ss_U6-2r4j80SLXn_AQ4DP_9A/hands/1",
            "/v1/problems/stale_move",
            "/v1/invitations/",
            "/v1/x%20y%2Fz",
        ],
    )
    def test_keeps_all_else(self, address):
        assert without_secrets(address) == address
