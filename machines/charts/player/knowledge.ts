/** What a player knows and keeps to themselves, and what each message does to it. */
import type { ToPlayer } from '../../messages.ts';
import { consolidated, noted } from '../../rules/scratchpads.ts';
import { type Remembered, remembered, sightingsOf } from '../../rules/ship/memory.ts';
import type { Self } from '../../rules/views.ts';
import type { Ballot, Note, Pads } from '../../types.ts';

export type PlayerInput = Pick<
  Self,
  'colour' | 'role' | 'partners' | 'persona' | 'brief' | 'pads'
> & {
  /** The mind answers in the same breath. */
  readonly light: boolean;
  /** Dead when the game is joined. */
  readonly ghost: boolean;
};

export type PlayerContext = Omit<PlayerInput, 'ghost'> & {
  readonly ghost: boolean;
  readonly ballot: Ballot | null;
  readonly notices: readonly Note[];
  /** What was seen on the ship since the last meeting. */
  readonly memory: readonly Remembered[];
  /** The tick, turn or round of the request that was answered or is open. */
  readonly stamp: number;
  /** The pads before the last answer: an abandoned tick has not happened. */
  readonly before: Pads;
};

/** What the player knows, as it goes into a request. */
export function selfOf(context: PlayerContext): Self {
  const { colour, role, partners, persona, brief, pads, ballot, notices } = context;
  return { colour, role, partners, persona, brief, pads, ballot, notices };
}

/** What a message changes. */
export type Changes = Partial<PlayerContext>;

export function opened(context: PlayerContext, event: ToPlayer): Changes {
  if (event.type !== 'meeting.opened') return {};
  const { brief, round } = event;
  const fresh = { ballot: null, notices: [] };
  if (round === undefined) return { ...fresh, brief: brief ?? context.brief };
  const sightings = sightingsOf(context.memory, round);
  return { ...fresh, memory: [], brief: { ...context.brief, sightings } };
}

export function saw(context: PlayerContext, event: ToPlayer): Changes {
  if (event.type !== 'rounds.seen') return {};
  let { memory } = context;
  for (const { round, sights } of event.rounds) memory = remembered(memory, round, sights);
  return { memory };
}

/** The notebooks after a decision on the ship. */
export function decided(context: PlayerContext, event: ToPlayer): Changes {
  if (event.type !== 'mind.decided') return {};
  const { order } = event;
  if (order.type === 'fault') return { notices: [] };
  const { pads, notes } = order.decision;
  return { pads: noted(context.pads, pads), notices: notes };
}

export function stamped(event: ToPlayer): Changes {
  if (event.type === 'bid.requested') return { stamp: event.table.tick };
  if (event.type === 'order.requested') return { stamp: event.round };
  return event.type === 'talk.invited' ? { stamp: event.seen.turn } : {};
}

/** The notebooks after an answer, and what the engine has to say about it next time. */
export function answered(context: PlayerContext, event: ToPlayer): Changes {
  if (event.type !== 'mind.answered') return {};
  const { bid, stamp } = event;
  if (bid.type === 'fault') return { stamp, before: context.pads, notices: [] };
  const pads = noted(context.pads, bid.reply.pads);
  return { stamp, pads, before: context.pads, notices: bid.reply.notes };
}

export function kept(context: PlayerContext, event: ToPlayer): Changes {
  if (event.type !== 'pads.consolidated') return {};
  const { main, line } = event;
  return {
    pads: {
      ...consolidated(context.pads, main === null ? null : { main }, line ?? ''),
      meeting: context.pads.meeting,
    },
  };
}
