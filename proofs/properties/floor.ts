/** What is promised about the floor, and about what everybody is shown. */
import type { PublicTable } from '../../machines/rules/views.ts';
import { once } from './once.ts';
import {
  isLiving,
  isSame,
  livingAt,
  type Rest,
  seated,
  sentToArbiter,
  type Turn,
  type TurnPromise,
  told,
} from './promise.ts';

const SHOWN = [
  'occasion',
  'rules',
  'seats',
  'call',
  'votesOpen',
  'confirmEjects',
  'announced',
] as const satisfies readonly (keyof PublicTable)[];

const openings = once((turn: Turn) =>
  sentToArbiter(turn).filter((event) => event.type === 'tick.opened'),
);

export const floorPromises: readonly TurnPromise[] = [
  {
    name: 'one-speaker',
    sentence: 'In one tick at most one player speaks, and it is a living one who won the floor.',
    kind: 'step',
    when: (turn) =>
      told(turn, 'tick.closed').some(({ decision: verdict }) => verdict?.said != null),
    holds: (turn) => {
      const ticks = told(turn, 'tick.closed');
      const verdict = ticks[0]?.decision;
      const speaker = verdict?.said?.speaker;
      return (
        ticks.length === 1 &&
        speaker !== undefined &&
        speaker !== 'system' &&
        speaker === verdict?.floor &&
        isLiving(turn.before, speaker)
      );
    },
  },
  {
    name: 'winner-is-heard',
    sentence: 'Whoever lives and has won the floor is heard, word for word.',
    kind: 'step',
    when: ({ before, event }) =>
      event.type === 'tick.closed' &&
      before.tags.has('talk') &&
      event.decision?.floor != null &&
      isLiving(before, event.decision.floor),
    holds: (turn) =>
      turn.event.type === 'tick.closed' &&
      isSame(told(turn, 'tick.closed')[0]?.decision, turn.event.decision),
  },
  {
    name: 'quiet-ticks',
    sentence: 'In the reaction and the consolidation nobody speaks and nobody votes.',
    kind: 'step',
    when: ({ before, event }) => event.type === 'tick.closed' && !before.tags.has('talk'),
    holds: (turn) =>
      told(turn, 'tick.closed').every(({ decision: verdict }) => verdict === null) &&
      isSame(turn.before.context.ballots, turn.after.context.ballots),
  },
  {
    name: 'everybody-living-is-asked',
    sentence: 'When a tick is opened all the living are asked, and nobody else.',
    kind: 'step',
    when: (turn) => openings(turn).length > 0,
    holds: (turn) =>
      openings(turn).length === 1 &&
      openings(turn).every(
        ({ seats, voted }) =>
          isSame(seats, livingAt(turn.after)) &&
          isSame(
            voted,
            seated(turn.after).filter((seat) => turn.after.context.ballots[seat] !== undefined),
          ),
      ),
  },
  {
    name: 'no-peeking',
    sentence:
      'Everybody is shown who is here and who has voted, never for whom before all ballots are turned.',
    kind: 'step',
    when: (turn) => openings(turn).length > 0,
    holds: (turn) =>
      openings(turn).every(
        ({ table }) =>
          Object.keys(table).length === SHOWN.length &&
          SHOWN.every((field) => Object.hasOwn(table, field)) &&
          isSame(table.seats, shownSeats(turn.after)) &&
          isSame(table.announced, shownResult(turn.after)),
      ),
  },
];

/** Promised where somebody may be gone. */
export const silencePromise: TurnPromise = {
  name: 'gone-never-speak',
  sentence:
    'The dead, the departed and ghosts are not heard at the table, even if the floor was theirs.',
  kind: 'step',
  when: ({ before, event }) =>
    event.type === 'tick.closed' &&
    before.tags.has('talk') &&
    event.decision?.floor != null &&
    !isLiving(before, event.decision.floor),
  holds: (turn) =>
    told(turn, 'tick.closed').every(
      ({ decision: verdict }) =>
        verdict !== null && verdict.floor === null && verdict.said === null,
    ),
};

function shownSeats(rest: Rest): PublicTable['seats'] {
  return seated(rest).map((colour) => ({
    colour,
    standing: rest.context.standings[colour] ?? 'departed',
    voted: rest.context.ballots[colour] !== undefined,
  }));
}

/** The result as it stands once every ballot is on the table; null before, and where nothing was counted. */
function shownResult({ context }: Rest): PublicTable['announced'] {
  const { poll, outcome, ejected, revealed, options, seats } = context;
  const voters = seats.map(({ colour }) => colour).filter((seat) => poll?.ballots[seat]);
  if (poll === null || outcome === null || revealed < voters.length) return null;
  const role = seats.find(({ colour }) => colour === ejected)?.role ?? null;
  return {
    outcome,
    ejected,
    role: options.confirmEjects ? role : null,
    ballots: voters.map((voter) => ({
      voter: options.anonymousVotes ? null : voter,
      ballot: poll.ballots[voter] ?? 'skip',
      void: poll.void.includes(voter),
    })),
  };
}
