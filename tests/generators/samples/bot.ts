// Plays a game to its end, on the types of openapi-typescript. It knows no rule of the game.
import createClient from "openapi-fetch";
import type { components, paths } from "./types";

type Game = components["schemas"]["Game"];
type MoveRequest = components["schemas"]["MoveRequest"];

function choose({ you: { legal }, next_move: move_number }: Game): MoveRequest | undefined {
  const can = (action: string) => legal.actions.includes(action);
  const [knock] = legal.knocks, [discard] = legal.discards, [draw] = legal.draws;
  if (knock) return { action: knock.kind, card: knock.discard, melds: knock.melds, move_number };
  if (can("lay_off")) return { action: "lay_off", move_number };
  if (can("discard") && discard) return { action: "discard", card: discard.card, move_number };
  if (can("pass")) return { action: "pass", move_number };
  if (can("draw") && draw) return { action: "draw", source: draw.source, move_number };
  return undefined;
}

export async function play(baseUrl: string, game_id: string, token: string): Promise<Game> {
  const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
  const path = { game_id };
  const act = async (game: Game) => {
    const body = choose(game), { you: { legal }, next_hand } = game;
    if (body) return api.POST("/v1/games/{game_id}/moves", { params: { path }, body });
    if (legal.actions.includes("deal") && next_hand)
      return api.POST("/v1/games/{game_id}/hands", { params: { path }, body: { hand_number: next_hand.number } });
    return undefined;
  };
  for (let after = 0; ; ) {
    const { data, error } = await api.GET("/v1/games/{game_id}/updates", { params: { path, query: { after, wait: 25 } } });
    if (error) throw new Error(error.code);
    let game = data.game;
    for (let told = await act(game); told && !game.over; told = await act(game)) {
      if (told.error && !told.error.game) throw new Error(told.error.code);
      game = told.data?.game ?? told.error?.game ?? game;
    }
    if (game.over) return game;
    after = game.version;
  }
}
