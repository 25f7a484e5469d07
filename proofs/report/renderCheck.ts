/** A check as text: a row for each property with its verdict for each number of players, and the reasons. */
import { describeVerdict, isAsDeclared } from 'glass-box-checker';
import { computeSilenceBound } from '../../machines/rules/weights.ts';
import { formatCount } from '../../machines/text.ts';
import type { JudgedJournal } from '../checks/conformance.ts';
import type { MeetingConfiguration } from '../checks/meetingConfigurations.ts';
import type { CheckRun, PropertyFinding } from '../checks/meetingSearch.ts';
import type { ChartCoverage, CheckOutcome } from '../checks/outcome.ts';
import {
  DECLARED_MARK,
  listCounterexamples,
  renderCounterexample,
  renderCrash,
  toPrintable,
} from '../traces/counterexample.ts';
import { describeScope, renderScope } from './scope.ts';

export type CheckView = {
  /** Also lists everything as expected: properties, searches and excused unreached parts. */
  readonly isVerbose: boolean;
  /** Whether properties were requested by name, so that each gets a row. */
  readonly isNamed: boolean;
  /** Columns of the terminal, otherwise `Infinity`. */
  readonly width: number;
};

/** All text is our own except error messages, which are cleaned. */
export function renderCheck(
  runs: readonly CheckRun[],
  coverage: ChartCoverage | null,
  found: CheckOutcome,
  view: CheckView,
): readonly string[] {
  const sets = [...Map.groupBy(runs, ({ subject }) => subject.rules).values()];
  const isListed = view.isVerbose || view.isNamed;
  const examples = runs
    .flatMap(listCounterexamples)
    .filter(({ verdict }) => isListed || verdict.expected !== 'violated');
  return [
    ...renderConclusion(found, runs, isListed),
    ...sets.flatMap((set) => [
      '',
      ...renderTitle(set),
      ...renderTable(set, view),
      ...renderReasons(set, view),
      ...renderBounds(set, view),
      ...(view.isVerbose ? renderExtraSearches(set) : []),
    ]),
    '',
    ...(runs.some(({ search }) => search !== null) ? renderCoverage(coverage, view) : []),
    ...examples.flatMap((example) => ['', ...renderCounterexample(example)]),
    ...runs.flatMap(renderCrash),
    ...(examples.length === 0 ? [] : ['']),
    ...renderScope(describeScope(runs)),
  ];
}

function renderConclusion(
  found: CheckOutcome,
  runs: readonly CheckRun[],
  isListed: boolean,
): readonly string[] {
  const declared = runs.flatMap((run) =>
    run.judged.flatMap(({ name, expected, verdict }) =>
      expected === 'violated' && verdict.type === 'violated' ? [name] : [],
    ),
  );
  const named = {
    broken: found.broken,
    'kept although declared to fail': found.kept,
    vacuous: found.vacuous,
  };
  const names = [...new Set(declared)];
  const why = 'violated as declared, to show what they need';
  const how = isListed ? '' : ` (see how: check --property ${names.join(' ')})`;
  return [
    `${chooseConclusion(found).join(' ')} ${concludeSearch(found, runs)}`,
    ...Object.entries(named).flatMap(([what, list]) =>
      list.length === 0 ? [] : [`  ${what}: ${listNames(list.map(({ verdict }) => verdict.name))}`],
    ),
    ...(names.length === 0 ? [] : [`${DECLARED_MARK} ${why}: ${names.join(', ')}${how}`]),
  ];
}

function chooseConclusion(found: CheckOutcome): readonly [mark: string, sentence: string] {
  const { broken, kept, crashed, vacuous, incomplete, unreached } = found;
  if (broken.length + kept.length + crashed.length > 0) return ['✗', 'A rule does not hold.'];
  if (vacuous.length > 0) return ['∅', 'A rule was never put to the test.'];
  if (unreached.length > 0) return ['△', 'Part of the chart was never reached.'];
  if (incomplete.length > 0) return ['?', 'The search did not finish.'];
  return ['✓', 'Every meeting that was searched keeps the rules.'];
}

/** Number of names to list. The others are in the table. */
const MOST_NAMED = 8;

export function listNames(all: readonly string[]): string {
  const names = [...new Set(all)];
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The runs of one rule set in columns, in several tables if they are too wide. */
function renderTable(runs: readonly CheckRun[], view: CheckView): readonly string[] {
  const lines = alignRows([
    ['', '', '', ...runs.map(({ subject }) => `${subject.players} players`)],
    ...renderCounts(runs, view),
    ['', 'combinations of a tick', '', ...runs.map(({ subject }) => subject.knobs.combinations)],
    ...(view.isVerbose ? renderPartCounts(runs) : []),
    ...renderVerdicts(runs, view),
  ]);
  if (runs.length < 2 || lines.every(({ length }) => length <= view.width)) return lines;
  const half = Math.ceil(runs.length / 2);
  return [...renderTable(runs.slice(0, half), view), '', ...renderTable(runs.slice(half), view)];
}

/** One row for each property. Properties as expected are only counted unless all are listed. */
function renderVerdicts(runs: readonly CheckRun[], { isVerbose, isNamed }: CheckView): TextRows {
  const names = [...new Set(runs.flatMap(({ judged }) => judged.map(({ name }) => name)))];
  const rows = names.map((name) => {
    const verdicts = runs.map(({ judged }) => judged.find((one) => one.name === name) ?? null);
    return { name, verdicts };
  });
  const isShown = ({ verdicts }: (typeof rows)[number]) =>
    isVerbose || isNamed || verdicts.some((one) => one !== null && !isUnremarkable(one));
  const plain = rows.filter((row) => !isShown(row));
  const count = (describe: (verdicts: readonly PropertyFinding[]) => string) =>
    runs.map((_, index) => describe(plain.flatMap((row) => row.verdicts[index] ?? [])));
  const open = count((verdicts) => String(verdicts.filter(isUndecided).length));
  return [
    ...(plain.length === 0 ? [] : [['✓', 'properties that hold', '', ...count(describeHolding)]]),
    ...(open.every((text) => text === '0') ? [] : [['?', 'undecided', '', ...open]]),
    ...rows.filter(isShown).map(({ name, verdicts }) => {
      const kind = verdicts.find((one) => one !== null)?.kind ?? '';
      const cells = verdicts.map((one) => (one === null ? NONE : describeVerdict(one)));
      return [chooseMark(verdicts), name, kind, ...cells];
    }),
  ];
}

/** "68 proved, 3 seen" of the decided properties. */
function describeHolding(verdicts: readonly PropertyFinding[]): string {
  const holding = verdicts.filter((one) => !isUndecided(one));
  const seen = holding.filter(({ kind }) => kind === 'sometimes').length;
  const proved = holding.length - seen;
  return seen === 0 ? `${proved} proved` : `${proved} proved, ${seen} seen`;
}

function isUndecided({ verdict }: PropertyFinding): boolean {
  return verdict.type === 'incomplete';
}

/** Whether a property only needs to be counted: it holds as declared, or is undecided. */
function isUnremarkable(finding: PropertyFinding): boolean {
  return isUndecided(finding) || (finding.expected !== 'violated' && isAsDeclared(finding));
}

function renderTitle(runs: readonly CheckRun[]): readonly string[] {
  const [first] = runs;
  if (first === undefined) return [];
  const slow = first.search?.slow ?? null;
  return [
    `The meeting, ${first.subject.rules}: ${describeEnvironment(first.subject)}`,
    ...(slow === null ? [] : [`  stepped by XState itself: ${toPrintable(slow)}`]),
  ];
}

export function describeEnvironment({ knobs, ghosts, setting }: MeetingConfiguration): string {
  return [
    `patience ${setting.options.patience}`,
    knobs.faults ? 'minds may fail' : 'minds never fail',
    knobs.departures === 0 ? 'no departures' : `up to ${knobs.departures} leave`,
    ...(knobs.stops ? ['the run may be stopped'] : []),
    ghosts === 0 ? 'no ghosts' : `${ghosts} ${ghosts === 1 ? 'ghost' : 'ghosts'}`,
  ].join(', ');
}

type TextRows = readonly (readonly string[])[];

/** A row with a number for each run, unless no run has one. */
function renderRow(
  runs: readonly CheckRun[],
  title: string,
  count: (run: CheckRun) => number | null | undefined,
): TextRows {
  const numbers = runs.map(count);
  if (numbers.every((number) => number == null)) return [];
  return [
    ['', title, '', ...numbers.map((number) => (number == null ? NONE : formatCount(number)))],
  ];
}

function renderCounts(runs: readonly CheckRun[], { isVerbose }: CheckView): TextRows {
  const states = [true, false].flatMap((isSymmetric) =>
    renderRow(runs, isSymmetric ? 'states modulo symmetry' : 'states', ({ search }) =>
      search?.isSymmetric === isSymmetric ? search.states : null,
    ),
  );
  const sum = (asides: CheckRun['asides']) => asides.reduce((all, aside) => all + aside.states, 0);
  if (!isVerbose) {
    const hasExtra = runs.some(({ asides }) => asides.length > 0);
    const title = 'states of searches beside it';
    return [...states, ...renderRow(runs, title, ({ asides }) => (hasExtra ? sum(asides) : null))];
  }
  const sizes = renderRow(runs, 'bytes kept for each', ({ search }) =>
    search === null || search.states < MANY_STATES
      ? null
      : Math.round(search.bytes / search.states),
  );
  const subjects = new Map(
    runs.flatMap(({ asides }) => asides.map(({ asked }) => [asked.join(), asked])),
  );
  const extra = [...subjects].flatMap(([key, asked]) =>
    renderRow(runs, `states for ${nameFirst(asked)}`, ({ asides }) => {
      const found = asides.filter((aside) => aside.asked.join() === key);
      return found.length === 0 ? null : sum(found);
    }),
  );
  return [...states, ...sizes, ...extra];
}

const MANY_STATES = 10_000;

function nameFirst([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function renderExtraSearches(runs: readonly CheckRun[]): readonly string[] {
  const asides = runs.flatMap((run) => run.asides);
  const groups = Map.groupBy(asides, ({ asked }) => asked.join());
  return [...groups.values()].flatMap((group) => {
    const abouts = [...new Set(group.map(({ about }) => about))];
    const [first] = group;
    if (first === undefined || abouts.length < 2) return [];
    return [`  searched for ${nameFirst(first.asked)}:`, ...abouts.map((about) => `    ${about}`)];
  });
}

function renderPartCounts(runs: readonly CheckRun[]): TextRows {
  const compared = 'whole ticks compared with their bids';
  return [
    ...renderRow(runs, 'ticks in part', ({ search }) => search?.parts?.drafts),
    ...renderRow(runs, compared, ({ search }) => search?.parts?.compared),
  ];
}

const NONE = '–';

function chooseMark(verdicts: readonly (PropertyFinding | null)[]): string {
  const there = verdicts.filter((one) => one !== null);
  const odd = there.filter((one) => !isAsDeclared(one)).map(({ verdict }) => verdict.type);
  if (odd.length === 0)
    return there.some(({ expected }) => expected === 'violated') ? DECLARED_MARK : '✓';
  if (odd.includes('violated') || odd.includes('proved')) return '✗';
  return odd.includes('vacuous') ? '∅' : '?';
}

/** Aligns columns. A name without a kind spans both columns. */
function alignRows(rows: TextRows): readonly string[] {
  const longest = (texts: readonly string[]) => Math.max(0, ...texts.map(({ length }) => length));
  const kindWidth = longest(rows.map(([, , kind = '']) => kind));
  const named = rows.map(([, name = '', kind]) => (kind === '' ? '' : name));
  const spanning = rows.map(([, name = '', kind]) => (kind === '' ? name : ''));
  const nameWidth = Math.max(longest(named), longest(spanning) - GAP.length - kindWidth);
  const led = rows.map(([mark = '', name = '', kind = '', ...verdicts]) => {
    const lead = kind === '' ? name : name.padEnd(nameWidth) + GAP + kind;
    return [mark, lead, ...verdicts];
  });
  return led.map((row) => {
    const cells = row.map((text, column) => {
      const width = longest(led.map((other) => other[column] ?? ''));
      return column < FIRST_VERDICT ? text.padEnd(width) : text.padStart(width);
    });
    return cells.join(GAP).trimEnd();
  });
}

const GAP = '  ';
const FIRST_VERDICT = 2;

function renderReasons(runs: readonly CheckRun[], { isVerbose }: CheckView): readonly string[] {
  const open = runs.flatMap(({ subject, judged }) =>
    judged.flatMap(({ name, verdict }) =>
      verdict.type === 'incomplete' || verdict.type === 'vacuous'
        ? [{ name, why: `${subject.players} players, ${verdict.type}: ${verdict.why}` }]
        : [],
    ),
  );
  return [...Map.groupBy(open, ({ why }) => why)].map(([why, same]) => {
    const names = same.map(({ name }) => name);
    return `  ${why}: ${isVerbose ? names.join(', ') : listNames(names)}`;
  });
}

function renderBounds(runs: readonly CheckRun[], { isVerbose }: CheckView): readonly string[] {
  return runs.map(({ subject }) => {
    const { players, setting } = subject;
    const { ticks, arithmetic } = computeSilenceBound(setting.options.weights, players);
    const why = isVerbose ? `: ${arithmetic}` : '';
    return `  ${players} players: no player who always bids is silent for more than ${ticks} ticks${why}`;
  });
}

function renderCoverage(
  coverage: ChartCoverage | null,
  { isVerbose }: CheckView,
): readonly string[] {
  if (coverage === null) return ['coverage: not judged, because not every search is complete'];
  const { states, transitions, guards, missing } = coverage;
  const outcomes = guards === null ? '' : `, ${guards.seen} of ${guards.all} outcomes of guards`;
  const open = missing.filter(({ needs }) => needs === null).length;
  const gate = open === 0 ? '' : `; ${open} never reached without an excuse`;
  return [
    `coverage: ${states.seen} of ${states.all} states, ${transitions.seen} of ${transitions.all} transitions${outcomes}${gate}`,
    ...(isVerbose ? [] : describeExcused(missing)),
    ...missing.flatMap(({ what, nearest, needs }) => {
      if (needs !== null && !isVerbose) return [];
      const why = [
        ...(nearest === null ? [] : [`nearest: ${nearest}`]),
        ...(needs === null ? [] : [`needs ${needs}`]),
      ];
      return [
        `  ${needs === null ? '△' : '·'} ${what}${why.length === 0 ? '' : `  (${why.join('; ')})`}`,
      ];
    }),
  ];
}

function describeExcused(missing: ChartCoverage['missing']): readonly string[] {
  const needs = missing.flatMap((one) => (one.needs === null ? [] : [one.needs]));
  if (needs.length === 0) return [];
  const wants = [...new Set(needs.flatMap((one) => one.split(' and ')))];
  const flags = wants.filter((one) => one.startsWith('--'));
  const others = wants.filter((one) => !flags.includes(one));
  const parts = `${needs.length} ${needs.length === 1 ? 'part needs' : 'parts need'}`;
  return [
    `  ${parts} options that this search did not have (${[...flags, ...others].join(', ')}): --verbose lists them`,
  ];
}

export function concludeSearch(
  { broken, kept, crashed, vacuous, incomplete, unreached }: CheckOutcome,
  runs: readonly CheckRun[],
) {
  const all = runs.reduce((sum, { judged }) => sum + judged.length, 0);
  const counted: Readonly<Record<string, readonly unknown[]>> = {
    broken,
    'broke the machine': crashed,
    'kept although declared to fail': kept,
    vacuous,
    undecided: incomplete,
    'unreached in the chart': unreached,
  };
  const parts = Object.entries(counted).flatMap(([what, { length }]) =>
    length === 0 ? [] : [`${length} ${what}`],
  );
  const verdicts = `${formatCount(all)} ${all === 1 ? 'verdict' : 'verdicts'}`;
  return parts.length === 0 ? `${verdicts}: all as declared` : `${verdicts}: ${parts.join(', ')}`;
}

/** `isOther`: a replay wrote other lines, which are not judged. */
export function renderJudgedJournal(journal: JudgedJournal, isOther: boolean): readonly string[] {
  const { path, steps, isWhole, isFinished, judged } = journal;
  const broken = judged.flatMap(({ name, finding }) =>
    finding === null ? [] : [{ name, ...finding }],
  );
  const spoke = judged.filter(({ applied }) => applied > 0).length;
  const quiet = judged.length - spoke;
  const silent = quiet === 0 ? '' : `, ${quiet} did not apply`;
  const end = isFinished ? '' : ', up to where it ends in mid-meeting';
  if (broken.length === 0) {
    const head = isOther ? 'Only the recorded steps were judged: ' : `✓ ${path}: `;
    return [`${head}${steps} steps, ${spoke} properties hold${silent}${end}`];
  }
  return [
    ...broken.map(({ name, line, text }) => `✗ ${path}, line ${line}: ${name}: ${text}`),
    ...(isWhole ? [] : [`  ${path} was judged up to there: ${steps} steps`]),
  ];
}
