/** The report for people: a row for each property with its verdict for each number of players, and what is behind it. */
import { isAsDeclared, type PartCounts } from 'glass-box-checker';
import { computeSilenceBound } from '../machines/rules/weights.ts';
import type { JudgedJournal } from './conformance.ts';
import {
  listCounterexamples,
  renderCounterexample,
  renderCrashes,
  toPrintable,
} from './counterexample.ts';
import type { ChartCoverage, CheckOutcome } from './outcome.ts';
import type { CheckRun, MeetingConfiguration, PropertyFinding } from './run.ts';

/** All of it, row by row. Every word of it is ours, so that nothing needs cleaning but what an error says. */
export function renderCheck(
  runs: readonly CheckRun[],
  coverage: ChartCoverage | null,
  found: CheckOutcome,
): readonly string[] {
  const sets = [...Map.groupBy(runs, ({ subject }) => subject.rules).values()];
  return [
    ...sets.flatMap((set) => [
      ...renderRuns(set),
      ...renderReasons(set),
      ...renderBounds(set),
      ...renderExtraSearches(set),
      '',
    ]),
    ...renderCoverage(coverage),
    ...runs.flatMap((run) =>
      listCounterexamples(run).flatMap((example) => ['', ...renderCounterexample(example)]),
    ),
    ...runs.flatMap(renderCrashes).flatMap((rows) => ['', ...rows]),
    '',
    concludeSearch(found, runs),
  ];
}

/** The runs of one rule set side by side. */
function renderRuns(runs: readonly CheckRun[]): readonly string[] {
  const names = [...new Set(runs.flatMap(({ judged }) => judged.map(({ name }) => name)))];
  const rows = [
    ['', '', '', ...runs.map(({ subject }) => `${subject.players} players`)],
    ...renderCounts(runs),
    ...renderSizes(runs),
    ...renderExtraCounts(runs),
    ['', 'combinations of a tick', '', ...runs.map(({ subject }) => subject.knobs.combinations)],
    ...renderPartCounts(runs),
    ...names.map((name) => {
      const verdicts = runs.map(({ judged }) => judged.find((one) => one.name === name) ?? null);
      const kind = verdicts.find((one) => one !== null)?.kind ?? '';
      return [chooseMark(verdicts), name, kind, ...verdicts.map(renderCell)];
    }),
  ];
  return [...renderTitle(runs), ...alignRows(rows)];
}

function renderTitle(runs: readonly CheckRun[]): readonly string[] {
  const [first] = runs;
  if (first === undefined) return [];
  const slow = first.searches.find((search) => search.slow !== null)?.slow;
  return [
    `The meeting, ${first.subject.rules}: ${describeEnvironment(first.subject)}`,
    ...(slow === undefined || slow === null
      ? []
      : [`  stepped by XState itself: ${toPrintable(slow)}`]),
  ];
}

/** What may happen there, in words. */
export function describeEnvironment({ knobs, ghosts, setting }: MeetingConfiguration): string {
  return [
    `patience ${setting.options.patience}`,
    knobs.faults ? 'minds may fail' : 'minds never fail',
    knobs.departures === 0 ? 'no departures' : `up to ${knobs.departures} leave`,
    ...(knobs.stops ? ['the run may be stopped'] : []),
    ghosts === 0 ? 'no ghosts' : `${ghosts} ${ghosts === 1 ? 'ghost' : 'ghosts'}`,
  ].join(', ');
}

/** How many states each search found. */
function renderCounts(runs: readonly CheckRun[]): readonly (readonly string[])[] {
  return [true, false].flatMap((isSymmetric) => {
    const cells = runs.map(({ searches }) => {
      const found = searches.filter((search) => search.isSymmetric === isSymmetric);
      return found.map(({ states }) => formatCount(states)).join(' + ') || NONE;
    });
    if (cells.every((text) => text === NONE)) return [];
    return [['', isSymmetric ? 'states modulo symmetry' : 'states', '', ...cells]];
  });
}

/** What is kept of a state when it has been looked at, with its ticks in part and its moves. */
function renderSizes(runs: readonly CheckRun[]): readonly (readonly string[])[] {
  const cells = runs.map(({ searches: [first] }) =>
    first === undefined || first.states < MANY_STATES
      ? NONE
      : formatCount(Math.round(first.bytes / first.states)),
  );
  return cells.every((text) => text === NONE) ? [] : [['', 'bytes kept for each', '', ...cells]];
}

/** The room that is made at first says nothing of what a state takes. */
const MANY_STATES = 10_000;

/** How much was searched beside the meeting. */
function renderExtraCounts(runs: readonly CheckRun[]): readonly (readonly string[])[] {
  const subjects = new Map(
    runs.flatMap(({ asides }) => asides.map(({ asked }) => [asked.join(), asked])),
  );
  return [...subjects].map(([key, asked]) => {
    const cells = runs.map(({ asides }) => {
      const found = asides.filter((aside) => aside.asked.join() === key);
      if (found.length === 0) return NONE;
      return formatCount(found.reduce((sum, { states }) => sum + states, 0));
    });
    return ['', `states for ${nameFirst(asked)}`, '', ...cells];
  });
}

function nameFirst([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** What was searched beside the meeting, where several searches answer for one property. */
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

/** How much was searched within ticks that were taken bid by bid. */
function renderPartCounts(runs: readonly CheckRun[]): readonly (readonly string[])[] {
  const counts = runs.map(({ searches }) => searches[0]?.parts ?? null);
  if (counts.every((one) => one === null)) return [];
  const cells = (count: (parts: PartCounts) => number) =>
    counts.map((one) => (one === null ? NONE : formatCount(count(one))));
  return [
    ['', 'ticks in part', '', ...cells(({ drafts }) => drafts)],
    ['', 'whole ticks compared with their bids', '', ...cells(({ compared }) => compared)],
  ];
}

const NONE = '–';

function chooseMark(verdicts: readonly (PropertyFinding | null)[]): string {
  const there = verdicts.filter((one) => one !== null);
  const odd = there.filter((one) => !isAsDeclared(one)).map(({ verdict }) => verdict.type);
  if (odd.length === 0) return '✓';
  if (odd.includes('violated') || odd.includes('proved')) return '✗';
  return odd.includes('vacuous') ? '∅' : '?';
}

function renderCell(verdict: PropertyFinding | null): string {
  return verdict === null ? NONE : describeVerdict(verdict);
}

/** A verdict in words. */
export function describeVerdict(verdict: PropertyFinding): string {
  const { type } = verdict.verdict;
  if (type === 'proved' && verdict.kind === 'sometimes') return 'seen';
  if (type === 'violated' && verdict.kind === 'sometimes') return 'never seen';
  if (verdict.expected !== 'violated') return type;
  return type === 'violated' ? 'violated as declared' : `${type}, declared violated`;
}

/** Rows in columns: names to the left, verdicts to the right. */
function alignRows(rows: readonly (readonly string[])[]): readonly string[] {
  const columns = Math.max(...rows.map(({ length }) => length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((text, column) => {
        const width = widths[column] ?? 0;
        return column < FIRST_VERDICT ? text.padEnd(width) : text.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
}

const FIRST_VERDICT = 3;

/** Why something was not decided; properties with the same reason stand together. */
function renderReasons(runs: readonly CheckRun[]): readonly string[] {
  const open = runs.flatMap(({ subject, judged }) =>
    judged.flatMap(({ name, verdict }) =>
      verdict.type === 'incomplete' || verdict.type === 'vacuous'
        ? [{ name, why: `${subject.players} players, ${verdict.type}: ${verdict.why}` }]
        : [],
    ),
  );
  return [...Map.groupBy(open, ({ why }) => why)].map(
    ([why, same]) => `  ${why}: ${same.map(({ name }) => name).join(', ')}`,
  );
}

function renderBounds(runs: readonly CheckRun[]): readonly string[] {
  return runs.map(({ subject }) => {
    const { players, setting } = subject;
    const { ticks, arithmetic } = computeSilenceBound(setting.options.weights, players);
    return `  ${players} players: with these weights no player who always bids is silent for more than ${ticks} ticks: ${arithmetic}`;
  });
}

function renderCoverage(coverage: ChartCoverage | null): readonly string[] {
  if (coverage === null) return ['coverage: not judged, for no search or not every one was closed'];
  const { states, transitions, guards, missing } = coverage;
  const outcomes = guards === null ? '' : `, ${guards.seen} of ${guards.all} outcomes of guards`;
  const open = missing.filter(({ needs }) => needs === null).length;
  const gate = open === 0 ? '' : `; ${open} never reached without an excuse`;
  return [
    `coverage: ${states.seen} of ${states.all} states, ${transitions.seen} of ${transitions.all} transitions${outcomes}${gate}`,
    ...missing.map(({ what, nearest, needs }) => {
      const why = [
        ...(nearest === null ? [] : [`nearest: ${nearest}`]),
        ...(needs === null ? [] : [`needs ${needs}`]),
      ];
      return `  ${needs === null ? '△' : '·'} ${what}${why.length === 0 ? '' : `  (${why.join('; ')})`}`;
    }),
  ];
}

export function concludeSearch(
  { broken, kept, crashed, vacuous, incomplete, unreached }: CheckOutcome,
  runs: readonly CheckRun[],
) {
  const all = runs.reduce((sum, { judged }) => sum + judged.length, 0);
  const parts = [
    renderPart(broken.length, 'broken'),
    renderPart(crashed.length, 'broke the machine'),
    renderPart(kept.length, 'kept although declared to fail'),
    renderPart(vacuous.length, 'vacuous'),
    renderPart(incomplete.length, 'undecided'),
    renderPart(unreached.length, 'unreached in the chart'),
  ].filter((text) => text !== '');
  const verdicts = `${formatCount(all)} ${all === 1 ? 'verdict' : 'verdicts'}`;
  return parts.length === 0 ? `${verdicts}: all as declared` : `${verdicts}: ${parts.join(', ')}`;
}

function renderPart(number: number, what: string): string {
  return number === 0 ? '' : `${number} ${what}`;
}

/** A count with separators: 12,345. */
function formatCount(number: number): string {
  return number.toLocaleString('en-US');
}

export function renderJudgedJournal({
  path,
  steps,
  isWhole,
  isFinished,
  judged,
}: JudgedJournal): readonly string[] {
  const broken = judged.flatMap(({ name, finding }) =>
    finding === null ? [] : [{ name, ...finding }],
  );
  const spoke = judged.filter(({ applied }) => applied > 0).length;
  const quiet = judged.length - spoke;
  const silent = quiet === 0 ? '' : `, ${quiet} did not apply`;
  const end = isFinished ? '' : ', up to where it ends in mid-meeting';
  if (broken.length === 0) {
    return [`✓ ${path}: ${steps} steps, ${spoke} properties hold${silent}${end}`];
  }
  return [
    ...broken.map(({ name, line, text }) => `✗ ${path}, line ${line}: ${name}: ${text}`),
    ...(isWhole ? [] : [`  ${path} was judged up to there: ${steps} steps`]),
  ];
}
