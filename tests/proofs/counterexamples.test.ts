/** Counterexamples as people and programs read them: the same steps in text, JSON and JUnit. */
import { renderJunit } from 'glass-box-checker/formats';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import type * as Game from '../../machines/rules/ship/game.ts';
import { allHold } from '../../proofs/properties/property.ts';

test.each<[found: unknown, expected: unknown, told: string]>([
  [[['red', 'skip']], [], 'expected none, found (red, skip)'],
  [null, { by: 'red', place: 'Storage' }, 'expected (by: red, place: Storage), found nothing'],
  [['a b'], [''], 'expected “”, found “a b”'],
  [
    [[[{ candidate: 'red', votes: 2 }], 'ejected', 'red']],
    [[[{ candidate: 'red', votes: 1 }], 'tie', null]],
    'expected ((candidate: red, votes: 1), tie, nothing), found ((candidate: red, votes: 2), ejected, red)',
  ],
  // Values that read alike are told as JSON.
  [[[]], [], 'expected [], found [[]]'],
  ['1', 1, 'expected 1, found "1"'],
  [undefined, null, 'expected null, found undefined'],
])('a clause tells %j instead of %j in words', (found, expected, told) => {
  expect(allHold({ 'the count': [found, expected] })).toBe(`the count: ${told}`);
});

test('a clause with long values shows where they differ', () => {
  const long = Array.from({ length: 99 }, (_, index) => ({ round: index }));
  const other = long.with(50, { round: 1234 });
  const told = allHold({ 'the rounds': [other, long] });
  expect(told).toContain('round: 1234');
  expect(String(told).length).toBeLessThan(220);
});

const trace = z.object({
  steps: z.array(
    z.strictObject({
      at: z.string(),
      to: z.string(),
      happened: z.string(),
      changes: z.array(z.string()),
    }),
  ),
  loop: z.null(),
});
const gameLine = z.object({
  game: z.string(),
  broken: z.string().nullable(),
  counterexample: trace.nullable(),
  properties: z.array(
    z.object({
      verdict: z.string(),
      why: z.string().nullable(),
      counterexample: trace.nullable(),
    }),
  ),
});

const PATH = '../../machines/rules/ship/game.ts';

/** Whole games whose rounds are played by mistake like this, searched for one property. */
async function checkGames(plant: (real: typeof Game) => Partial<typeof Game>) {
  vi.resetModules();
  vi.doMock(PATH, async (load) => {
    const real = await load<typeof Game>();
    return { ...real, ...plant(real) };
  });
  onTestFinished(() => {
    vi.doUnmock(PATH);
    vi.resetModules();
  });
  const { runCheck } = await import('../../proofs/checks/runCheck.ts');
  const property = ['dying-has-a-reason'];
  const question = { game: true, property, maxStates: 100, symmetry: true, ghosts: 0 };
  const parts: (z.infer<typeof gameLine> & { readonly text: string })[] = [];
  const findings = await runCheck(null, question, {
    onPart: (line, text) => void parts.push({ ...gameLine.parse(line), text }),
    onProgress: null,
    signal: new AbortController().signal,
    keepsGraph: false,
  });
  const suites = renderJunit(findings.cases, 'glassbox check').split('<testsuite ').slice(1);
  const xml = suites.map((suite) =>
    suite.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
  );
  return { status: findings.status, parts, xml };
}

/** The steps as a terminal and JUnit print them. */
function listLines(steps: z.infer<typeof trace>['steps']): readonly string[] {
  const width = Math.max(...steps.map(({ at }) => at.length));
  return steps.flatMap(({ at, to, happened, changes }, index) => [
    `${index + 1}  ${at.padEnd(width)}  ${happened}`,
    [...(at === to ? [] : [`→ ${to}`]), ...changes].join(' · '),
  ]);
}

const linesOf = (text: string) =>
  text.split(/<failure .*?">|<\/failure>|\n/).map((line) => line.trim());

test('text, JSON and JUnit show a violated game by the same events, states and changes', async () => {
  const { status, parts, xml } = await checkGames(({ playRound }) => ({
    playRound: (course, ...others) => {
      const { changes, facts } = playRound(course, ...others);
      const { bodies } = course.world;
      return {
        changes: { ...changes, world: { ...(changes.world ?? course.world), bodies } },
        facts,
      };
    },
  }));
  expect(status).toBe(1);
  const shortest = parts.findIndex(({ game }) => game === 'two impostors at once');
  expect(parts[shortest]?.properties[0]).toMatchObject({
    verdict: 'violated',
    why: 'the bodies: expected (victim: green, place: Cafeteria), found none',
    counterexample: {
      steps: [
        {
          at: 'round.opening',
          to: 'over',
          happened: 'round 0: red waits, blue kills green, green waits, pink waits, orange waits',
          changes: expect.arrayContaining([
            'world.standings.green: living → dead',
            'chronicle: none → (type: kill, by: blue, victim: green, place: Cafeteria, round: 0, meeting: 1)',
          ]),
        },
      ],
    },
  });
  const violated = parts.flatMap(({ properties, text }, index) =>
    properties.flatMap(({ why, counterexample }) =>
      counterexample === null ? [] : [{ why, ...counterexample, text, suite: xml[index] ?? '' }],
    ),
  );
  expect(violated.length).toBeGreaterThan(1);
  for (const { why, steps, text, suite } of violated) {
    const lines = [why, ...listLines(steps)];
    expect(linesOf(text).slice(2)).toEqual(lines);
    expect(linesOf(suite)).toEqual(expect.arrayContaining(lines));
  }
});

test('a game that breaks is a failure with its run, and its error is told once', async () => {
  const { status, parts, xml } = await checkGames(({ playRound }) => ({
    playRound: (course, ...others) => {
      if (course.round === 1) throw new Error('no\nround');
      return playRound(course, ...others);
    },
  }));
  expect(status).toBe(1);
  for (const [index, { broken, counterexample, text }] of parts.entries()) {
    expect(broken).toBe('no\nround');
    const lines = listLines(counterexample?.steps ?? []);
    expect(lines.at(-1)).toBe('→ it breaks');
    expect(text.match(/no\sround/g)).toHaveLength(1);
    expect(linesOf(text)).toEqual(
      expect.arrayContaining([
        '✗ it broke: no round',
        ...lines,
        '? incomplete: an error ended the search: dying-has-a-reason',
      ]),
    );
    expect(linesOf(xml[index] ?? '')).toEqual(expect.arrayContaining([...lines]));
  }
});
