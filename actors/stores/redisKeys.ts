/**
 * Keys of the Redis store.
 *
 * All share one hash tag, because one script touches a result and everybody who played in it. Names are put into a key
 * in percent encoding, which has no colon: so no name can be spelled that reads as another key.
 */

const PREFIX = '{glassbox}:v1';

function spelled(name: string): string {
  return encodeURIComponent(name);
}

export const KEYS = {
  /** Set of all ids. */
  personas: `${PREFIX}:personas`,
  /** Set of all leagues. */
  leagues: `${PREFIX}:leagues`,
  /** How many results were ever recorded: whoever counts anew sees by it that another one came. */
  recorded: `${PREFIX}:recorded`,
} as const;

/** Hash: the pair of model and name. */
export function sheetKey(id: string): string {
  return `${PREFIX}:persona:${spelled(id)}:sheet`;
}

/** Hash: counters. */
export function countersKey(id: string): string {
  return `${PREFIX}:persona:${spelled(id)}:counters`;
}

/** Hash: changes by version, and the latest version under "latest". */
export function memoryKey(id: string): string {
  return `${PREFIX}:persona:${spelled(id)}:memory`;
}

/** Hash: what was settled, by matter. */
export function mattersKey(league: string): string {
  return `${PREFIX}:league:${spelled(league)}:matters`;
}

/** Hash: epochs by slot. */
export function epochsKey(league: string): string {
  return `${PREFIX}:league:${spelled(league)}:epochs`;
}

/** Hash: results by slot, the body and the clock in a line each. */
export function resultsKey(league: string): string {
  return `${PREFIX}:league:${spelled(league)}:results`;
}

/** List: the pieces of a journal. */
export function journalKey(league: string, slot: number): string {
  return `${PREFIX}:league:${spelled(league)}:journal:${slot}`;
}

/**
 * What is under way to a model. Sorted sets: leases by their end, requests of the last minute by their beginning, who
 * waits for room by the order of coming, and by when they were last seen.
 */
export function limiterKeys({
  baseUrl,
  model,
}: {
  readonly baseUrl: string;
  readonly model: string;
}) {
  const key = `${PREFIX}:model:${spelled(baseUrl)}:${spelled(model)}`;
  return {
    leases: `${key}:leases`,
    begun: `${key}:begun`,
    line: `${key}:line`,
    seen: `${key}:seen`,
  } as const;
}
