/**
 * Planted from outside: mistakes chosen from the rules alone, without a look at the properties, each planted in the sources and
 * looked for with `check`. The long run tries all of them; here a few are tried, others from day to day, in the world that
 * docs/planted.md names.
 *
 * With GOLDEN=write the long run writes that page anew. A bug that nothing finds is named in `proofs/planted/bugs.ts` with the
 * reason.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import {
  checkPlanted,
  findPlanted,
  type PlantedFinding,
  tracePlanted,
  WORLDS,
} from '../proofs/planted/bug.ts';
import { PLANTED_BUGS, UNOBSERVABLE, UNWATCHED } from '../proofs/planted/bugs.ts';
import { expectGolden } from '../support/golden.ts';
import { everyNth, IS_LONG, seeds } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder } from './shell.ts';

const ROOT = new URL('../../', import.meta.url);
const PAGE = 'docs/planted.md';

const TRIED = seeds(1, PLANTED_BUGS.length);
/** Far apart in the list, so that they are of different sources. */
const STRIDE = 67;
const BUGS = Array.from({ length: TRIED }, (_, index) => {
  const at = IS_LONG ? index : index * STRIDE;
  return PLANTED_BUGS[at % PLANTED_BUGS.length];
}).filter((bug) => bug !== undefined);

test('each replaces a text that stands once in its source', () => {
  for (const { name, source, find, replace } of PLANTED_BUGS) {
    const text = readFileSync(new URL(source, ROOT), 'utf8');
    expect(text.split(find), name).toHaveLength(2);
    expect(replace, name).not.toBe(find);
  }
});

test('each has a name of its own, and a reason only where nothing finds it', () => {
  const names = PLANTED_BUGS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(Object.keys(UNOBSERVABLE)));
  const rows = readFileSync(new URL(PAGE, ROOT), 'utf8').match(/^\| `/gm) ?? [];
  expect(rows).toHaveLength(names.length);
});

describe(`${BUGS.length} of ${PLANTED_BUGS.length} planted bugs`, () => {
  const findings = new Map<string, PlantedFinding | null>();

  test.each(BUGS)('$name: $cause', async (bug) => {
    const found = await findPlanted(bug, IS_LONG ? undefined : worldOf(bug.name));
    findings.set(bug.name, found);
    expect(found === null).toBe(bug.name in UNOBSERVABLE);
    // What is broken before a first step is a call: there is no meeting to watch.
    if (found === null || (found.steps ?? 0) === 0 || bug.name in UNWATCHED) return;
    const file = join(aFolder(), 'trace.jsonl');
    await tracePlanted(bug, found, file);
    await expectWatched(file);
  });

  test(`${PAGE} says what found them`, () => {
    const page = readFileSync(new URL(PAGE, ROOT), 'utf8').split('\n');
    for (const [name, found] of findings) {
      const row = page.find((text) => text.startsWith(`| \`${name}\` |`)) ?? '';
      expect(row).toMatch(found === null ? / nothing / : new RegExp(` ${found.world} \\|$`));
    }
    if (!IS_LONG) return;
    const rows = BUGS.map((bug) => renderRow(bug, findings.get(bug.name) ?? null));
    expectGolden(PAGE, renderPage(rows, [...findings.values()]));
  });
});

/** A journal without a damage, which plays like any other. */
async function expectWatched(file: string): Promise<string> {
  expect(readJournal(readFileSync(file, 'utf8')).damages).toEqual([]);
  const { exit, out } = await warmGlassbox(['watch', file]);
  expect(exit).toBe(0);
  return out;
}

describe('a counterexample of a whole game is watched', () => {
  const games = [
    {
      name: 'kills start no cooldown',
      source: 'machines/rules/ship/kills.ts',
      find: 'killWait = rounds(world.ship.options.killCooldown);',
      replace: 'killWait = 0;',
      by: 'cooldowns-are-kept',
      shows: 'Red',
    },
    {
      name: 'bodies stay after a meeting',
      source: 'machines/rules/ship/game.ts',
      find: '    bodies: [],\n    streaks: {},\n    crisis',
      replace: '    streaks: {},\n    crisis',
      by: 'a-meeting-clears-the-ship',
      shows: 'The meeting is over',
    },
  ];

  test.each(everyNth(games, games.length))('$name: $by', async ({ by, shows, ...bug }) => {
    const file = join(aFolder(), 'game.jsonl');
    await checkPlanted({ ...bug, cause: bug.name }, ['--game', '--property', by, '--trace', file]);
    const out = await expectWatched(file);
    expect(out).toContain(by);
    expect(out).toContain(shows);
  });
});

/** The world in which the page says that it is found; all of them where it says none. */
function worldOf(name: string): readonly string[] | undefined {
  const row = readFileSync(new URL(PAGE, ROOT), 'utf8')
    .split('\n')
    .find((text) => text.startsWith(`| \`${name}\` |`));
  // What cannot be observed is looked for in small worlds only: the long run tries them all.
  if (name in UNOBSERVABLE) return Object.keys(WORLDS).slice(0, 2);
  const named = Object.keys(WORLDS).filter((world) => row?.endsWith(`| ${world} |`));
  return named.length === 0 ? undefined : named;
}

function renderRow(
  { name, cause, source }: (typeof PLANTED_BUGS)[number],
  found: PlantedFinding | null,
): string {
  const where = source.replace('machines/', '');
  const cells =
    found === null
      ? ['nothing', '', UNOBSERVABLE[name] ?? 'no world shows it']
      : [`\`${found.by}\``, `${found.steps ?? ''}`, found.world];
  return `| \`${name}\` | ${cause.replaceAll('|', '\\|')} | \`${where}\` | ${cells.join(' | ')} |`;
}

function renderPage(rows: readonly string[], findings: readonly (PlantedFinding | null)[]): string {
  const found = findings.filter((one) => one !== null).length;
  const hidden = findings.length - found;
  return `# Planted from outside

Mistakes as people make them, chosen from the rules alone, without a look at the properties: ${findings.length} texts, each of one
source, replaced by others. \`check\` finds ${found} of them, each by the property and in the world that stand beside it; ${hidden} ${hidden === 1 ? 'changes' : 'change'}
nothing that can be observed, for the reason that stands there. The number is the steps of the counterexample, which \`watch\`
plays; where there is none, something that can be is never seen, or the machine itself breaks. A property
\`holds-at-every-…\` is found in one of the small meetings beside the one that is checked ([checking.md](checking.md)).

\`tests/cli/planted.test.ts\` plants them, without a change on disk: a few in \`npm test\`, all in \`npm run test:long\`, which
writes this page with \`GOLDEN=write\`. The texts are in \`tests/proofs/planted/\`. What can be broken by itself in the chart and
in single rules is in [mutants.md](mutants.md).

| world | flags of \`check\` |
|---|---|
${Object.entries(WORLDS)
  .map(([world, flags]) => `| ${world} | \`${flags}\` |`)
  .join('\n')}

| bug | what is wrong | source | found by | steps | in |
|---|---|---|---|---|---|
${rows.join('\n')}
`;
}
