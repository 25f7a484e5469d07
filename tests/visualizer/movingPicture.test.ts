/** The moving picture at the top of README.md. `npm run golden` draws it again. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Line } from '../../machines/journal/lines.ts';
import { ARBITER, MEETING } from '../../machines/messages.ts';
import { MachineRun } from '../../visualizer/charts/machineRun.ts';
import { readFacts } from '../../visualizer/page/build/facts.ts';
import { expectGolden } from '../support/golden.ts';
import { recordedGame } from './page/recorded.ts';
import { drawFilm } from './picture/drawing.ts';
import { END, makeFilm } from './picture/film.ts';

/** The first meeting of this game: six are alive, and Blue saw Pink, an impostor, vent. */
const SEED = 195;
const PLAYERS = 8;
const MEETING_NUMBER = 1;
const SPEAKER = 'blue';

let part: readonly Line[] = [];
let earlier: readonly Line[] = [];
let svg = '';

beforeAll(async () => {
  const lines = await recordedGame(SEED, PLAYERS);
  const calls = lines.flatMap(({ type }, index) => (type === 'meeting.called' ? [index] : []));
  const end = lines.findIndex(
    ({ type }, index) => type === 'verdict.announced' && index > (calls[MEETING_NUMBER - 1] ?? 0),
  );
  const first = lines
    .slice(0, end)
    .findLastIndex((line) => line.type === 'tick.closed' && line.floor === SPEAKER);
  [earlier, part] = [lines.slice(0, first), lines.slice(first, end + 1)];
  svg = drawFilm(makeFilm(lines, first), (await readFacts()).charts.meeting);
});

/** States in which the machines come to rest or pass through, without repetition, from the one before the part on. */
function recordedStates(actor: string): readonly string[] {
  const run = new MachineRun();
  const states = [earlier, part].map((lines) =>
    lines.flatMap((line) =>
      run
        .stepTo(line)
        .moves.flatMap((move) =>
          move.actor === actor ? move.steps.flatMap((step) => step.states) : [],
        ),
    ),
  );
  const [before = [], during = []] = states;
  return [before.at(-1) ?? '', ...during].filter((state, index, all) => state !== all[index - 1]);
}

function found(pattern: RegExp): readonly string[] {
  return [...svg.matchAll(pattern)].map(([, text = '']) => text);
}

describe('the moving picture', () => {
  test('docs/meeting-moving.svg is drawn from the recorded game', () => {
    expectGolden('docs/meeting-moving.svg', svg);
  });

  test('lights the states in which the stepped machines were, in their order, and no others', () => {
    const lit = [...svg.matchAll(/data-leaf="([^"]+)" data-from="(\d+)"/g)]
      .toSorted(([, , one], [, , other]) => Number(one) - Number(other))
      .map(([, state]) => state);
    expect(lit).toEqual(recordedStates(MEETING));
    expect(found(/data-arbiter="([^"]+)"/g)).toEqual(recordedStates(ARBITER));
    expect(lit.map((state = '') => state.split('.')[1])).toEqual(
      expect.arrayContaining(['discussion', 'voting', 'reveal']),
    );
  });

  test('shows the score of each bid, and who gets the floor', () => {
    const ticks = part.filter((line) => line.type === 'tick.closed');
    expect(ticks[0]).toMatchObject({ floor: SPEAKER, bids: { length: 6 } });
    const totals = ticks.flatMap(({ scores }) => scores.map(({ total }) => `${total}`));
    expect(found(/data-total="(-?\d+)"/g).toSorted()).toEqual(totals.toSorted());
  });

  test('ends in time, is small, and needs neither a script nor another file', () => {
    const times = found(/data-from="(\d+)"/g).map(Number);
    expect(Math.max(...times)).toBeLessThan(END - 1000);
    expect(svg.length).toBeLessThan(150_000);
    expect(svg).not.toMatch(/<script|<image|<foreignObject|url\(|href|@import|on\w+=/);
    expect(svg).toMatch(/prefers-reduced-motion: reduce.*animation: none/);
  });
});
