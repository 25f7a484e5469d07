/**
 * Searches properties of a meeting that its main search cannot answer. Each depends on less than the whole meeting (the
 * weights or the options), so one answer serves every table with the same values.
 */

import {
  check,
  checkInterference,
  chooseStepper,
  type Interference,
  type PairStep,
  type SelfComposition,
} from 'glass-box-checker';
import { type ArbiterBooks, arbiterMachine } from '../../machines/charts/arbiter.ts';
import type { ToArbiter } from '../../machines/messages.ts';
import { FEWEST_SEATS } from '../../machines/rules/optionRows.ts';
import type { MeetingOptions } from '../../machines/rules/options.ts';
import type { Weights } from '../../machines/rules/weights.ts';
import { capitalize } from '../../machines/text.ts';
import type { Colour } from '../../machines/types.ts';
import {
  type Adversary,
  arbiterModel,
  BOUND,
  createAdversary,
  HEARD,
  LATE_BOUND,
  lateAdversary,
  seatSwap,
} from '../models/arbiter.ts';
import { callLateMeeting, FEWEST_AT_MEETING } from '../models/lateMeeting.ts';
import {
  createMeetingSystem,
  type MeetingSystem,
  type SystemInput,
} from '../models/meetingSystem.ts';
import {
  composeTogether,
  type MeetingComposition,
  SECRETS,
  shortTalk,
  smallMeeting,
} from '../models/secrets.ts';
import { tellBoth } from '../properties/property.ts';
import { SYSTEM_LAWS, TOGETHER } from '../properties/together.ts';
import type { ExtraSearch } from '../report/explorerReport.ts';
import {
  type PlayedStep,
  playArbiter,
  showArbiterStep,
  writeArbiterJournal,
} from '../traces/arbiterTrace.ts';
import { describeBid } from '../traces/counterexample.ts';
import { performMeeting } from '../traces/performMeeting.ts';
import { askListed, LISTED_CHECKS } from './listedChecks.ts';
import type { MeetingConfiguration } from './meetingConfigurations.ts';
import type {
  CheckRun,
  CheckRunOptions,
  MeetingEvent,
  PropertyFinding,
  ShownCounterexample,
  ShownStep,
} from './meetingSearch.ts';
import {
  askSmallMeetings,
  CHART_CHECKS,
  type ExtraFindings,
  type ExtraSearchOptions,
  SMALL_CHECKS,
  toAside,
  VIOLATED,
} from './smallChecks.ts';

type ExtraCheckOptions = Pick<CheckRunOptions, 'only'> &
  ExtraSearchOptions & { readonly isInterference: boolean };

export type ExtraResult = { readonly aside: ExtraSearch; readonly verdict: PropertyFinding };

type Secret = keyof typeof SECRETS;

/** Its search is short. */
const SMALL_SECRET: Secret = 'ballots-do-not-interfere';

/** Above this number of players there are too many plots to search by default. */
const MOST_PLOTTED = 6;
/** Every state computes its promise anew. */
const MOST_PROMISED = 4;

const IN_ROOM = 3;

type ExtraCheck = {
  readonly names: readonly string[];
  /** Whether it runs without being requested by name. The default is yes. */
  readonly isDue?: (subject: MeetingConfiguration, options: ExtraCheckOptions) => boolean;
  /** Everything that the answer depends on. Without it one answer serves all. */
  readonly key?: (subject: MeetingConfiguration) => unknown;
  readonly ask: (
    subject: MeetingConfiguration,
    options: ExtraSearchOptions,
    wanted: readonly string[],
  ) => ExtraFindings | Promise<ExtraFindings>;
};

const CHECKS: readonly ExtraCheck[] = [
  {
    names: [BOUND, LATE_BOUND],
    isDue: ({ players }) => players <= MOST_PLOTTED,
    key: ({ setting, rules, players, ghosts }) => {
      return [setting.options.weights, rules, players, ghosts];
    },
    ask: askSilence,
  },
  {
    names: [HEARD],
    isDue: ({ players }) => players <= MOST_PROMISED,
    key: ({ setting, players }) => [setting.options.weights, players],
    ask: ({ setting, players }, options) => {
      const { weights } = setting.options;
      return checkSilence(createAdversary(players, { weights, mayVote: true }), [HEARD], options);
    },
  },
  {
    names: ['no-seat-is-preferred'],
    key: ({ setting }) => setting.options.weights,
    ask: ({ setting }, options) =>
      toFindings(checkSeatPreference(setting.options.weights, options)),
  },
  ...Object.keys(SECRETS).map(
    (name): ExtraCheck => ({
      names: [name],
      isDue: ({ players, ghosts }, { isInterference }) =>
        isInterference || (players === IN_ROOM && (ghosts > 0 || name === SMALL_SECRET)),
      key: ({ setting }) => setting.options,
      ask: ({ setting }, options) =>
        toFindings(checkSecret(name as Secret, setting.options, options)),
    }),
  ),
  {
    names: [TOGETHER.name],
    isDue: ({ players }, { isInterference }) => isInterference || players === IN_ROOM,
    key: ({ setting }) => setting.options,
    ask: ({ setting }, options) => toFindings(checkTogether(setting.options, options)),
  },
  ...[...Object.values(CHART_CHECKS), { names: LISTED_CHECKS, ask: askListed }].map(
    ({ names, ask }): ExtraCheck => ({ names, ask: (_, options) => ask(options) }),
  ),
  ...SMALL_CHECKS.map(
    (small): ExtraCheck => ({
      names: [small.name],
      key: ({ rules, knobs }) => [rules, knobs],
      ask: (subject, options) => askSmallMeetings(small, subject, options),
    }),
  ),
];

function toFindings({ aside, verdict }: ExtraResult): ExtraFindings {
  return { asides: [aside], verdicts: [verdict] };
}

export const EXTRA_CHECKS: readonly string[] = CHECKS.flatMap(({ names }) => names);

export async function addExtraChecks(run: CheckRun, options: ExtraCheckOptions): Promise<CheckRun> {
  const { only } = options;
  const isWanted = (name: string) => only?.includes(name) ?? true;
  const due = CHECKS.filter(({ names, isDue }) =>
    only === null ? (isDue?.(run.subject, options) ?? true) : names.some(isWanted),
  );
  const asked: ExtraFindings[] = [];
  for (const question of due) asked.push(await runOnce(question, run.subject, options));
  const verdicts = asked.flatMap((found) => found.verdicts);
  return {
    ...run,
    judged: [...run.judged, ...verdicts.filter(({ name }) => isWanted(name))],
    asides: asked.flatMap(({ asides }) => asides),
  };
}

const knownResults = new Map<string, ExtraFindings>();

async function runOnce(
  { names, key, ask }: ExtraCheck,
  subject: MeetingConfiguration,
  options: ExtraCheckOptions,
): Promise<ExtraFindings> {
  const { states, seconds } = options.budget;
  const wanted = names.filter((name) => options.only?.includes(name) ?? true);
  const known = JSON.stringify([wanted, key?.(subject), `${states}`, `${seconds}`]);
  const found = knownResults.get(known) ?? (await ask(subject, options, wanted));
  knownResults.set(known, found);
  return found;
}

function toVerdict<I>({ name, verdict, why }: Interference<I>): PropertyFinding['verdict'] {
  // The actors together have no secrets.
  const isProved = verdict === 'vacuous' && name === TOGETHER.name;
  if (isProved || verdict === 'proved') return { type: 'proved', antecedents: null };
  if (verdict === 'violated') return VIOLATED;
  return { type: verdict, why: verdict === 'vacuous' ? `${why}` : `${why} ended the search` };
}

type ArbiterModel = ReturnType<typeof arbiterModel>;

/** Both bounds on silence. If a game gives these players the weights of the table, one search judges both. */
function askSilence(
  { setting, rules, players, ghosts }: MeetingConfiguration,
  options: ExtraSearchOptions,
  wanted: readonly string[],
): ExtraFindings {
  const { weights } = setting.options;
  const plots: (readonly [name: string, plot: Adversary])[] = [
    [BOUND, createAdversary(players, { weights })],
  ];
  // Alone it is asked by name, and answered for fewer, too.
  if (players >= FEWEST_AT_MEETING || !wanted.includes(BOUND)) {
    const seats = Math.max(FEWEST_SEATS, players + ghosts);
    plots.push([LATE_BOUND, lateAdversary(callLateMeeting(seats, players, rules))]);
  }
  const asked = plots.filter(([name]) => wanted.includes(name));
  const found = [...Map.groupBy(asked, ([, plot]) => JSON.stringify(plot)).values()].flatMap(
    (alike) => {
      const names = alike.map(([name]) => name);
      return alike.slice(0, 1).map(([, plot]) => checkSilence(plot, names, options));
    },
  );
  return {
    asides: found.flatMap(({ asides }) => asides),
    verdicts: found.flatMap(({ verdicts }) => verdicts),
  };
}

/** Checks the longest silence of a player who bids in every tick, by W or 3N − 1, or that promises of it are kept. */
export function checkSilence(
  plot: Adversary,
  names: readonly string[],
  { budget, now }: ExtraSearchOptions,
  machine = arbiterMachine,
): ExtraFindings {
  const model = arbiterModel(plot, machine);
  const found = check(model, { budget, now, only: names, purity: 'some-steps' });
  const verdicts = found.results.map((judged): PropertyFinding => {
    const verdict: PropertyFinding = { ...judged, kind: 'bounded' };
    if (judged.verdict.type !== 'violated') return verdict;
    // The trace is the arbiter's, not the meeting's, so reports print the field `shown` in its place.
    const ticks = playTicks(model, judged.verdict.trace.events);
    const title = { name: `${judged.name}: ${plot.seated.length} players`, about: judged.sentence };
    const shown: ShownCounterexample = {
      steps: ticks.map(showArbiterStep),
      note: `${plot.target} bids in every tick and is not heard. ${plot.mayVote ? 'The' : 'Its ballot is locked, and the'} dice are against it.`,
      journals: () => [writeArbiterJournal(model.input, plot, title, ticks)],
    };
    return { ...verdict, shown };
  });
  return { asides: [toAside(model.name, [found], names)], verdicts };
}

function playTicks(model: ArbiterModel, events: readonly MeetingEvent[]) {
  return playArbiter(model, events).filter(({ closed }) => closed !== null);
}

/** Checks whether two seats can be exchanged. Three players suffice for two rivals and a tie. */
export function checkSeatPreference(
  weights: Weights,
  limits: ExtraSearchOptions,
  machine = arbiterMachine,
): ExtraResult {
  const plot = createAdversary(3, { weights, world: 'free' });
  const model = arbiterModel(plot, machine);
  const { stepper } = chooseStepper<ArbiterBooks, ToArbiter>(model);
  const about = `the arbiter among ${plot.seated.length}, and in the mirror`;
  const duet = seatSwap(stepper, plot);
  return compare(duet, about, limits, ({ bars }) =>
    showSideBySide(plot, model, bars, duet.sentence),
  );
}

function compare<S, I>(
  duet: SelfComposition<S, I>,
  about: string,
  { budget, now }: ExtraSearchOptions,
  show: (leak: NonNullable<Interference<I>['leak']>) => ShownCounterexample,
): ExtraResult {
  const begun = now();
  const found = checkInterference(duet, { budget, now });
  const seconds = now() - begun;
  const { name, sentence, pairs, steps, leak, verdict, why } = found;
  const head = { name, sentence, kind: 'interference', expected: 'proved' } as const;
  const ended = verdict === 'incomplete' ? why : null;
  return {
    aside: { about, states: pairs, transitions: steps, ended, seconds, asked: [name] },
    verdict: { ...head, verdict: toVerdict(found), ...(leak && { shown: show(leak) }) },
  };
}

function showSideBySide(
  plot: Adversary,
  model: ArbiterModel,
  bars: readonly PairStep<ToArbiter>[],
  about: string,
): ShownCounterexample {
  const play = (side: 'left' | 'right') => {
    const events = bars.flatMap((bar) => bar[side] ?? []);
    return playTicks(model, events);
  };
  const [left, right] = [play('left'), play('right')];
  const beside = right.map(describeTick);
  const write = (how: string, ticks: readonly PlayedStep[]) => {
    const title = { name: `no-seat-is-preferred: 3 players, ${how}`, about };
    return writeArbiterJournal(model.input, plot, title, ticks);
  };
  return {
    steps: left.map((tick, index) => ({
      ...showArbiterStep(tick),
      happened: describeTick(tick),
      changes: [],
      beside: beside[index] ?? 'nothing',
    })),
    note: 'The bids are the same with red and blue exchanged, but the floor is not.',
    seen: bars.filter((bar) => bar.left?.type === 'bids.gathered').map(({ seen }) => seen),
    journals: () => [write('as they sit', left), write('red and blue exchanged', right)],
  };
}

function describeTick(tick: PlayedStep): string {
  const { happened, changes } = showArbiterStep(tick);
  return [happened, ...changes].join(' → ');
}

/** Explores the actors of a meeting together. `planted` replaces the system in tests. */
export function checkTogether(
  options: MeetingOptions,
  limits: ExtraSearchOptions,
  planted: PlantSystem = (system) => system,
): ExtraResult {
  const room = createRoom('green', shortTalk(options), planted);
  const duet = composeTogether(room.system, SYSTEM_LAWS, TOGETHER);
  const about = `the actors of a meeting of three and a ghost, ${options.rules}`;
  return compare(duet, about, limits, (leak) => {
    const broken = leak.bars.at(-1)?.seen[1].join(' ') ?? '';
    const shown = showLeak(duet, { left: room, right: room }, leak);
    return { ...shown, note: `There this does not hold: ${broken}` };
  });
}

type PlantSystem = (system: MeetingSystem) => MeetingSystem;

/** Checks whether a secret is kept. `planted` replaces each system in tests. */
export function checkSecret(
  secret: Secret,
  options: MeetingOptions,
  limits: ExtraSearchOptions,
  planted: PlantSystem = (system) => system,
): ExtraResult {
  const left = createRoom('green', shortTalk(options), planted);
  const isOfRoles = secret === 'roles-do-not-interfere';
  const right = isOfRoles ? createRoom('blue', shortTalk(options), planted) : left;
  const duet = SECRETS[secret](left.system, right.system, options.confirmEjects);
  const about = `two meetings of three and a ghost, ${options.rules}`;
  return compare(duet, about, limits, (leak) => showLeak(duet, { left, right }, leak));
}

type SecretRoom = ReturnType<typeof createRoom>;

function createRoom(impostor: Colour, options: MeetingOptions, planted: PlantSystem) {
  const cast = smallMeeting({ impostors: [impostor], options });
  return { ...cast, system: planted(createMeetingSystem(cast)) };
}

function showLeak(
  { name, sentence }: MeetingComposition,
  rooms: Readonly<Record<'left' | 'right', SecretRoom>>,
  { bars, at }: NonNullable<Interference<SystemInput>['leak']>,
): ShownCounterexample {
  // The first entry is the start, before any step.
  const played = bars.slice(1);
  const write = (side: 'left' | 'right', which: string) => {
    const inputs = played.flatMap((bar) => bar[side] ?? []);
    const title = { name: `${name}: the ${which}`, about: sentence };
    const next = () => inputs.shift() ?? null;
    const { text, ends } = performMeeting({ ...rooms[side], title, next });
    return { text, ends: listPairEnds(played, side, ends) };
  };
  return {
    steps: played.map(createPairStep),
    seen: played.map(({ seen }) => seen),
    note: `Here the two part: ${at}${describeDifference(bars.at(-1), at)}`,
    journals: () => [write('left', 'one'), write('right', 'other')],
  };
}

function listPairEnds(
  played: readonly PairStep<SystemInput>[],
  side: 'left' | 'right',
  ends: readonly number[],
) {
  let inputs = 0;
  const after = played.map((bar) => {
    if (bar[side] !== null) inputs += 1;
    return ends[inputs] ?? 0;
  });
  return [ends[0] ?? 0, ...after];
}

function createPairStep({ left, right }: PairStep<SystemInput>): ShownStep {
  const [one, other] = [describeInput(left), describeInput(right)];
  const isSame = one === other;
  const at = isSame ? 'both' : 'one';
  return { at, to: at, happened: one, changes: [], ...(isSame ? {} : { beside: other }) };
}

function describeInput(input: SystemInput | null): string {
  if (input === null) return 'nothing';
  if (input.type === 'timer') return 'time passes';
  if (input.type === 'leave') return `${capitalize(input.seat)} leaves`;
  const { bid } = input;
  const { message = '', thought = '' } = bid.type === 'reply' ? bid.reply : {};
  const said = message === '' ? '' : `: “${message}”`;
  const thinks = thought === '' ? '' : ` and thought “${thought}”`;
  return `${capitalize(bid.seat)} ${describeBid(bid)}${said}${thinks}`;
}

function describeDifference(bar: PairStep<SystemInput> | undefined, at: string): string {
  if (bar === undefined || !at.startsWith('seen')) return '.';
  const [left, right] = bar.seen.map((seen) => readAt(at.slice('seen'.length), seen));
  const [one, other] = tellBoth(left, right);
  return `: ${one} in one, ${other} in the other.`;
}

function readAt(path: string, from: unknown): unknown {
  let value = from;
  for (const name of path.match(/[^.[\]]+/g) ?? [])
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return value;
}
