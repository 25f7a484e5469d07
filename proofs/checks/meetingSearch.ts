import {
  type CheckOptions,
  type CheckResult,
  checkInTurns,
  type PropertyResult,
  type State,
} from 'glass-box-checker';
import { realProcess } from '../../actors/ports/process.ts';
import type { ToMeeting } from '../../machines/messages.ts';
import type { MeetingSetup, Table } from '../../machines/rules/meeting.ts';
import type { Ballot } from '../../machines/types.ts';
import type { ExtraSearch } from '../report/explorerReport.ts';
import {
  createMeetingModel,
  type MeetingConfiguration,
  type MeetingModel,
} from './meetingConfigurations.ts';

/** Only the chart knows the types of timer events. */
export type MeetingEvent = ToMeeting | { readonly type: string };

/** `shown` is set if the counterexample is no trace of the meeting's own machine. */
export type PropertyFinding = PropertyResult<MeetingEvent> & {
  readonly shown?: ShownCounterexample;
};

export type CheckRun = {
  readonly subject: MeetingConfiguration;
  readonly model: MeetingModel;
  readonly judged: readonly PropertyFinding[];
  /** Null if none of the meeting's own properties is requested. */
  readonly search: CheckResult<MeetingEvent> | null;
  readonly asides: readonly ExtraSearch[];
  readonly ballots: readonly ReturnType<ReturnType<typeof countBallots>['counts']>[number][];
  readonly peakMemoryBytes: number;
};

export type CheckRunOptions = Pick<
  CheckOptions,
  'budget' | 'now' | 'memory' | 'onProgress' | 'signal'
> & {
  readonly only: readonly string[] | null;
  readonly keepsGraph: boolean;
  readonly isSymmetric: boolean;
};

export type ShownStep = {
  /** The state of the meeting. For two compared meetings, which of them takes the step. */
  readonly at: string;
  readonly to: string;
  readonly happened: string;
  readonly changes: readonly string[];
  /** The other meeting's step, if it differs. */
  readonly beside?: string;
};

/** A counterexample with its own steps, because it is no trace of the meeting's machine. */
export type ShownCounterexample = {
  readonly steps: readonly ShownStep[];
  readonly note: string;
  /** The observations of both meetings in each step, if two are compared. */
  readonly seen?: readonly PairSeen[];
  /** Journals for `watch`: one, two to compare, or none if it cannot be played. */
  readonly journals: () => readonly TraceSheet[];
};

export type PairSeen = readonly [readonly unknown[], readonly unknown[]];

export type TraceSheet = {
  readonly text: string;
  /** The number of the last living line at the start and after each step. */
  readonly ends: readonly number[];
};

/** Skips the search if none of the properties of the meeting itself is requested. */
export async function checkConfiguration(
  subject: MeetingConfiguration,
  options: CheckRunOptions,
): Promise<CheckRun> {
  const model = createMeetingModel(subject);
  const { only } = options;
  const isAsked = only === null || model.properties.some(({ name }) => only.includes(name));
  if (!isAsked) return { ...EMPTY_RUN, subject, model, peakMemoryBytes: realProcess.peakMemory() };
  const census = countBallots(subject.setting);
  // Tests on small meetings, where every step is watched, show that the meeting is pure.
  const searched = await checkInTurns(model, {
    ...options,
    onState: census.note,
    purity: 'some-steps',
  });
  return {
    ...EMPTY_RUN,
    subject,
    model,
    judged: searched.results,
    search: searched,
    ballots: census.counts(searched.isSymmetric),
    peakMemoryBytes: realProcess.peakMemory(),
  };
}

export const EMPTY_RUN = {
  judged: [],
  search: null,
  asides: [],
  ballots: [],
  peakMemoryBytes: 0,
} as const;

/** A digit for each seat: 0 without a ballot, 1 for skip, otherwise the place of the named seat plus 2. */
type BallotVector = number;

const NAMED = 2;

/** Six players of one kind can be exchanged in 720 ways, and seven in too many. */
const MOST_EXCHANGED = 6;

/** Counts ballot vectors by phase, to compare with arithmetic. Symmetry merges some, which are counted too. */
function countBallots({ seats, standings }: MeetingSetup) {
  const phases = new Map<string, Set<BallotVector>>();
  const digits = new Map<Ballot | undefined, number>([
    [undefined, 0],
    ['skip', 1],
    ...seats.map(({ colour }, place) => [colour, place + NAMED] as const),
  ]);
  const weights = seats.map((_, place) => digits.size ** place);
  const swap = (one: number, other: number): BallotSwap => {
    const exchange = (place: number) => (place === one ? other : place === other ? one : place);
    return (vector) =>
      weights.reduce((sum, weight, place) => {
        const digit = Math.floor(vector / weight) % digits.size;
        const swapped = digit < NAMED ? digit : exchange(digit - NAMED) + NAMED;
        return sum + swapped * (weights[exchange(place)] ?? 0);
      }, 0);
  };
  /** Swaps of two seats with the same role and standing, which make up all exchanges; null if there are too many. */
  const listSwaps = (): readonly BallotSwap[] | null => {
    const kinds = Map.groupBy(seats.keys(), (place) => {
      const seat = seats[place];
      return seat && `${seat.role} ${standings[seat.colour]}`;
    });
    const groups = [...kinds.values()];
    if (groups.some(({ length }) => length > MOST_EXCHANGED)) return null;
    return groups.flatMap(([first = 0, ...others]) => others.map((place) => swap(first, place)));
  };
  return {
    note: ({ at, context }: State<Table>): void => {
      const phase = at.split('.')[0] ?? at;
      const vectors = phases.get(phase) ?? new Set();
      const vector = seats.reduce((sum, { colour }, place) => {
        return sum + (digits.get(context.ballots[colour]) ?? 0) * (weights[place] ?? 0);
      }, 0);
      phases.set(phase, vectors.add(vector));
    },
    /** The visited vectors, and all with those that symmetry merged; null if there are too many exchanges. */
    counts: (isSymmetric: boolean) => {
      const swaps = isSymmetric ? listSwaps() : [];
      return [...phases].map(([phase, vectors]) => {
        const visited = vectors.size;
        return { phase, visited, ballots: swaps && addSwapped(vectors, swaps).size };
      });
    },
  };
}

type BallotSwap = (vector: BallotVector) => BallotVector;

function addSwapped(vectors: ReadonlySet<BallotVector>, swaps: readonly BallotSwap[]) {
  const all = new Set(vectors);
  // The loop also swaps the vectors that it adds.
  for (const vector of all) for (const swap of swaps) all.add(swap(vector));
  return all;
}
