/** The situation: what one player makes of one tick, gathered once so that every rule of talk reads the same. */
import type { LivingView } from '../../../machines/rules/views.ts';
import type { Colour, Deed, Place, Temperament } from '../../../machines/types.ts';
import { type Alibi, alibi, fitted } from './alibi.ts';
import { type Chance, fraction, rota } from './chance.ts';
import { type Heard, type Ledger, ledger } from './claims.ts';
import { type Highlights, highlights, type Memory, memory, type Past, pastOf } from './memory.ts';
import {
  type Charge,
  deathWindow,
  type Judgement,
  opinion,
  type Reason,
  recollected,
  type Scene,
} from './suspicion.ts';
import type { Traits } from './traits.ts';

/** What stays the same for a whole meeting. */
export type Grounds = Scene & {
  readonly known: Memory;
  readonly alibi: Alibi;
  readonly highlights: Highlights;
  readonly past: Past;
  readonly hunches: ReadonlyMap<Colour, number>;
  readonly likings: ReadonlyMap<Colour, number>;
  /** Where this meeting begins in the lists of thoughts. */
  readonly rotation: number;
  /** Chance that falls once for the meeting. */
  readonly settledChance: Chance;
  /** What the own eyes make of the others, by the time in which the victim can have died. */
  readonly recollect: (window: number) => readonly Charge[];
};

export type Situation = Grounds & {
  readonly view: LivingView;
  readonly me: Colour;
  readonly temperament: Temperament;
  readonly traits: Traits;
  readonly chance: Chance;
  readonly record: Ledger;
  /** Seconds before the call in which the victim died. */
  readonly window: number;
  /** The living but oneself. */
  readonly rivals: readonly Colour[];
  /** The living, hottest first, but oneself. */
  readonly judged: readonly Judgement[];
  /** What was said by oneself, and what was said since. */
  readonly own: readonly Heard[];
  readonly since: readonly Heard[];
  readonly ownLines: readonly string[];
};

/** Hunches have lanes of their own, one for each colour, above those of talk; a liking is its finer half. */
const HUNCH_LANE = 104;
const HALF = 2 ** 16;

export function grounds(view: LivingView, chance: Chance): Grounds {
  const { you, table } = view;
  const { role, partners } = you;
  const { call } = table;
  const full = memory(you.colour, you.brief);
  // Who leaves in the middle of a meeting was a witness all the same.
  const living = new Set(
    table.seats.filter(({ standing }) => standing !== 'dead').map(({ colour }) => colour),
  );
  const scene = { role, call, partners, living };
  const story = alibi(full, scene, chance);
  const known = role === 'impostor' ? fitted(full, story, scene) : full;
  const spot = { body: call.place, victim: call.body };
  const feelings = table.seats
    .filter(({ colour }) => colour !== you.colour)
    .map(({ colour }, index) => [colour, fraction(chance, HUNCH_LANE + index)] as const);
  const settled: Scene = { known, highlights: highlights(known, spot), ...spot };
  return {
    ...settled,
    alibi: story,
    past: pastOf(you.pads.main),
    hunches: new Map(feelings),
    likings: new Map(feelings.map(([colour, share]) => [colour, (share * HALF) % 1])),
    rotation: rota(chance),
    settledChance: chance,
    recollect: remembering((window) => recollected(settled, window)),
  };
}

export function situation(
  view: LivingView,
  settled: Grounds,
  player: Pick<Situation, 'temperament' | 'traits' | 'chance'>,
): Situation {
  const { you, table } = view;
  const record = ledger(table.transcript);
  const rivals = table.seats
    .filter(({ colour, standing }) => standing === 'living' && colour !== you.colour)
    .map(({ colour }) => colour);
  const { role, partners } = you;
  const { victim } = settled;
  const window = deathWindow(
    settled,
    victim === null ? null : (record.lastSeen.get(victim) ?? null),
  );
  const judge = {
    mindset: settled,
    role,
    partners,
    traits: player.traits,
    rivals,
    window,
    recollected: settled.recollect(window),
    told: table.told,
  };
  const spoke = record.lastLine.get(you.colour) ?? -1;
  return {
    ...settled,
    ...player,
    view,
    me: you.colour,
    record,
    window,
    rivals,
    judged: opinion(judge, record),
    own: record.heard.filter(({ by }) => by === you.colour),
    since: record.heard.filter(({ by, line }) => line > spoke && by !== you.colour),
    ownLines: record.words.get(you.colour) ?? [],
  };
}

/** The rival who is suspected most, when there is a reason that can be said. */
export function topSuspect(at: Situation): Judgement | null {
  const top = at.judged[0];
  return top === undefined || top.heat <= 0 ? null : top;
}

export function heat(at: Situation, seat: Colour): number {
  return at.judged.find((entry) => entry.seat === seat)?.heat ?? 0;
}

/** Whether the player has said something of this kind about somebody. */
export function hasSaid(at: Situation, type: Heard['type'], who: Colour): boolean {
  return at.own.some((item) => item.type === type && 'who' in item && item.who === who);
}

/** A fellow impostor that must be kept out of every charge. */
export function isShielded(at: Situation, seat: Colour): boolean {
  return at.view.you.partners.includes(seat) && heat(at, seat) < 0;
}

/** Works something out again only when it is asked with another value: that saves work and changes nothing. */
function remembering<T>(work: (value: number) => T): (value: number) => T {
  let last: { readonly value: number; readonly made: T } | null = null;
  return (value) => {
    if (last === null || last.value !== value) last = { value, made: work(value) };
    return last.made;
  };
}

/*
 * Speech acts: what a player can do with a turn, and which of them is the most urgent now.
 *
 * Each rule of talk proposes at most one act with its urgency; the player takes the most urgent. The words come later,
 * in `speech.ts`.
 */

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
