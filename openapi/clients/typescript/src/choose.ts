// Which move to make. No rules are needed: `legal` has every move that is possible, best first.

import type { Game, MoveRequest } from "../generated/index.ts";

export function choose({ next_move: move_number, you: { legal } }: Game): MoveRequest | undefined {
  const knock = legal.knocks[0];
  const discard = legal.discards[0];
  const draw = legal.draws.find(({ source }) => source === "stock") ?? legal.draws[0];
  if (knock) return { action: knock.kind, card: knock.discard, melds: knock.melds, move_number };
  if (legal.actions.includes("lay_off")) return { action: "lay_off", move_number };
  if (discard) return { action: "discard", card: discard.card, move_number };
  if (legal.actions.includes("pass")) return { action: "pass", move_number };
  if (draw) return { action: "draw", source: draw.source, move_number };
  return undefined; // wait
}
