"""Which move to make. No rules are needed: ``legal`` has every possible move, best first."""

from gin_rummy_client.models import DrawSource, Game, MoveRequest, MoveRequestAction


def choose(game: Game) -> MoveRequest | None:
    """Return the body of the next move, or None if there is nothing to do but wait."""
    legal, number = game.you.legal, game.next_move
    if legal.knocks:
        knock = legal.knocks[0]
        action = MoveRequestAction(knock.kind)
        return MoveRequest(action, number, card=knock.discard, melds=knock.melds)
    if "lay_off" in legal.actions:
        return MoveRequest(MoveRequestAction.LAY_OFF, number)
    if legal.discards:
        return MoveRequest(MoveRequestAction.DISCARD, number, card=legal.discards[0].card)
    if "pass" in legal.actions:
        return MoveRequest(MoveRequestAction.PASS, number)
    if legal.draws:
        stock = any(draw.source is DrawSource.STOCK for draw in legal.draws)
        source = DrawSource.STOCK if stock else legal.draws[0].source
        return MoveRequest(MoveRequestAction.DRAW, number, source=source)
    return None
