// A seat of a game: sit down, and do what is due.

import { type Client, createClient } from "../generated/client/index.ts";
import {
  createGame,
  cutDeck,
  dealHand,
  type Game,
  getHandProof,
  getInvitation,
  joinGame,
  makeMove,
  type Move,
  type Update,
  playAiMove,
  type SeatRequest,
} from "../generated/index.ts";
import { choose } from "./choose.ts";
import { Refused, told } from "./problem.ts";
import { sendAgain } from "./send_again.ts";
import type { Witness } from "./witness.ts";

export type Seated = { client: Client; game: Game; moves: Move[]; seat: number; join_code?: string };

const once = () => ({ "Idempotency-Key": crypto.randomUUID() }); // the same key each time the request is sent

/** Make a short game against a computer, or one that somebody can join. */
export async function create(api: string, name: string, other: SeatRequest, witness: Witness): Promise<Seated> {
  const me: SeatRequest = { kind: "human", name, nonce_commit: await witness.commit() };
  const client = createClient({ baseUrl: api, fetch: sendAgain });
  const body = { rules: { base: "short" }, seats: [me, other] };
  const made = told(await createGame({ client, headers: once(), body }));
  const { seat, token } = made.tokens[0]!;
  return { ...made, seat, client: as(api, token) };
}

/** Sit down at the game of a join code. */
export async function join(api: string, name: string, join_code: string, witness: Witness): Promise<Seated> {
  const client = createClient({ baseUrl: api, fetch: sendAgain });
  const { game_id } = told(await getInvitation({ client, path: { join_code } }));
  const body = { join_code, name, nonce_commit: await witness.commit() };
  const joined = told(await joinGame({ client, path: { game_id }, headers: once(), body }));
  return { ...joined, client: as(api, joined.token) };
}

const as = (api: string, token: string): Client =>
  createClient({ baseUrl: api, fetch: sendAgain, headers: { Authorization: `Bearer ${token}` } });

/** Do what is due now; the answer is what came of it, and is undefined if nothing is due. */
export async function act({ client }: Seated, game: Game, witness: Witness) {
  const { id: game_id, next_hand, next_move: move_number } = game;
  const hand_number = next_hand?.number ?? 0;
  const path = { game_id };
  const can = (action: string) => game.you.legal.actions.includes(action);
  const move = choose(game);
  try {
    if (next_hand && can("cut"))
      return told(await cutDeck({ client, path: { game_id, hand_number }, body: await witness.cut(next_hand) }));
    if (can("deal")) return told(await dealHand({ client, path, body: { hand_number } }));
    if (move) return told(await makeMove({ client, path, body: move }));
    if (game.ai_pending)
      return told(await playAiMove({ client, path, body: { seat: game.to_act_seats[0]!, move_number } }));
  } catch (refused) {
    return trueState(refused);
  }
  return undefined;
}

/** Somebody was quicker, or another client of this seat was: what is true now comes with the refusal. */
function trueState(refused: unknown): Pick<Update, "game" | "moves"> {
  if (!(refused instanceof Refused) || refused.problem.code !== "stale_move") throw refused;
  const { game, moves = [] } = refused.problem;
  if (!game) throw refused;
  return { game, moves };
}

/** Check the deal of a hand that is over. */
export async function checkDeal({ client, game, seat }: Seated, hand_number: number, witness: Witness): Promise<void> {
  const path = { game_id: game.id, hand_number };
  await witness.check(told(await getHandProof({ client, path })), seat);
}
