/** The phases of a meeting in words, compared with a count of the journal's own lines. */
import { describe, expect, test } from 'vitest';
import { type Lens, lensFor } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { emptyProjection, next, type Projection } from '../../../machines/journal/projection.ts';
import { PHASES } from '../../../machines/types.ts';
import { describePhase, markPhases } from '../../../visualizer/page/game/story/phases.ts';
import { recordedGame, recordedMeeting } from './recorded.ts';

const LENSES: readonly Lens[] = [
  { type: 'glass' },
  { type: 'table' },
  { type: 'player', seat: 'red' },
];

function follow(lines: readonly Line[], lens: Lens, visit: (now: Projection, line: Line) => void) {
  const see = lensFor(lens);
  let now = emptyProjection(lens);
  for (const line of lines) {
    const seen = see(line);
    if (seen !== null) now = next(now, seen);
    visit(now, line);
  }
}

const places = ({ meeting }: Projection) =>
  meeting === null ? [] : markPhases(meeting).map(({ place }) => place);

describe.each(LENSES)('through the lens $type', (lens) => {
  test('one phase is here, those before it are done, and one is next', async () => {
    for (const lines of [await recordedGame(17, 6), await recordedMeeting('classic', 7)])
      follow(lines, lens, (now, line) => {
        if (line.type !== 'phase.entered') return;
        const at = PHASES.indexOf(line.phase);
        expect(places(now)).toEqual(
          PHASES.map((_, index) => {
            if (index < at) return 'done';
            if (index === at) return 'here';
            return index === at + 1 ? 'next' : 'later';
          }),
        );
      });
  });

  test('the sentence counts those who have voted, and the ballots that are turned', async () => {
    let [living, voted, turned] = [0, new Set<string>(), 0];
    const told = new Set<string>();
    follow(await recordedMeeting('electrical', 7), lens, (now, line) => {
      if (line.type === 'match.opened' && 'call' in line.match)
        living = line.match.seats.filter(({ dead }) => dead !== true).length;
      if (line.type === 'vote.locked') voted = new Set([...voted, line.seat]);
      if (line.type === 'ballot.revealed') turned += 1;
      const sentence = describePhase(now);
      told.add(sentence);
      if (now.meeting?.phase === 'discussion' && voted.size < living)
        expect(sentence).toBe(
          `Discussion: ${voted.size} of ${living} ${voted.size === 1 ? 'has' : 'have'} voted. Voting closes when all have.`,
        );
      if (now.meeting?.phase === 'reveal' && now.meeting.sentence === '')
        expect(sentence).toContain(`Reveal: ${turned} of ${living} ballots turned.`);
    });
    expect([...told]).toEqual(
      expect.arrayContaining([
        'Interrupt: Green reports the body of White in Electrical. All living players (6) come to the table.',
        'Voting: All have voted, nobody missed the vote. The ballots are counted.',
        'Reveal: 3 of 6 ballots turned. Black leads with 3.',
        'Reveal: Black was The Impostor. 0 Impostors remain.',
        'Reaction: All living players (5) take in the result. Nobody speaks or votes.',
        'The meeting is over after 13 ticks: Black was ejected.',
      ]),
    );
  });

  test('classic rules tell when voting opens and when it closes', async () => {
    const told: string[] = [];
    follow(await recordedMeeting('classic', 7), lens, (now) => told.push(describePhase(now)));
    expect(told).toContain('Discussion: 3 of 6 ticks have passed. Voting opens after them.');
    expect(told).toContain(
      'Voting: 2 of 7 have voted. Voting closes when all have, or in 4 ticks.',
    );
  });
});

test('a meeting that its operator limits leaves the vote out, and a refused call says why', async () => {
  const lines = await recordedMeeting('electrical', 7);
  const phase = (to: (typeof PHASES)[number]) =>
    lines.find((line) => line.type === 'phase.entered' && line.phase === to) ?? expect.fail(to);
  let now = emptyProjection({ type: 'glass' });
  const see = lensFor({ type: 'glass' });
  for (const line of [lines[0], phase('interrupt'), phase('discussion'), phase('consolidation')]) {
    const seen = line === undefined ? null : see(line);
    if (seen !== null) now = next(now, seen);
  }
  expect(places(now)).toEqual(['done', 'done', 'left out', 'left out', 'left out', 'here']);
  const refused = next(emptyProjection({ type: 'glass' }), {
    type: 'meeting.refused',
    channel: 'living',
    seq: 1,
    note: { code: 'call/dead', text: 'Red is dead.' },
  });
  expect(describePhase(refused)).toBe('The call was refused: Red is dead.');
  expect(places(refused)).toEqual(PHASES.map(() => 'left out'));
});
