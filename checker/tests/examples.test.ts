import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { check } from '../check.ts';
import { philosophers } from '../examples/dining-philosophers.ts';
import { crossing } from '../examples/traffic-light.ts';
import { commit } from '../examples/two-phase-commit.ts';
import { statesAlong, traceOf } from './replay.ts';

const verdicts = ({ results }: ReturnType<typeof check>) =>
  Object.fromEntries(results.map(({ name, verdict }) => [name, verdict.type]));

test('the planted bug of the crossing: four events until a pedestrian walks before green cars', () => {
  const model = crossing(false);
  const found = check(model);
  expect(verdicts(found)).toEqual({ safe: 'violated', served: 'proved' });
  const [safe] = found.results;
  const trace = safe === undefined ? { events: [], loop: null, excludedBy: [] } : traceOf(safe);
  expect(trace.events.map(({ type }) => type)).toEqual(['tick', 'tick', 'button', 'tick']);
  expect(statesAlong(model, trace).map(({ at }) => at)).toEqual([
    ...['cars.green & walk.stop', 'cars.yellow & walk.stop', 'cars.red & walk.stop'],
    ...['cars.red & walk.go', 'cars.green & walk.go'],
  ]);
});

test('the mended crossing is safe, and serves', () => {
  const found = check(crossing(true));
  expect(verdicts(found)).toEqual({ safe: 'proved', served: 'proved' });
  // Three colours with nobody asking, two with somebody waiting, and one with somebody walking.
  expect(found.states).toBe(3 + 2 + 1);
});

test('three philosophers starve with one fork each, and one left-handed among them helps', () => {
  const [stuck] = check(philosophers(false)).results;
  expect(stuck === undefined ? null : traceOf(stuck).events).toEqual(
    [0, 1, 2].map((who) => ({ type: 'take', who })),
  );
  expect(verdicts(check(philosophers(true)))).toEqual({ 'goes-on': 'proved' });
});

test('two-phase commit agrees whatever crashes, and waits for ever when the coordinator does', () => {
  expect(verdicts(check(commit(false)))).toEqual({ agreement: 'proved', 'is-informed': 'proved' });
  const model = commit(true);
  const found = check(model);
  expect(verdicts(found)).toEqual({ agreement: 'proved', 'is-informed': 'violated' });
  const trace = traceOf(found.results.find(({ name }) => name === 'is-informed') ?? never());
  expect(trace.loop).toBeNull();
  expect(trace.events.map(({ type }) => type)).toContain('crash');
  expect(statesAlong(model, trace).at(-1)?.at).toContain('coordinator.gone');
});

test.each(['traffic-light', 'dining-philosophers', 'two-phase-commit'])(
  '%s prints its report',
  (name) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [fileURLToPath(new URL(`../examples/${name}.ts`, import.meta.url))],
      { encoding: 'utf8' },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/ ✗ [a-z-]+: violated\. /);
    expect(stdout).toMatch(/ ✓ [a-z-]+: proved\. /);
  },
);

function never(): never {
  throw new Error('the property was not results');
}
