/** The situation: what one player makes of one tick, gathered once so that every rule of talk reads the same. */
import type { LivingView } from '../../../machines/rules/views.ts';
import type { Colour } from '../../../machines/types.ts';
import { type Alibi, alibi, fitted } from './alibi.ts';
import { type Chance, fraction } from './chance.ts';
import type { Heard } from './hearing.ts';
import { type Ledger, ledger } from './ledger.ts';
import { type Memory, memory } from './memory.ts';
import { type Judgement, opinion } from './opinion.ts';
import type { Traits } from './temperament.ts';

/** What stays the same for a whole meeting. */
export type Grounds = {
  readonly known: Memory;
  readonly alibi: Alibi;
  readonly hunches: ReadonlyMap<Colour, number>;
  /** Chance that falls once for the meeting. */
  readonly settledChance: Chance;
};

export type Situation = Grounds & {
  readonly view: LivingView;
  readonly me: Colour;
  readonly traits: Traits;
  readonly chance: Chance;
  readonly record: Ledger;
  /** The living but oneself. */
  readonly rivals: readonly Colour[];
  /** The living, hottest first, but oneself. */
  readonly judged: readonly Judgement[];
  /** What was said by oneself, and what was said since. */
  readonly own: readonly Heard[];
  readonly since: readonly Heard[];
  readonly ownLines: readonly string[];
};

/** Hunches have lanes of their own, one for each colour, above those of talk. */
const HUNCH_LANE = 104;

export function grounds(view: LivingView, chance: Chance): Grounds {
  const { you, table } = view;
  const known = memory(you.colour, you.brief);
  const scene = { role: you.role, call: table.call, partners: you.partners };
  const story = alibi(known, scene, chance);
  const hunches = new Map(
    table.seats
      .filter(({ colour }) => colour !== you.colour)
      .map(({ colour }, index) => [colour, fraction(chance, HUNCH_LANE + index)]),
  );
  const told = you.role === 'impostor' ? fitted(known, story, you.partners) : known;
  return { known: told, alibi: story, hunches, settledChance: chance };
}

export function situation(
  view: LivingView,
  settled: Grounds,
  player: { traits: Traits; chance: Chance },
): Situation {
  const { you, table } = view;
  const record = ledger(table.transcript);
  const rivals = table.seats
    .filter(({ colour, standing }) => standing === 'living' && colour !== you.colour)
    .map(({ colour }) => colour);
  const { role, partners } = you;
  const judge = {
    ...settled,
    role,
    partners,
    traits: player.traits,
    body: table.call.place,
    rivals,
  };
  const spoke = record.lastLine.get(you.colour) ?? -1;
  return {
    ...settled,
    ...player,
    view,
    me: you.colour,
    record,
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
