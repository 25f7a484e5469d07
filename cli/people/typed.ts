/**
 * What somebody types who plays in a terminal, and what it means for what is asked.
 *
 * At the table a line is what one says; a word with a slash in front does something else, and what follows it is said.
 * On the ship it is the number of an action. What makes no sense gets a sentence, and is asked for again.
 */
import type { TurnPrompt } from '../../machines/turnPrompt.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';

export type Typed =
  | { readonly type: 'answer'; readonly answer: object }
  | { readonly type: 'sentence'; readonly text: string }
  | { readonly type: 'help' | 'leave' };

/** Urgency of what is said, and of what is said with an exclamation mark in front. */
const DESIRE = 6;
const URGENT = 10;

export function readTyped(line: string, offer: TurnPrompt): Typed {
  const text = line.trim();
  if (text === '/help' || text === '?') return { type: 'help' };
  if (text === '/leave') return { type: 'leave' };
  const noted = /^\/note\s+(.*)$/u.exec(text);
  if (noted !== null) return { type: 'answer', answer: noteOf(offer, noted[1] ?? '') };
  if (offer.occasion === 'action') return actionOf(text, offer);
  if (offer.talk === null)
    return text === '' ? PASS : sentence('Nobody speaks now: press Enter, or /note what you keep.');
  return text === '' ? PASS : speech(text, offer);
}

const PASS: Typed = { type: 'answer', answer: {} };

function sentence(text: string): Typed {
  return { type: 'sentence', text };
}

/** A note is written behind the notes that there are, and passes. */
function noteOf({ notes }: TurnPrompt, words: string): object {
  const text = [notes.text, words].filter((part) => part !== '').join('\n');
  return { scratchpad_updates: { [notes.page]: text } };
}

function actionOf(text: string, { actions }: TurnPrompt): Typed {
  if (text === '') return { type: 'answer', answer: { action: null } };
  const chosen = /^\d+$/.test(text) ? actions[Number(text) - 1] : undefined;
  if (chosen === undefined)
    return sentence(`Expected a number from 1 to ${actions.length}, or Enter alone to go on.`);
  return { type: 'answer', answer: { action: chosen.action } };
}

/** "/vote blue It was Blue.", "@blue Where were you?", "! Listen!" */
function speech(text: string, offer: TurnPrompt): Typed {
  const { talk, ballots } = offer;
  let rest = text;
  let answer: object = {};
  const vote = /^\/vote(?:\s+(\S+)\s*(.*))?$/u.exec(rest);
  if (vote !== null) {
    const ballot = ballots.find((one) => one === vote[1]?.toLowerCase());
    if (ballot === undefined) return sentence(votesText(offer));
    answer = { vote_action: ballot };
    rest = vote[2] ?? '';
  } else if (rest.startsWith('/'))
    return sentence('There is no such word; /help has those there are.');
  const isUrgent = rest.startsWith('!');
  if (isUrgent) rest = rest.slice(1).trim();
  const aimed = /^@(\S+)\s*(.*)$/u.exec(rest);
  if (aimed !== null) {
    const target = colourIn(aimed[1] ?? '');
    if (target === null || talk?.includes(target) !== true)
      return sentence(`Nobody at the table is called ${aimed[1]}.`);
    answer = { ...answer, target };
    rest = aimed[2] ?? '';
  }
  if (rest === '') return { type: 'answer', answer };
  const desire = isUrgent ? URGENT : DESIRE;
  return { type: 'answer', answer: { ...answer, message: rest, desire_to_speak: desire } };
}

function votesText({ ballots, ballot }: TurnPrompt): string {
  if (ballot !== null) return `Your vote for ${ballot} is locked.`;
  if (ballots.length === 0) return 'Votes are not open.';
  return `Expected /vote and one of: ${ballots.join(', ')}.`;
}

function colourIn(word: string): Colour | null {
  const name = word.toLowerCase().replace(/[,:]$/, '');
  return COLOURS.find((colour) => colour === name) ?? null;
}
