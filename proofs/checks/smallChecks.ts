/** Searches small meetings and the charts beside the meeting's. One tick of talk is too short for `sometimes`. */
import {
  type CheckResult,
  check,
  type Model,
  type PropertyResult,
  type SearchBudget,
  type Trace,
} from 'glass-box-checker';
import type { EventObject } from 'xstate';
import type { ToGallery } from '../../machines/messages.ts';
import { capitalize } from '../../machines/text.ts';
import type { RuleSet } from '../../machines/types.ts';
import { arbiterTicksModel, arbiterTiesModel, FLOOR_OPTIONS } from '../models/arbiterTicks.ts';
import { createGalleryModel, createSessionModel, SESSIONS } from '../models/gallery.ts';
import {
  CALLS,
  listAlikeEvents,
  listTableSizes,
  OPTION_ENDS,
  type SmallMeeting,
} from '../models/smallMeetings.ts';
import { arbiterProperties } from '../properties/arbiter.ts';
import { galleryProperties } from '../properties/gallery.ts';
import { type SessionEvent, sessionProperties } from '../properties/session.ts';
import type { ExtraSearch, SearchCounts } from '../report/explorerReport.ts';
import { playArbiter, showArbiterStep, writeArbiterJournal } from '../traces/arbiterTrace.ts';
import {
  describeBid,
  listChartSteps,
  listCounterexamples,
  listSteps,
  simulateJournal,
} from '../traces/counterexample.ts';
import {
  createMeetingModel,
  type MeetingConfiguration,
  type MeetingModel,
  toConfiguration,
} from './meetingConfigurations.ts';
import {
  type CheckRun,
  EMPTY_RUN,
  type MeetingEvent,
  type PropertyFinding,
  type ShownCounterexample,
} from './meetingSearch.ts';

export type ExtraSearchOptions = { readonly budget: SearchBudget; readonly now: () => number };

export type ExtraFindings = {
  readonly asides: readonly ExtraSearch[];
  readonly verdicts: readonly PropertyFinding[];
};

type SmallCheck = {
  readonly name: string;
  readonly sentence: string;
  readonly meetings: (rules: RuleSet) => readonly SmallMeeting[];
  /** A common description. Without it the report names each meeting. */
  readonly about?: string;
  readonly isAlike?: boolean;
};

export const SMALL_CHECKS: readonly SmallCheck[] = [
  {
    name: 'holds-at-every-option',
    sentence: 'Every property holds with each option at its least and at its most.',
    meetings: (rules) => OPTION_ENDS[rules],
  },
  {
    name: 'holds-for-every-call',
    sentence: 'Every property holds whoever calls, and a call that breaks a rule is refused.',
    meetings: () => CALLS,
    about: `${CALLS.length} calls, on both sides of each rule that one can break`,
    isAlike: true,
  },
  {
    name: 'holds-at-every-size',
    sentence: 'Every property holds at tables of 0 to 15 players who all act by one rule.',
    meetings: listTableSizes,
    about: 'tables of each number of players',
    isAlike: true,
  },
];

export function askSmallMeetings(
  { name, sentence, meetings, about, isAlike = false }: SmallCheck,
  { rules, knobs }: Pick<MeetingConfiguration, 'rules' | 'knobs'>,
  { budget, now }: ExtraSearchOptions,
): ExtraFindings {
  const searched = meetings(rules).map(({ about: title, match, setting }) => {
    // With so few players all combinations are listed.
    const stops = knobs.stops || isAlike;
    const subject = toConfiguration(match, setting, { ...knobs, combinations: 'all', stops });
    const model = createSmallModel(subject, isAlike);
    // Without symmetry if the patience exceeds the form's range, or where all players of a larger table act alike.
    const isSymmetric = setting.seats.length === 2 && setting.options.patience < MOST_ALIKE;
    const found = check(model, { budget, now, isSymmetric, purity: 'some-steps' });
    return { about: title, subject, model, found };
  });
  const head = { name, sentence, kind: 'small meetings', expected: 'proved' } as const;
  const open = searched.find(({ found }) => found.ended !== null);
  const bad = searched.flatMap((one) => showViolation(one) ?? []);
  const [shown] = bad.toSorted((one, other) => one.steps.length - other.steps.length);
  const undecided: PropertyFinding['verdict'] =
    open === undefined
      ? { type: 'proved', antecedents: null }
      : { type: 'incomplete', why: `${open.found.ended} ended ${open.about}` };
  const verdict = shown === undefined ? undecided : VIOLATED;
  return {
    asides: [...Map.groupBy(searched, (one) => about ?? one.about)].map(([title, group]) => {
      const results = group.map(({ found }) => found);
      return toAside(title, results, [name]);
    }),
    verdicts: [{ ...head, verdict, ...(shown && { shown }) }],
  };
}

/** Violated by a counterexample that is shown separately. */
export const VIOLATED = {
  type: 'violated',
  trace: { events: [], loop: null, excludedBy: [] },
} as const satisfies PropertyFinding['verdict'];

function createSmallModel(subject: MeetingConfiguration, isAlike: boolean): MeetingModel {
  const model = createMeetingModel(subject);
  const properties = model.properties.filter(
    (property) => property.kind !== 'sometimes' && property.expect !== 'violated',
  );
  const world = isAlike ? listAlikeEvents(subject.knobs) : model.world;
  return { ...model, properties, world };
}

const MOST_ALIKE = 10;

export function toAside(
  about: string,
  all: readonly SearchCounts[],
  asked: readonly string[],
): ExtraSearch {
  return { about, ...addCounts(all), asked };
}

export function addCounts(all: readonly SearchCounts[]): SearchCounts {
  const sum = (count: 'states' | 'transitions' | 'seconds') =>
    all.reduce((total, one) => total + one[count], 0);
  return {
    states: sum('states'),
    transitions: sum('transitions'),
    ended: all.find(({ ended }) => ended !== null)?.ended ?? null,
    seconds: sum('seconds'),
  };
}

function showViolation(searched: {
  readonly about: string;
  readonly subject: MeetingConfiguration;
  readonly model: MeetingModel;
  readonly found: CheckResult<MeetingEvent>;
}): ShownCounterexample | null {
  const { about, subject, model, found } = searched;
  const run: CheckRun = { ...EMPTY_RUN, subject, model, judged: found.results };
  if (found.broken !== null) {
    const { trace, message } = found.broken;
    const steps = listSteps({ run, trace: { ...trace, events: trace.events.slice(0, -1) } });
    const note = `There the machine breaks: ${message}. The meeting: ${about}.`;
    return { steps, note, journals: () => [] };
  }
  const [example] = listCounterexamples(run).toSorted(
    (one, other) => one.trace.events.length - other.trace.events.length,
  );
  if (example === undefined) return null;
  const { verdict: broken, trace } = example;
  // No match file can state such a call, so it has no journal.
  const isRefused = CALLS.some(({ setting }) => setting === subject.setting);
  const why = 'why' in broken.verdict ? ` (${broken.verdict.why})` : '';
  return {
    steps: listSteps({ run, trace }),
    note: `There ${broken.name} fails: ${broken.sentence}${why} The meeting: ${about}.`,
    journals: () => (isRefused ? [] : [simulateJournal(example)]),
  };
}

/** Checks a chart of its own in each of these models, and gives the worst verdict on each property. */
function askChart<C, E extends EventObject, M>(
  models: readonly (Model<C, E> & M)[],
  show: (
    model: Model<C, E> & M,
    found: PropertyFinding,
    trace: Trace<EventObject>,
  ) => ShownCounterexample,
  { budget, now }: ExtraSearchOptions,
): ExtraFindings {
  const names = [...new Set(models.flatMap((model) => model.properties.map(({ name }) => name)))];
  const searched = models.map((model) => {
    const found = check<C, E>(model, { budget, now, purity: 'some-steps' });
    return { model, found, results: found.results.map((one) => concludeBroken(one, found)) };
  });
  return {
    asides: searched.map(({ model, found }) => toAside(model.name, [found], names)),
    verdicts: names.map((name): PropertyFinding => {
      const all = searched.flatMap(({ model, results }) =>
        results.flatMap((one) => (one.name === name ? [{ model, one }] : [])),
      );
      const rank = ({ one }: (typeof all)[number]) => WORST.indexOf(one.verdict.type);
      const [worst] = all.toSorted((one, other) => rank(one) - rank(other));
      if (worst === undefined) throw new Error(`no search checked ${name}`);
      const { model, one } = worst;
      if (one.verdict.type !== 'violated') return one;
      return { ...one, shown: show(model, one, one.verdict.trace) };
    }),
  };
}

const WORST = ['violated', 'incomplete', 'vacuous', 'proved'] as const;

/** A chart that throws has no next step. */
function concludeBroken(
  one: PropertyResult<EventObject>,
  { broken }: Pick<CheckResult<EventObject>, 'broken'>,
): PropertyResult<EventObject> {
  if (broken === null || one.kind !== 'deadlock-free') return one;
  return { ...one, verdict: { type: 'violated', trace: broken.trace, why: broken.message } };
}

type AskChart = (options: ExtraSearchOptions) => ExtraFindings;

const askArbiter: AskChart = (options) =>
  askChart(
    [...Object.entries(FLOOR_OPTIONS).map((floor) => arbiterTicksModel(floor)), arbiterTiesModel()],
    (model, { name, sentence }, { events }) => {
      const played = playArbiter(model, events);
      const title = { name: `${name}: ${model.name}`, about: sentence };
      return {
        steps: played.map(showArbiterStep),
        note: `It is ${model.name}.`,
        journals: () => [writeArbiterJournal(model.input, model.table, title, played)],
      };
    },
    options,
  );

const showInSteps = (
  { name }: { readonly name: string },
  _: PropertyFinding,
  trace: Trace<EventObject>,
): ShownCounterexample => ({
  steps: listChartSteps(trace, describeChartEvent),
  note: `It is ${name}.`,
  journals: () => [],
});

function describeChartEvent(event: EventObject): string {
  const known = event as ToGallery | SessionEvent; // the models list no others
  switch (known.type) {
    case 'table.changed':
      return `the ghosts see the table (${known.requestKind})`;
    case 'ghost.joined':
      return `${capitalize(known.seat)} becomes a ghost`;
    case 'ghost.answered':
      return `${capitalize(known.bid.seat)} ${describeBid(known.bid)} in turn ${known.turn}`;
    case 'time.called':
      return `the time of turn ${known.turn} is up`;
    case 'turn.ended':
      return 'the dice are drawn';
    case 'meeting.over':
      return 'the meeting is over';
    case 'xstate.done.actor.meeting':
      return `the meeting ends (${known.output.outcome})`;
    case 'xstate.done.actor.gallery':
      return 'the gallery closes';
    default:
      // A timer.
      return 'time passes';
  }
}

const namesOf = (properties: readonly { readonly name: string }[]) =>
  properties.map(({ name }) => name);

/** The charts with searches of their own, by their names in reports. */
export const CHART_CHECKS = {
  'the arbiter': { names: namesOf(arbiterProperties), ask: askArbiter },
  'the gallery': {
    names: namesOf(galleryProperties),
    ask: (options) => askChart([createGalleryModel()], showInSteps, options),
  },
  'the session': {
    names: namesOf(sessionProperties),
    ask: (options) => {
      const models = Object.entries(SESSIONS).map((session) => createSessionModel(session));
      return askChart(models, showInSteps, options);
    },
  },
} as const satisfies Readonly<
  Record<string, { readonly names: readonly string[]; readonly ask: AskChart }>
>;
