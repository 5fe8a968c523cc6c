"""The ways to the codes of the fair deal; see :mod:`tests.contract.tour`."""

from tests.cases.fair_deals import FULL


def told(**wrong):
    """Ask whether a deal is true that is told wrongly."""
    return lambda tables: tables.answering.post("/v1/fairness/verifications", FULL | wrong)


def sandbox_proof(tables):
    """Ask for the proof of a hand whose deck was given."""
    made = tables.answering.post("/v1/games", {"scenario": "one_point_from_target"}).json
    path = f"/v1/games/{made['game']['id']}/hands/1/proof"
    return tables.answering.get(path, made["tokens"][0]["token"])
