import { describe, expect, test } from 'vitest';
import { TableDatabase } from '../../analysis/report/database.ts';
import type { Report, ReportCell } from '../../analysis/report/model.ts';
import { buildReport } from '../../analysis/report/report.ts';
import type { TableName, TableRow } from '../../analysis/tables/columns.ts';
import { renderReport } from '../../visualizer/report/files.ts';
import { placeLabels } from '../../visualizer/report/labels.ts';
import { formatFigure, formatTick } from '../../visualizer/report/numbers.ts';

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '|a|b\\|c`d`*e*_f_[g](http://h)',
  '\\input{/etc/passwd}$x^2_3$ 100% #1 & {~',
  'a\u202Eb\u0007\n# head\r\n| - | - |',
  "it's]]><!-- --></svg></style>",
  'שלום 名前 🙂',
  'x'.repeat(300),
];

const SEATS = ['red', 'blue', 'green', 'pink'];

function aGame(
  seed: number,
  personas: readonly string[],
  won: boolean,
): ReadonlyMap<TableName, readonly TableRow[]> {
  const winner = won ? 'impostors' : 'crew';
  const game = {
    journal: `${seed}.jsonl`,
    kind: 'game',
    seed,
    players: 4,
    impostors: 1,
    winner,
    reason: 'vote',
    ended: true,
    rounds: 9,
    living_hash: String(seed),
  };
  const seats = SEATS.map((seat, place) => {
    const role = place === 0 ? 'impostor' : 'crewmate';
    return {
      journal: `${seed}.jsonl`,
      seat,
      place,
      role,
      persona: personas[place] ?? '',
      mind: 'openai',
      model: personas[place] ?? '',
      fate: 'alive',
      won: won === (place === 0),
    };
  });
  return new Map<TableName, readonly TableRow[]>([
    ['games', [game]],
    ['seats', seats],
  ]);
}

function reportOf(names: readonly string[], title: string): Report {
  const database = new TableDatabase();
  for (let seed = 0; seed < 2 * names.length; seed++) {
    const table = SEATS.map((_, place) => names[(seed + place) % names.length] ?? '');
    for (const [name, rows] of aGame(seed, table, seed % 3 === 0))
      for (const row of rows) database.add(name, row);
  }
  return buildReport(database, { title, engine: '0.0.0' });
}

/** Throws if tags are unbalanced or a reserved character stands in text. */
function expectWellFormed(xml: string): void {
  const open: string[] = [];
  const text = xml.replace(
    /<(\/?)([a-z][\w-]*)((?:\s+[\w:-]+(?:="[^"<]*")?)*)\s*(\/?)>/gi,
    (_, end, name: string, __, single) => {
      if (end === '/') expect(open.pop()).toBe(name);
      else if (single === '' && !['meta', 'br'].includes(name)) open.push(name);
      return '';
    },
  );
  expect(open).toEqual([]);
  expect(text.replace('<!doctype html>', '')).not.toMatch(/[<]|&(?!amp;|lt;|gt;|quot;|#\d+;)/);
}

function readCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  for (const [, cell = '', end] of text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|$)/g)) {
    rows.at(-1)?.push(cell);
    if (end === '\r\n') rows.push([]);
  }
  return rows.filter((row) => row.length > 1);
}

describe('names from outside', () => {
  const files = renderReport(reportOf(HOSTILE, HOSTILE.join(' ')));
  const read = (name: string) => files.get(name) ?? '';

  test('are text on the page and in all figures', () => {
    const page = read('index.html');
    const [head = '', style = '', body = ''] = page.split(/<style>|<\/style>/);
    expect(style).not.toContain('onerror');
    expectWellFormed(`${head}${body}`);
    expect(page).not.toMatch(/<img|<script|<\/svg><\/style>/);
    expect(page.match(/<svg /g)?.length).toBeGreaterThan(3);
  });

  test('stay in their cells in CSV', () => {
    const names = [...files.keys()].filter((name) => name.endsWith('.csv'));
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) {
      const [head = [], ...rows] = readCsv(read(name));
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(row).toHaveLength(head.length);
    }
  });

  test('end no comment of the queries', () => {
    for (const line of read('queries.sql').split('\n').slice(0, 4)) expect(line).toMatch(/^-- /);
  });
});

describe('figures', () => {
  test('the name of a point covers no other name and no point, where there is room', () => {
    const area = { left: 0, right: 600, top: 0, bottom: 400 };
    const points = Array.from({ length: 8 }, (_, index) => ({
      label: `persona ${index}`,
      at: [200 + 9 * index, 200 + 6 * index] as const,
      whiskers: [],
    }));
    const placed = placeLabels(points, area);
    expect(placed).toHaveLength(8);
    const boxes = placed.map(({ text, x, y, anchor }) => {
      const width = 7 * text.length;
      return {
        left: anchor === 'end' ? x - width : x,
        right: anchor === 'end' ? x : x + width,
        top: y - 9,
        bottom: y + 2,
      };
    });
    for (const [index, one] of boxes.entries()) {
      for (const other of boxes.slice(index + 1)) {
        const isApart =
          one.right <= other.left ||
          other.right <= one.left ||
          one.bottom <= other.top ||
          other.bottom <= one.top;
        expect(isApart, JSON.stringify([one, other])).toBe(true);
      }
    }
  });

  test('a report of one or two personas shows no NaN, and an empty one says that it is empty', () => {
    for (const names of [['one'], ['one', 'two']]) {
      for (const [name, text] of renderReport(reportOf(names, 'small')))
        if (/html|csv$/.test(name)) expect(text, name).not.toMatch(/NaN|Infinity|undefined/);
    }
    const empty = renderReport(
      buildReport(new TableDatabase(), { title: 'empty', engine: '0.0.0' }),
    );
    expect(empty.get('index.html')).not.toContain('<svg');
    expect(empty.get('index.html')).toContain('nothing to count');
  });
});

describe('numbers', () => {
  const figures: readonly (readonly [number, ReportCell['unit'], string])[] = [
    [0.12345, 'share', '12.3'],
    [1234.6, 'points', '1235'],
    [12345, 'count', '12,345'],
    [1234567, 'tokens', '1,234,567'],
    [-0.00004, 'score', '0.0000'],
    [-0.0107, 'score', '−0.0107'],
    [0.001234, 'dollars', '0.00123'],
    [12.3, 'dollars', '12.30'],
    [0, 'dollars', '0'],
    [0.5, 'odds', '0.500'],
  ];

  test.each(figures)('%d as %s is %s', (value, unit, text) => {
    expect(formatFigure(value, unit)).toBe(text);
  });

  test.each([
    [0.2, 0.05, 'share', '20'],
    [0.015, 0.005, 'share', '1.5'],
    [0.3, 0.1, 'odds', '0.3'],
    [1500, 100, 'points', '1500'],
    [0.002, 0.001, 'dollars', '0.002'],
  ] as const)('a tick at %d, steps of %d, as %s is %s', (value, step, unit, text) => {
    expect(formatTick(value, step, unit)).toBe(text);
  });
});
