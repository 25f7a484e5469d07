/**
 * The checker against others: the same machine, the same events, in one run.
 *
 * Run alone with `node tests/bench/checker.ts`. It prints states and moves per second, ratios to the compiled stepper, and
 * how long whole meetings take whose ticks are taken bid by bid, with bytes per state. It times meetings of three over
 * several rounds and all others once. It takes some minutes.
 */
import { check, compileStepper, createXstateStepper, explore } from 'glass-box-checker';
import {
  createMeetingModel,
  listConfigurations,
} from '../../proofs/checks/meetingConfigurations.ts';
import { adjacency, everyEvent, sampled } from './graph.ts';
import { type Timing, timed, type Variant } from './rounds.ts';
import { type SmallTable, smallTable } from './small-table.ts';

const ROUNDS = 3;

function explored(model: SmallTable, engine: 'compiled' | 'xstate'): number {
  const stepper = engine === 'compiled' ? compileStepper : createXstateStepper;
  return explore(model, stepper(model.machine, model.input)).transitions;
}

function isLasting(kind: string): boolean {
  return kind === 'eventually' || kind === 'leads-to';
}

function checkedSafely(model: SmallTable): number {
  const safe = model.properties.filter(({ kind }) => !isLasting(kind));
  return check(model, { only: safe.map(({ name }) => name), purity: 'some-steps' }).transitions;
}

/** A whole check; `answering` is told the seconds that remain after the search, in which liveness is answered. */
function checkedWholly(model: SmallTable, answering: (seconds: number) => void): number {
  const start = performance.now();
  const { transitions, seconds } = check(model, { purity: 'some-steps' });
  answering((performance.now() - start) / 1000 - seconds);
  return transitions;
}

/** Each way through all moves of a model is a line of the output. The others are compared with the first. */
function contestants(model: SmallTable, answering: (seconds: number) => void): readonly Variant[] {
  return [
    { name: 'compiled stepper', run: () => explored(model, 'compiled') },
    { name: 'compiled stepper, all safety properties', run: () => checkedSafely(model) },
    { name: 'compiled stepper, safety and liveness', run: () => checkedWholly(model, answering) },
    { name: "XState's engine as stepper", run: () => explored(model, 'xstate') },
  ];
}

type Timed = {
  readonly title: string;
  readonly states: number;
  readonly transitions: number;
  /** From the end of the search to the last verdict, when it was timed last. */
  readonly livenessSeconds: number;
  readonly timings: readonly Timing[];
};

async function raced(
  model: SmallTable,
  others: readonly Variant[],
  race: (variants: readonly Variant[]) => Promise<readonly Timing[]>,
): Promise<Timed & { readonly bytesPerState: number }> {
  const { states, transitions, bytes } = check(model, { only: [] });
  let livenessSeconds = Number.NaN;
  const answering = (seconds: number) => {
    livenessSeconds = seconds;
  };
  const timings = await race([...contestants(model, answering), ...others]);
  const title = model.name;
  return { title, states, transitions, livenessSeconds, timings, bytesPerState: bytes / states };
}

/** Each variant once, compared with the first. */
async function timedOnce(variants: readonly Variant[]): Promise<readonly Timing[]> {
  const timings: Timing[] = [];
  for (const { name, run } of variants) {
    const start = performance.now();
    const moves = await run();
    const microseconds = ((performance.now() - start) * 1000) / moves;
    timings.push({
      name,
      microseconds,
      ratio: microseconds / (timings[0]?.microseconds ?? microseconds),
    });
  }
  return timings;
}

/** `xstate/graph` with one list of all events for every state. */
function listed(model: SmallTable) {
  const events = everyEvent(model);
  const start = performance.now();
  const found = sampled(model, events);
  return { ...found, events: events.length, seconds: (performance.now() - start) / 1000 };
}

/** A meeting under house rules whose ticks are taken bid by bid. */
type FoldedCase = {
  readonly players: number;
  readonly isSymmetric: boolean;
  /** Minds may fail, and one player may leave. */
  readonly isFaulty: boolean;
  /** CPU seconds that it should not take; null where nothing is asked. */
  readonly goal: number | null;
  /** Judges no property. */
  readonly isSilent?: true;
};

const FOLDED: readonly FoldedCase[] = [
  { players: 8, isSymmetric: true, isFaulty: false, goal: 5 },
  { players: 10, isSymmetric: true, isFaulty: false, goal: 30 },
  { players: 4, isSymmetric: true, isFaulty: true, goal: null },
  { players: 5, isSymmetric: true, isFaulty: true, goal: 5 },
  { players: 6, isSymmetric: true, isFaulty: true, goal: null },
  { players: 4, isSymmetric: false, isFaulty: true, goal: 8 },
  { players: 5, isSymmetric: false, isFaulty: true, goal: 120 },
  { players: 4, isSymmetric: false, isFaulty: true, goal: null, isSilent: true },
];

/** Seats that are taken, each by one bid, in a CPU second where nothing is judged. */
const LEAST_SEAT_STEPS = 1_000_000;
const PATIENT_SECONDS = 600;

function foldedLine({ players, isSymmetric, isFaulty, goal, isSilent }: FoldedCase): string {
  const [subject] = listConfigurations(null, {
    ...{ players: [players], rules: 'house', ghosts: 0 },
    ...{ departures: Number(isFaulty), faults: isFaulty, combinations: 'folded' },
  });
  if (subject === undefined) throw new Error('there is a configuration for each size');
  const before = process.cpuUsage();
  const found = check(createMeetingModel(subject), {
    ...{ isSymmetric, purity: 'some-steps', only: isSilent === true ? [] : null },
    budget: { states: Number.POSITIVE_INFINITY, seconds: PATIENT_SECONDS },
  });
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  const { states, parts, ended, bytes } = found;
  const steps = (parts?.moves ?? 0) / seconds;
  return [
    `${players} players, ${isFaulty ? 'faults, one may leave' : 'nobody fails or leaves'}`,
    `${isSymmetric ? 'modulo symmetry' : 'every state'}: ${whole(states)} states`,
    `${whole(parts?.drafts ?? 0)} ticks in part`,
    `${seconds.toFixed(1)} s${goal === null ? '' : ` (goal ${goal})`}`,
    `${whole(bytes / states)} bytes for each`,
    ...(isSilent === true
      ? [`${whole(steps)} seat-steps a second, nothing judged (goal ${whole(LEAST_SEAT_STEPS)})`]
      : []),
    ...(ended === null ? [] : [`ended by ${ended}`]),
  ].join(', ');
}

export async function checkerBench() {
  const model = smallTable(3);
  const { transitions } = check(model, { only: [] });
  const graph: Variant = {
    name: `xstate/graph, its own events for each state (${adjacency(model)} states)`,
    run: () => {
      adjacency(model);
      return transitions;
    },
  };
  return {
    three: await raced(model, [graph], (variants) => timed(variants, ROUNDS)),
    listed: listed(model),
    four: await raced(smallTable(4), [], timedOnce),
    folded: ['House rules, ticks bid by bid (CPU seconds)', ...FOLDED.map(foldedLine)],
  };
}

export function shownChecker({
  three,
  four,
  listed: sample,
  folded,
}: Awaited<ReturnType<typeof checkerBench>>): string {
  const { states, moves, events, seconds, isWhole } = sample;
  return [
    shownRace(three),
    `xstate/graph with one list of ${events} events for every state, ${isWhole ? 'whole' : 'a sample until its limit'}: ` +
      `${whole(states)} states in ${seconds.toFixed(1)} s, ` +
      `${whole(states / seconds)} states/s, ${whole(moves / seconds)} moves/s`,
    shownRace(four),
    folded.join('\n  '),
    `${four.bytesPerState.toFixed(0)} bytes are kept for a state of a meeting of four`,
  ].join('\n\n');
}

function shownRace(race: Timed): string {
  const { title, states, transitions, livenessSeconds, timings } = race;
  return [
    `Checking ${title}: ${whole(states)} states, ${whole(transitions)} moves`,
    ...timings.map((timing) => line(timing, states / transitions)),
    `  after the search liveness takes ${livenessSeconds.toFixed(2)} s`,
  ].join('\n');
}

function line({ name, microseconds, ratio }: Timing, statesPerMove: number): string {
  const moves = 1e6 / microseconds;
  return (
    `${whole(moves * statesPerMove).padStart(10)} states/s${whole(moves).padStart(12)} moves/s` +
    `${ratio.toFixed(2).padStart(8)}  ${name}`
  );
}

function whole(amount: number): string {
  return Math.round(amount).toLocaleString('en');
}

if (import.meta.main) {
  console.log(shownChecker(await checkerBench()));
}
