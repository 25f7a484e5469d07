/** The meeting that runs, proved: every state that minds, chance and the operator can bring about. */

import { check, chooseStepper, listEvents, stateOf } from 'glass-box-checker';
import { describe, expect, test } from 'vitest';
import { classicTable, houseTable } from '../../proofs/models/meeting.ts';
import { seeds } from '../support/seeds.ts';
import { aModel, census, KNOBS, type MeetingModel, surprises, toldShort } from './models.ts';

/**
 * States of the talk in house, with `players` living and at most one departure.
 *
 * A living player has one of `players` + 2 ballots (each colour, skip, none) and a count of faults in a row
 * from 0 to patience − 1. All combinations are there but those in which everybody has voted. One of the players may be
 * gone, with any ballot and no count.
 */
function talksInHouse(players: number, patience: number): number {
  const unfinished = (living: number) =>
    ((players + 2) * patience) ** living - ((players + 1) * patience) ** living;
  return unfinished(players) + players * (players + 2) * unfinished(players - 1);
}

/**
 * States of the open poll in classic, likewise; but who is gone has no ballot and is named by none, so that those who
 * stay choose among themselves, skip and none.
 */
function pollsInClassic(players: number, patience: number): number {
  const unfinished = (living: number) =>
    patience ** living * ((living + 2) ** living - (living + 1) ** living);
  return unfinished(players) + players * unfinished(players - 1);
}

describe('three players, every state on its own', () => {
  test('house, faults, one departure: all properties turn out as declared', () => {
    const checked = census(aModel(houseTable()));
    expect(surprises(checked)).toEqual([]);
    expect(checked).toMatchObject({
      engine: 'compiled',
      ended: null,
      states: 4_719,
      transitions: 59_436,
    });
    expect(checked.places.get('discussion.bidding')).toBe(talksInHouse(3, 2));
  });

  test('house with patience 1', () => {
    const checked = census(aModel(houseTable({ patience: 1 })));
    expect(surprises(checked)).toEqual([]);
    expect(checked).toMatchObject({ ended: null, states: 3_887, transitions: 20_748 });
    expect(checked.places.get('discussion.bidding')).toBe(talksInHouse(3, 1));
  });

  test('classic with patience 1: all properties turn out as declared', () => {
    const checked = census(aModel(classicTable({ patience: 1 })));
    expect(surprises(checked)).toEqual([]);
    expect(checked).toMatchObject({ ended: null, states: 7_170, transitions: 37_900 });
    expect(checked.places.get('voting.polling.bidding')).toBe(pollsInClassic(3, 1));
  });

  test('classic, faults, one departure: all properties turn out as declared', () => {
    const checked = census(aModel(classicTable()));
    expect(surprises(checked)).toEqual([]);
    expect(checked).toMatchObject({ ended: null, states: 7_660, transitions: 97_080 });
    expect(checked.places.get('voting.polling.bidding')).toBe(pollsInClassic(3, 2));
  });
});

/** Four players in classic take as long as all else here: in the long run. */
const MOST_TRANSITIONS = seeds(200_000, 1_000_000);

describe('modulo symmetry', () => {
  const all = [
    { rules: 'house', players: 3, patience: 2, states: 928, transitions: 12_323 },
    { rules: 'classic', players: 3, patience: 2, states: 1_028, transitions: 18_593 },
    { rules: 'house', players: 4, patience: 2, states: 4_170, transitions: 179_117 },
    { rules: 'classic', players: 4, patience: 2, states: 4_263, transitions: 291_240 },
  ] as const;
  test.each(all.filter(({ transitions }) => transitions < MOST_TRANSITIONS))(
    '$players players in $rules: all properties turn out as declared, also those of what happens at last',
    (wanted) => {
      const { players, patience, states, transitions } = wanted;
      const setting =
        wanted.rules === 'house'
          ? houseTable({ players, patience })
          : classicTable({ players, patience });
      const checked = modulo(aModel(setting));
      expect(surprises(checked)).toEqual([]);
      expect(checked).toMatchObject({ isSymmetric: true, ended: null, states, transitions });
    },
  );

  test.each([
    ['house', houseTable({ patience: 1 })],
    ['classic', classicTable({ patience: 1 })],
  ])('three players in %s: the verdicts are those of every state on its own', (_, setting) => {
    const model = aModel(setting);
    const verdicts = ({ results }: ReturnType<typeof modulo>) =>
      results.map(({ name, verdict }) => [name, verdict.type]);
    expect(verdicts(modulo(model))).toEqual(verdicts(check(model)));
  });
});

describe('that it ends', () => {
  test('is not so by itself: a loop in which somebody never votes', () => {
    const { results } = check(aModel(houseTable({ players: 2 })), { only: ['ends'] });
    const trace = traceOf(results);
    expect(trace?.loop).not.toBeNull();
    expect(trace?.excludedBy).toContain('a player without a ballot eventually votes');
    expect(
      trace?.events
        .slice(trace.loop ?? 0)
        .map(toldShort)
        .join(),
    ).not.toContain('red=');
  });

  test('is not so in classic where voting time has no limit', () => {
    const { results } = check(aModel(classicTable({ players: 2, votingTime: 0 })));
    expect(results.map(({ name }) => name)).not.toContain('ends-by-the-clock');
    expect(surprises({ results })).toEqual([]);
  });
});

test('closed is for good: nothing that could have happened before changes a closed meeting', () => {
  const model = aModel(houseTable({ players: 2 }), { ...KNOBS, stops: true });
  const { stepper } = chooseStepper(model);
  let { point } = stepper.initial();
  const seen = new Map<string, readonly { readonly type: string }[]>();
  for (let steps = 0; point.status === 'active' && steps < 20; steps++) {
    const events = listEvents(model, point);
    seen.set(point.place.name, events);
    const next =
      point.timers[0]?.event ??
      events.find((event) => toldShort(event) === 'red=red blue=red') ??
      events.find(({ type }) => type === 'tick.closed');
    if (next !== undefined) point = stepper.step(point, next).point;
  }
  expect(stateOf(point)).toMatchObject({ at: 'closed', isDone: true });
  expect(listEvents(model, point)).toEqual([]);
  expect([...seen.keys()]).toContain('discussion.bidding');
  for (const event of [...seen.values()].flat()) {
    expect(stepper.step(point, event)).toMatchObject({ point, effects: [], taken: [] });
  }
});

describe('coverage', () => {
  const stops = { faults: false, departures: 2, stops: true };
  const two = { players: 2, patience: 1 };
  const everything: readonly MeetingModel[] = [
    aModel(houseTable({ patience: 1 })),
    aModel(classicTable({ patience: 1 })),
    aModel(houseTable(two), stops),
    aModel(classicTable(two), stops),
    aModel(houseTable({ ...two, beatMs: 1, maxTicks: 3 }), stops),
    aModel(classicTable({ ...two, beatMs: 1, maxTicks: 4 }), stops),
    aModel(houseTable({ ...two, voteAfter: 1, votingTime: 10 }), { ...stops, faults: true }),
  ];
  const refused = { ...houseTable(two), call: { ...houseTable(two).call, buttonsLeft: 0 } };

  test('every state and every transition of the chart is reached, and no property is violated', () => {
    const found = everything.map((model) => check(model));
    expect(found.flatMap(surprises)).toEqual([]);
    const reports = [...found, check({ ...aModel(refused, KNOBS), properties: [] })].map(
      ({ coverage }) => coverage,
    );
    const neverIn = (pick: (report: (typeof reports)[number]) => readonly string[]) =>
      pick(reports[0] ?? expect.fail()).filter((item) =>
        reports.every((report) => pick(report).includes(item)),
      );
    expect(neverIn(({ unreached }) => unreached)).toEqual([]);
    expect(neverIn(({ untaken }) => untaken.map(({ edge }) => edge))).toEqual([]);
  });
});

function modulo(model: MeetingModel) {
  return check(model, { isSymmetric: true });
}

function traceOf(results: ReturnType<typeof check>['results']) {
  const verdict = results[0]?.verdict;
  return verdict?.type === 'violated' ? verdict.trace : null;
}
