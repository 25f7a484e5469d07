import {
  createExplorerRun,
  cutValue,
  describeCoverage,
  describeFigures,
  describeProperty,
  describeSpace,
  isAsDeclared,
  listChartEdges,
  type Model,
  type StateGraph,
  Walk,
} from 'glass-box-checker';
import type { AnyStateMachine, EventObject } from 'xstate';
import { type Journal, readJournal } from '../../actors/engine/journal/reader.ts';
import { gameMachine } from '../../machines/charts/game.ts';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import { seeThrough } from '../../machines/journal/lens.ts';
import type { ToMeeting } from '../../machines/messages.ts';
import type { MeetingSetup, Table } from '../../machines/rules/meeting.ts';
import { computeSilenceBound } from '../../machines/rules/weights.ts';
import {
  CONFORMANCE,
  ConformanceRun,
  type JudgedJournal,
  readSetting,
} from '../checks/conformance.ts';
import { type CheckedGame, describeGameEvent } from '../checks/games.ts';
import type { MeetingModel } from '../checks/meetingConfigurations.ts';
import type {
  CheckRun,
  MeetingEvent,
  PairSeen,
  PropertyFinding,
  ShownCounterexample,
  TraceSheet,
} from '../checks/meetingSearch.ts';
import { type MutantKill, type TriedMutant, toCheckRun } from '../checks/mutation.ts';
import type { ChartCoverage, CheckOutcome } from '../checks/outcome.ts';
import { meetingEvents, SOME_TROUBLE } from '../models/meeting.ts';
import type { MeetingTransition } from '../properties/property.ts';
import {
  type Counterexample,
  createTraceSheet,
  describeEvent,
  listChanges,
  listCounterexamples,
  simulateJournal,
} from '../traces/counterexample.ts';
import type {
  ExplorerEdge,
  ExplorerJournal,
  ExplorerMutant,
  ExplorerProperty,
  ExplorerReport,
  ExplorerRun,
  ExplorerSeen,
  ExplorerStep,
  ExplorerTrace,
} from './explorerReport.ts';
import { concludeSearch, describeEnvironment } from './renderCheck.ts';

export type FinishedCheck = {
  readonly runs: readonly CheckRun[];
  readonly coverage: ChartCoverage | null;
  readonly found: CheckOutcome;
  readonly exit: number;
};

export async function createSearchReport(finished: FinishedCheck): Promise<ExplorerReport> {
  const charts = new ChartList();
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
  const { subject, model, search } = run;
  const survey = search?.graph ?? null;
  const properties: ExplorerProperty[] = [];
  const walk = walkMeeting({ ...model, world: listedWorld(run) }, search?.isSymmetric);
  const found = survey?.parents == null ? [] : walk.explore(search?.states ?? 0);
  for (const verdict of run.judged) {
    const trace = await findTrace(run, verdict, survey, walk);
    properties.push({ ...describeProperty(verdict), trace });
  }
  return {
    key: `${subject.rules}-${subject.players}`,
    name: model.name,
    world: describeEnvironment(subject),
    figures: search && describeFigures(search, model.symmetry?.name, run.peakMemoryBytes),
    asides: run.asides,
    bound: computeSilenceBound(subject.setting.options.weights, subject.players).arithmetic,
    properties,
    space: survey && describeSpace(survey),
    coverage: search && survey && describeCoverage(search, survey, coverage?.missing ?? []),
    chart: charts.of(model.machine),
    states: walk.list(),
    // A search in parts numbers the states in another order.
    dots: search?.parts === null ? found : [],
  };
}

async function findTrace(
  run: CheckRun,
  verdict: PropertyFinding,
  survey: StateGraph<MeetingEvent> | null,
  walk: MeetingWalk,
): Promise<ExplorerTrace | null> {
  if (verdict.shown !== undefined) return createShownTrace(verdict.shown);
  const surveyed = survey?.runs.get(verdict.name);
  if (surveyed === undefined) return null;
  const { trace, states } = surveyed;
  const journals = readJournals([await createTraceSheet({ run, verdict, trace })]);
  return { ...walk.tell(trace, states, verdict.verdict.type !== 'violated'), journals };
}

export function createGameReport(all: readonly CheckedGame[], exit: number): ExplorerReport {
  const verdicts = all.flatMap(({ found }) => found.results);
  const isKept = all.every(({ found }) => found.broken === null) && verdicts.every(isAsDeclared);
  const conclusion = isKept
    ? `${verdicts.length} verdicts are as declared.`
    : 'Not every property is as declared.';
  const runs = all.map(({ name, model, found }, index): ExplorerRun => {
    const described = { key: `game-${index + 1}`, describe: describeGameEvent };
    return { ...createExplorerRun(model, found, described), name };
  });
  const charts = [listChartEdges(gameMachine)];
  const title = 'Whole games on a small ship';
  return { v: 1, about: 'games', title, conclusion, exit, runs, mutants: [], charts };
}

const NOT_SEARCHED = {
  figures: null,
  asides: [],
  bound: '',
  space: null,
  coverage: null,
  dots: [],
} as const satisfies Partial<ExplorerRun>;

export type RecordedJournal = { readonly history: JudgedJournal; readonly journal: Journal };

/** If ticks are searched bid by bid, the page lists whole ticks where possible. */
function listedWorld({ subject: { knobs, players }, model }: CheckRun): MeetingModel['world'] {
  if (knobs.combinations !== 'folded' || players > MOST_LISTED) return model.world;
  return meetingEvents({ ...knobs, combinations: 'some' });
}

/** Above this number of seats there are too many ways to close a tick. */
const MOST_LISTED = 4;

type ObservedStep = { readonly turn: MeetingTransition; readonly line: number };

export function createJournalReport(all: readonly RecordedJournal[], exit: number): ExplorerReport {
  const charts = new ChartList();
  const broken = all.flatMap(({ history }) =>
    history.judged.filter(({ finding }) => finding !== null),
  );
  const many = all.length === 1 ? 'One journal' : `${all.length} journals`;
  const conclusion = `${many}: ${broken.length === 0 ? 'every property holds' : `${broken.length} broken`}`;
  const runs = all.map((one, index) => createJournalRun(one, `journal-${index + 1}`, charts));
  const head = { v: 1, about: 'journals', title: 'Recorded meetings' } as const;
  return { ...head, conclusion, exit, runs, mutants: [], charts: charts.all };
}

function createJournalRun(
  { history, journal }: RecordedJournal,
  key: string,
  charts: ChartList,
): ExplorerRun {
  const { path, steps, isWhole, isFinished, judged } = history;
  const setting = readSetting(journal);
  const looked = setting === null ? [] : observeSteps(journal, setting);
  const walk = setting && walkJournal(setting);
  const properties = judged.map((one) => createJudgedProperty(one, journal, looked, walk));
  return {
    key,
    name: path,
    world: [
      `${steps} steps`,
      isWhole ? 'every line was judged' : 'judged up to where it is wrong',
      ...(isFinished ? [] : ['it ends in mid-meeting']),
    ].join(', '),
    ...NOT_SEARCHED,
    properties,
    chart: charts.of(meetingMachine),
    states: walk?.list() ?? [],
  };
}

function createJudgedProperty(
  { name, sentence, applied, finding }: JudgedJournal['judged'][number],
  journal: Journal,
  looked: readonly ObservedStep[],
  walk: MeetingWalk | null,
): ExplorerProperty {
  const property = { name, sentence, applied, kind: 'recorded' } as const;
  if (finding === null) {
    const isTold = name === CONFORMANCE.name && walk !== null;
    return {
      ...property,
      ...(applied === 0
        ? ({ verdict: 'vacuous', said: 'did not apply' } as const)
        : ({ verdict: 'proved', said: 'kept' } as const)),
      ...{ asDeclared: true, why: '' },
      trace: isTold ? createJournalTrace(journal, looked, walk, true) : null,
    };
  }
  const last = looked.findIndex(({ line }) => line >= finding.line);
  const seen = last < 0 ? looked : looked.slice(0, last + 1);
  return {
    ...property,
    ...{ verdict: 'violated', said: 'broken', asDeclared: false },
    why: `line ${finding.line}: ${finding.text}`,
    trace: walk && createJournalTrace(journal, seen, walk, false),
  };
}

function walkJournal(input: MeetingSetup): MeetingWalk {
  const world = input.seats.length > MOST_LISTED ? () => [] : meetingEvents(SOME_TROUBLE);
  return walkMeeting({ machine: meetingMachine, input, world });
}

function observeSteps(journal: Journal, setting: MeetingSetup): readonly ObservedStep[] {
  const looked: ObservedStep[] = [];
  const look = (turn: MeetingTransition, line: number) => void looked.push({ turn, line });
  new ConformanceRun(journal, setting).judge([{ look }]);
  return looked;
}

function createJournalTrace(
  journal: Journal,
  looked: readonly ObservedStep[],
  walk: MeetingWalk,
  isExample: boolean,
): ExplorerTrace {
  const events = looked.map(({ turn }) => turn.event);
  const told = walk.tell({ events, loop: null, excludedBy: [] }, null, isExample);
  return {
    ...told,
    // If the journal differs from the machine, the journal's claim is shown.
    steps: told.steps.map((step, index) => {
      const turn = looked[index]?.turn;
      if (turn === undefined) return step;
      return { ...step, to: turn.after.at, changes: listChanges(turn.before, turn.after) };
    }),
    note: isExample ? 'The meeting as it was recorded.' : '',
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
  conclusion: string,
  exit: number,
): ExplorerReport {
  const charts = new ChartList();
  const runs: ExplorerRun[] = [];
  const mutants = all.map(({ kind, name, fate }, index): ExplorerMutant => {
    const key = fate?.kill ? `mutant-${index + 1}` : null;
    if (fate?.kill && key !== null) runs.push(createKillRun(fate.kill, { key, name }, charts));
    const [by, where] = [fate?.by ?? null, fate?.world ?? null];
    return { kind, broken: name, by, where, run: key };
  });
  const title = 'The meeting, broken on purpose';
  return { v: 1, about: 'mutants', title, conclusion, exit, runs, mutants, charts: charts.all };
}

function createKillRun(
  kill: MutantKill,
  { key, name }: { readonly key: string; readonly name: string },
  charts: ChartList,
): ExplorerRun {
  const { model, verdict } = kill;
  const run = toCheckRun(kill);
  const walk = walkMeeting(model);
  const [example] = listCounterexamples(run);
  const trace = example === undefined ? null : createKillTrace(example, walk);
  return {
    ...{ key, name, ...NOT_SEARCHED },
    world: `${run.subject.rules}, ${run.subject.players} players`,
    properties: [{ ...describeProperty(verdict), trace }],
    chart: charts.of(model.machine),
    states: walk.list(),
  };
}

function createKillTrace(example: Counterexample, walk: MeetingWalk): ExplorerTrace {
  const { run, trace } = example;
  return {
    ...walk.tell({ ...trace, excludedBy: [] }, null),
    note: trace.events.length === 0 ? 'It is violated in the initial state, or never seen.' : '',
    journals: readJournals([simulateJournal(example, run.subject.match.options)]),
  };
}

/** Stores each chart once, because most mutants share one. */
class ChartList {
  readonly all: (readonly ExplorerEdge[])[] = [];

  of(machine: AnyStateMachine): number {
    const edges = listChartEdges(machine);
    const known = this.all.findIndex((one) => JSON.stringify(one) === JSON.stringify(edges));
    return known < 0 ? this.all.push(edges) - 1 : known;
  }
}

export type MeetingWalk = Walk<Table, ToMeeting>;

function walkMeeting(
  model: Pick<Model<Table, ToMeeting>, 'machine' | 'input' | 'world' | 'symmetry'>,
  isSymmetric = false,
): MeetingWalk {
  return new Walk<Table, ToMeeting>(
    { name: '', properties: [], ...model },
    {
      isSymmetric,
      // Timers are told by their type alone.
      describe: (event: EventObject) => describeEvent(event as ToMeeting),
      compare: listChanges,
    },
  );
}

function createShownTrace(shown: ShownCounterexample): ExplorerTrace {
  const { steps, note, seen, journals } = shown;
  return {
    ...{ isExample: false, note, rests: [], loop: null, excludedBy: [], states: null },
    steps: steps.map(({ at, to, happened, changes, beside }, index): ExplorerStep => {
      const fields = changes.map((text) => ({ path: text, was: '', is: '' }));
      const sighted = seen?.[index];
      return {
        ...{ at, to, happened, changes: fields, trail: [], offer: -1 },
        ...(beside === undefined ? {} : { beside }),
        ...(sighted === undefined ? {} : { seen: createSeen(sighted) }),
      };
    }),
    journals: readJournals(journals()),
  };
}

function readJournals(sheets: readonly TraceSheet[]): readonly ExplorerJournal[] {
  return sheets.map(({ text, ends }) => {
    return { lines: seeThrough(readJournal(text).lines, { type: 'glass' }), ends };
  });
}

function createSeen([one, other]: PairSeen): ExplorerSeen {
  const [left = [], right = []] = [one, other].map((all) =>
    all.map((seen) => cutValue(seen, LONGEST)),
  );
  return { isSame: JSON.stringify(one) === JSON.stringify(other), one: left, other: right };
}

const LONGEST = 400;
