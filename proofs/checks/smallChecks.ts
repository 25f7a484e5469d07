/**
 * Searches small meetings next to the main search, and the arbiter's own chart. `sometimes`
 * properties are excluded, because a talk of one tick cannot satisfy many of them.
 */
import { type CheckResult, check, type SearchBudget } from 'glass-box-checker';
import type { RuleSet } from '../../machines/types.ts';
import { ARBITER_SEATS, arbiterTicksModel, FLOOR_OPTIONS } from '../models/arbiterTicks.ts';
import {
  CALLS,
  listAlikeEvents,
  OPTION_ENDS,
  type SmallMeeting,
  TABLE_SIZES,
} from '../models/smallMeetings.ts';
import { arbiterProperties } from '../properties/arbiter.ts';
import type { ExtraSearch } from '../report/explorerReport.ts';
import { playArbiter, showArbiterStep, writeArbiterJournal } from '../traces/arbiterTrace.ts';
import { listSteps, simulateJournal } from '../traces/counterexample.ts';
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

/** The small meetings that are searched for one property. */
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
    meetings: (rules) => TABLE_SIZES[rules],
    about: 'tables of each number of players',
    isAlike: true,
  },
];

export function askSmallMeetings(
  { name, sentence, meetings, about, isAlike = false }: SmallCheck,
  { rules, knobs }: Pick<MeetingConfiguration, 'rules' | 'knobs'>,
  options: ExtraSearchOptions,
): ExtraFindings {
  const searched = meetings(rules).map(({ about: title, match, setting }) => {
    // With so few players all combinations are listed.
    const subject = toConfiguration(match, setting, { ...knobs, combinations: 'all' });
    const model = createSmallModel(subject, isAlike);
    return { about: title, subject, model, found: search(model, subject, options) };
  });
  const head = { name, sentence, kind: 'small meetings', expected: 'proved' } as const;
  const open = searched.find(({ found }) => found.ended !== null);
  const bad = searched.flatMap((one) => showViolation(one) ?? []);
  const [first] = bad.toSorted((one, other) => one.steps.length - other.steps.length);
  const undecided: PropertyFinding['verdict'] =
    open === undefined
      ? { type: 'proved', antecedents: null }
      : { type: 'incomplete', why: `${open.found.ended} ended ${open.about}` };
  return {
    asides: [...Map.groupBy(searched, (one) => about ?? one.about)].map(([title, group]) => {
      const results = group.map(({ found }) => found);
      return toAside(title, results, [name]);
    }),
    verdicts: [
      first === undefined
        ? { ...head, verdict: undecided }
        : { ...head, verdict: VIOLATED, shown: first },
    ],
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

/**
 * Symmetry is off if the patience exceeds the canonical form's range, or for larger tables where all players act alike.
 */
function search(
  model: MeetingModel,
  { setting }: MeetingConfiguration,
  { budget, now }: ExtraSearchOptions,
): CheckResult<MeetingEvent> {
  const isSymmetric = setting.seats.length === 2 && setting.options.patience < MOST_ALIKE;
  return check(model, { budget, now, isSymmetric, purity: 'some-steps' });
}

const MOST_ALIKE = 10;

function toAside(
  about: string,
  all: readonly Pick<CheckResult<MeetingEvent>, 'states' | 'transitions' | 'seconds' | 'ended'>[],
  asked: readonly string[],
): ExtraSearch {
  const sum = (count: (one: (typeof all)[number]) => number) =>
    all.reduce((total, one) => total + count(one), 0);
  return {
    about,
    states: sum(({ states }) => states),
    transitions: sum(({ transitions }) => transitions),
    ended: all.find(({ ended }) => ended !== null)?.ended ?? null,
    seconds: sum(({ seconds }) => seconds),
    asked,
  };
}

function showViolation(searched: {
  readonly about: string;
  readonly subject: MeetingConfiguration;
  readonly model: MeetingModel;
  readonly found: CheckResult<MeetingEvent>;
}): ShownCounterexample | null {
  const { about, subject, model, found } = searched;
  const run = { ...EMPTY_RUN, subject, model } satisfies CheckRun;
  if (found.broken !== null) {
    const { trace, message } = found.broken;
    const steps = listSteps({ run, trace: { ...trace, events: trace.events.slice(0, -1) } });
    const note = `There the machine breaks: ${message}. The meeting: ${about}.`;
    return { steps, note, journals: () => [] };
  }
  const [shortest] = found.results
    .flatMap((one) => (one.verdict.type === 'violated' ? [{ one, trace: one.verdict.trace }] : []))
    .toSorted((one, other) => one.trace.events.length - other.trace.events.length);
  if (shortest === undefined) return null;
  const { one: broken, trace } = shortest;
  const example = { run, verdict: broken, trace };
  // No match file can state such a call, so it has no journal.
  const isRefused = CALLS.some(({ setting }) => setting === subject.setting);
  return {
    steps: listSteps({ run, trace }),
    note: `There ${broken.name} fails: ${broken.sentence} The meeting: ${about}.`,
    journals: () => (isRefused ? [] : [simulateJournal(example)]),
  };
}

/** Checks the arbiter's own chart tick by tick, with both extremes of the options that only it reads. */
export function askArbiter({ budget, now }: ExtraSearchOptions): ExtraFindings {
  const searched = Object.entries(FLOOR_OPTIONS).map((options) => {
    const model = arbiterTicksModel(options);
    return { model, found: check(model, { budget, now, purity: 'some-steps' }) };
  });
  return {
    asides: searched.map(({ model, found }) => toAside(model.name, [found], ARBITER_CHECKS)),
    verdicts: ARBITER_CHECKS.map((name): PropertyFinding => {
      const all = searched.flatMap(({ model, found }) =>
        found.results.flatMap((one) => (one.name === name ? [{ model, one }] : [])),
      );
      const rank = ({ one }: (typeof all)[number]) => WORST.indexOf(one.verdict.type);
      const [worst] = all.toSorted((one, other) => rank(one) - rank(other));
      if (worst === undefined) throw new Error(`no search checked ${name}`);
      const { model, one } = worst;
      if (one.verdict.type !== 'violated') return one;
      const played = playArbiter(model, one.verdict.trace.events);
      const title = { name: `${name}: ${model.name}`, about: one.sentence };
      const shown = {
        steps: played.map(showArbiterStep),
        note: `It is ${model.name}.`,
        journals: () => [writeArbiterJournal(model.input, ARBITER_SEATS, title, played)],
      };
      return { ...one, shown };
    }),
  };
}

const WORST = ['violated', 'incomplete', 'vacuous', 'proved'] as const;

export const ARBITER_CHECKS: readonly string[] = arbiterProperties.map(({ name }) => name);
