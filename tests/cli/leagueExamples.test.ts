/** The leagues that come with the project, played to their end: they show what they are there to show. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { leagueSchema, readLeague } from '../../actors/league/leagueFile.ts';
import { aFolder, glassbox } from './shell.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
const rating = z.object({ value: z.number(), least: z.number(), most: z.number() });
const standings = z.object({
  games: z.number(),
  rows: z.array(z.object({ id: z.string(), rating: z.object({ overall: rating }) })),
  comparisons: z.array(
    z.object({ one: z.string(), result: z.object({ least: z.number(), p: z.number() }) }),
  ),
});

async function played(name: string) {
  const args = ['league', 'run', pathOf(name), '--jobs', '2', '--json'];
  const { exit, out, err } = await glassbox(args, { cwd: aFolder(), env: { REDIS_URL: '' } });
  expect([exit, err]).toEqual([0, '']);
  return standings.parse(JSON.parse(out));
}

test.each(['league.yaml', 'ablation.yaml'])(
  '%s is read, introduces itself, and names its schema',
  (name) => {
    const text = readFileSync(pathOf(name), 'utf8');
    const reading = readLeague(text);
    expect(reading.ok && reading.league.about).toMatch(/^[A-Z].{30,150}\.$/);
    expect(text).toMatch(/^# yaml-language-server: \$schema=league\.schema\.json\n/);
  },
);

test('the veteran leads two hundred games, and nothing tells the twins apart', async () => {
  const { games, rows } = await played('league.yaml');
  expect(games).toBe(200);
  expect(rows[0]?.id).toBe('scripted_veteran');
  const [castor, pollux] = ['castor', 'pollux'].map(
    (name) => rows.find(({ id }) => id === `scripted_${name}`)?.rating.overall,
  );
  if (castor === undefined || pollux === undefined) throw new Error('expected the twins');
  expect(castor.least).toBeLessThan(pollux.most);
  expect(pollux.least).toBeLessThan(castor.most);
});

test('the pupil is better than the dropout, and chance alone would hardly make it so', async () => {
  const { comparisons } = await played('ablation.yaml');
  const [found] = comparisons;
  expect(found?.one).toBe('pupil');
  expect(found?.result.least).toBeGreaterThan(0);
  expect(found?.result.p).toBeLessThan(0.05);
});

test('docs/leagues.md tells every key of a league and of its personas', () => {
  const page = readFileSync(
    fileURLToPath(new URL('../../docs/leagues.md', import.meta.url)),
    'utf8',
  );
  const { personas, ...keys } = leagueSchema.shape;
  const all = [...Object.keys(keys), 'personas', ...Object.keys(personas.element.shape)];
  expect(all.filter((key) => !page.includes(`\`${key}`))).toEqual([]);
});
