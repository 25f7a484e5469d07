/**
 * Late meetings: of n seats m still live, and m sets the bound on silence (rulings 11 and 47). The meeting is
 * called by the game itself, and the arbiter that runs is searched with the weights that it gets there.
 */
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import { FEWEST_SEATS, MOST_SEATS } from '../../machines/rules/optionRows.ts';
import { defaultWeights } from '../../machines/rules/weights.ts';
import { settingFor } from '../../machines/setup/prepare.ts';
import { RULE_SETS } from '../../machines/types.ts';
import { checkSilence } from '../../proofs/checks/extraChecks.ts';
import { CHANCE, listConfigurations } from '../../proofs/checks/meetingConfigurations.ts';
import { LATE_BOUND, lateAdversary } from '../../proofs/models/arbiter.ts';
import { callLateMeeting, FEWEST_AT_MEETING } from '../../proofs/models/lateMeeting.ts';
import { seeds, testLong } from '../support/seeds.ts';

const SEARCHING = { budget: { states: 200_000, seconds: Infinity }, now: () => 0 };
const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

/** Searched: of every size of a lobby all that live, up to here. Five take a second, six a quarter of a minute. */
const MOST_LIVING = seeds(4, 6);
const SIZES = range(FEWEST_SEATS, MOST_SEATS);
const TABLES = SIZES.flatMap((seats) =>
  range(FEWEST_AT_MEETING, Math.min(MOST_LIVING, seats)).map((living) => ({ seats, living })),
);
const FIVE = [5, 10, 15].map((seats) => ({ seats, living: 5 }));

function checkLateSilence(meeting: MeetingSetup) {
  const { asides, verdicts } = checkSilence(lateAdversary(meeting), [LATE_BOUND], SEARCHING);
  const [verdict = expect.fail('nothing was judged')] = verdicts;
  return { verdict, asides };
}

testLong.each([...TABLES, ...(MOST_LIVING < 5 ? FIVE : [])])(
  '$seats seats, $living living: no player who bids is silent for more than 3N − 1 ticks',
  ({ seats, living }) => {
    const { verdict, asides } = checkLateSilence(callLateMeeting(seats, living));
    expect(verdict.verdict.type).toBe('proved');
    expect(verdict.sentence).toContain(`3N − 1 = ${3 * living - 1} ticks`);
    expect(asides).toMatchObject([{ ended: null, asked: ['silent-at-most-3n-1'] }]);
  },
);

describe('planted: weights that follow the lobby instead of the living', () => {
  const plant = (seats: number, living: number) => {
    const setup = callLateMeeting(seats, living);
    return { ...setup, options: { ...setup.options, weights: defaultWeights(seats) } };
  };

  test.each(SIZES)('%i seats, 3 living: are found out', (seats) => {
    const { verdict } = checkLateSilence(plant(seats, 3));
    expect(verdict.verdict.type).toBe('violated');
  });

  test.each([
    [8, 3],
    [10, 4],
  ])(
    '%i seats, %i living: a meeting shows a player who is silent for 3N ticks',
    (seats, living) => {
      const { verdict } = checkLateSilence(plant(seats, living));
      expect(verdict.shown?.steps).toHaveLength(3 * living);
      if (living < FEWEST_SEATS) return;
      const [sheet] = verdict.shown?.journals() ?? [];
      const { lines, damages } = readJournal(sheet?.text ?? '');
      expect(damages).toEqual([]);
      const floors = lines.flatMap((line) => (line.type === 'tick.closed' ? [line.floor] : []));
      const speakers: readonly (string | null)[] = floors.slice(0, 3 * living);
      expect(speakers).toHaveLength(3 * living);
      expect(speakers.every((seat) => ['red', 'blue', 'green'].includes(`${seat}`))).toBe(true);
    },
  );

  test('where the lobby is as many as live, nothing was planted and nothing is found', () => {
    expect(checkLateSilence(plant(4, 4)).verdict.verdict.type).toBe('proved');
  });
});

test.each(RULE_SETS)(
  '%s: a table that begins with its dead has the weights that a game has then',
  (rules) => {
    for (const seats of SIZES) {
      for (const living of range(FEWEST_AT_MEETING, Math.min(10, seats))) {
        const [table] = listConfigurations(null, {
          rules,
          players: [living],
          ghosts: seats - living,
          combinations: 'some',
          departures: 0,
        });
        if (table === undefined) throw new Error('expected a table');
        const late = callLateMeeting(seats, living, rules);
        expect(settingFor(table.match, CHANCE).options.weights).toEqual(late.options.weights);
        expect(Object.values(late.standings).filter((one) => one === 'dead')).toHaveLength(
          seats - living,
        );
      }
    }
  },
);
