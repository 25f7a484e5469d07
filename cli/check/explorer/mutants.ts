/** The report of a check of mutants: a table of what noticed which, and the run behind each kill. */
import { meetingMatchSchema } from '../../../machines/setup/match.ts';
import { encodeMeetingOptions } from '../../../machines/setup/options.ts';
import type { Mutant, Report, Run as Shown } from '../../../visualizer/page/explorer/report.ts';
import { type Kill, KNOBS, type Tried } from '../mutation.ts';
import type { Run } from '../run.ts';
import type { Subject } from '../subject.ts';
import { Charts } from './charts.ts';
import { Rests } from './rests.ts';
import { promisedOf } from './searched.ts';
import { mutantTale } from './tales.ts';

export function mutantReport(all: readonly Tried[], words: string, exit: number): Report {
  const charts = new Charts();
  const runs = all.flatMap(({ name, fate }, index): readonly Shown[] => {
    const kill = fate?.kill ?? null;
    return kill === null ? [] : [killOf(kill, { key: keyOf(index), name }, charts)];
  });
  return {
    v: 1,
    about: 'mutants',
    title: 'The meeting, broken on purpose',
    conclusion: words,
    exit,
    runs,
    mutants: all.map(({ kind, name, fate, excuse }, index): Mutant => {
      const run = fate === null || fate.kill === null ? null : keyOf(index);
      const [by, where] = [fate?.by ?? null, fate?.world ?? null];
      return { kind, broken: name, by, where, excuse, run };
    }),
    charts: charts.all,
  };
}

function keyOf(index: number): string {
  return `mutant-${index + 1}`;
}

function killOf(
  kill: Kill,
  { key, name }: { readonly key: string; readonly name: string },
  charts: Charts,
): Shown {
  const { model, verdict } = kill;
  const run = runOf(kill);
  const events = verdict.verdict.type === 'violated' ? verdict.verdict.trace.events : [];
  return {
    key,
    name,
    world: `${run.subject.rules}, ${run.subject.players} players`,
    figures: null,
    asides: [],
    bound: '',
    promises: [promisedOf(verdict, mutantTale(run, verdict, new Rests(model, [events])))],
    space: null,
    coverage: null,
    chart: charts.of(model.machine),
  };
}

/** Some of these tables have times that no lobby has: a header must have some that it can have. */
const TIMES = { discussion_time: 15, voting_time: 15 } as const;

/** As much of a run as the telling of it asks for. */
function runOf({ setting, model, verdict }: Kill): Run {
  const { options, seats, standings, call } = setting;
  const scenario = meetingMatchSchema.parse({
    name: verdict.name,
    options: { ...encodeMeetingOptions(options), ...TIMES },
    call: { by: call.by },
    seats: seats.map(({ colour, role }) => ({ colour, role, dead: standings[colour] === 'dead' })),
  });
  const players = seats.filter(({ colour }) => standings[colour] === 'living').length;
  const ghosts = seats.length - players;
  const { rules } = options;
  const subject: Subject = { rules, players, ghosts, setting, knobs: KNOBS, scenario };
  const nothing = { searches: [], asides: [], ballots: [], places: null, peakMemoryBytes: 0 };
  return { subject, model, judged: [verdict], ...nothing };
}
