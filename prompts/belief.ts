/** The belief question, and how its answer is read. Values are neither guessed nor scaled to a sum. */

import type { BeliefQuestion } from '../machines/rules/beliefs.ts';
import { isRecord, listWords, parseJson } from '../machines/text.ts';
import type { BeliefMoment, BySeat, Colour } from '../machines/types.ts';
import { type PromptParts, probability, record, writeSection } from './block.ts';
import { buildMeetingUser } from './meeting.ts';
import type { Identity } from './personas.ts';
import { copyJson, readColour, type Unreadable } from './reply.ts';
import { buildSystem, writeReplyFormat } from './rules.ts';

const PROBABILITIES =
  '- probabilities: for each player who is named below, a number from 0 to 1: how probable it is that they are an impostor. 0 is certainly not, 1 is certainly.';

/** In tokens: a colour and a number for each of fourteen others, and the braces. */
const MOST_TOKENS = 300;

const WHERE: Readonly<Record<BeliefMoment, string>> = {
  call: 'The meeting begins. Nobody has spoken yet.',
  tick: 'The discussion goes on.',
  vote: 'The poll is closed. The ballots have not been turned yet.',
};

export function buildBeliefPrompt(
  { view, moment, about }: BeliefQuestion,
  identity: Identity,
): PromptParts {
  const wanted = writeSection('Now', [
    `${WHERE[moment]} This question is beside the game: no player hears your answer, you will not remember it, and nothing follows from it. Say what you truly believe, whatever you say to others.`,
    `How probable is it that each of these is an impostor: ${listWords(about)}?`,
  ]);
  return {
    system: buildSystem(view.table, 'table', writeReplyFormat([PROBABILITIES])),
    user: buildMeetingUser(view, identity, { wanted }),
    schema: record({
      probabilities: record(Object.fromEntries(about.map((seat) => [seat, probability]))),
    }),
    schemaName: 'belief',
    maxTokens: MOST_TOKENS,
  };
}

/** Probabilities by seat, and for each missing one a code. Or the reason why all are missing. */
export type BeliefReading =
  | {
      readonly ok: true;
      readonly probabilities: BySeat<number>;
      readonly missing: BySeat<string>;
      /** The answer had exactly these probabilities and nothing else. */
      readonly isPlain: boolean;
    }
  | Unreadable;

/** Accepts an object with the field of the question or with the names themselves, or text that is one. */
export function readBelief(received: unknown, about: readonly Colour[]): BeliefReading {
  const value = typeof received === 'string' ? parseJson(received) : received;
  if (!isRecord(value)) return failReading(about, received);
  const { probabilities: field = value } = value;
  if (!isRecord(field)) return failReading(about, received);
  const stated = new Map<Colour, unknown>();
  for (const [name, share] of Object.entries(field)) {
    const seat = readColour(name);
    if (seat !== null) stated.set(seat, share);
  }
  const probabilities: Partial<Record<Colour, number>> = {};
  const missing: Partial<Record<Colour, string>> = {};
  for (const seat of about) {
    const share = readShare(stated.get(seat));
    if (typeof share === 'number') probabilities[seat] = share;
    else missing[seat] = share;
  }
  if (Object.keys(probabilities).length === 0) return failReading(about, received);
  const isPlain =
    field !== value &&
    value === received &&
    Object.keys(value).length === 1 &&
    Object.keys(field).length === about.length &&
    about.every((seat) => Object.is(field[seat], probabilities[seat]));
  return { ok: true, probabilities, missing, isPlain };
}

const PERCENT = 100;
const NUMBER = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*(%?)\s*$/;

/** The stated probability, "40%" too, or the code of why it is invalid. */
function readShare(share: unknown): number | string {
  if (share === undefined) return 'belief/no-name';
  if (typeof share === 'number') return isProbability(share) ? share + 0 : 'belief/out-of-range';
  const [, digits, percent] = (typeof share === 'string' ? NUMBER.exec(share) : null) ?? [];
  if (digits === undefined) return 'belief/no-number';
  const number = percent === '%' ? Number(digits) / PERCENT : Number(digits);
  return isProbability(number) ? number : 'belief/out-of-range';
}

function isProbability(number: number): boolean {
  return number >= 0 && number <= 1;
}

function failReading(about: readonly Colour[], received: unknown): BeliefReading {
  const found = JSON.stringify(copyJson(received) ?? null).slice(0, LONGEST_QUOTE);
  const text = `expected an object with a probability from 0 to 1 for ${listWords(about)}, found ${found}`;
  return { ok: false, code: 'belief/not-a-belief', text };
}

const LONGEST_QUOTE = 60;
