import { type CheckResult, isAsDeclared, readChart, type StateGraph } from 'glass-box-checker';
import type { AnyStateMachine, AnyTransitionDefinition } from 'xstate';
import type { Journal } from '../../actors/engine/journal/reader.ts';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import { seeThrough } from '../../machines/journal/lens.ts';
import { meetingIn } from '../../machines/journal/opening.ts';
import { computeSilenceBound } from '../../machines/rules/weights.ts';
import { atPace } from '../../machines/setup/match.ts';
import { settingFor } from '../../machines/setup/prepare.ts';
import { CONFORMANCE, ConformanceRun, type JudgedJournal } from '../checks/conformance.ts';
import { CHANCE, type MeetingModel } from '../checks/meetingConfigurations.ts';
import type {
  CheckRun,
  MeetingEvent,
  PropertyFinding,
  StateNames,
} from '../checks/meetingSearch.ts';
import { type MutantKill, type TriedMutant, toCheckRun } from '../checks/mutation.ts';
import type { ChartCoverage, CheckOutcome } from '../checks/outcome.ts';
import { meetingEvents } from '../models/meeting.ts';
import type { MeetingTransition } from '../properties/property.ts';
import { listChanges } from '../traces/counterexample.ts';
import type {
  ExplorerCoverage,
  ExplorerEdge,
  ExplorerMutant,
  ExplorerProperty,
  ExplorerReport,
  ExplorerRun,
  ExplorerTrace,
  SearchFigures,
  StateSpace,
} from './explorerReport.ts';
import {
  createMutantTrace,
  createRunTrace,
  createShownTrace,
  listRunSteps,
  SuccessorLists,
} from './explorerTraces.ts';
import { concludeSearch, describeEnvironment, describeVerdict } from './renderCheck.ts';

/** Gives the drawing's ids of a machine's transitions. */
export type FindEdgeIds = (
  machine: AnyStateMachine,
) => ReadonlyMap<AnyTransitionDefinition, string>;

export type FinishedCheck = {
  readonly runs: readonly CheckRun[];
  readonly coverage: ChartCoverage | null;
  readonly found: CheckOutcome;
  readonly exit: number;
};

export async function createSearchReport(
  finished: FinishedCheck,
  findEdgeIds: FindEdgeIds,
): Promise<ExplorerReport> {
  const charts = new ChartList(findEdgeIds);
  const runs: ExplorerRun[] = [];
  for (const run of finished.runs) runs.push(await createRun(run, finished, charts));
  const title = finished.runs[0]?.subject.match.name ?? 'The meeting';
  const conclusion = concludeSearch(finished.found, finished.runs);
  const { exit } = finished;
  return { v: 1, about: 'search', title, conclusion, exit, runs, mutants: [], charts: charts.all };
}

async function createRun(
  run: CheckRun,
  { coverage }: FinishedCheck,
  charts: ChartList,
): Promise<ExplorerRun> {
  const { subject, places, model } = run;
  const [first] = run.searches;
  const survey = first?.graph ?? null;
  const properties: ExplorerProperty[] = [];
  const known = [...(survey?.runs.values() ?? [])].map(({ trace }) => trace.events);
  const rests = new SuccessorLists({ ...model, world: listedWorld(run) }, known);
  for (const verdict of run.judged) {
    properties.push(createProperty(verdict, await findTrace(run, verdict, survey, rests)));
  }
  return {
    key: `${subject.rules}-${subject.players}`,
    name: model.name,
    world: describeEnvironment(subject),
    figures: first === undefined ? null : createFigures(first, run),
    asides: run.asides,
    bound: computeSilenceBound(subject.setting.options.weights, subject.players).arithmetic,
    properties,
    space: survey === null || places === null ? null : createSpace(survey, places),
    coverage:
      first === undefined || survey === null ? null : createCoverage(first, survey, coverage),
    chart: charts.of(model.machine),
  };
}

async function findTrace(
  run: CheckRun,
  verdict: PropertyFinding,
  survey: StateGraph<MeetingEvent> | null,
  rests: SuccessorLists,
): Promise<ExplorerTrace | null> {
  if (verdict.shown !== undefined) return createShownTrace(verdict.shown);
  const surveyed = survey?.runs.get(verdict.name);
  return surveyed === undefined ? null : await createRunTrace(run, verdict, surveyed, rests);
}

function createProperty(judged: PropertyFinding, trace: ExplorerTrace | null): ExplorerProperty {
  const { name, sentence, kind, verdict } = judged;
  return {
    ...{ name, sentence, kind },
    verdict: verdict.type,
    asDeclared: isAsDeclared(judged),
    said: describeVerdict(judged),
    why: 'why' in verdict ? verdict.why : '',
    applied: verdict.type === 'proved' ? verdict.antecedents : null,
    trace,
  };
}

function createFigures(search: CheckResult<MeetingEvent>, run: CheckRun): SearchFigures {
  const { engine, slow, states, transitions, depth, frontier, ended, seconds, bytes } = search;
  return {
    ...{ engine, slow, states, transitions, depth, frontier, ended, seconds },
    symmetry: search.isSymmetric ? (run.model.symmetry?.name ?? null) : null,
    broken: search.broken?.message ?? null,
    keptBytes: bytes,
    peakBytes: run.peakMemoryBytes,
  };
}

function createSpace(
  { depths, parents, others }: StateGraph<MeetingEvent>,
  places: StateNames,
): StateSpace {
  const isDrawn = parents !== null;
  return {
    ...{ depths, parents, others },
    places: places.names,
    counts: places.counts,
    placeOf: isDrawn ? places.of : [],
  };
}

function createCoverage(
  { coverage: { states, transitions, guards } }: CheckResult<MeetingEvent>,
  { counts: traffic }: StateGraph<MeetingEvent>,
  covered: ChartCoverage | null,
): ExplorerCoverage {
  return {
    states,
    transitions,
    guards: guards && { seen: guards.seen, all: guards.all },
    taken: traffic.taken,
    passed: traffic.guards?.passed ?? null,
    failed: traffic.guards?.failed ?? null,
    missing: covered?.missing ?? [],
  };
}

const NOT_SEARCHED = {
  figures: null,
  asides: [],
  bound: '',
  space: null,
  coverage: null,
} as const satisfies Partial<ExplorerRun>;

export type RecordedJournal = { readonly history: JudgedJournal; readonly journal: Journal };

/** If ticks are searched bid by bid, the page lists whole ticks where possible. */
function listedWorld({ subject: { knobs, players }, model }: CheckRun): MeetingModel['world'] {
  if (knobs.combinations !== 'folded' || players > MOST_LISTED) return model.world;
  return meetingEvents({ ...knobs, combinations: 'some' });
}

/** Above this number of seats there are too many ways to close a tick. */
const MOST_LISTED = 4;

/** Possible events of a recorded meeting, with one departure at a time. */
const RECORDED_ENVIRONMENT = {
  faults: true,
  combinations: 'some',
  departures: 1,
  stops: true,
} as const;

type ObservedStep = { readonly turn: MeetingTransition; readonly line: number };

export function createJournalReport(
  all: readonly RecordedJournal[],
  exit: number,
  findEdgeIds: FindEdgeIds,
): ExplorerReport {
  const charts = new ChartList(findEdgeIds);
  const broken = all.flatMap(({ history }) =>
    history.judged.filter(({ finding }) => finding !== null),
  );
  const many = all.length === 1 ? 'One journal' : `${all.length} journals`;
  return {
    v: 1,
    about: 'journals',
    title: 'Recorded meetings',
    conclusion: `${many}: ${broken.length === 0 ? 'every property holds' : `${broken.length} broken`}`,
    exit,
    runs: all.map((recorded, index) => createJournalRun(recorded, `journal-${index + 1}`, charts)),
    mutants: [],
    charts: charts.all,
  };
}

function createJournalRun(
  { history, journal }: RecordedJournal,
  key: string,
  charts: ChartList,
): ExplorerRun {
  const { path, steps, isWhole, isFinished, judged } = history;
  const looked = observeSteps(journal);
  return {
    key,
    name: path,
    world: [
      `${steps} steps`,
      isWhole ? 'every line was judged' : 'judged up to where it is wrong',
      ...(isFinished ? [] : ['it ends in mid-meeting']),
    ].join(', '),
    ...NOT_SEARCHED,
    properties: judged.map((one) => createJudgedProperty(one, journal, looked)),
    chart: charts.of(meetingMachine),
  };
}

function createJudgedProperty(
  { name, sentence, applied, finding }: JudgedJournal['judged'][number],
  journal: Journal,
  looked: readonly ObservedStep[],
): ExplorerProperty {
  const isQuiet = applied === 0 && finding === null;
  const last =
    finding === null ? looked.length - 1 : looked.findIndex(({ line }) => line >= finding.line);
  const isTold = finding !== null || name === CONFORMANCE.name;
  return {
    ...{ name, sentence, applied },
    kind: 'recorded',
    verdict: finding !== null ? 'violated' : isQuiet ? 'vacuous' : 'proved',
    asDeclared: finding === null,
    said: finding !== null ? 'broken' : isQuiet ? 'did not apply' : 'kept',
    why: finding === null ? '' : `line ${finding.line}: ${finding.text}`,
    trace: isTold
      ? createJournalTrace(journal, last < 0 ? looked : looked.slice(0, last + 1), finding === null)
      : null,
  };
}

function observeSteps(journal: Journal): readonly ObservedStep[] {
  const match = meetingIn(journal.lines[0]);
  if (match === null) return [];
  const looked: ObservedStep[] = [];
  const judge = {
    look: (turn: MeetingTransition, line: number) => void looked.push({ turn, line }),
  };
  new ConformanceRun(journal, settingFor(atPace(match, 1), CHANCE)).judge([judge]);
  return looked;
}

function createJournalTrace(
  journal: Journal,
  looked: readonly ObservedStep[],
  isExample: boolean,
): ExplorerTrace | null {
  const match = meetingIn(journal.lines[0]);
  if (match === null) return null;
  const input = settingFor(atPace(match, 1), CHANCE);
  const world = input.seats.length > MOST_LISTED ? () => [] : meetingEvents(RECORDED_ENVIRONMENT);
  const events = looked.map(({ turn }) => turn.event);
  const rests = new SuccessorLists({ machine: meetingMachine, input, world }, [events]);
  const { steps, rests: found } = listRunSteps(events, rests);
  return {
    isExample,
    // If the journal differs from the machine, the journal's claim is shown.
    steps: steps.map((step, index) => {
      const turn = looked[index]?.turn;
      if (turn === undefined) return step;
      return { ...step, to: turn.after.at, changes: listChanges(turn.before, turn.after) };
    }),
    rests: found,
    loop: null,
    excludedBy: [],
    note: isExample ? 'The meeting as it was recorded.' : '',
    states: null,
    journals: [
      { lines: seeThrough(journal.lines, { type: 'glass' }), ends: listLineEnds(journal, looked) },
    ],
  };
}

function listLineEnds({ lines }: Journal, looked: readonly ObservedStep[]): readonly number[] {
  const before = (line: number) =>
    lines.slice(0, line).findLast(({ channel }) => channel === 'living')?.seq ?? 0;
  return [...looked.map(({ line }) => before(line - 1)), before(lines.length)];
}

export function createMutantReport(
  all: readonly TriedMutant[],
  words: string,
  exit: number,
  findEdgeIds: FindEdgeIds,
): ExplorerReport {
  const charts = new ChartList(findEdgeIds);
  const runs = all.flatMap(({ name, fate }, index): readonly ExplorerRun[] => {
    const kill = fate?.kill ?? null;
    return kill === null ? [] : [createKillRun(kill, { key: nameKey(index), name }, charts)];
  });
  return {
    v: 1,
    about: 'mutants',
    title: 'The meeting, broken on purpose',
    conclusion: words,
    exit,
    runs,
    mutants: all.map(({ kind, name, fate, excuse }, index): ExplorerMutant => {
      const run = fate === null || fate.kill === null ? null : nameKey(index);
      const [by, where] = [fate?.by ?? null, fate?.world ?? null];
      return { kind, broken: name, by, where, excuse, run };
    }),
    charts: charts.all,
  };
}

function nameKey(index: number): string {
  return `mutant-${index + 1}`;
}

function createKillRun(
  kill: MutantKill,
  { key, name }: { readonly key: string; readonly name: string },
  charts: ChartList,
): ExplorerRun {
  const { model, verdict } = kill;
  const run = toCheckRun(kill);
  const events = verdict.verdict.type === 'violated' ? verdict.verdict.trace.events : [];
  return {
    key,
    name,
    world: `${run.subject.rules}, ${run.subject.players} players`,
    ...NOT_SEARCHED,
    properties: [
      createProperty(verdict, createMutantTrace(run, verdict, new SuccessorLists(model, [events]))),
    ],
    chart: charts.of(model.machine),
  };
}

/** Stores each chart once, because most mutants share one. */
class ChartList {
  readonly all: (readonly ExplorerEdge[])[] = [];
  readonly #known = new Map<string, number>();
  readonly #findEdgeIds: FindEdgeIds;

  constructor(findEdgeIds: FindEdgeIds) {
    this.#findEdgeIds = findEdgeIds;
  }

  of(machine: AnyStateMachine): number {
    const edges = listChartEdges(machine, this.#findEdgeIds);
    const text = JSON.stringify(edges);
    const number = this.#known.get(text) ?? this.all.push(edges) - 1;
    this.#known.set(text, number);
    return number;
  }
}

function listChartEdges(
  machine: AnyStateMachine,
  findEdgeIds: FindEdgeIds,
): readonly ExplorerEdge[] {
  const ids = findEdgeIds(machine);
  return readChart(machine).edges.map(({ definition, event, source, targets, guard }) => ({
    id: ids.get(definition) ?? '',
    event: event === '' ? 'always' : event,
    source,
    targets,
    guard,
  }));
}
