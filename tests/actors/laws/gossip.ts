/**
 * Gossip: minds that say and do anything, by the seed: all that is allowed, and much that is not.
 *
 * Scripted players are polite. These name themselves, the dead and the absent, vote twice, speak in blanks, fall
 * silent, leave, and shout.
 */
import { ACCUSING_WORDS } from '../../../machines/rules/mentions.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';
import type { WireReply } from '../../../prompts/reply.ts';
import { FAULT, LEAVE, type Script } from './meetings.ts';

/** A number from 0 to 1 that belongs to these whole numbers (the mixer is SplitMix32's). */
export function fraction(...parts: readonly number[]): number {
  let mixed = 0x9e3779b9;
  for (const part of parts) {
    mixed = Math.imul(mixed ^ part, 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    mixed ^= mixed >>> 16;
  }
  return (mixed >>> 0) / 2 ** 32;
}

/** Draws one after the other; the same parts give the same draws. */
export function dealer(...parts: readonly number[]) {
  let drawn = 0;
  const next = () => fraction(...parts, drawn++);
  return {
    is: (share: number) => next() < share,
    below: (limit: number) => Math.floor(next() * limit),
    one: <T>(list: readonly T[]): T => {
      const chosen = list[Math.floor(next() * list.length)];
      if (chosen === undefined) throw new Error('expected something to choose from, found nothing');
      return chosen;
    },
  };
}
export type Dealer = ReturnType<typeof dealer>;

export type Habits = {
  readonly faults: number;
  readonly leaves: number;
  readonly blanks: number;
  readonly votes: number;
};
export const HABITS: Habits = { faults: 0.06, leaves: 0.004, blanks: 0.15, votes: 0.05 };

export function gossip(seed: number, habits: Habits = HABITS): Script {
  return (seat, request) => {
    const isGhost = request.kind === 'ghost';
    const draw = dealer(seed, COLOURS.indexOf(seat), request.index, isGhost ? 1 : 0);
    if (draw.is(habits.faults)) return FAULT;
    if (!isGhost && draw.is(habits.leaves)) return LEAVE;
    return remark(seat, draw, habits);
  };
}

function remark(seat: Colour, draw: Dealer, { blanks, votes }: Habits): Partial<WireReply> {
  const vote = draw.one<string>([...COLOURS.slice(0, 9), seat, 'skip', 'skip', 'Coral', 'nobody']);
  return {
    desire_to_speak: draw.below(11),
    message: draw.is(blanks) ? draw.one(['', ' ', '\n\t']) : sentenceOf(draw),
    target: draw.is(0.3) ? draw.one<string>([...COLOURS.slice(0, 9), seat, 'tan']) : null,
    vote_action: draw.is(votes) ? vote : null,
    scratchpad_updates: {
      ...(draw.is(0.2) ? { main_scratch: draw.one(['', 'Trust nobody.', '☂']) } : {}),
      ...(draw.is(0.2) ? { meeting_scratch: 'So loud in here.' } : {}),
    },
  };
}

/** Names in every form, words that accuse, words that only look so, and everything between them. */
function sentenceOf(draw: Dealer): string {
  const name = draw.one(COLOURS);
  const proud = name.charAt(0).toUpperCase() + name.slice(1);
  const words = [
    ...[name, proud, name.toUpperCase(), `${proud}’s`, `${name}'s`, `${name}s`, `${name}s'`],
    ...[`un${name}`, `${name}ish`, `${name}_`, `${name}2`, `${name}-handed`, `é${name}`],
    ...['I', 'think', 'we', 'saw', 'suspicion', 'killing-floor', 'não', '猫'],
    ...[draw.one(ACCUSING_WORDS), draw.one(ACCUSING_WORDS).toUpperCase()],
  ];
  const count = draw.is(0.05) ? 200 : 1 + draw.below(9);
  let text = draw.is(0.1) ? '  ' : '';
  for (let index = 0; index < count; index++)
    text +=
      draw.one(words) + draw.one([' ', ' ', ' ', ', ', '. ', '! ', '? ', '; ', '\n', ': ', '…']);
  return text;
}
