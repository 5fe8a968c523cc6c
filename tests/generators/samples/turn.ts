// The same service on the client of hey-api: a game, a move, a refusal, a stream, a score.
import { createClient } from "./hey/client";
import { createGame, createStreamTicket, playTurn, scoreHand, streamUpdates } from "./hey";
import type { Card, Problem, TurnRequest } from "./hey";

const discarded = (card: Card, move_number: number): TurnRequest => ({ action: "discard", card, move_number });

export async function firstTurn(baseUrl: string): Promise<number> {
  const client = createClient({ baseUrl });
  const made = await createGame({
    client,
    body: { seats: [{ kind: "human", name: "Ada" }, { kind: "ai", ai: { level: "easy" } }] },
  });
  if (!made.data) throw new Error(made.error.code);
  const { game, tokens } = made.data;
  const told = { client, path: { game_id: game.id }, headers: { Authorization: `Bearer ${tokens[0]?.token}` } };
  const drawn = await playTurn({ ...told, body: { action: "draw", source: "stock", move_number: game.next_move } });
  if (drawn.error) return expected(drawn.error);
  const card = drawn.data.game.you.legal.discards[0]?.card;
  if (card) await playTurn({ ...told, body: discarded(card, drawn.data.game.next_move) });
  const ticket = await createStreamTicket(told);
  const { stream } = await streamUpdates({ ...told, query: { ticket: ticket.data?.ticket } });
  for await (const update of stream) void update;
  const scored = await scoreHand({ client, body: { kind: "knock", knocker: { deadwood: 7 }, defender: { deadwood: 18 } } });
  return scored.data?.points ?? 0;
}

function expected(problem: Problem): number {
  return problem.params?.expected_move ?? 0;
}
