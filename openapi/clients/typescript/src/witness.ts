// Whether the cards were dealt fairly: take a share in every shuffle, keep what was seen, and hold each hand's proof to
// it (scheme GRD1). It throws if anything is not so.

import type { Card, CutRequest, Deal, DrawnCard, HandProof, Move, NextHand } from "../generated/index.ts";

const CARDS = [..."A23456789TJQK"].flatMap((rank) => [..."CDHS"].map((suit) => rank + suit));
const FIRST_OF_STOCK = 21; // after ten cards for each, and the upcard

type Seen = { commit?: string; nonce?: string; deal?: Deal; drawn: (Card | undefined)[] };

const hex = (bytes: ArrayBufferLike) => [...new Uint8Array(bytes)].map((b) => b.toString(16).padStart(2, "0")).join("");
const bytes = (text: string) => new TextEncoder().encode(text);
const sha256 = async (text: string) => hex(await crypto.subtle.digest("SHA-256", bytes(text)));

function check(right: boolean, wrong: string): asserts right {
  if (!right) throw new Error(`the deal is not as it was promised: ${wrong}`);
}

export class Witness {
  #nonce = newNonce();
  #dealerDraw: DrawnCard[] = [];
  readonly #hands = new Map<number, Seen>();

  /** What a seat commits to when it sits down. */
  commit(): Promise<string> {
    return sha256(`GRD1|nonce|${this.#nonce}`);
  }

  /** The cut before a hand. It opens a nonce, so the server's commitment is kept before. */
  async cut({ number, server_commit }: NextHand): Promise<CutRequest> {
    const seen = this.#hand(number);
    if (seen.nonce === undefined) {
      seen.commit = server_commit;
      seen.nonce = this.#nonce;
      this.#nonce = newNonce();
    }
    return { nonce: seen.nonce, next_nonce_commit: await this.commit() };
  }

  /** Keep what a move showed. */
  saw(move: Move): void {
    const seen = this.#hand(move.hand_number);
    if (move.dealer_draw) this.#dealerDraw = move.dealer_draw;
    if (move.deal) seen.deal = move.deal;
    if (move.source === "stock") seen.drawn.push(move.card); // no card: another seat's
  }

  /** Hold the proof of a hand to what was seen of it from a seat. */
  async check(proof: HandProof, seat: number): Promise<void> {
    const { commit, nonce, deal, drawn } = this.#hand(proof.hand_number);
    check(commit !== undefined && nonce !== undefined && deal !== undefined, "it was not seen");
    const place = `${proof.game_id}|${proof.hand_number}`;
    check((await sha256(`GRD1|seed|${place}|${proof.seed}`)) === commit, "another seed");
    check(proof.nonces.some((each) => each.seat === seat && each.nonce === nonce), "without my nonce");
    for (const each of proof.nonces)
      check((await sha256(`GRD1|nonce|${each.nonce}`)) === each.nonce_commit, `another nonce of seat ${each.seat}`);
    const deck = await order(proof, proof.playing_seats);
    check(deck.join() === proof.deck.join(), "another deck follows");

    const first = deal.dealer_seat === seat ? 1 : 0; // the dealer's cards are the second, the fourth …
    const mine = deck.filter((_, place) => place < 20 && place % 2 === first);
    check(mine.sort().join() === [...deal.cards].sort().join(), "other cards than I was dealt");
    check(deck[FIRST_OF_STOCK - 1] === deal.upcard, "another upcard");
    check(drawn.every((card, k) => card === undefined || card === deck[FIRST_OF_STOCK + k]), "other cards than I drew");
    if (proof.hand_number > 1) return;
    const draw = await order(proof, [0, 1], "draw|");
    check(this.#dealerDraw.every(({ card }, k) => card === draw[k]), "another draw for the dealer");
  }

  #hand(number: number): Seen {
    const seen = this.#hands.get(number) ?? { drawn: [] };
    this.#hands.set(number, seen);
    return seen;
  }
}

function newNonce(): string {
  return hex(crypto.getRandomValues(new Uint8Array(32)).buffer);
}

/** The cards in the order that seed and nonces give them. */
async function order(proof: HandProof, seats: number[], kind = ""): Promise<string[]> {
  const seed = Uint8Array.from(proof.seed.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const shares = seats.map((seat) => proof.nonces.find((each) => each.seat === seat)?.nonce ?? "-").join("|");
  const start = `GRD1|deal|${proof.game_id}|${proof.hand_number}|${shares}|${kind}`;
  const tag = async (card: string) => hex(await crypto.subtle.sign("HMAC", key, bytes(start + card)));
  const tags = await Promise.all(CARDS.map(async (card) => [await tag(card), card] as const));
  return tags.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, card]) => card);
}
