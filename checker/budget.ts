/** Budgets: how far a search may go before it says INCOMPLETE. */

export type Budget = {
  readonly states: number;
  readonly seconds: number;
};

export const UNLIMITED: Budget = {
  states: Number.POSITIVE_INFINITY,
  seconds: Number.POSITIVE_INFINITY,
};
