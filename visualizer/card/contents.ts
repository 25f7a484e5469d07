/** The contents of a match's card, in the words of the page and in drawing order. */
import { readCalls } from '../../machines/journal/calls.ts';
import type { Lens, SeenLine } from '../../machines/journal/lens.ts';
import { sumCalls } from '../page/game/calls/recordedCalls.ts';
import { listFindings } from '../page/game/story/cards.ts';
import type { FeedItem } from '../page/game/story/feed.ts';
import type { WhyNotes } from '../page/game/story/pageData.ts';
import { describeItem } from '../page/game/story/sentences.ts';
import { createStory, NO_CHARTS, readTitle, type Story } from '../page/game/story/story.ts';

export type CardContents = Readonly<NonNullable<ReturnType<typeof createCardContents>>>;

/** The card of the lines that a lens shows. Before the end it gives nothing away. */
export function createCardContents(lines: readonly SeenLine[], lens: Lens, notes: WhyNotes | null) {
  const story = createStory(lines, NO_CHARTS, lens);
  const opening = findItem(story, 'opening');
  if (opening === null) return null;
  const { rules } = opening;
  const title = readTitle(lines[0]);
  const closing = lens.type === 'table' ? null : findItem(story, 'closing');
  if (closing === null) {
    const players = opening.players.map((player) => ({ ...player, role: null }));
    const headline = findItem(createStory(lines.slice(0, 1), NO_CHARTS, TABLE), 'opening')?.watch;
    return { title, headline: headline ?? opening.watch, rules, players, facts: [] };
  }
  const turn = lens.type === 'glass' ? (notes?.stakes?.turns[0] ?? null) : null;
  const errors = notes?.reasoning?.errors ?? null;
  const spent = sumCalls(readCalls(lines));
  return {
    title,
    headline: describeOutcome(story),
    rules,
    players: closing.players,
    facts: [...closing.facts, ...listFindings({ turn, errors, spent })],
  };
}

const TABLE: Lens = { type: 'table' };

function findItem<T extends FeedItem['type']>(
  { feed }: Story,
  type: T,
): Extract<FeedItem, { type: T }> | null {
  const isMeant = (item: FeedItem): item is Extract<FeedItem, { type: T }> => item.type === type;
  return feed.map(({ item }) => item).findLast(isMeant) ?? null;
}

function describeOutcome({ feed }: Story): string {
  const at = feed.findLastIndex(({ item }) => item.type === 'closing');
  const before = feed[at - 1]?.item;
  if (before === undefined) return '';
  const words = describeItem(before);
  return before.type === 'chapter' ? words.slice(before.title.length).replace(/^\.\s*/, '') : words;
}
