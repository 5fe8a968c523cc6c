// A fetch for lost answers. Every request here may be sent again as it is: moves and deals have a number, a game is
// made or joined under an Idempotency-Key, all others change nothing by coming twice. So whoever does not know whether
// a request arrived sends the same one again, and gets the answer that was lost.

const GIVE_UP_MS = 60_000;
const ANSWER_WITHIN_MS = 40_000; // a long poll may take 25 seconds
const LONGEST_PAUSE_MS = 5_000;
const LATER = [429, 503]; // not now; Retry-After says when

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const sendAgain: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const end = Date.now() + GIVE_UP_MS;
  for (let ms = 50; ; ms = Math.min(2 * ms, LONGEST_PAUSE_MS)) {
    const last = Date.now() > end;
    try {
      const answer = await fetch(request.clone(), { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
      const body = await answer.arrayBuffer(); // half an answer is a lost one, too
      if (last || !LATER.includes(answer.status)) return new Response(body.byteLength ? body : null, answer);
      ms = 1000 * Number(answer.headers.get("Retry-After") ?? 1);
    } catch (lost) {
      if (last) throw lost;
    }
    await pause(ms);
  }
};
