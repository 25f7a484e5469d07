/**
 * Speech: an act put into the words of a temperament, filled with facts.
 *
 * A player says no sentence twice, and avoids turns of phrase that somebody used already.
 */
import { TEMPERAMENTS, type Temperament } from '../../../machines/types.ts';
import { ACTS, type Act, type Facts } from './acts.ts';
import { type Chance, fraction } from './chance.ts';
import { type Ledger, turnOf } from './ledger.ts';
import { ACCUSER } from './phrases/accuser.ts';
import { DIPLOMAT } from './phrases/diplomat.ts';
import { FOLLOWER } from './phrases/follower.ts';
import { JOKER } from './phrases/joker.ts';
import { LEADER } from './phrases/leader.ts';
import { OBSERVER } from './phrases/observer.ts';
import { type Phrases, PLAIN } from './phrases/plain.ts';
import { SCEPTIC } from './phrases/sceptic.ts';
import { filled, turnIn } from './templates.ts';

export const VOICES: Readonly<Record<Temperament, Phrases>> = {
  leader: LEADER,
  observer: OBSERVER,
  accuser: ACCUSER,
  joker: JOKER,
  follower: FOLLOWER,
  sceptic: SCEPTIC,
  diplomat: DIPLOMAT,
};

/** Whose words are wanted, and what may not be said again. */
export type Speaker = {
  readonly temperament: Temperament;
  readonly chance: Chance;
  readonly record: Ledger;
  readonly ownLines: readonly string[];
};

/** Longest message, in characters: what a reader takes in at a glance. */
export const LONGEST = 200;
/** Share of messages that start from the plain phrases rather than from the voice's own. */
const PLAIN_SHARE = 0.3;
/** Lanes of chance, apart from those of the rules of talk. */
const LANE = { start: 40, plain: 41 } as const;

const choices = new Map<
  string,
  { readonly own: readonly string[]; readonly plain: readonly string[] }
>(
  TEMPERAMENTS.flatMap((voice) =>
    ACTS.map(
      (type) =>
        [`${voice} ${type}`, { own: VOICES[voice][type] ?? [], plain: PLAIN[type] }] as const,
    ),
  ),
);

/** The sentence for an act; null when everything fit has been said already. */
export function say({ type, facts }: Act, speaker: Speaker): string | null {
  const { own, plain } = choices.get(`${speaker.temperament} ${type}`) ?? { own: [], plain: [] };
  const start = fraction(speaker.chance, LANE.start);
  const plainFirst = own.length === 0 || fraction(speaker.chance, LANE.plain) < PLAIN_SHARE;
  const first = sayable(plainFirst ? plain : own, facts, speaker, start);
  if (first?.isFresh) return first.text;
  const second = sayable(plainFirst ? own : plain, facts, speaker, start);
  if (second?.isFresh) return second.text;
  return type === 'quip' ? null : (first?.text ?? second?.text ?? null);
}

/** The first sentence of a list that nobody used in this turn of phrase; else one that the speaker did not use. */
function sayable(
  list: readonly string[],
  facts: Facts,
  speaker: Speaker,
  start: number,
): { readonly text: string; readonly isFresh: boolean } | null {
  const from = Math.floor(start * list.length);
  let fallback: string | null = null;
  for (let index = 0; index < list.length; index++) {
    const source = list[(index + from) % list.length] ?? '';
    const text = filled(source, facts, speaker.chance);
    if (text === null || text.length > LONGEST || speaker.ownLines.includes(text)) continue;
    const turn = turnIn(source) ?? turnOf(text);
    if (!speaker.record.turns.has(turn)) return { text, isFresh: true };
    fallback ??= text;
  }
  return fallback === null ? null : { text: fallback, isFresh: false };
}
