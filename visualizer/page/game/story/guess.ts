/** Guesses of a viewer, held against the votes and against the listeners: who of the named were impostors, meeting by meeting. */
import { countTurned } from '../../../../machines/journal/projection.ts';
import type { BySeat, Colour } from '../../../../machines/types.ts';
import type { ListenerShares } from './pageData.ts';
import type { Moment, Story } from './story.ts';

/** Whom the viewer has named, by the number of the meeting. */
export type Guesses = Readonly<Partial<Record<number, readonly Colour[]>>>;

/** A meeting as a viewer of the table sees it. */
export type GuessedMeeting = {
  readonly number: number;
  /** Who can be named: those who lived as it began, but for the player through whose eyes the lens looks. */
  readonly suspects: readonly Colour[];
  /** The share of the ballots that each got; nobody before they are turned. */
  readonly votes: BySeat<number>;
  /** The ballots are turned: too late for a guess. */
  readonly isDecided: boolean;
};

/** The meetings of a story up to a moment. */
export function listMeetings(
  { moments }: Pick<Story, 'moments'>,
  step: number,
): readonly GuessedMeeting[] {
  const first = new Map<number, Moment>();
  const last = new Map<number, Moment>();
  for (const moment of moments.slice(0, step + 1)) {
    const number = moment.meeting?.number;
    if (number === undefined) continue;
    if (!first.has(number)) first.set(number, moment);
    last.set(number, moment);
  }
  return [...first].map(([number, begun]) => readMeeting(number, begun, last.get(number) ?? begun));
}

function readMeeting(number: number, begun: Moment, now: Moment): GuessedMeeting {
  const own = now.lens.type === 'player' ? now.lens.seat : null;
  const turned = countTurned(now.meeting?.turned ?? []);
  const all = turned.reduce((sum, { votes }) => sum + votes, 0);
  const shares = turned.flatMap(({ candidate, votes }) =>
    candidate === 'skip' ? [] : [[candidate, votes / all] as const],
  );
  return {
    number,
    suspects: begun.players.flatMap(({ seat, fate }) =>
      fate === 'living' && seat !== own ? [seat] : [],
    ),
    votes: Object.fromEntries(shares),
    isDecided: now.meeting?.sentence !== '',
  };
}

/** Who else has guessed: the ballots, what the crew could have known, and what it said that it believes. */
export const GUESSERS = ['votes', 'observer', 'minds'] as const;
export type Guesser = (typeof GUESSERS)[number];

export type JudgedGuess = {
  readonly meeting: number;
  readonly named: readonly Colour[];
  /** How many of the named are impostors. */
  readonly right: number;
  /** How many are among as many players whom the others suspect most; left out where they do not say. */
  readonly others: Readonly<Partial<Record<Guesser, number>>>;
  /** How probable the others found it of each of the named. */
  readonly shares: readonly {
    readonly seat: Colour;
    readonly isRight: boolean;
    readonly by: Readonly<Partial<Record<Guesser, number>>>;
  }[];
};

/** Judges the guesses of a viewer, when it is known who the impostors were. */
export function judgeGuesses(
  guesses: Guesses,
  meetings: readonly GuessedMeeting[],
  { impostors, listeners }: GuessTruth,
): readonly JudgedGuess[] {
  return meetings.flatMap(({ number, suspects, votes }) => {
    const named = guesses[number] ?? [];
    if (named.length === 0) return [];
    const heard = listeners.find(({ meeting }) => meeting === number);
    const known: Readonly<Record<Guesser, BySeat<number>>> = {
      votes,
      observer: heard?.observer ?? {},
      minds: heard?.minds ?? {},
    };
    const told = GUESSERS.filter((guesser) => Object.keys(known[guesser]).length > 0);
    return [
      {
        meeting: number,
        named,
        right: named.filter((seat) => impostors.includes(seat)).length,
        others: Object.fromEntries(
          told.map((guesser) => [
            guesser,
            countRight({ shares: known[guesser], suspects, impostors }, named.length),
          ]),
        ),
        shares: named.map((seat) => ({
          seat,
          isRight: impostors.includes(seat),
          by: Object.fromEntries(told.map((guesser) => [guesser, known[guesser][seat] ?? 0])),
        })),
      },
    ];
  });
}

type GuessTruth = {
  readonly impostors: readonly Colour[];
  readonly listeners: readonly ListenerShares[];
};

type SharedSuspicion = {
  readonly shares: BySeat<number>;
  readonly suspects: readonly Colour[];
  readonly impostors: readonly Colour[];
};

/** The impostors among so many players with the greatest shares; among equals, as many as a draw would find in the mean. */
function countRight({ shares, suspects, impostors }: SharedSuspicion, count: number): number {
  const groups = Map.groupBy(suspects, (seat) => shares[seat] ?? 0);
  const ordered = [...groups].sort(([one], [other]) => other - one);
  let [left, right] = [count, 0];
  for (const [, seats] of ordered) {
    const taken = Math.min(left, seats.length);
    const share = seats.filter((seat) => impostors.includes(seat)).length / seats.length;
    right += taken * share;
    left -= taken;
  }
  return right;
}
