/**
 * The account: what a player's replies were like, apart from how well they played.
 *
 * Leaks, attempts on other minds, votes that did not count, replies that had to be mended or never came, and what they
 * have cost. All of it is counted at the table and on the ship; what ghosts say among themselves is not, but what they
 * have cost is. Nothing is judged and nothing is left out.
 */

/** How often, by code or kind; what never happened is left out. */
export type Counts = Record<string, number>;

const AMOUNTS = [
  /** Messages of theirs that were heard and gave something away. */
  'leaks',
  /** Messages that they handed in, heard or not, with something for other machines in them; those that were heard. */
  'attempts',
  'attemptsHeard',
  /** Replies that came, at the table and on the ship; of them those in which something was corrected or ignored. */
  'replies',
  'repairs',
  /** Bids while there was talk, and those of them without a message. */
  'bids',
  'blank',
  /** Requests to a model, and those of them in a plainer way than `json_schema`. */
  'requests',
  'plainer',
  /** Answers of a model that were no JSON of the right types before they were mended. */
  'mended',
  /** Tokens that the endpoint has counted, and requests of which it has counted none. */
  'promptTokens',
  'cachedTokens',
  'completionTokens',
  'uncounted',
  /** Dollars, and requests whose price nobody knows. */
  'dollars',
  'unpriced',
] as const;

const COUNTED = [
  /** What leaks gave away, and what attempts were: `reveals.ts` and `injections.ts` have the kinds. */
  'reveals',
  'injections',
  /** Votes that did not count, by the code of the note. */
  'invalidVotes',
  /** Replies that never came or could not be read, by code. */
  'faults',
  /** Requests that were no answer, by what was wrong with them. */
  'troubles',
] as const;

export type Account = Record<(typeof AMOUNTS)[number], number> &
  Record<(typeof COUNTED)[number], Counts>;

export function newAccount(): Account {
  return {
    leaks: 0,
    reveals: {},
    attempts: 0,
    attemptsHeard: 0,
    injections: {},
    invalidVotes: {},
    replies: 0,
    repairs: 0,
    bids: 0,
    blank: 0,
    faults: {},
    requests: 0,
    plainer: 0,
    mended: 0,
    troubles: {},
    promptTokens: 0,
    cachedTokens: 0,
    completionTokens: 0,
    uncounted: 0,
    dollars: 0,
    unpriced: 0,
  };
}

/** The accounts of several players added up. */
export function together(accounts: readonly Account[]): Account {
  const sum = newAccount();
  for (const account of accounts) {
    for (const name of AMOUNTS) sum[name] += account[name];
    for (const name of COUNTED) {
      for (const [code, times] of Object.entries(account[name])) add(sum[name], code, times);
    }
  }
  return sum;
}

export function add(counts: Counts, code: string, times = 1): void {
  counts[code] = (counts[code] ?? 0) + times;
}

/** How often all of them together. */
export function all(counts: Counts): number {
  return Object.values(counts).reduce((sum, times) => sum + times, 0);
}
