/**
 * The story: a journal seen through a lens, moment by moment.
 *
 * It only grows: each line costs what it changes, whatever came before, and what is on the screen at a step is there
 * already when somebody asks for it. So a long journal is ready soon, and going anywhere in it is free.
 */

import { Testimony } from '../../../../analysis/statistics/testimony.ts';
import type { Lens, SeenLine } from '../../../../machines/journal/lens.ts';
import { type Charts, finder } from './chart.ts';
import { itemsOf } from './feed.ts';
import type { Item } from './item.ts';
import { type Mark, marksOf } from './marks.ts';
import { type Eyes, type Haunt, hauntOf, isSilent, type Moment, nextMoment } from './moment.ts';
import { type Stretch, stretchOf } from './stretch.ts';

/** An item of the feed, and the step in which it was told. */
export type Told = { readonly step: number; readonly item: Item };

export class Story {
  readonly lens: Lens;
  readonly moments: Moment[] = [];
  readonly feed: Told[] = [];
  readonly gallery: Haunt[] = [];
  readonly marks: Mark[] = [];
  readonly stretches: Stretch[] = [];
  readonly #eyes: Eyes;
  readonly #steps = new Map<string, number>();
  readonly #fired = new Map<string, number[]>();
  readonly #visits = new Map<string, number[]>();
  readonly #testimony = new Testimony();
  #last: Moment | null = null;

  constructor(charts: Pick<Charts, 'meeting' | 'game'>, lens: Lens) {
    this.lens = lens;
    this.#eyes = { lens, find: finder(charts) };
  }

  /** Takes the next line that the lens shows. */
  add(line: SeenLine): void {
    const before = this.#last;
    const after = nextMoment(before, line, this.#eyes);
    if (isSilent(line)) {
      this.#last = { ...after, line: before?.line ?? line };
      return;
    }
    const step = this.moments.length;
    this.#tell(before, after, step);
    const { length: told } = this.feed;
    const moment = { ...after, told, haunted: this.gallery.length, marked: this.marks.length };
    this.#chart(before, moment, step);
    this.moments.push(moment);
    this.#steps.set(moment.name, step);
    this.#last = moment;
  }

  #tell(before: Moment | null, after: Moment, step: number): void {
    const { line } = after;
    const around = {
      before: before?.ship ?? null,
      after: after.ship,
      thoughts: after.minds.thoughts,
      meetings: after.meeting?.number ?? 0,
      // Other lenses do not show where everybody was.
      claims: this.lens.type === 'glass' ? this.#testimony.hear(line) : [],
    };
    for (const item of itemsOf(line, around)) this.feed.push({ step, item });
    const haunt = hauntOf(line, step);
    if (haunt !== null) this.gallery.push(haunt);
    for (const mark of marksOf(line, before?.meeting ?? null)) this.marks.push({ step, ...mark });
    const stretch = stretchOf(this.stretches.at(-1) ?? null, after, step);
    if (stretch !== null) this.stretches.push(stretch);
  }

  /** Keeps where transitions fired and states were entered, so that they can be counted and gone to. */
  #chart(before: Moment | null, { trail, lit, course }: Moment, step: number): void {
    for (const edge of trail) note(this.#fired, edge, step);
    const old = before?.lit ?? [];
    const passed = course.trail.flatMap(({ to }) => to ?? []);
    const newly = lit.filter((state) => !old.includes(state) && !passed.includes(state));
    for (const state of [...passed, ...newly]) note(this.#visits, state, step);
  }

  /** The steps in which a transition fired. */
  firings(edge: string): readonly number[] {
    return this.#fired.get(edge) ?? [];
  }

  /** The steps in which a state was entered. */
  visits(state: string): readonly number[] {
    return this.#visits.get(state) ?? [];
  }

  /** The step of a name in an address; of one that this lens hides, the last step before it. */
  stepOf(name: string): number | null {
    const step = this.#steps.get(name);
    if (step !== undefined) return step;
    const seq = Number(name);
    if (!Number.isSafeInteger(seq) || seq < 0) return null;
    for (
      let earlier = Math.min(seq, LONGEST_GAP + seq);
      earlier >= 0 && seq - earlier < LONGEST_GAP;
      earlier--
    ) {
      const found = this.#steps.get(`${earlier}`);
      if (found !== undefined) return found;
    }
    return null;
  }
}

/** Hidden lines in a row are never more than a tick's. */
const LONGEST_GAP = 200;

function note(steps: Map<string, number[]>, id: string, step: number): void {
  const known = steps.get(id);
  if (known === undefined) steps.set(id, [step]);
  else known.push(step);
}

/** How many of these ascending steps are not after a step. */
export function countUntil(steps: readonly number[], step: number): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle] ?? 0) <= step) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The whole story of lines that a lens shows. */
export function storyOf(
  lines: Iterable<SeenLine>,
  charts: Pick<Charts, 'meeting' | 'game'>,
  lens: Lens,
): Story {
  const story = new Story(charts, lens);
  for (const line of lines) story.add(line);
  return story;
}
