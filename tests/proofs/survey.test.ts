import { type CheckResult, check, chooseStepper, stateOf } from 'glass-box-checker';
import { describe, expect, test } from 'vitest';
import { classicTable, houseTable } from '../../proofs/models/meeting.ts';
import { aModel } from './models.ts';

type Surveyed = Pick<CheckResult<{ type: string }>, 'graph'>;

function surveyOf({ graph: survey }: Surveyed) {
  return survey ?? expect.fail('nothing was surveyed');
}

const TABLES = { house: aModel(houseTable()), classic: aModel(classicTable()) };

describe.each(['house', 'classic'] as const)('a meeting in %s rules', (rules) => {
  const model = TABLES[rules];
  const found = check(model, { isSymmetric: true, keepsGraph: true });
  const { depths, parents, others, counts: traffic, runs } = surveyOf(found);

  test('every state has a depth, and a parent one above it', () => {
    expect(depths.reduce((sum, many) => sum + many, 0)).toBe(found.states);
    expect(depths).toHaveLength(found.depth + 1);
    const depthOf = (state: number) => {
      let first = 0;
      return depths.findIndex((many) => {
        first += many;
        return state < first;
      });
    };
    expect(parents).toHaveLength(found.states);
    for (const [state, parent] of (parents ?? []).entries()) {
      if (state === 0) expect(parent).toBe(-1);
      else expect(depthOf(parent)).toBe(depthOf(state) - 1);
    }
  });

  test('a run follows counted moves', () => {
    const known = new Set((parents ?? []).map((parent, state) => `${parent} ${state}`));
    for (let at = 0; at < (others?.length ?? 0); at += 2) {
      known.add(`${others?.[at]} ${others?.[at + 1]}`);
    }
    expect(runs.size).toBeGreaterThan(2);
    for (const { trace, states } of runs.values()) {
      expect(states).toHaveLength(trace.events.length + 1);
      for (const [index, state] of states.slice(1).entries()) {
        const from = states[index];
        if (from !== state) expect(known).toContain(`${from} ${state}`);
      }
    }
  });

  test('each transition was taken or is listed as untaken', () => {
    const never = traffic.taken.filter((many) => many === 0);
    expect(never).toHaveLength(found.coverage.untaken.length);
    expect(traffic.guards?.passed).toHaveLength(traffic.taken.length);
  });

  test('the run of a "sometimes" property first satisfies it at its end', () => {
    const { stepper } = chooseStepper(model);
    for (const { name, kind } of found.results) {
      const property = model.properties.find((one) => one.name === name);
      const run = runs.get(name);
      if (kind !== 'sometimes' || property?.kind !== 'sometimes' || run === undefined) continue;
      let { point } = stepper.initial();
      const held = run.trace.events.map((event) => {
        const state = stateOf(point);
        point = stepper.step(point, event).point;
        return property.holds(state);
      });
      expect(held).not.toContain(true);
      expect(property.holds(stateOf(point)), name).toBe(true);
    }
  });
});
