/** Cuts a match to one minute or five by the weight of its events; hidden facts weigh nothing. */
import type { EpisodeSeconds } from '../state/episode.ts';
import type { FeedItem, FeedSpeech } from './feed.ts';
import type { MarkKind } from './marks.ts';
import type { WhyNotes } from './pageData.ts';
import { describeItem } from './sentences.ts';
import type { FeedEntry, Story } from './story.ts';

export type EpisodeShot = Readonly<ReturnType<typeof createShot>>;

export type EpisodeChapter = { readonly name: string; readonly from: number };

export type Episode = Readonly<ReturnType<typeof cutEpisode>>;

/** How fast people read, and how long they look, in milliseconds; captions in letters. */
type Pace = { readonly letters: number; readonly opening: number; readonly closing: number };
const PACES: Readonly<Record<EpisodeSeconds, Pace>> = {
  60: { letters: 120, opening: 4500, closing: 7000 },
  300: { letters: 240, opening: 8000, closing: 12_000 },
};
const LETTER_MS = 38;
const THOUGHT_LETTER_MS = 18;
const LEAST_MS = 1700;
const SHORT_MS = 1100;

export function cutEpisode(story: Story, seconds: EpisodeSeconds, notes: WhyNotes | null) {
  const weigh = createScales(story, notes);
  const all = story.feed.map((entry) => createShot(entry, weigh(entry), PACES[seconds]));
  const kept = new Set<number>();
  let left = seconds * 1000;
  const take = (index: number) => {
    const shot = all[index];
    if (shot === undefined || kept.has(index) || shot.ms > left) return;
    kept.add(index);
    left -= shot.ms;
  };
  const opening = all.findIndex(({ item }) => item.type === 'opening');
  take(opening);
  for (const index of listEnding(all)) take(index);
  // The most weight for its time first, and of equals the earlier one.
  const ranked = all
    .map(({ weight, ms }, index) => ({ index, density: weight / ms }))
    .filter(({ density, index }) => density > 0 && index > opening)
    .sort((one, other) => other.density - one.density || one.index - other.index);
  for (const { index } of ranked) take(index);
  const shots = all.filter((_, index) => kept.has(index));
  return { seconds, shots, chapters: listChapters(story, shots), ms: seconds * 1000 - left };
}

/** The last weighty event and the closing card, or the last words of an unfinished match. */
function listEnding(shots: readonly EpisodeShot[]): readonly number[] {
  const closing = shots.findLastIndex(({ item }) => item.type === 'closing');
  const last = shots.findLastIndex(({ weight }) => weight >= WEIGHTS.verdict);
  return closing < 0 ? [shots.length - 1, last] : [closing, closing - 1, last];
}

const WEIGHTS = {
  chapter: 3.5,
  verdict: 6,
  spared: 2.5,
  loss: 2.4,
  alarm: 1.2,
  ballot: 0.15,
  vote: 0.15,
  speech: 2,
  accusation: 2,
  lie: 3,
  dispute: 1.2,
  /** Of the chance of the crew, for all of it. */
  swing: 20,
  credit: 5,
} as const;

const MARK_WEIGHTS: Readonly<Partial<Record<MarkKind, number>>> = {
  kill: 3,
  forced: 1.2,
  dice: 0.6,
  accusation: 0.8,
};

function createScales(story: Story, notes: WhyNotes | null): (entry: FeedEntry) => number {
  const marks = new Map<number, number>();
  for (const { step, kind } of story.marks)
    marks.set(step, (marks.get(step) ?? 0) + (MARK_WEIGHTS[kind] ?? 0));
  const found = story.lens.type === 'glass' ? weighNotes(story, notes) : new Map<number, number>();
  return ({ step, item }) => {
    const own = weighItem(item);
    const said = item.type === 'speech' || item.type === 'remark' ? (marks.get(step) ?? 0) : 0;
    return own === 0 ? 0 : own + said + (found.get(step) ?? 0);
  };
}

function weighNotes(story: Story, notes: WhyNotes | null): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const add = (at: string, weight: number) => {
    const step = story.stepOf(at);
    if (step !== null) found.set(step, (found.get(step) ?? 0) + weight);
  };
  for (const { at, from, to } of notes?.stakes?.turns ?? [])
    add(at, Math.abs(to - from) * WEIGHTS.swing);
  for (const { at } of notes?.credits ?? []) add(at, WEIGHTS.credit);
  return found;
}

function weighItem(item: FeedItem): number {
  switch (item.type) {
    case 'opening':
    case 'closing':
      return WEIGHTS.verdict;
    case 'chapter':
      // The title shows names of phases. A call or an ending is an event.
      return item.detail.some((piece) => piece !== '') ? WEIGHTS.chapter : 0;
    case 'verdict':
      return item.ejected === null ? WEIGHTS.spared : WEIGHTS.verdict;
    case 'remark':
      return item.tone === 'death' ? WEIGHTS.loss : item.tone === 'alarm' ? WEIGHTS.alarm : 0;
    case 'ballot':
      return item.isVoid ? 0 : WEIGHTS.ballot;
    case 'vote':
      return item.ballot === null ? 0 : WEIGHTS.vote;
    case 'speech':
      return weighSpeech(item);
    case 'quiet':
    case 'nudge':
      return 0;
    default:
      return item satisfies never;
  }
}

function weighSpeech({ message, accused, claims, target }: FeedSpeech): number {
  if (message === '') return 0;
  return (
    WEIGHTS.speech +
    (accused.length > 0 ? WEIGHTS.accusation : 0) +
    (target === null ? 0 : WEIGHTS.dispute) +
    (claims.some(({ truth }) => truth === 'false') ? WEIGHTS.lie : 0)
  );
}

function createShot({ step, item }: FeedEntry, weight: number, pace: Pace) {
  const isSaid = item.type === 'speech';
  const caption = cutWords(isSaid ? item.message : describeItem(item), pace.letters);
  const thought = isSaid ? cutWords(item.thought, pace.letters) : '';
  const speaker = isSaid ? item.speaker : null;
  const ms = timeShot(item, caption, thought, pace);
  return { step, item, ms, weight, speaker, caption, thought };
}

function timeShot(item: FeedItem, caption: string, thought: string, pace: Pace): number {
  switch (item.type) {
    case 'opening':
      return pace.opening;
    case 'closing':
      return pace.closing;
    case 'ballot':
    case 'vote':
      return SHORT_MS;
    default:
      return LEAST_MS + LETTER_MS * caption.length + THOUGHT_LETTER_MS * thought.length;
  }
}

/** Cuts a text after a sentence that ends in the second half, otherwise after a word. */
function cutWords(text: string, letters: number): string {
  if (text.length <= letters) return text;
  const start = text.slice(0, letters);
  const sentence = Math.max(...['. ', '! ', '? '].map((end) => start.lastIndexOf(end)));
  if (sentence > letters / 2) return start.slice(0, sentence + 1);
  const word = start.lastIndexOf(' ');
  const kept = word > letters / 2 ? start.slice(0, word) : start.slice(0, -1);
  return `${kept.toWellFormed()}…`;
}

function listChapters(story: Story, shots: readonly EpisodeShot[]): readonly EpisodeChapter[] {
  const chapters: EpisodeChapter[] = [];
  for (const [from, { step, item }] of shots.entries()) {
    const isCard = item.type === 'opening' || item.type === 'closing';
    const name = isCard ? CARD_CHAPTERS[item.type] : nameChapter(story, step);
    if (chapters.at(-1)?.name !== name) chapters.push({ name, from });
  }
  return chapters;
}

const CARD_CHAPTERS = { opening: 'Who plays', closing: 'The end' } as const;

function nameChapter(story: Story, step: number): string {
  return story.stretches.findLast(({ from }) => from <= step)?.name.replace(/,.*$/, '') ?? '';
}
