/** The report of a search: every run with its figures, its verdicts and the runs behind them. */
import { type CheckResult, isAsDeclared, type StateGraph } from 'glass-box-checker';
import type {
  Promised,
  Report,
  Run as Shown,
  Tale,
} from '../../../visualizer/page/explorer/report.ts';
import type { Coverage, Figures, Space } from '../../../visualizer/page/explorer/searched.ts';
import { boundOf } from '../bound.ts';
import type { Covered } from '../coverage.ts';
import type { Outcome } from '../outcome.ts';
import type { Places } from '../places.ts';
import { conclusion, saidOf, worldOf } from '../report.ts';
import type { MeetingEvent, Run, Verdict } from '../run.ts';
import { Charts } from './charts.ts';
import { Rests } from './rests.ts';
import { shownTale, taleOf } from './tales.ts';

export type Finished = {
  readonly runs: readonly Run[];
  readonly coverage: Covered | null;
  readonly found: Outcome;
  readonly workers: number;
};

export async function searchReport(finished: Finished): Promise<Report> {
  const charts = new Charts();
  const runs: Shown[] = [];
  for (const run of finished.runs) runs.push(await shownRun(run, finished, charts));
  return {
    v: 1,
    about: 'search',
    title: finished.runs[0]?.subject.scenario.name ?? 'The meeting',
    conclusion: conclusion(finished.found, finished.runs),
    exit: finished.found.exit,
    runs,
    mutants: [],
    charts: charts.all,
  };
}

async function shownRun(run: Run, { coverage, workers }: Finished, charts: Charts): Promise<Shown> {
  const { subject, places, model } = run;
  const [first] = run.searches;
  const survey = first?.graph ?? null;
  const promises: Promised[] = [];
  const known = [...(survey?.runs.values() ?? [])].map(({ trace }) => trace.events);
  const rests = new Rests(model, known);
  for (const verdict of run.judged) {
    promises.push(promisedOf(verdict, await tellable(run, verdict, survey, rests)));
  }
  return {
    key: `${subject.rules}-${subject.players}`,
    name: model.name,
    world: worldOf(subject),
    figures: first === undefined ? null : figuresOf(first, run, workers),
    asides: run.asides,
    bound: boundOf(subject).arithmetic,
    promises,
    space: survey === null || places === null ? null : spaceOf(survey, places),
    coverage: first === undefined || survey === null ? null : coverageOf(first, survey, coverage),
    chart: charts.of(model.machine),
  };
}

async function tellable(
  run: Run,
  verdict: Verdict,
  survey: StateGraph<MeetingEvent> | null,
  rests: Rests,
): Promise<Tale | null> {
  if (verdict.shown !== undefined) return shownTale(verdict.shown);
  const surveyed = survey?.runs.get(verdict.name);
  return surveyed === undefined ? null : await taleOf(run, verdict, surveyed, rests);
}

/** A verdict as the page gets it, with the run behind it. */
export function promisedOf(judged: Verdict, tale: Tale | null): Promised {
  const { name, sentence, kind, verdict } = judged;
  return {
    name,
    sentence,
    kind,
    verdict: verdict.type,
    asDeclared: isAsDeclared(judged),
    said: saidOf(judged),
    why: 'why' in verdict ? verdict.why : '',
    applied: verdict.type === 'proved' ? verdict.antecedents : null,
    tale,
  };
}

function figuresOf(search: CheckResult<MeetingEvent>, run: Run, workers: number): Figures {
  const { engine, slow, states, transitions, depth, frontier, ended, seconds, bytes } = search;
  return {
    ...{ engine, slow, workers, states, transitions, depth, frontier, ended, seconds },
    symmetry: search.isSymmetric ? (run.model.symmetry?.name ?? null) : null,
    broken: search.broken?.message ?? null,
    keptBytes: bytes,
    peakBytes: run.peakMemoryBytes,
  };
}

function spaceOf({ depths, parents, others }: StateGraph<MeetingEvent>, places: Places): Space {
  const isDrawn = parents !== null;
  return {
    ...{ depths, parents, others },
    places: places.names,
    counts: places.counts,
    placeOf: isDrawn ? places.of : [],
  };
}

function coverageOf(
  { coverage: { states, transitions, guards } }: CheckResult<MeetingEvent>,
  { counts: traffic }: StateGraph<MeetingEvent>,
  covered: Covered | null,
): Coverage {
  return {
    states,
    transitions,
    guards: guards === null ? null : { seen: guards.seen, all: guards.all },
    taken: traffic.taken,
    passed: traffic.guards?.passed ?? null,
    failed: traffic.guards?.failed ?? null,
    missing: covered?.missing ?? [],
  };
}
