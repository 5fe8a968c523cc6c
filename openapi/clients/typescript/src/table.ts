// What a client knows of its game. Answers and events have the same shape and come in any order: a move is shown once,
// and an older view never goes over a newer one.

import type { Game, Move } from "../generated/index.ts";

type News = { game: Game; moves?: Move[]; reset?: boolean };

export class Table {
  game: Game;
  #shown = 0;
  #changed = Promise.withResolvers<void>();
  readonly #show: (move: Move, game: Game) => void;

  constructor(first: News, show: (move: Move, game: Game) => void) {
    this.game = first.game;
    this.#show = show;
    this.take(first);
  }

  take({ game, moves = [], reset = false }: News): void {
    if (game.version < this.game.version) return; // its moves have been shown
    if (reset) this.#shown = game.next_move - 1; // too many to show: the view has it all
    for (const move of moves)
      if (move.number > this.#shown) {
        this.#shown = move.number;
        this.#show(move, game);
      }
    this.game = game;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Wait until there is a view after this one. */
  async after(game: Game): Promise<void> {
    while (this.game.version <= game.version) await this.#changed.promise;
  }
}
