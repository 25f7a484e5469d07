/** When each thing of a recorded meeting is seen in the moving picture of README.md. Times are in milliseconds. */
import type { Line, LineOf } from '../../../machines/journal/lines.ts';
import { ARBITER, MEETING } from '../../../machines/messages.ts';
import type { Ballot, Colour } from '../../../machines/types.ts';
import { MachineRun } from '../../../visualizer/charts/machineRun.ts';
import type { MachineMove, MoveStep } from '../../../visualizer/charts/moves.ts';

export const END = 16_000;

/** The first tick has time to be read. */
const PACES = [
  { bid: 420, scored: 400, floor: 800, vote: 450, rest: 1900 },
  { bid: 130, scored: 300, floor: 500, vote: 400, rest: 1200 },
];
const COUNT = 900;
const TURN = 300;

type Tick = LineOf<'tick.closed'>;
type Started = { readonly from: number };
export type Span = Started & { readonly to: number };
/** The state that a stepped machine was in, and the edges that led there. */
export type Stay = Span & { readonly state: string; readonly edges: readonly string[] };
export type Vote = { readonly seat: Colour; readonly ballot: Ballot; readonly at: number };
export type TickScene = Span & {
  readonly line: Tick;
  readonly arrivals: readonly number[];
  readonly scored: number;
  readonly floor: number;
};

export type Film = {
  readonly call: LineOf<'meeting.called'>;
  readonly impostors: readonly Colour[];
  readonly meeting: readonly Stay[];
  readonly arbiter: readonly Stay[];
  readonly ticks: readonly TickScene[];
  /** Ticks with a message, until the next one or the count. */
  readonly speeches: readonly (Span & { readonly line: Tick })[];
  readonly locks: readonly Vote[];
  readonly counting: number;
  readonly reveals: readonly Vote[];
  readonly verdict: { readonly sentence: string; readonly at: number };
};

/** From a tick whose bids are seen coming, the line at `first`, to the verdict of its meeting. */
export function makeFilm(lines: readonly Line[], first: number): Film {
  const run = new MachineRun();
  const movesBefore = lines.slice(0, first).flatMap((line) => run.stepTo(line).moves);
  const call = lines.slice(0, first).findLast((line) => line.type === 'meeting.called');
  if (call === undefined) throw new Error('expected a tick of a meeting');
  const before = lines.slice(lines.indexOf(call), first);
  const locks = before.flatMap((line): Vote[] =>
    line.type === 'vote.locked' ? [{ seat: line.seat, ballot: line.ballot, at: 0 }] : [],
  );
  const spoken = before.findLast((line) => line.type === 'tick.closed' && line.said !== null);
  const speeches = spoken?.type === 'tick.closed' ? [{ from: 0, line: spoken }] : [];
  const begin = (actor: string) => stepsOf(movesBefore, actor).slice(-1).map(enterAt(0));
  const [meeting, arbiter] = [begin(MEETING), begin(ARBITER)];
  const ticks: (Started & Omit<TickScene, 'to'>)[] = [];
  const reveals: Vote[] = [];
  let [now, counting] = [0, 0];
  /** Moves that follow a message once it has been read. */
  let held: readonly MachineMove[] = [];
  const rest = () => {
    now += PACES[ticks.length - 1]?.rest ?? 0;
    meeting.push(...stepsOf(held, MEETING).slice(1).map(enterAt(now)));
    arbiter.push(...stepsOf(held, ARBITER).slice(1).map(enterAt(now)));
    held = [];
  };
  for (const line of lines.slice(first)) {
    const { moves } = run.stepTo(line);
    let shown = Number.POSITIVE_INFINITY;
    switch (line.type) {
      case 'tick.closed': {
        rest();
        const pace = PACES[ticks.length] ?? { bid: 0, scored: 0, floor: 0 };
        const arrivals = line.bids.map((_, place) => now + TURN + (place + 1) * pace.bid);
        const scored = (arrivals.at(-1) ?? now) + pace.scored;
        ticks.push({ from: now, line, arrivals, scored, floor: scored + pace.floor });
        now = scored + pace.floor;
        speeches.push({ from: now, line });
        [shown, held] = [1, moves];
        break;
      }
      case 'vote.locked':
        now += PACES[ticks.length - 1]?.vote ?? 0;
        locks.push({ seat: line.seat, ballot: line.ballot, at: now });
        break;
      case 'poll.closed':
        rest();
        counting = now;
        now += COUNT;
        break;
      case 'ballot.revealed':
        now += TURN;
        reveals.push({ seat: line.voter ?? line.by, ballot: line.ballot, at: now });
        break;
      case 'verdict.announced':
        now += 2 * TURN;
        break;
      default:
    }
    meeting.push(...stepsOf(moves, MEETING).slice(0, shown).map(enterAt(now)));
    arbiter.push(...stepsOf(moves, ARBITER).slice(0, shown).map(enterAt(now)));
    if (line.type !== 'verdict.announced') continue;
    return {
      ...{ call, impostors: findImpostors(lines), locks, counting, reveals },
      ...{ meeting: close(meeting), arbiter: close(arbiter), ticks: close(ticks) },
      speeches: close(speeches, counting),
      verdict: { sentence: line.sentence, at: now },
    };
  }
  throw new Error('expected a verdict after the first tick');
}

function stepsOf(moves: readonly MachineMove[], actor: string): readonly MoveStep[] {
  return moves.flatMap((move) => (move.actor === actor ? move.steps : []));
}

function enterAt(from: number) {
  return ({ states: [state = ''], edges }: MoveStep) => ({ from, state, edges });
}

/** Each ends when the next one begins. */
function close<T extends Started>(begun: readonly T[], end = END): readonly (T & Span)[] {
  return begun.map((each, index) => ({ ...each, to: begun[index + 1]?.from ?? end }));
}

function findImpostors([header]: readonly Line[]): readonly Colour[] {
  const seats = header?.type === 'match.opened' ? header.match.seats : [];
  return seats.filter(({ role }) => role === 'impostor').map(({ colour }) => colour);
}
