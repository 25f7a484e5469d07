/** Budgets: how far a search may go before it says INCOMPLETE. */

export type SearchBudget = {
  readonly states: number;
  readonly seconds: number;
  /** Of the memory that is in use, as whoever asks measures it; no limit where it is not given. */
  readonly bytes?: number;
};

export const UNLIMITED: SearchBudget = {
  states: Number.POSITIVE_INFINITY,
  seconds: Number.POSITIVE_INFINITY,
};
