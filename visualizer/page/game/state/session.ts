import { batch, computed, signal } from '@preact/signals';
import {
  formatLens,
  type Lens,
  parseLens,
  throughGlass,
} from '../../../../machines/journal/lens.ts';
import type { Line } from '../../../../machines/journal/lines.ts';
import { project } from '../../../../machines/journal/projection.ts';
import type { Colour } from '../../../../machines/types.ts';
import {
  lensOverSteps,
  type MovesAlone,
  type Stepped,
  type SteppedLine,
} from '../../../charts/moves.ts';
import { notice } from '../../frame/address.ts';
import type { BuildFacts, WhyNotes } from '../story/pageData.ts';
import { listStages } from '../story/stages.ts';
import { createStory, type Moment, NO_CHARTS, nameLens, Story } from '../story/story.ts';

let buildFacts: BuildFacts | null = null;
const targets = new Map<string, string>();

export function startSession(facts: BuildFacts): void {
  buildFacts = facts;
  const { meeting, game, player, arbiter } = facts.charts;
  for (const { id, target } of [meeting, game, player, arbiter].flatMap(({ edges }) => edges))
    if (target !== null) targets.set(id, target);
}

export function readBuildFacts(): BuildFacts {
  if (buildFacts === null) throw new Error('expected a session that was started');
  return buildFacts;
}

/** The error that replaces the story, or ''. */
export const problem = signal('');
export const UNREADABLE = 'This journal has lines that this page can’t read.';
export const isLoading = signal(true);
export const isReading = signal(false);
export const journalName = signal('');
export const damaged = signal(0);
/** Null for a journal that is not being written. */
export const live = signal<LiveState | null>(null);
/** Whether the journal was complete when it was opened: it is shown from its beginning, without giving away its end. */
export const isRecorded = signal(true);
export const isFutureShown = signal(false);
/** The widest lens with data. */
export const widest = signal<Lens>({ type: 'glass' });

export const lens = signal<Lens>({ type: 'glass' });
export const step = signal(0);
export const length = signal(0);
export const whyNotes = signal<WhyNotes | null>(null);
export const focus = signal<Colour | null>(null);

const currentStory = signal(new Story(NO_CHARTS, { type: 'glass' }));

export const story = {
  get value(): Story {
    followGrowth();
    return currentStory.value;
  },
  peek: () => currentStory.peek(),
};

/** Makes the reader depend on the story and its length. It uses calls, because builds drop bare property reads. */
function followGrowth(): void {
  currentStory.valueOf();
  length.valueOf();
  moveCount.valueOf();
}

const moveCount = signal(0);

export const moment = computed(() => findMoment(step.value));

/** The moment that bids, votes, minds and charts explain. It lags while a key is held. */
export const settledStep = signal(0);
export const settledMoment = computed(() => findMoment(settledStep.value));

function findMoment(at: number): Moment | undefined {
  return currentStory.value.moments[Math.min(at, length.value - 1)];
}

export const stages = computed(() => listStages(story.value.movesOf(settledStep.value)));
/** The visible step that is shown of the line at hand; null for all of it. */
export const stageAt = signal<number | null>(null);
export const stage = computed(() =>
  stageAt.value === null ? null : (stages.value[stageAt.value] ?? null),
);

/** Why the machines are not shown at the line at hand, or ''. */
export function describeRefusal(): string {
  const { refusal } = story.value;
  if (!story.value.isStepped)
    return 'A file that the page opens itself has no states of the machines. The commands view and export add them.';
  if (refusal === null || settledStep.value < Math.min(refusal.step, length.value - 1)) return '';
  return `The machines stop at line ${refusal.line}: ${refusal.reason}.`;
}

let isSettling = false;

/** Goes to a step; with `isHeld` more steps will follow soon. */
export function goToStep(target: number, isHeld = false): void {
  wantedMoment = null;
  batch(() => {
    step.value = target;
    stageAt.value = null;
    if (!isHeld) settledStep.value = target;
  });
  if (!isHeld || isSettling) return;
  isSettling = true;
  // A separate task, so that browsers handle waiting keys first.
  setTimeout(() => {
    isSettling = false;
    settledStep.value = step.peek();
  }, 0);
}

/** Number of opened journals. A change of lens opens none. */
export const openings = signal(0);

/** The whole lines, where the glass is open; lenses are looked through in the page then. */
let wholeLines: readonly (Line & Stepped)[] = [];

/** Every line that the lens shows, including lines without a moment. */
let seenLines: SteppedLine[] = [];

export function listSeenLines(): readonly SteppedLine[] {
  followGrowth();
  return seenLines;
}

export function openWhole(lines: readonly (Line & Stepped)[], wanted: Lens): void {
  openings.value += 1;
  wholeLines = lines;
  widest.value = { type: 'glass' };
  const crew = project(lines.slice(0, 1).map(throughGlass), wanted).players;
  const isThere = wanted.type !== 'player' || crew.some(({ seat }) => seat === wanted.seat);
  lookThrough(isThere ? wanted : widest.value);
}

export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

export const LINES_AT_ONCE = 400;

/** Adds the rest of a journal. Returns false if another journal was opened meanwhile. */
export async function addWhole(rest: readonly (Line & Stepped)[]): Promise<boolean> {
  const opening = openings.peek();
  const all = [...wholeLines, ...rest];
  for (;;) {
    const through = lens.peek();
    const { cut: see } = lensOverSteps(through);
    const seen: SteppedLine[] = [];
    const told = new Story(targets, through);
    for (const [index, line] of all.entries()) {
      const cut = see(line);
      if (cut !== null) {
        seen.push(cut);
        told.add(cut);
      }
      if (index % LINES_AT_ONCE === 0) await nextTask();
      if (opening !== openings.peek()) return false;
    }
    if (formatLens(through) !== formatLens(lens.peek())) continue;
    wholeLines = all;
    seenLines = seen;
    const wanted = wantedMoment === null ? null : told.stepOf(wantedMoment);
    wantedMoment = null;
    batch(() => {
      showStory(told, through);
      if (wanted !== null) goToStep(wanted);
    });
    return true;
  }
}

export function openSeen(lines: readonly SteppedLine[], cutWith: Lens): void {
  wholeLines = [];
  batch(() => {
    openings.value += 1;
    widest.value = cutWith;
    seenLines = [...lines];
    enterStory(createStory(lines, targets, cutWith), cutWith);
  });
}

export function openLive(through: Lens, name: string | null): void {
  wantedMoment = name;
  seenLines = [];
  enterStory(new Story(targets, through), through);
}

let wantedMoment: string | null = null;

/** Goes to a future moment when it arrives, unless the reader moves elsewhere first. */
export function awaitMoment(name: string): void {
  if (isReading.peek()) wantedMoment = name;
}

export type LiveRow = SteppedLine | MovesAlone;

export function appendLines(rows: readonly LiveRow[]): void {
  batch(() => {
    const atEnd = !isRecorded.value && step.value >= length.value - 1;
    for (const row of rows) {
      if (row.type === 'moves') currentStory.value.follow(row.moves);
      else {
        seenLines.push(row);
        currentStory.value.add(row);
      }
    }
    moveCount.value += 1;
    length.value = currentStory.value.moments.length;
    const wanted = wantedMoment === null ? null : currentStory.value.stepOf(wantedMoment);
    if (wanted !== null) {
      wantedMoment = null;
      step.value = wanted;
    } else if (atEnd && wantedMoment === null) step.value = Math.max(0, length.value - 1);
    settledStep.value = step.value;
  });
}

function lookThrough(wanted: Lens): void {
  const { cut } = lensOverSteps(wanted);
  seenLines = wholeLines.flatMap((line) => cut(line) ?? []);
  enterStory(createStory(seenLines, targets, wanted), wanted);
}

function enterStory(next: Story, through: Lens): void {
  batch(() => {
    showStory(next, through);
    if (through.type === 'player') focus.value = through.seat;
  });
}

function showStory(next: Story, through: Lens): void {
  const name = moment.peek()?.name ?? null;
  batch(() => {
    currentStory.value = next;
    lens.value = through;
    length.value = next.moments.length;
    step.value = name === null ? 0 : (next.stepOf(name) ?? 0);
    settledStep.value = step.value;
    isLoading.value = false;
  });
}

/** Whether a player has this seat; true while the players are not known yet. */
export function hasSeat(seat: Colour): boolean {
  const crew = currentStory.peek().moments[0]?.players;
  return crew === undefined || crew.some((each) => each.seat === seat);
}

/** Reads "table", "glass" or "player:red", as far as there are data for it and such a seat. */
export function parseAvailableLens(text: string): Lens | null {
  const wanted = parseLens(text);
  if (wanted === null) return null;
  const { type } = widest.peek();
  if (type !== 'glass' && formatLens(wanted) !== formatLens(widest.peek())) return null;
  return wanted.type === 'player' && !hasSeat(wanted.seat) ? null : wanted;
}

/** `next` says that this journal is over and another one follows. */
export type LiveState = 'connecting' | 'on' | 'cut' | 'over' | 'next';

export const isPlain = signal(false);
export const areLanesOpen = signal(false);

export const pane = signal('story');

export const enlarged = signal<string | null>(null);

export function enlarge(panel: string): () => void {
  return () => {
    enlarged.value = enlarged.value === panel ? null : panel;
  };
}

/** Asks the server for another lens; set while a live journal is open. */
export const lensRequest = signal<((lens: Lens) => void) | null>(null);

/** Takes "table", "glass", "player" for the player that is looked at, or "player:red". */
export function switchLens(name: string): void {
  const seat = focus.value ?? moment.value?.players[0]?.seat;
  const wanted = parseAvailableLens(
    name === 'player' && seat !== undefined ? `player:${seat}` : name,
  );
  if (wanted === null) {
    notice.value = `This journal is here through the lens ${nameLens(widest.value)} only.`;
    return;
  }
  if (formatLens(wanted) === formatLens(lens.value)) return;
  if (live.value === null) lookThrough(wanted);
  else {
    openLive(wanted, moment.value?.name ?? null);
    lensRequest.value?.(wanted);
  }
}
