/** The example leagues, played to their end, show the effects that they demonstrate. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { leagueSchema, readLeague } from '../../actors/league/leagueFile.ts';
import { completePlan, scheduleLeague } from '../../actors/league/plan.ts';
import { seeds, testLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder } from './shell.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
const rating = z.object({ value: z.number(), least: z.number(), most: z.number() });
const standings = z.object({
  games: z.number(),
  rows: z.array(z.object({ id: z.string(), rating: z.object({ overall: rating }) })),
  comparisons: z.array(
    z.object({ one: z.string(), result: z.object({ least: z.number(), p: z.number() }) }),
  ),
});

async function played(name: string, games: number) {
  const text = readFileSync(pathOf(name), 'utf8').replace(/^games: .*$/m, `games: ${games}`);
  const cwd = aFolder({ [name]: text });
  const args = ['league', 'run', name, '--jobs', '2', '--json'];
  const { exit, out, err } = await warmGlassbox(args, { cwd, env: { REDIS_URL: '' } });
  expect([exit, err]).toEqual([0, '']);
  return standings.parse(JSON.parse(out));
}

test.each(['league.yaml', 'ablation.yaml'])(
  '%s is read, introduces itself, and names its schema',
  (name) => {
    const text = readFileSync(pathOf(name), 'utf8');
    const reading = readLeague(text);
    expect(reading.ok && reading.value.about).toMatch(/^[A-Z].{30,150}\.$/);
    expect(text).toMatch(/^# yaml-language-server: \$schema=league\.schema\.json\n/);
  },
);

test('in the ablation all three have both roles as often, and pupil and dropout the same games', () => {
  const reading = readLeague(readFileSync(pathOf('ablation.yaml'), 'utf8'));
  if (!reading.ok) throw new Error('expected a league');
  const games = scheduleLeague(completePlan(reading.value, 'test'));
  const sides = games.flatMap(({ table }) => [
    ...new Set(
      table.map(({ persona, role }) => `${reading.value.personas[persona]?.name} ${role}`),
    ),
  ]);
  const counts = [...Map.groupBy(sides, (side) => side)].map(([side, { length }]) => [
    side,
    length,
  ]);
  expect(Object.fromEntries(counts)).toEqual({
    ...{ 'pupil impostor': 75, 'pupil crewmate': 75, 'dropout impostor': 75 },
    ...{ 'dropout crewmate': 75, 'rival impostor': 150, 'rival crewmate': 150 },
  });
});

/** The long run plays as many games as the examples. Fewer show the same, except for learning. */
const OF_TWINS = seeds(60, 200);
const OF_PUPIL = 300;

test('the examples are as long as the long run plays them', () => {
  const lengths = ['league.yaml', 'ablation.yaml'].map(
    (name) => /^games: (.*)$/m.exec(readFileSync(pathOf(name), 'utf8'))?.[1],
  );
  expect(lengths).toEqual(['200', '300']);
});

testLong(`the veteran leads ${OF_TWINS} games, and nothing tells the twins apart`, async () => {
  const { games, rows } = await played('league.yaml', OF_TWINS);
  expect(games).toBe(OF_TWINS);
  expect(rows[0]?.id).toBe('scripted_veteran');
  const [castor, pollux] = ['castor', 'pollux'].map(
    (name) => rows.find(({ id }) => id === `scripted_${name}`)?.rating.overall,
  );
  if (castor === undefined || pollux === undefined) throw new Error('expected the twins');
  expect(castor.least).toBeLessThan(pollux.most);
  expect(pollux.least).toBeLessThan(castor.most);
});

testLong(
  `the pupil is better than the dropout in ${OF_PUPIL} games, and chance alone would hardly make it so`,
  async () => {
    const { comparisons } = await played('ablation.yaml', OF_PUPIL);
    const [found] = comparisons;
    expect(found?.one).toBe('pupil');
    expect(found?.result.least).toBeGreaterThan(0);
    expect(found?.result.p).toBeLessThan(0.05);
  },
);

test('docs/leagues.md tells every key of a league and of its personas', () => {
  const page = readFileSync(
    fileURLToPath(new URL('../../docs/leagues.md', import.meta.url)),
    'utf8',
  );
  const { personas, ...keys } = leagueSchema.shape;
  const all = [...Object.keys(keys), 'personas', ...Object.keys(personas.element.shape)];
  expect(all.filter((key) => !page.includes(`\`${key}`))).toEqual([]);
});
