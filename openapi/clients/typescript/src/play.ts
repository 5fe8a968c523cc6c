// Play a whole game:
//
//   node src/play.ts [http://localhost:8000]            against the computer
//   node src/play.ts http://localhost:8000 invite       against whoever has the join code that is shown
//   node src/play.ts http://localhost:8000 CODE         against the person who showed it

import type { Game, Move, SeatRequest } from "../generated/index.ts";
import { follow } from "./follow.ts";
import { act, checkDeal, create, join, type Seated } from "./seat.ts";
import { Table } from "./table.ts";
import { Witness } from "./witness.ts";

const COMPUTER: SeatRequest = { kind: "ai", ai: { level: "easy" } };
const ANYBODY: SeatRequest = { kind: "human", seating: "open" };

const name = ({ seats }: Game, seat?: number) => (seat === undefined ? "the house" : (seats[seat]?.name ?? "the computer"));

function show({ number, seat, action, source, card, result }: Move, game: Game): void {
  console.log(number, name(game, seat), action, ...[source, card].filter((word) => word !== undefined));
  if (result) console.log(`hand ${result.hand_number}: ${result.outcome}, ${result.points} for ${name(game, result.winner_seat)}`);
}

async function play(seated: Seated, witness: Witness): Promise<Game> {
  const table = new Table(seated, (move, game) => {
    witness.saw(move);
    show(move, game);
  });
  const done = new AbortController();
  const following = follow(seated.client, table, done.signal);
  let checked = 0;
  while (!table.game.over || checked < (table.game.last_hand?.hand_number ?? 0)) {
    const { game } = table;
    if (checked < (game.last_hand?.hand_number ?? 0)) {
      await checkDeal(seated, ++checked, witness);
      console.log(`hand ${checked}: dealt fairly`);
      continue;
    }
    const news = await act(seated, game, witness);
    if (news) table.take(news);
    else await Promise.race([table.after(game), following]);
  }
  done.abort();
  await following;
  return table.game;
}

const [api = "http://localhost:8000", code] = process.argv.slice(2);
const witness = new Witness();
const other = code === "invite" ? ANYBODY : COMPUTER;
const seated = code && other === COMPUTER ? await join(api, "Bob", code, witness) : await create(api, "Ada", other, witness);
if (seated.join_code) console.log(`join with ${seated.join_code}`);
const game = await play(seated, witness);
console.log("over:", ...game.score.totals.map(({ seat, total }) => `${name(game, seat)} ${total}`));
