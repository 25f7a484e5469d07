/** The session: which journal is open, through which lens, and where in it one is. */
import { batch, computed, signal } from '@preact/signals';
import { type Lens, lensFor, parseLens, type SeenLine } from '../../../../machines/journal/lens.ts';
import type { Line } from '../../../../machines/journal/lines.ts';
import { project } from '../../../../machines/journal/projection.ts';
import type { Colour } from '../../../../machines/types.ts';
import { embeddedFacts } from '../source/embedded.ts';
import type { LiveState } from '../source/live.ts';
import { createStory, Story } from '../story/story.ts';

export const facts = embeddedFacts();

/** What is wrong, instead of a story; '' while nothing is. */
export const trouble = signal('');
export const UNREADABLE = 'This journal has lines that this page can’t make sense of.';
export const isLoading = signal(true);
export const journalName = signal('');
/** Lines that could not be read. */
export const damaged = signal(0);
/** Null for a journal that is not being written. */
export const live = signal<LiveState | null>(null);
/** The widest lens that there are data for. */
export const widest = signal<Lens>({ type: 'glass' });

export const lens = signal<Lens>({ type: 'glass' });
export const step = signal(0);
/** How many moments the story has: it grows while the story stays the same object. */
export const length = signal(0);
/** The player that is looked at. */
export const focus = signal<Colour | null>(null);

const told = signal(new Story(facts.charts, { type: 'glass' }));
export const story = computed(() => {
  // Whoever looks at the story looks again when it has grown.
  length.value;
  return told.value;
});
export const moment = computed(() => told.value.moments[Math.min(step.value, length.value - 1)]);

/** The whole lines, where the glass is open; lenses are looked through in the page then. */
let whole: readonly Line[] = [];

export function lensName(which: Lens): string {
  return which.type === 'player' ? `player:${which.seat}` : which.type;
}

/** Every line that the lens shows, those that make no moment too. */
let seenLines: SeenLine[] = [];

export function linesSeen(): readonly SeenLine[] {
  // Whoever looks at them looks again when there are more.
  length.value;
  return seenLines;
}

/** Shows lines through what was asked for, or through the glass where nobody has that seat. */
export function openWhole(lines: readonly Line[], wanted: Lens): void {
  whole = lines;
  widest.value = { type: 'glass' };
  const crew = project(lines.slice(0, 1), wanted).players;
  const isThere = wanted.type !== 'player' || crew.some(({ seat }) => seat === wanted.seat);
  lookThrough(isThere ? wanted : widest.value);
}

/** Shows lines that were cut already. */
export function openSeen(lines: readonly SeenLine[], cutWith: Lens): void {
  whole = [];
  batch(() => {
    widest.value = cutWith;
    seenLines = [...lines];
    begin(createStory(lines, facts.charts, cutWith), cutWith);
  });
}

/** Begins an empty story that grows. */
export function openLive(through: Lens, name: string | null): void {
  wantedName = name;
  seenLines = [];
  begin(new Story(facts.charts, through), through);
}

/** Where a live story is to be gone to as soon as it is there. */
let wantedName: string | null = null;

/** Whether all of it has happened already: then it is shown from its beginning, and nothing of its end is told. */
let isOld = false;

export function beginAtTheBeginning(): void {
  isOld = true;
}

/** Adds lines that have come; whoever was at the end of what goes on stays at the end. */
export function grow(lines: readonly SeenLine[]): void {
  batch(() => {
    const atEnd = !isOld && step.value >= length.value - 1;
    seenLines.push(...lines);
    for (const line of lines) told.value.add(line);
    length.value = told.value.moments.length;
    const wanted = wantedName === null ? null : told.value.stepOf(wantedName);
    if (wanted !== null) {
      wantedName = null;
      step.value = wanted;
    } else if (atEnd && wantedName === null) step.value = Math.max(0, length.value - 1);
  });
}

/** Looks at the same moment through another lens. */
export function lookThrough(wanted: Lens): void {
  const see = lensFor(wanted);
  const seen: SeenLine[] = [];
  for (const line of whole) {
    const cut = see(line);
    if (cut !== null) seen.push(cut);
  }
  seenLines = seen;
  batch(() => begin(createStory(seen, facts.charts, wanted), wanted));
}

function begin(next: Story, through: Lens): void {
  const name = moment.peek()?.name ?? null;
  batch(() => {
    told.value = next;
    lens.value = through;
    length.value = next.moments.length;
    step.value = name === null ? 0 : (next.stepOf(name) ?? 0);
    isLoading.value = false;
    if (through.type === 'player') focus.value = through.seat;
  });
}

/** Whether somebody has that seat; as long as nothing tells who is there, it may be. */
export function isSeated(seat: Colour): boolean {
  const crew = told.peek().moments[0]?.players;
  return crew === undefined || crew.some((each) => each.seat === seat);
}

/** Reads "table", "glass" or "player:red", as far as there are data for it and such a seat. */
export function lensIn(text: string): Lens | null {
  const wanted = parseLens(text);
  if (wanted === null) return null;
  const { type } = widest.peek();
  if (type !== 'glass' && lensName(wanted) !== lensName(widest.peek())) return null;
  return wanted.type === 'player' && !isSeated(wanted.seat) ? null : wanted;
}
