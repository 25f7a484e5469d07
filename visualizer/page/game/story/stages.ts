import { readArrivals } from '../../../../machines/journal/calls.ts';
import type { Line } from '../../../../machines/journal/lines.ts';
import type { MachineMove } from '../../../charts/moves.ts';

export type StageKind = 'asked' | 'bid' | 'scored' | 'floor' | 'said' | 'votes' | 'next';

/** A visible step of a line: how many of the line's moves it shows, and the actor whose move it is. */
export type Stage = { readonly kind: StageKind; readonly actor: string; readonly shown: number };

const KINDS: Readonly<Partial<Record<string, StageKind>>> = {
  'mind.answered': 'bid',
  'mind.decided': 'bid',
  'bids.gathered': 'scored',
  'tick.closed': 'said',
  'vote.locked': 'votes',
  'vote.cleared': 'votes',
  'tick.opened': 'next',
};

/** Asked, the bids one by one, scored, floor, message, votes, and the pause or the next request. */
export function listStages(moves: readonly MachineMove[]): readonly Stage[] {
  const stages: Stage[] = [];
  for (const [at, { actor, event }] of moves.entries()) {
    const last = stages.at(-1)?.kind ?? 'asked';
    const kind = last === 'asked' && KINDS[event] === 'next' ? last : (KINDS[event] ?? last);
    const stage = { kind, actor, shown: at + 1 };
    if (kind === last && kind !== 'bid') stages.pop();
    stages.push(stage);
    // One transition of the arbiter scores and gives the floor.
    if (kind === 'scored') stages.push({ ...stage, kind: 'floor' });
  }
  const [first] = stages;
  return first?.kind === 'bid' ? [{ kind: 'asked', actor: '', shown: 0 }, ...stages] : stages;
}

const BIDS_MS = 440;
const STEP_MS = 50;

/** How long each step is shown: together less than a second, and bids in the rhythm in which they arrived. */
export function timeStages(stages: readonly Stage[], line: Pick<Line, 'clock'>): readonly number[] {
  const arrivals = readArrivals(line);
  // A ghost may be asked later than the table, and so answer later after fewer milliseconds.
  const msUntil = (at: number) => Math.max(...arrivals.slice(0, at + 1).map(({ ms }) => ms));
  const whole = arrivals.length === 0 ? 0 : msUntil(arrivals.length);
  const bids = stages.filter(({ kind }) => kind === 'bid');
  const msOf = (stage: Stage) => {
    const own = arrivals.findIndex(({ seat }) => stage.actor.endsWith(`:${seat}`));
    if (own < 0 || whole === 0) return ((bids.indexOf(stage) + 1) / bids.length) * BIDS_MS;
    return (msUntil(own) / whole) * BIDS_MS;
  };
  return stages.map((stage, at) => {
    const next = stages[at + 1];
    if (next?.kind !== 'bid') return STEP_MS;
    return Math.max(0, msOf(next) - (stage.kind === 'bid' ? msOf(stage) : 0));
  });
}
