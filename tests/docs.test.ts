/**
 * The documents are correct: links lead somewhere, commands run, tables agree with the code, examples verify.
 *
 * `npm run golden` rewrites the generated parts (the excerpt of a game, the charts).
 */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readMeeting } from '../actors/engine/configFile.ts';
import { chainHash, chainOrigin } from '../actors/engine/journal/recorder.ts';
import { EXIT } from '../actors/files/failure.ts';
import { FAILURE_CLASSES, PAUSING_FAILURES } from '../actors/minds/openai/failures.ts';
import { readPrices } from '../actors/minds/openai/prices.ts';
import { BYTES_PER_TOKEN } from '../analysis/models/caching.ts';
import { createModelOptions } from '../cli/flags.ts';
import { CHANNELS, lineSchema } from '../machines/journal/lines.ts';
import { defaultWeights, longestSilence, weightsRefusal } from '../machines/rules/weights.ts';
import { meetingMatchSchema } from '../machines/setup/match.ts';
import { prepare } from '../machines/setup/prepare.ts';
import { warmGlassbox } from './cli/session.ts';
import { expectGolden, expectGoldenPart } from './support/golden.ts';
import { seeds } from './support/seeds.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => fs.readFileSync(join(ROOT, path), 'utf8');
const PAGES = fs.globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).toSorted();
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, it = '']) => it);

const folder = fs.mkdtempSync(join(tmpdir(), 'glassbox-docs-'));
fs.symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** What `glassbox` prints in a folder of its own, as on a pipe: 100 columns and no colours. */
async function printed(line: string): Promise<string> {
  const words = line.split(' ').filter((word) => word !== '');
  const { exit, err, out } = await warmGlassbox(words, { cwd: folder, env: { NO_COLOR: '1' } });
  expect(exit, err).toBe(EXIT.done);
  return out;
}

/** The cells of each row of the first table after a heading, without the row of titles. */
function rowsAfter(page: string, heading: string): readonly (readonly string[])[] {
  const [, after] = page.split(`${heading}\n`);
  if (after === undefined) throw new Error(`there is no heading "${heading}"`);
  const [section = ''] = after.split(/^#/m);
  const [table = ''] = /^\|.*(?:\n\|.*)*/m.exec(section) ?? [];
  return table
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}
/** The anchors of a page as GitHub derives them from its headings. */
function anchorsIn(path: string): readonly string[] {
  return all(read(path).replaceAll(/^```.*?^```/gms, ''), /^#+ (.*)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
const coded = (word: unknown) => `\`${String(word)}\``;

describe.each(PAGES)('%s', (path) => {
  const page = read(path);

  test('every link and every named file exists', () => {
    const links = all(page, /\]\((?!http)([^)#\s]+)/g).map((link) => join(dirname(path), link));
    const top =
      'machines|checker|proofs|analysis|prompts|actors|visualizer|cli|tests|bench|docs|examples';
    const named = all(page, new RegExp(`\`((?:${top})/[\\w./-]+\\.\\w+)\``, 'g'));
    expect([...links, ...named].filter((file) => !fs.existsSync(join(ROOT, file)))).toEqual([]);
  });

  test('every anchor leads to a heading', () => {
    const links = all(page, /\]\((?!http)([^)\s]*#[^)\s]+)/g).map((link) => link.split('#'));
    const astray = links.filter(([file = '', anchor = '']) => {
      const target = file === '' ? path : join(dirname(path), file);
      return target.endsWith('.md') && !anchorsIn(target).includes(anchor);
    });
    expect(astray).toEqual([]);
  });

  test('every npm script that a page names exists', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json')));
    const named = all(page, /(?:^|`)npm (?:-s )?(?:run )?([\w:-]+)/gm);
    const own = ['ci', 'install', 'itself'];
    expect(named.filter((name) => !(name in scripts || own.includes(name)))).toEqual([]);
  });
});

/** Commands that want a model, a player, a store or the reader's own files: only their flags are checked. */
const NEEDY =
  /^ (?:benchmark|doctor|fork|league|persona|play|report|resume|serve|verify|why)\b|--(?:beliefs|max-states|model|provider)\b|with-you/;

/** Every whole command line of `glassbox` in the documents, in order, so that a journal is there before it is read. */
const COMMANDS = ['README.md', ...PAGES]
  .flatMap((path) =>
    all(read(path), /(?:^|`)(?:npm start(?: --)?|npx glassbox)((?: [\w./:-]+)*)(?:`|$)/gm),
  )
  .filter((line) => !NEEDY.test(line));

/** Flags that shorten a slow command here. */
const SHORTER: Readonly<Record<string, string>> = {
  ' check': '--property vote-lock --players 2',
  ' check --players 4 --rules house': '--property vote-lock --players 2',
  ' check --rules house --no-faults': '--property vote-lock --players 2',
  ' check examples/classic.yaml --players 3': '--property vote-lock --players 2',
};
const isAsWritten = seeds(0, 1) === 1;

test.each([...new Set(COMMANDS)])('the command `glassbox%s` runs', async (line) => {
  await printed(isAsWritten ? line : `${line} ${SHORTER[line] ?? ''}`);
});

test('every shortened command appears in a document', () => {
  expect(Object.keys(SHORTER).filter((line) => !COMMANDS.includes(line))).toEqual([]);
});

/** Command lines that want a file or an endpoint of the reader's are not run, but must be possible. */
const LINES = PAGES.flatMap((path) => all(read(path), /^npx glassbox (.*)$/gm)).filter(
  (line) => !COMMANDS.includes(` ${line}`),
);

test.each([...new Set(LINES)])('`glassbox %s` names only existing flags', async (line) => {
  const [command = '', part = ''] = line.split(' ');
  const help = await printed(
    `${command} ${['league', 'persona'].includes(command) ? part : ''} --help`,
  );
  const known = `${help} ${await printed('help models')}`;
  expect(all(line, /(--[\w-]+)/g).filter((flag) => !known.includes(` ${flag}`))).toEqual([]);
});

describe('README.md', () => {
  test('README.md fits on a screen and a half', () => {
    expect(read('README.md').split('\n').length).toBeLessThan(80);
  });
});

describe('docs/watching.md', () => {
  test('docs/watching.md shows exactly the lines that the command prints', async () => {
    const run = 'run --players 6 --seed 2 --lens glass';
    const output = await printed(`${run} --speed max`);
    /** From the line that begins so to the one that begins so after it. */
    const part = (from: string, to: string) => {
      const [start, end] = [output.indexOf(`\n${from}`), output.indexOf(`\n${to}`)];
      if (start < 0 || end < start) throw new Error(`the game has no "${from}" before "${to}"`);
      return output.slice(start + 1, end).trimEnd();
    };
    const parts = [
      part(' 0:45 ✖', '── Discussion'),
      part('   4 ', '   6 '),
      part('── Reveal', '── Reaction'),
      part('── The game is over', 'game 1 '),
    ];
    const excerpt = parts.join('\n\n[…]\n\n');
    expectGoldenPart('docs/watching.md', `run: ${run}`, `\`\`\`text\n${excerpt}\n\`\`\`\n`);
  });
});

describe('docs/prompts.md', () => {
  type Tally = { readonly seed: number; readonly game: number; readonly meetings: number };
  type Wanted = { readonly name: string; readonly flags: string };

  const journalSchema = z.looseObject({
    type: z.string(),
    tick: z.number().optional(),
    round: z.number().optional(),
    bids: z.array(z.looseObject({ seat: z.string() })).optional(),
    orders: z.array(z.looseObject({ seat: z.string() })).optional(),
  });
  const playedSchema = z.looseObject({
    type: z.string(),
    seed: z.number(),
    game: z.number(),
    meetings: z.number(),
  });

  /** A request at the third meeting and the last one on the ship before it. Null without a third meeting. */
  function findTwo(journal: string): readonly Wanted[] | null {
    let meeting = 0;
    const found: Partial<Record<'meeting' | 'action', string>> = {};
    for (const text of journal.trimEnd().split('\n')) {
      const line = journalSchema.parse(JSON.parse(text));
      const seat = (line.bids ?? line.orders)?.[0]?.seat;
      if (line.type === 'meeting.called') meeting += 1;
      if (seat === undefined) continue;
      if (line.type === 'tick.closed' && meeting === 3 && line.tick === 2)
        found.meeting ??= `--player ${seat} --meeting 3 --tick 2`;
      if (line.type === 'round.closed' && meeting === 2)
        found.action = `--player ${seat} --round ${line.round}`;
    }
    const { meeting: table, action } = found;
    if (table === undefined || action === undefined) return null;
    return [
      { name: 'At the third meeting', flags: table },
      { name: 'On the ship', flags: action },
    ];
  }

  /** The first of `most` games with both. Null if none has them. */
  async function chooseGame(most: number) {
    const out = `prompts-of-${most}`;
    const games = (await printed(`run --games ${most} --players 8 --seed 1 --json --out ${out}`))
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
      .flatMap((line): readonly Tally[] => {
        const read = playedSchema.safeParse(line);
        return read.success && read.data.type === 'game.result' ? [read.data] : [];
      });
    const found = games.flatMap(({ seed, game }) => {
      const path = `${out}/${String(game).padStart(4, '0')}.jsonl`;
      const wanted = findTwo(fs.readFileSync(join(folder, path), 'utf8'));
      return wanted === null ? [] : [{ seed, path, wanted }];
    });
    return found[0] ?? null;
  }

  test('two prompts of a recorded game, with their tokens', async () => {
    // The first game is mostly one; the same games are played again with more behind them.
    const chosen = (await chooseGame(3)) ?? (await chooseGame(40));
    if (chosen === null) throw new Error('expected a third meeting, found none in 40 games');
    const prompts = [];
    for (const { name, flags } of chosen.wanted) {
      const text = (await printed(`prompt ${chosen.path} ${flags}`)).trimEnd();
      const tokens = countBlocks(await printed(`prompt ${chosen.path} ${flags} --json`));
      prompts.push({ name, flags, text, tokens });
    }
    const rows = prompts.map(({ name, tokens }) => `| ${name} | ${tokens.join(' | ')} |`);
    const sections = prompts.map(
      ({ name, flags, text }) =>
        `### ${name}\n\n\`prompt ${flags}\`\n\n\`\`\`text\n${text}\n\`\`\``,
    );
    const commands = [
      `npx glassbox run --seed ${chosen.seed} --players 8 --quiet --out third`,
      ...prompts.map(({ flags }) => `npx glassbox prompt third/0001.jsonl ${flags}`),
    ];
    const part = [
      `\`\`\`sh\n${commands.join('\n')}\n\`\`\``,
      `| tokens | rules and reply format | lasts | new | schema | all |\n|---|---|---|---|---|---|\n${rows.join('\n')}`,
      ...sections,
    ];
    expectGoldenPart('docs/prompts.md', 'two prompts', `${part.join('\n\n')}\n`);
  });

  const promptSchema = z.looseObject({
    system: z.array(z.object({ text: z.string(), stable: z.boolean() })),
    user: z.array(z.object({ text: z.string(), stable: z.boolean() })),
    schema: z.unknown(),
  });

  /** Tokens of the parts of a prompt and of all of it, at four bytes a token. */
  function countBlocks(json: string): readonly number[] {
    const { system, user, schema } = promptSchema.parse(JSON.parse(json));
    const bytes = (texts: readonly { text: string }[]) =>
      texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    const parts = [
      bytes(system),
      bytes(user.filter(({ stable }) => stable)),
      bytes(user.filter(({ stable }) => !stable)),
      Buffer.byteLength(JSON.stringify(schema)),
    ];
    const all = parts.reduce((sum, part) => sum + part, 0);
    return [...parts, all].map((part) => Math.round(part / BYTES_PER_TOKEN));
  }
});

test('docs/meeting.svg is drawn from the machine', async () => {
  expectGolden('docs/meeting.svg', await printed('chart --format svg'));
});

test('docs/commands.md has every exit code with its name', () => {
  const rows = rowsAfter(read('docs/commands.md'), '## Exit codes');
  expect(rows.map(([code, name]) => [name, Number(code)])).toEqual(Object.entries(EXIT));
});

test('docs/commands.md has every command, in the order of help --all', async () => {
  const rows = rowsAfter(read('docs/commands.md'), '## All commands');
  const help = all(await printed('help --all'), /^ {2}([a-z]+) {2,}\S/gm);
  expect(rows.map(([name = '']) => name.split(/[` ]/)[1])).toEqual(help);
});

describe('docs/models.md', () => {
  const page = read('docs/models.md');

  test('the port matches the code, and the prices are readable', () => {
    expect(read('actors/minds/port.ts')).toContain(all(page, /```ts\n(.*?)```/gs).join());
    expect(readPrices(all(page, /```json\n(.*?)```/gs).join())).toMatchObject({ ok: true });
  });

  test('tells every code of a verdict, and which of them pause a game', () => {
    const told = rowsAfter(page, '## Verdict codes').map(([code = '']) => code);
    const pausing = PAUSING_FAILURES.filter((code) => code !== 'budget');
    const codes = [...FAILURE_CLASSES, 'not-asked'].map((code) =>
      pausing.some((one) => one === code)
        ? `**${coded(`endpoint/${code}`)}**`
        : coded(`endpoint/${code}`),
    );
    expect(told.toSorted()).toEqual(codes.toSorted());
  });

  test('tells every key of a seat that is about models', () => {
    const keys = ['model', 'base_url', 'key', 'headers', 'level', 'temperature', 'extra_body'];
    const told = rowsAfter(page, '## Seats').map(([key]) => key);
    expect(told).toEqual(['`mind: openai`', ...keys.map(coded)]);
    expect(Object.keys(meetingMatchSchema.shape.seats.element.shape)).toEqual(
      expect.arrayContaining(keys),
    );
  });

  test('tells every flag about models', () => {
    const flags = createModelOptions().map(({ long }) => long ?? '');
    expect(flags.filter((flag) => !page.includes(flag))).toEqual([]);
  });
});

describe('docs/design.md', () => {
  const page = read('docs/design.md');
  const rows = [
    ...rowsAfter(page, '## The rules of the design'),
    ...rowsAfter(page, '## The rules of the game'),
    ...rowsAfter(page, '## The prompts'),
    ...rowsAfter(page, '## The rulings'),
  ];
  const held = rows.flatMap((row) =>
    [...(row.at(-1) ?? '').matchAll(/`([^`]+)`: ((?:“[^”]+”(?:, )?)+)/g)].flatMap(
      ([, file = '', names = '']) => all(names, /“([^”]+)”/g).map((name) => ({ file, name })),
    ),
  );

  test('has every ruling from 1 to 52, and of each the test that holds it or that it is not yet', () => {
    const numbers = rows.map(([number]) => Number(number)).filter((number) => number > 0);
    expect(numbers).toEqual(Array.from({ length: 52 }, (_, index) => index + 1));
    expect(rows.filter((row) => !/^not yet$|“.+”/.test(row.at(-1) ?? ''))).toEqual([]);
  });

  test.each(held)('there is a test “$name” in $file', ({ file, name }) => {
    const names = [`'${name}'`, `"${name}"`, `\`${name}\``];
    expect(names.some((quoted) => read(file).includes(quoted))).toBe(true);
  });
});

test('every decision has its own number, which is also in its heading', () => {
  const files = fs.globSync('docs/decisions/*.md', { cwd: ROOT }).toSorted();
  const numbers = files.map((path) => Number(basename(path).slice(0, 4)));
  expect(new Set(numbers).size).toBe(files.length);
  for (const path of files) expect(read(path)).toMatch(`# ${basename(path).slice(0, 4)} · `);
});

describe('docs/weights.md', () => {
  const page = read('docs/weights.md');

  test('the example match is valid', () => {
    const reading = readMeeting(all(page, /```yaml\n(.*?)```/gs)[0] ?? '');
    if (!reading.ok) throw new Error(JSON.stringify(reading.notes));
    expect(prepare(reading.value, 1)).toMatchObject({ ok: true });
  });

  const SEVEN = defaultWeights(7);

  test('tells slope and bound for every number of players', () => {
    const tables = Array.from({ length: 13 }, (_, index) => index + 3);
    const row = (title: string, cell: (players: number) => number) =>
      `| ${[title, ...tables.map(cell)].join(' | ')} |`;
    expect(page).toContain(row('N', (players) => players));
    expect(page).toContain(row('c', (players) => defaultWeights(players).silence.slope));
    expect(page).toContain(row('W', (players) => longestSilence(defaultWeights(players), players)));
  });

  test('the example of seven players is right', () => {
    expect(longestSilence(SEVEN, 7)).toBe(19);
    const capped = (cap: number) => ({ ...SEVEN, silence: { ...SEVEN.silence, cap } });
    expect(weightsRefusal(capped(21), 7)?.code).toBe('weights/starve');
    expect(weightsRefusal(capped(22), 7)).toBeNull();
    for (const sum of [
      '⌊21/8⌋ + 1 = 3',
      '21 + 0, so a cap of 21 is refused and one of 22 accepted',
    ])
      expect(page.replaceAll('\n', ' ')).toContain(sum);
  });

  test('tells every other key of a match with its default', () => {
    const { call, ghosts, seats, ...whole } = meetingMatchSchema.shape;
    const expected = [
      ...Object.entries({ ...whole, seats }),
      ...Object.entries(call.shape).map(([key, field]) => [`call.${key}`, field] as const),
      ...Object.entries(ghosts.unwrap().shape).map(([key, it]) => [`ghosts.${key}`, it] as const),
      ...Object.entries(seats.element.shape).map(([key, it]) => [`seats[].${key}`, it] as const),
    ].map(([key, field]) => [coded(key), defaultOf(field)]);
    const told = rowsAfter(page, '## The rest of a match file').map(([key, value = '']) => [
      key,
      /^(none|never|dealt in turn)$/.test(value) ? 'none' : value,
    ]);
    expect(told.toSorted()).toEqual(expected.toSorted());
  });

  /** The default of a field, in the words of the page. */
  function defaultOf(field: z.ZodType): string {
    const { success, data } = field.safeParse(undefined);
    if (!success) return 'required';
    if (data === undefined) return 'none';
    if (data === '') return 'empty';
    if (Array.isArray(data)) return 'nothing';
    if (typeof data === 'object' && data !== null) return 'all defaults';
    return typeof data === 'number' ? String(data) : coded(data);
  }
});

describe('docs/journal.md', () => {
  const page = read('docs/journal.md');
  const lines = lineSchema.options.flatMap(({ options }) =>
    options.map(({ shape }) => ({ type: shape.type.value, keys: Object.keys(shape) })),
  );

  test.each(lines)('tells every field of $type', ({ type, keys }) => {
    const own = keys.filter((key) => !['channel', 'seq', 'type', 'clock', 'hash'].includes(key));
    const told = rowsAfter(page, `### ${coded(type)}`).map(([key]) => key);
    expect(told.toSorted()).toEqual(own.map(coded).toSorted());
  });

  test('tells every field of a bid and of a score', () => {
    const [tick = ''] = page.split('### `tick.closed`').slice(1);
    const [living] = lineSchema.options;
    const shapes = living.options.flatMap(({ shape }) =>
      'scores' in shape ? [shape.bids.element.shape, shape.scores.element.shape] : [],
    );
    expect(shapes).toHaveLength(2);
    for (const field of shapes.flatMap(Object.keys)) expect(tick).toContain(coded(field));
  });

  test('the worked example verifies with SHA-256 alone', () => {
    const [example = ''] = all(page, /<!-- hash example -->\n```json\n(.*?)```/gs);
    let previous = chainOrigin('ghosts');
    for (const line of example.trimEnd().split('\n')) {
      const [, start, hash = ''] = /^(.*?)(?:,"clock":\{.*\})?,"hash":"(\w+)"\}$/.exec(line) ?? [];
      const text = `${previous}\n${start}}`;
      expect(createHash('sha256').update(text).digest('hex')).toBe(hash);
      expect(chainHash(previous, `${start}}`)).toBe(hash);
      expect(page).toContain(`\`\`\`\n${text}\n\`\`\`\n`);
      previous = hash;
    }
  });

  test('lists what each lens shows of each line', () => {
    const source = read('machines/journal/lens.ts');
    const rows = CHANNELS.flatMap((channel) => {
      const [, after = ''] = source.split(`const ${channel.toUpperCase()}:`);
      return [...(after.split('\n};')[0] ?? '').matchAll(/'([a-z.]+)': \{([^}]*)\}/g)].map(
        ([, type = '', sight = '']) => [
          `${coded(type)}${channel === 'ghosts' && type.startsWith('scratchpads.') ? ' (ghosts)' : ''}`,
          ...['table', 'player', 'own', 'dead'].map((who) => shown(sight, who)),
        ],
      );
    });
    expect(rowsAfter(page, '## Lenses')).toEqual(rows);
  });

  function shown(sight: string, who: string): string {
    const [keys] = all(sight, new RegExp(`${who}: \\[([^\\]]*)\\]`, 'g'));
    if (keys === undefined) return '';
    return keys === ''
      ? '(line)'
      : all(keys, /'(\w+)'/g)
          .map(coded)
          .join(', ');
  }
});
