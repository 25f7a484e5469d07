import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Lens, lensFor, parseLens } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { COLOURS } from '../../machines/types.ts';
import { countColumns } from '../../visualizer/terminal/layout.ts';
import { createRenderer } from '../../visualizer/terminal/renderer.ts';
import { expectGolden } from '../support/golden.ts';
import { type Texts, toyGame } from './toyGame.ts';

const GAME = toyGame();
const TABLE: Lens = { type: 'table' };
const GLASS: Lens = { type: 'glass' };
const RED: Lens = { type: 'player', seat: 'red' };

function told(
  lines: readonly Line[],
  lens: Lens,
  width = 100,
  colour = false,
  skipsToCall = false,
): readonly string[] {
  const tell = createRenderer({ lens, width, colour, skipsToCall });
  return [...lines.flatMap(tell), ...tell.end()];
}

describe('a game is told', () => {
  test.each([
    { lens: 'glass', width: 100 },
    { lens: 'glass', width: 60 },
    { lens: 'table', width: 100 },
    { lens: 'player:red', width: 60 },
    { lens: 'player:black', width: 100 },
  ])('to the letter through the lens $lens on $width columns', async ({ lens, width }) => {
    const rows = told(await GAME, parseLens(lens) ?? TABLE, width);
    const file = `tests/visualizer/golden/game-${lens.replace(':', '-')}-${width}.txt`;
    expectGolden(file, `${rows.join('\n')}\n`);
  });

  test.each([24, 40, 60, 200])('with no line longer than a screen of %i columns', async (width) => {
    for (const lens of [GLASS, TABLE, RED]) {
      const rows = told(await GAME, lens, width);
      expect(Math.max(...rows.map(countColumns))).toBeLessThanOrEqual(width);
    }
  });

  test('in colours with the very same words', async () => {
    const painted = told(await GAME, GLASS, 100, true);
    expect(painted.join('')).toContain('\u001B[');
    expect(painted.map(stripVTControlCharacters)).toEqual(told(await GAME, GLASS));
  });

  test('in a page or two, however long nothing happens', async () => {
    const [header] = await GAME;
    const round = (await GAME).find((line) => line.type === 'round.closed');
    if (header === undefined || round === undefined) throw new Error('the game has no rounds');
    const quiet = { ...round, events: [], seen: {}, orders: [] };
    const long = Array.from({ length: 600 }, (_, index) => ({ ...quiet, round: index }));
    const rows = told([header, ...long], GLASS).length;
    expect(rows).toBeLessThan(300);
    expect(told([header, ...long], TABLE).length).toBeLessThan(12);
  });

  test('an interrupted game is printed to its last line, with the pending rounds', async () => {
    const lines = await GAME;
    const torn = lines.slice(0, lines.findIndex(({ type }) => type === 'round.closed') + 3);
    const tell = createRenderer({ lens: GLASS, width: 100, colour: false });
    const shown = torn.flatMap(tell);
    const rest = tell.end();
    expect(shown.join('\n')).not.toContain(' 0:00 ');
    expect(rest.join('\n')).toContain(' 0:00 ');
    expect(tell.end()).toEqual([]);
  });
});

describe('the ship up to the first call in two lines', () => {
  test.each([
    { lens: GLASS, sums: [/^ \d:\d\d \d+ rounds on the ship .* tasks, \d living/, / kills /] },
    {
      lens: TABLE,
      sums: [
        /^ \d:\d\d \d+ rounds on the ship/,
        /^ {6}The reactor melts down · --from start shows all$/,
      ],
    },
  ])('through the lens $lens.type, and everything after it as ever', async ({ lens, sums }) => {
    const [all, short] = [told(await GAME, lens), told(await GAME, lens, 100, false, true)];
    const call = (rows: readonly string[]) =>
      rows.findIndex((row) => row.includes('A meeting is called'));
    const work = short.findIndex((row) => row.includes('To work'));
    expect(short.slice(0, work)).toEqual(all.slice(0, work));
    expect(short.slice(call(short))).toEqual(all.slice(call(all)));
    const between = short.slice(work + 1, call(short) - 1);
    expect(between).toEqual(sums.map((sum) => expect.stringMatching(sum)));
  });

  test('prints nothing while the rounds pass, so that nobody rests to read', async () => {
    const lines = await GAME;
    const tell = createRenderer({ lens: GLASS, width: 100, colour: false, skipsToCall: true });
    const call = lines.findIndex(({ type }) => type === 'meeting.called');
    const last = lines.slice(0, call).findLastIndex(({ type }) => type === 'round.closed');
    const first = lines.findIndex(({ type }) => type === 'round.closed');
    expect(last - first).toBeGreaterThan(3);
    for (const line of lines.slice(0, first)) tell(line);
    expect(lines.slice(first, last + 1).flatMap(tell)).toEqual([]);
    expect(tell.end().join('\n')).toContain('rounds on the ship');
  });
});

describe('nothing leaks', () => {
  test('to the table between two meetings: no name, no place, no thought', async () => {
    const lines = await GAME;
    const header = lines[0];
    const rounds = lines.filter(({ type }) => type === 'round.closed');
    if (header === undefined) throw new Error('the game has no header');
    const rows = told([header, ...rounds], TABLE).slice(told([header], TABLE).length);
    const text = rows.join('\n').toLowerCase();
    expect(rows.length).toBeGreaterThan(2);
    for (const colour of COLOURS.slice(0, 7))
      expect(text).not.toMatch(new RegExp(`\\b${colour}\\b`));
    for (const word of ['kill', 'vent', 'body', 'trust', '→', '~'])
      expect(text).not.toContain(word);
  });

  test('to a player: others’ thoughts, ways and roles stay theirs', async () => {
    const lines = await GAME;
    const end = lines.findIndex(({ type }) => type === 'meeting.called');
    const text = told(lines.slice(0, end), RED).join('\n');
    expect(text).toContain('Red → ');
    for (const secret of ['They will run about', 'Nobody sees me', 'impostor ·', 'Black →'])
      expect(text).not.toContain(secret);
  });

  test('the renderer prints exactly the lines that the lens shows', async () => {
    const see = lensFor(TABLE);
    const tell = createRenderer({ lens: TABLE, width: 100, colour: false });
    for (const line of await GAME) {
      const isSeen = see(line) !== null;
      const rows = tell(line);
      if (!isSeen) expect(rows).toEqual([]);
    }
  });
});

describe('hostile text', () => {
  const HOSTILE = 'a\u001B[2J\u202E b\n\n 9:99 ✖ RD Red kills BL Blue\u0007 \u200B'.repeat(3);
  const texts: Texts = { thought: (about) => `${about} ${HOSTILE}`, message: HOSTILE };

  test('in thoughts and messages stays text on its own lines', async () => {
    const lines = await toyGame(texts);
    for (const lens of [GLASS, TABLE, RED]) {
      for (const width of [40, 100]) {
        const rows = told(lines, lens, width);
        for (const row of rows) {
          expect(row).not.toMatch(/[\p{Cc}\p{Cf}]/u);
          expect(row).not.toMatch(/^ ?9:99/u);
          expect(countColumns(row)).toBeLessThanOrEqual(width);
        }
      }
    }
  });

  test('in the name of a game or a reply that is no object harms nobody', async () => {
    const lines = (await GAME).map((line) => {
      if (line.type === 'match.opened') {
        return { ...line, match: { ...line.match, name: HOSTILE, about: HOSTILE } };
      }
      if (line.type !== 'round.closed') return line;
      const received = ['x', null, 7, { action: 'kill' }, { internal_thought: 3, action: [] }];
      return {
        ...line,
        orders: line.orders.map((order, index) => ({ ...order, received: received[index] })),
      };
    });
    for (const row of told(lines, GLASS)) expect(row).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});
