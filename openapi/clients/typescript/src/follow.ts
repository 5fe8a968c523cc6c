// Follow a game by its stream. The server closes a stream every few minutes, and networks do when they like: the next
// one goes on after the last version that is known, so nothing is missed and nothing comes twice. Between two streams,
// and where none can be had, a long poll does the same.

import { type Client } from "../generated/client/index.ts";
import { getUpdates, streamUpdates } from "../generated/index.ts";
import { told } from "./problem.ts";
import type { Table } from "./table.ts";

const PAUSE_MS = 1_000;
const ONE_STREAM = { fetch: globalThis.fetch, sseMaxRetryAttempts: 1 }; // what comes after it is said here

export async function follow(client: Client, table: Table, signal: AbortSignal): Promise<void> {
  const path = { game_id: table.game.id };
  while (!table.game.over) {
    const after = table.game.version;
    const { stream } = await streamUpdates({ client, path, query: { after }, signal, ...ONE_STREAM });
    for await (const update of stream) if (update) table.take(update);
    if (table.game.over || signal.aborted) return;
    table.take(told(await getUpdates({ client, path, query: { after: table.game.version, wait: 25 } })));
    if (table.game.version === after) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
