/**
 * Speech acts: what a player can do with a turn, and which of them is the most urgent now.
 *
 * Each rule of talk proposes at most one act with its urgency; the player takes the most urgent. The words come later,
 * in `speech.ts`.
 */
import type { Colour, Deed, Place } from '../../../machines/types.ts';
import { fraction } from './chance.ts';
import type { Reason } from './reasons.ts';
import type { Situation } from './situation.ts';

export const ACTS = [
  'openBody',
  'openButton',
  'deed',
  'atBody',
  'insist',
  'denyDeed',
  'denyPlace',
  'admitPlace',
  'deny',
  'answer',
  'clash',
  'misplaced',
  'falsehood',
  'visual',
  'vouch',
  'near',
  'close',
  'followed',
  'lastSeen',
  'lastAlone',
  'pair',
  'sighting',
  'passed',
  'alibi',
  'lost',
  'ask',
  'askAll',
  'believe',
  'doubt',
  'push',
  'roundup',
  'hurry',
  'ballot',
  'ballotSkip',
  'locked',
  'frame',
  'recallWrong',
  'recallRight',
  'recallNobody',
  'quip',
] as const;
export type ActType = (typeof ACTS)[number];

/** The facts that fill a sentence. A template that needs one that is missing is not used. */
export type Facts = {
  readonly who?: Colour | null;
  readonly by?: Colour | null;
  readonly friend?: Colour | null;
  readonly body?: Colour | null;
  readonly others?: readonly Colour[];
  readonly place?: Place | null;
  readonly earlier?: Place | null;
  readonly said?: Place | null;
  readonly ago?: number | null;
  readonly deed?: 'vent' | 'kill';
  /** What somebody was seen doing there, for words such as "at a task". */
  readonly did?: Deed | null;
  readonly reason?: Reason | null;
};

export type Act = {
  readonly type: ActType;
  /** From 0 to 10 before temperament; it becomes the desire to speak. */
  readonly urgency: number;
  readonly to: Colour | null;
  readonly facts: Facts;
};

/** A rule of talk: what this situation calls for, if anything. */
export type Rule = (at: Situation) => Act | null;

export function act(
  type: ActType,
  urgency: number,
  facts: Facts = {},
  to: Colour | null = null,
): Act {
  return { type, urgency, to, facts };
}

/** Acts that a temperament is fond of, by the trait that says so. */
const FONDNESS = {
  ask: 'asking',
  askAll: 'asking',
  near: 'accusing',
  close: 'accusing',
  lastSeen: 'accusing',
  push: 'accusing',
  clash: 'accusing',
  misplaced: 'accusing',
  vouch: 'vouching',
  pair: 'vouching',
  believe: 'vouching',
  visual: 'vouching',
  quip: 'joking',
  roundup: 'leading',
  hurry: 'leading',
} as const satisfies Partial<Record<ActType, keyof Situation['traits']>>;
const FOND: ReadonlyMap<string, (typeof FONDNESS)[keyof typeof FONDNESS]> = new Map(
  Object.entries(FONDNESS),
);
/** Two acts of nearly the same urgency are told apart by chance, up to so many points. */
const WHIM = 1.2;
const WHIM_LANE = 1;

/** What the rules propose, most urgent first. */
export function proposals(at: Situation, rules: readonly Rule[]): readonly Act[] {
  const whim = fraction(at.chance, WHIM_LANE);
  const acts: Act[] = [];
  for (const [index, rule] of rules.entries()) {
    const proposed = rule(at);
    if (proposed === null) continue;
    const fond = FOND.get(proposed.type);
    const liking = fond === undefined ? 0 : at.traits[fond];
    const chance = ((whim * (index + 3) * 7) % 1) * WHIM;
    acts.push({ ...proposed, urgency: proposed.urgency + liking * 0.6 + chance });
  }
  return acts.sort((one, other) => other.urgency - one.urgency);
}
