// What an operation answered: its data, or an error to throw.

import type { Problem } from "../generated/index.ts";

type Answer<T> = { data?: T; error?: Problem };

/** A refusal. Switch on `problem.code`; the message is for developers. */
export class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail ?? problem.title}`);
    this.problem = problem;
  }
}

export function told<T>({ data, error }: Answer<T>): T {
  if (data !== undefined) return data;
  throw error !== undefined && "code" in error ? new Refused(error) : error; // or what fetch threw
}
