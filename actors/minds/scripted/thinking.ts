/**
 * Thinking: what goes with an act in the player's head.
 *
 * A mind can't remember its thoughts, so the next phrase of a list is counted out: by how often such a thing was said
 * at the table, and where everybody does the same at once, by the seat. So the same words come back only when a list
 * is used up.
 */
import type { Colour } from '../../../machines/types.ts';
import type { Act, ActType } from './acts.ts';
import { fraction, pick } from './chance.ts';
import type { Heard } from './hearing.ts';
import { AFTERTHOUGHTS, type Part, THOUGHTS } from './phrases/thoughts.ts';
import type { Situation } from './situation.ts';
import { filled } from './templates.ts';

export type Musing = Pick<Act, 'facts'> & { readonly type: ActType | 'listen' | 'listenSuspect' };

const LANE = { after: 45, tag: 46 } as const;
const AFTERTHOUGHT_SHARE = 0.3;

/** Beside a vote a thought is taken from farther down the list: on the floor it may be the same act's turn. */
const ASIDE = 3;

/** What is heard when somebody does this; every other act is counted by the lines said. */
const KIND: Readonly<Partial<Record<Musing['type'], Heard['type']>>> = {
  deed: 'deed',
  insist: 'deed',
  denyDeed: 'denial',
  denyPlace: 'denial',
  admitPlace: 'denial',
  deny: 'denial',
  answer: 'whereabouts',
  alibi: 'whereabouts',
  clash: 'charge',
  misplaced: 'charge',
  falsehood: 'charge',
  believe: 'charge',
  doubt: 'charge',
  push: 'charge',
  visual: 'support',
  vouch: 'support',
  pair: 'support',
  near: 'sighting',
  close: 'sighting',
  sighting: 'sighting',
  passed: 'sighting',
  frame: 'sighting',
  followed: 'sighting',
  lastAlone: 'sighting',
  lastSeen: 'company',
  atBody: 'company',
  ask: 'question',
};

/** The place of a seat at the table, by which all take different words at the same time. */
export function rank(seats: readonly { readonly colour: Colour }[], seat: Colour): number {
  return seats.findIndex(({ colour }) => colour === seat);
}

/** One of a list, counted out. */
export function counted<T>(list: readonly T[], count: number): T | undefined {
  return list[count % list.length];
}

/** The thought of a tick; `vote` is what the player locks in with it. */
export function think(at: Situation, musing: Musing, vote: Musing | null): string {
  const { view, rotation } = at;
  const isVote = musing.type === 'ballot' || musing.type === 'ballotSkip';
  if (vote !== null) {
    const choice = thought(at, vote, rotation + rank(view.table.seats, at.me));
    const isSame = isVote || musing.facts.who === vote.facts.who;
    return isSame ? choice : `${choice} ${thought(at, musing, turn(at, musing) + ASIDE)}`;
  }
  const after = fraction(at.chance, LANE.after) < AFTERTHOUGHT_SHARE;
  const tags = AFTERTHOUGHTS[at.temperament];
  const tag = after ? pick(at.chance, LANE.tag, tags) : undefined;
  const text = thought(at, musing, turn(at, musing));
  return tag === undefined ? text : `${text} ${tag}`;
}

function turn(
  { rotation, record }: Pick<Situation, 'rotation' | 'record'>,
  { type }: Musing,
): number {
  const kind = KIND[type];
  return rotation + (kind === undefined ? record.lines : (record.tally.get(kind) ?? 0));
}

function thought(at: Situation, { type, facts }: Musing, count: number): string {
  const list = THOUGHTS[partIn(at, facts)][type];
  for (let index = 0; index < list.length; index++) {
    const text = filled(counted(list, count + index) ?? '', facts, at.chance);
    if (text !== null) return text;
  }
  return 'Listening.';
}

function partIn({ view: { you } }: Situation, { who }: Musing['facts']): Part {
  return who !== undefined && who !== null && you.partners.includes(who) ? 'traitor' : you.role;
}
