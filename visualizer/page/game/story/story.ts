/** A journal seen through a lens. Every moment is computed once, so jumping costs nothing. */
import type { Lens, SeenLine } from '../../../../machines/journal/lens.ts';
import { meetingIn } from '../../../../machines/journal/opening.ts';
import {
  emptyProjection,
  next,
  type Projection,
  readBid,
} from '../../../../machines/journal/projection.ts';
import type { MeetingPromise } from '../../../../machines/rules/promises.ts';
import { capitalize } from '../../../../machines/text.ts';
import type { Phase } from '../../../../machines/types.ts';
import type { GuardValues, MachineMove, Stepped, SteppedLine } from '../../../charts/moves.ts';
import { type FeedItem, type FeedSpeech, feedItems } from './feed.ts';
import { findMarks, type Mark } from './marks.ts';

export type Moment = Projection & {
  readonly line: SteppedLine;
  /** Its name in an address: "42", or "g3" among the ghosts. */
  readonly name: string;
  readonly feedLength: number;
  readonly galleryLength: number;
  readonly markCount: number;
};

export type GhostMessage = NonNullable<ReturnType<typeof readGhostMessage>>;

type BareMoment = Omit<Moment, 'feedLength' | 'galleryLength' | 'markCount'>;

const STEP_PREFIXES = { living: '', ghosts: 'g', beliefs: 'b' } as const;

/** Lines that show nothing: the count would spoil the reveal, and stated beliefs are not part of the game. */
const SILENT: readonly SeenLine['type'][] = [
  'poll.counted',
  'scratchpads.erased',
  'gallery.opened',
  'gallery.closed',
  'beliefs.opened',
  'belief.stated',
];

function isSilent(line: SeenLine): boolean {
  if (line.type === 'turn.closed') return line.said == null;
  if (line.type === 'scratchpads.consolidated') return line.channel === 'ghosts';
  return SILENT.includes(line.type);
}

function readGhostMessage(line: SeenLine, step: number) {
  if (line.type !== 'turn.closed' || line.said == null) return null;
  const { speaker, message } = line.said;
  const bid = line.bids?.find(({ seat }) => seat === speaker);
  return { step, speaker, message, thought: bid === undefined ? '' : readBid(bid).thought };
}

function isLie({ speaker, claims }: FeedSpeech, { players }: Projection): boolean {
  const role = players.find(({ seat }) => seat === speaker)?.role;
  return role === 'impostor' && claims.some(({ truth }) => truth === 'false');
}

type Stretch = {
  readonly from: number;
  readonly kind: Phase | 'ship' | 'end';
  /** "Meeting 2, discussion". */
  readonly name: string;
};

function nextStretch(before: Stretch | null, moment: BareMoment, from: number): Stretch | null {
  const kind = stretchKind(moment, before?.kind ?? 'ship');
  const { number = 1 } = moment.meeting ?? {};
  const isNew = kind === 'interrupt' && moment.line.type === 'phase.entered';
  if (before !== null && before.kind === kind && !isNew) return null;
  const meeting = moment.ship === null ? 'The meeting' : `Meeting ${number}`;
  const name = kind === 'ship' || kind === 'end' ? STRETCH_NAMES[kind] : `${meeting}, ${kind}`;
  return { from, kind, name };
}

const STRETCH_NAMES = { ship: 'On the ship', end: 'The end' } as const;

function stretchKind({ line, meeting, ship }: BareMoment, last: Stretch['kind']): Stretch['kind'] {
  switch (line.type) {
    case 'game.closed':
      return 'end';
    case 'round.closed':
      return 'ship';
    case 'meeting.closed':
      return ship === null ? 'end' : last;
    case 'match.opened':
      return meetingIn(line) !== null ? 'interrupt' : 'ship';
    default:
      return last === 'ship' && line.type !== 'phase.entered' ? last : (meeting?.phase ?? last);
  }
}

export type ToldStep = { readonly step: number; readonly packed: readonly string[] };

export type FeedEntry = { readonly step: number; readonly item: FeedItem };

export class Story {
  readonly lens: Lens;
  readonly moments: Moment[] = [];
  readonly feed: FeedEntry[] = [];
  readonly gallery: GhostMessage[] = [];
  readonly marks: Mark[] = [];
  readonly stretches: Stretch[] = [];
  /** The first line that the machines refuse, by its name. They keep the state before it. */
  refusal: { readonly step: number; readonly line: string; readonly reason: string } | null = null;
  readonly messages: ToldStep[] = [];
  readonly #promises: { readonly step: number; readonly list: readonly MeetingPromise[] }[] = [];
  readonly #tracks = new Map<string, MachineTrack>();
  readonly #moves: MachineMove[][] = [];
  readonly #targets: EdgeTargets;
  readonly #steps = new Map<string, number>();
  #last: BareMoment | null = null;
  #lie: FeedSpeech | null = null;

  constructor(targets: EdgeTargets, lens: Lens) {
    this.lens = lens;
    this.#targets = targets;
  }

  add(line: SteppedLine): void {
    const before = this.#last;
    const name = `${STEP_PREFIXES[line.channel]}${line.seq}`;
    const after = { line, name, ...next(before ?? emptyProjection(this.lens), line) };
    if (isSilent(line)) {
      this.#last = { ...after, line: before?.line ?? line };
      // The count is part of the reveal, which the next line shows.
      const isNext = line.type === 'poll.counted';
      this.#addMoves(line, Math.max(0, this.moments.length - Number(!isNext)), name);
      return;
    }
    const step = this.moments.length;
    this.#addItems(before, after, step);
    const moment: Moment = {
      ...after,
      feedLength: this.feed.length,
      galleryLength: this.gallery.length,
      markCount: this.marks.length,
    };
    this.#addMoves(line, step, name);
    this.moments.push(moment);
    this.#steps.set(name, step);
    this.#last = moment;
  }

  #addItems(before: BareMoment | null, after: BareMoment, step: number): void {
    const { line } = after;
    const context = { before: before?.ship ?? null, state: after, lie: this.#lie };
    for (const item of feedItems(line, context)) {
      this.feed.push({ step, item });
      if (item.type === 'speech' && isLie(item, after)) this.#lie = item;
    }
    const ghost = readGhostMessage(line, step);
    if (ghost !== null) this.gallery.push(ghost);
    for (const mark of findMarks(line, before?.meeting ?? null)) this.marks.push({ step, ...mark });
    const stretch = nextStretch(this.stretches.at(-1) ?? null, after, step);
    if (stretch !== null) this.stretches.push(stretch);
  }

  follow(moves: readonly MachineMove[]): void {
    this.#addMoves({ moves }, Math.max(0, this.moments.length - 1));
  }

  movesOf(step: number): readonly MachineMove[] {
    return this.#moves[step] ?? [];
  }

  #addMoves({ moves = [], messages = '', promises, refusal }: Stepped, step: number, line = '') {
    if (messages !== '') this.#addMessages(messages, step);
    if (promises !== undefined) this.#promises.push({ step, list: promises });
    if (refusal !== undefined) this.refusal ??= { step, line, reason: refusal };
    const known = this.#moves[step] ?? [];
    this.#moves[step] = known;
    for (const move of moves) {
      known.push(move);
      const track = this.#tracks.get(move.actor) ?? new MachineTrack(this.#targets);
      this.#tracks.set(move.actor, track);
      track.add(step, move, known.length);
    }
  }

  #addMessages(packed: string, step: number): void {
    const last = this.messages.at(-1);
    if (last === undefined || last.step < step) this.messages.push({ step, packed: [packed] });
    else this.messages.splice(-1, 1, { ...last, packed: [...last.packed, packed] });
  }

  get isStepped(): boolean {
    return this.#tracks.size > 0 || this.moments.length < 2;
  }

  trackOf(actor: string): MachineTrack | undefined {
    return this.#tracks.get(actor);
  }

  promisesAt(step: number): readonly MeetingPromise[] {
    return this.#promises.findLast((each) => each.step <= step)?.list ?? [];
  }

  stepOf(name: string): number | null {
    const step = this.#steps.get(name);
    if (step !== undefined) return step;
    const seq = Number(name);
    if (!Number.isSafeInteger(seq) || seq < 0) return null;
    for (let earlier = seq; earlier >= 0 && seq - earlier < LONGEST_GAP; earlier--) {
      const found = this.#steps.get(`${earlier}`);
      if (found !== undefined) return found;
    }
    return null;
  }
}

/** Hidden lines in a row are never more than a tick's. */
const LONGEST_GAP = 200;

export class MachineTrack {
  readonly #log = new Map<string, number[]>();
  readonly #targets: EdgeTargets;
  /** With the place of each move among the moves of its step, from 1. */
  readonly #rests: (MachineRest & { readonly step: number; readonly place: number })[] = [];

  constructor(targets: EdgeTargets) {
    this.#targets = targets;
  }

  add(step: number, move: MachineMove, place: number): void {
    const { states: last = [], guards = {} } = this.#rests.at(-1) ?? {};
    let before = listLit(last);
    for (const { edges, states } of move.steps) {
      const after = listLit(states);
      const targets = edges.flatMap((edge) => this.#targets.get(edge) ?? []);
      const entered = new Set([...targets, ...after.filter((state) => !before.includes(state))]);
      for (const id of [...edges, ...entered]) {
        const known = this.#log.get(id) ?? [];
        this.#log.set(id, known);
        known.push(step);
      }
      before = after;
    }
    this.#rests.push({
      step,
      place,
      move,
      before: last,
      states: move.steps.at(-1)?.states ?? last,
      guards: move.guards === undefined ? guards : { ...guards, ...move.guards },
    });
  }

  /** The steps at which a transition fired or a state was entered, in order. */
  stepsOf(id: string): readonly number[] {
    return this.#log.get(id) ?? [];
  }

  /** Where the actor rests after so many moves of a step; undefined before it began. */
  restAt(step: number, shown?: number): MachineRest | undefined {
    return this.#rests[this.#find(step, shown)];
  }

  statesAt(step: number, shown?: number): readonly string[] {
    return this.restAt(step, shown)?.states ?? [];
  }

  /** The transitions of a step, or of the last move among so many of it. */
  edgesAt(step: number, shown?: number): readonly string[] {
    const last = this.#find(step, shown);
    const first = this.#find(step - 1) + 1;
    const rests = this.#rests.slice(shown === undefined ? first : Math.max(first, last), last + 1);
    return rests.flatMap(({ move }) => move.steps.flatMap(({ edges }) => edges));
  }

  #find(step: number, shown = Number.POSITIVE_INFINITY): number {
    return this.#rests.findLastIndex(
      (rest) => rest.step < step || (rest.step === step && rest.place <= shown),
    );
  }
}

export type MachineRest = {
  readonly move: MachineMove;
  readonly before: readonly string[];
  readonly states: readonly string[];
  readonly guards: GuardValues;
};

/** States with those that hold them. */
export function listLit(states: readonly string[]): readonly string[] {
  const paths = states.map((state) => state.split('.'));
  return [
    ...new Set(paths.flatMap((path) => path.map((_, at) => path.slice(0, at + 1).join('.')))),
  ];
}

export function countUntil(steps: readonly number[], step: number): number {
  return steps.findLastIndex((each) => each <= step) + 1;
}

export type EdgeTargets = ReadonlyMap<string, string>;

export const NO_CHARTS: EdgeTargets = new Map();

export function createStory(lines: Iterable<SteppedLine>, targets: EdgeTargets, lens: Lens): Story {
  const story = new Story(targets, lens);
  for (const line of lines) story.add(line);
  return story;
}

export function readTitle(header: SeenLine | undefined): string {
  return header?.type === 'match.opened' ? header.match.name : '';
}

export function nameLens(lens: Lens): string {
  return lens.type === 'player' ? capitalize(lens.seat) : capitalize(lens.type);
}
