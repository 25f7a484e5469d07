/** The report of recorded journals: each promise over the steps that were recorded, and where it is broken. */
import type { Journal } from '../../../actors/engine/journal/reader.ts';
import { meetingMachine } from '../../../machines/charts/meeting.ts';
import { lensFor } from '../../../machines/journal/lens.ts';
import { settingFor } from '../../../machines/setup/prepare.ts';
import { meetingWorld } from '../../../proofs/models/world.ts';
import type { Turn } from '../../../proofs/properties/promise.ts';
import type { Promised, Report, Run, Tale } from '../../../visualizer/page/explorer/report.ts';
import { AS_RULED, type History, judgedScenario } from '../history.ts';
import { Retelling } from '../retelling.ts';
import { CHANCE } from '../subject.ts';
import { changed } from '../words.ts';
import { Charts } from './charts.ts';
import { Rests } from './rests.ts';
import { stepped } from './tales.ts';

export type Recorded = { readonly history: History; readonly journal: Journal };

/** Of more seats than this the ways in which a tick can close are too many to be listed at each step. */
const MOST_LISTED = 4;
/** Anything may happen to a meeting that was recorded, one departure at a time. */
const KNOBS = { faults: true, departures: 1, stops: true };

type Looked = { readonly turn: Turn; readonly line: number };

export function journalReport(all: readonly Recorded[], exit: number): Report {
  const charts = new Charts();
  const broken = all.flatMap(({ history }) =>
    history.judged.filter(({ finding }) => finding !== null),
  );
  const many = all.length === 1 ? 'One journal' : `${all.length} journals`;
  return {
    v: 1,
    about: 'journals',
    title: 'Recorded meetings',
    conclusion: `${many}: ${broken.length === 0 ? 'every promise is kept' : `${broken.length} broken`}`,
    exit,
    runs: all.map((recorded, index) => shown(recorded, `journal-${index + 1}`, charts)),
    mutants: [],
    charts: charts.all,
  };
}

function shown({ history, journal }: Recorded, key: string, charts: Charts): Run {
  const { path, steps, isWhole, isFinished, judged } = history;
  const looked = lookedAt(journal);
  return {
    key,
    name: path,
    world: [
      `${steps} steps`,
      isWhole ? 'every line was judged' : 'judged up to where it is wrong',
      ...(isFinished ? [] : ['it ends in mid-meeting']),
    ].join(', '),
    figures: null,
    asides: [],
    bound: '',
    promises: judged.map((one) => promised(one, journal, looked)),
    space: null,
    coverage: null,
    chart: charts.of(meetingMachine),
  };
}

type One = History['judged'][number];

function promised(
  { name, sentence, applied, finding }: One,
  journal: Journal,
  looked: readonly Looked[],
): Promised {
  const isQuiet = applied === 0 && finding === null;
  const last =
    finding === null ? looked.length - 1 : looked.findIndex(({ line }) => line >= finding.line);
  const isTold = finding !== null || name === AS_RULED.name;
  return {
    ...{ name, sentence, applied },
    kind: 'recorded',
    verdict: finding !== null ? 'violated' : isQuiet ? 'vacuous' : 'proved',
    asDeclared: finding === null,
    said: finding !== null ? 'broken' : isQuiet ? 'did not apply' : 'kept',
    why: finding === null ? '' : `line ${finding.line}: ${finding.text}`,
    tale: isTold
      ? taleOf(journal, last < 0 ? looked : looked.slice(0, last + 1), finding === null)
      : null,
  };
}

/** Every step as it was judged. */
function lookedAt(journal: Journal): readonly Looked[] {
  const [header] = journal.lines;
  if (header?.type !== 'journal.opened') return [];
  const looked: Looked[] = [];
  const judge = { look: (turn: Turn, line: number) => void looked.push({ turn, line }) };
  new Retelling(journal, settingFor(judgedScenario(header.scenario), CHANCE)).judge([judge]);
  return looked;
}

function taleOf(journal: Journal, looked: readonly Looked[], isExample: boolean): Tale | null {
  const [header] = journal.lines;
  if (header?.type !== 'journal.opened') return null;
  const input = settingFor(judgedScenario(header.scenario), CHANCE);
  const world = input.seats.length > MOST_LISTED ? () => [] : meetingWorld(KNOBS);
  const events = looked.map(({ turn }) => turn.event);
  const rests = new Rests({ machine: meetingMachine, input, world }, [events]);
  const { steps, rests: found } = stepped(events, rests);
  return {
    isExample,
    // Where the journal parts from the machine, what the journal claims counts.
    steps: steps.map((step, index) => {
      const turn = looked[index]?.turn;
      if (turn === undefined) return step;
      return { ...step, to: turn.after.at, changes: changed(turn.before, turn.after) };
    }),
    rests: found,
    loop: null,
    excludedBy: [],
    note: isExample ? 'The meeting as it was recorded.' : '',
    states: null,
    journals: [{ lines: seen(journal), ends: endsOf(journal, looked) }],
  };
}

function seen({ lines }: Journal) {
  const glass = lensFor({ type: 'glass' });
  return lines.flatMap((line) => glass(line) ?? []);
}

/** The number of the last line of the living before each step, and at the end. */
function endsOf({ lines }: Journal, looked: readonly Looked[]): readonly number[] {
  const before = (line: number) =>
    lines.slice(0, line).findLast(({ channel }) => channel === 'living')?.seq ?? 0;
  return [...looked.map(({ line }) => before(line - 1)), before(lines.length)];
}
