import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type RenderedImage, Resvg } from '@resvg/resvg-js';
import { assert, property, string } from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { judgeGame } from '../../analysis/observer/judgement.ts';
import { renderCard } from '../../cli/export.ts';
import type { Lens } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { COLOURS } from '../../machines/types.ts';
import { type CardContents, createCardContents } from '../../visualizer/card/contents.ts';
import {
  CARD_NAMES,
  CARD_SHAPES,
  cutText,
  drawCard,
  measureText,
  wrapText,
} from '../../visualizer/card/drawing.ts';
import { seeWithClaims } from '../../visualizer/claims.ts';
import { listFontFiles } from '../../visualizer/page/build/parts.ts';
import { createReasoningNotes } from '../../visualizer/whyNotes.ts';
import { recordedGame, recordedMeeting } from './page/recorded.ts';

const MODELS = ['anthropic/claude-opus-4.5', 'openai/gpt-5.2', 'google/gemini-3-pro', 'x/unknown'];

function cardOf(players: number, isOver: boolean): CardContents {
  return {
    title: 'Five models, four vendors',
    headline: isOver
      ? 'The impostors win: too few of the crew are left.'
      : 'Who would you vote for?',
    rules: `${players} players · 2 impostors · The Skeld · house rules`,
    players: COLOURS.slice(0, players).map((seat, index) => ({
      ...{ seat, persona: index % 3 === 0 ? 'joker' : '', mind: 'openai' as const },
      model: MODELS[index % MODELS.length] ?? '',
      role: isOver ? (index % 4 === 1 ? 'impostor' : 'crewmate') : null,
      fate: index % 3 === 2 ? 'killed' : 'living',
    })),
    facts: isOver
      ? [
          { name: 'Length', text: '4:32 on the ship, 5 meetings, 80 messages' },
          { name: 'Last vote', text: 'Blue 3, Skip 1; Blue was ejected' },
          { name: 'Best lie', text: 'Blue: “I was in Electrical the whole time, ask Red.”' },
          { name: 'Turning point', text: 'A blunder, crew 80 % → 30 %. Red: I saw Green' },
          { name: 'Logical errors', text: '3: Red 2, Green 1' },
          { name: 'Cost', text: '412 requests to models, 1,204,381 tokens, $3.2100' },
        ]
      : [],
  };
}

describe('a card is drawn', () => {
  /** At a third of the size, the golden pictures stay small. */
  const pixelsOf = (svg: string) => {
    const font = { fontFiles: [...listFontFiles()], loadSystemFonts: false };
    return new Resvg(svg, { font, fitTo: { mode: 'zoom', value: 1 / 3 } }).render();
  };

  test.each([
    ['ending-wide', cardOf(8, true), 'wide'],
    ['ending-tall', cardOf(15, true), 'tall'],
    ['opening-wide', cardOf(5, false), 'wide'],
  ] as const)('as %s shows it, within a tolerance', (name, contents, shape) => {
    const drawn = pixelsOf(drawCard(contents, shape));
    const file = fileURLToPath(new URL(`golden/card-${name}.png`, import.meta.url));
    if (process.env['GOLDEN'] === 'write') writeFileSync(file, drawn.asPng());
    const { width, height } = drawn;
    const kept = readFileSync(file).toString('base64');
    // The renderer reads pictures, too.
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" href="data:image/png;base64,${kept}"/></svg>`;
    const before = new Resvg(picture).render().pixels;
    const now = drawn.pixels;
    expect(before.length).toBe(now.length);
    const differing = now.filter((value, at) => Math.abs(value - (before[at] ?? 0)) > 24).length;
    expect(differing / now.length).toBeLessThan(0.004);
  });

  test.each([
    ...[4, 8, 15].flatMap((players) => [
      { players, isOver: true },
      { players, isOver: false },
    ]),
  ])('down to its lower margin when it is tall ($players players, over: $isOver)', (card) => {
    const drawn = bottomOf(drawCard(cardOf(card.players, card.isOver), 'tall'));
    const { height } = CARD_SHAPES.tall;
    expect(drawn).toBeGreaterThan(height * 0.88);
    expect(drawn).toBeLessThan(height - 50);
  });

  const HOSTILE = [
    '<script>alert(1)</script>&amp;"\'',
    'W'.repeat(400),
    'word '.repeat(200),
    'مرحبا بالعالم '.repeat(20),
    '\u202Eevil\u2066 \u0000\u001b[31m\ud800 \uFFFE',
    '漢字'.repeat(60),
    '👩‍🚀🔪'.repeat(40),
    'a\u0301\u0301\u0301\u0301\u0301'.repeat(50),
    '',
  ];

  test.each(CARD_NAMES)(
    'so that no text leaves its place or becomes markup, whatever it is: %s',
    async (shape) => {
      for (const [index, words] of HOSTILE.entries()) {
        const card = cardOf(index % 2 === 0 ? 15 : 4, true);
        const svg = drawCard(
          {
            ...{ title: words, headline: words, rules: words },
            players: card.players.map((player) => ({ ...player, persona: words, model: words })),
            facts: card.facts.map(({ name }) => ({ name, text: words })),
          },
          shape,
        );
        expect(svg).not.toContain('<script');
        // With the fonts of this machine, whose letters nobody has measured.
        const font = { fontFiles: [...listFontFiles()] };
        const drawn = new Resvg(svg, { font, fitTo: { mode: 'zoom', value: 1 / 3 } }).render();
        expect(strayRows(drawn), `${shape}, ${JSON.stringify(words.slice(0, 12))}`).toEqual([]);
        const { height } = CARD_SHAPES[shape];
        expect(bottomOf(svg)).toBeLessThanOrEqual(height);
      }
    },
  );

  /** Rows with something on them in the outer part of the right margin. */
  function strayRows({ pixels, width, height }: RenderedImage): readonly number[] {
    const row = new Uint32Array(new Uint8Array(pixels).buffer);
    return Array.from({ length: height }, (_, y) => y).filter((y) =>
      row
        .subarray((y + 1) * width - 6, (y + 1) * width)
        .some((colour, _, all) => colour !== all[5]),
    );
  }

  function bottomOf(svg: string): number {
    return Math.max(...[...svg.matchAll(/<text x="[^"]*" y="([^"]*)"/g)].map(([, y]) => Number(y)));
  }

  test('in the same bytes whenever it is drawn', async () => {
    const [one, other] = [
      await renderCard(cardOf(5, true), 'wide'),
      await renderCard(cardOf(5, true), 'wide'),
    ];
    expect(Buffer.compare(one, other)).toBe(0);
  });
});

describe('text on a card', () => {
  test('is broken so that no line is longer than its place, and no letter is lost before the cut', () => {
    void assert(
      property(string({ maxLength: 120 }), (text) => {
        const words = text.replaceAll(/\s+/g, ' ').trim();
        const box = { size: 18, width: 200, lines: 4 };
        const lines = wrapText(words, box);
        expect(lines.length).toBeLessThanOrEqual(box.lines);
        for (const line of lines) {
          // A letter is never broken.
          if ([...line].length > 1) expect(measureText(line, box.size)).toBeLessThanOrEqual(200);
        }
        const joined = lines.join('').replaceAll(' ', '').replace(/…$/, '');
        expect(words.replaceAll(' ', '').startsWith(joined)).toBe(true);
      }),
    );
  });

  test.each([
    ['fits', 'fits', 200],
    ['is too long for its place', 'is too lo…', 84],
    ['WWW', '…', 5],
  ])('%j is cut to %j', (text, cut, width) => {
    expect(cutText(text, 16, width)).toBe(cut);
  });
});

describe('the contents of a card', () => {
  const GLASS: Lens = { type: 'glass' };
  const TABLE: Lens = { type: 'table' };
  let game: readonly Line[];

  beforeAll(async () => {
    game = await recordedGame(2);
  });

  const contentsOf = (lines: readonly Line[], lens: Lens) => {
    const contents = createCardContents(seeWithClaims(lines, lens), lens, null);
    if (contents === null) throw new Error('expected a journal with a header');
    return contents;
  };
  const namesOf = ({ facts }: CardContents) => facts.map(({ name }) => name);

  test('the glass gets the closing card: the winner, every role and the last vote', () => {
    const card = contentsOf(game, GLASS);
    expect(card.headline).toMatch(/^The (crew|impostors) wins?: .*\.$/);
    expect(card.players.filter(({ role }) => role === 'impostor').length).toBeGreaterThan(0);
    expect(namesOf(card)).toContain('Length');
    expect(namesOf(card)).toContain('Last vote');
  });

  test('the table gets the opening card: the players and no later facts', () => {
    const card = contentsOf(game, TABLE);
    expect(card.players.map(({ role, fate }) => [role, fate])).toEqual(
      card.players.map(() => [null, 'living']),
    );
    expect(card.facts).toEqual([]);
    expect(card).toEqual(contentsOf(game.slice(0, 1), TABLE));
  });

  test('give nothing away while a game goes on, whatever the lens', () => {
    expect(contentsOf(game.slice(0, -1), GLASS)).toEqual(contentsOf(game, TABLE));
  });

  test('a single meeting gets a closing card too', async () => {
    const card = contentsOf(await recordedMeeting('electrical', 7), GLASS);
    expect(card.headline).toContain('The meeting is over');
    expect(namesOf(card)).toContain('Last vote');
  });

  test('are none where there is no header', () => {
    expect(createCardContents([], GLASS, null)).toBeNull();
  });

  test('count the errors of logic that deduce finds', () => {
    const judgement = judgeGame(game);
    if (judgement === null) throw new Error('a game');
    const wrong = [...judgement.ballots, ...judgement.accusations].filter(({ isError }) => isError);
    const reasoning = createReasoningNotes(judgement);
    expect(reasoning.errors.reduce((sum, { count }) => sum + count, 0)).toBe(wrong.length);
    const seen = seeWithClaims(game, GLASS);
    const card = createCardContents(seen, GLASS, { stakes: null, credits: [], reasoning });
    const text = card?.facts.find(({ name }) => name === 'Logical errors')?.text;
    expect(text).toMatch(wrong.length === 0 ? /^none$/ : new RegExp(`^${wrong.length}: `));
  });
});
