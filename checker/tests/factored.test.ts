/** Events taken part by part: the same states, verdicts and shortest runs as with whole events, and no model that lies. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assign, setup } from 'xstate';
import { type CheckOptions, check } from '../check.ts';
import type { FactoredEvent, Property } from '../model.ts';
import {
  type Box,
  type BoxEvent,
  type BoxFactor,
  type BoxModel,
  CHOICES,
  type CountSlips,
  countSlips,
  factored,
  listWhole,
  PROPERTIES,
  reset,
  type Slip,
  scrapsOf,
  slips,
  type Wanted,
  whole,
} from './box.ts';
import { law } from './law.ts';
import { statesAlong, traceOf } from './replay.ts';

function search(model: BoxModel, options: CheckOptions<Box> = {}) {
  const states: string[] = [];
  const found = check(model, {
    ...options,
    onState: ({ at, context }) => states.push(`${at} ${JSON.stringify(context)}`),
  });
  return { ...found, found: states.toSorted() };
}

describe('a box of votes, slip by slip', () => {
  test.each([1, 2, 3, 4])(
    '%i voters: the same states and verdicts as with whole events',
    (voters) => {
      const wanted = { voters, properties: PROPERTIES };
      const [one, other] = [search(whole(wanted)), search(factored(wanted))];
      expect(other.found).toEqual(one.found);
      // Each vote is none, 0 or 1: 3 ** n, twice while not all have voted, by the round, and over once it was full.
      const full = 2 ** voters;
      expect(one.states).toBe(2 * (3 ** voters - full) + 2 * full + 2 * full);
      expect(other.depth).toBe(one.depth);
      const verdicts = ({ results }: typeof one) =>
        results.map(({ name, verdict }) => [name, verdict.type]);
      expect(verdicts(other)).toEqual(verdicts(one));
      expect(one.results.filter(({ expected, verdict }) => expected !== verdict.type)).toEqual([]);
      expect(one.parts).toBeNull();
      expect(other.parts?.compared).toBeGreaterThan(0);
    },
  );

  test.each([2, 3])('%i voters: counterexamples are runs of whole events, as short', (voters) => {
    const wanted = { voters, properties: PROPERTIES };
    const model = whole(wanted);
    for (const options of [{}, { isSymmetric: true }]) {
      const expected = check(model, options).results;
      for (const [index, result] of check(factored(wanted), options).results.entries()) {
        if (result.verdict.type !== 'violated') continue;
        const trace = traceOf(result);
        expect(() => statesAlong(model, trace)).not.toThrow();
        const shortest = traceOf(expected[index] ?? result);
        if (result.kind !== 'eventually') {
          expect(trace.events).toHaveLength(shortest.events.length);
        }
        expect(trace.excludedBy).toEqual(shortest.excludedBy);
        expect(trace.loop === null).toBe(shortest.loop === null);
      }
    }
  });

  test('modulo symmetry there are as many orbits as multisets of votes', () => {
    for (const voters of [1, 2, 3, 5, 8]) {
      const found = search(factored({ voters }), { isSymmetric: true });
      const multisets = (kinds: number) =>
        kinds === 3 ? ((voters + 1) * (voters + 2)) / 2 : voters + 1;
      const [open, full] = [multisets(3) - multisets(2), multisets(2)];
      expect(found.states).toBe(2 * open + 2 * full + 2 * full);
      expect(found.ended).toBeNull();
    }
  });

  test('far more combinations than could be written out', () => {
    const voters = 14;
    const found = search(factored({ voters, properties: PROPERTIES }), { isSymmetric: true });
    expect(found.results.every(({ verdict, expected }) => verdict.type === expected)).toBe(true);
    expect(found.ended).toBeNull();
  });

  test.each([2, 3])(
    '%i voters with two such events at once: each is taken by its own parts',
    (voters) => {
      const plain = whole({ voters });
      const all = listWhole(voters).flatMap((event): readonly BoxEvent[] =>
        event.type === 'slips' && !event.rings && event.slips.every(({ vote }) => vote !== null)
          ? [{ type: 'scraps', slips: event.slips }]
          : [],
      );
      const both = {
        ...plain,
        world: (state: Parameters<BoxModel['world']>[0]) => [
          ...plain.world(state),
          ...(state.at === 'open' ? all : []),
        ],
      };
      const parts = factored({ voters });
      const model = { ...parts, factored: { ...parts.factored, scraps: scrapsOf(voters) } };
      expect(search(model).found).toEqual(search(both).found);
      expect(search(model, { isSymmetric: true }).states).toBe(
        search(both, { isSymmetric: true }).states,
      );
    },
  );

  law(
    'which slips a part may hand in decides nothing about how it is searched',
    fc.property(
      fc.array(fc.subarray([...CHOICES], { minLength: 1 }), { minLength: 1, maxLength: 3 }),
      (allowed) => {
        const voters = allowed.length;
        const choices = (_: unknown, voter: number) =>
          (allowed[voter] ?? []).map((vote) => ({ voter, vote }));
        const all = listWhole(voters).filter(
          (event) =>
            event.type === 'slips' &&
            event.slips.every(({ voter, vote }) => allowed[voter]?.includes(vote)),
        );
        const plain = {
          ...whole({ voters }),
          world: ({ at }: { readonly at: string }) =>
            at === 'open' ? all : at === 'full' ? [reset] : [],
        };
        expect(search(factored({ voters, factor: { choices } })).found).toEqual(
          search(plain).found,
        );
      },
    ),
    60,
  );
});

test.each([
  ['whole', whole],
  ['factored', factored],
])(
  'a box that treats a voter differently, %s: a finding, and a search without symmetry',
  (_, box) => {
    /** The first voter cannot vote 1 once another voter has. */
    const unfair: CountSlips = (before, handed) => {
      const after = countSlips(before, handed);
      const isLocked = before.votes[0] === null && before.votes.includes(1);
      return isLocked && after[0] === 1 ? after.with(0, 0) : after;
    };
    const model = box({ voters: 3, count: unfair, properties: PROPERTIES });
    const found = check(box === whole ? model : { ...model, factored: unfairly(model) }, {
      isSymmetric: true,
    });
    const first = found.results.at(-1);
    expect(first).toMatchObject({ name: 'exchange-changes-nothing', kind: 'symmetry' });
    expect(found).toMatchObject({ isSymmetric: false, broken: null, ended: null });
    expect(found.results.find(({ name }) => name === 'a-vote-stays')?.verdict.type).toBe('proved');
    if (first === undefined) expect.fail('no finding');
    expect(() => statesAlong(whole({ voters: 3, count: unfair }), traceOf(first))).not.toThrow();

    function unfairly({ factored: parts }: BoxModel): NonNullable<BoxModel['factored']> {
      const given = parts?.slips;
      if (given === undefined) expect.fail('no factored event');
      const take: BoxFactor['take'] = ({ context }, _voter, slip) => ({
        context: { ...context, votes: unfair(context, [slip]) },
        kept: null,
      });
      return { slips: { ...given, take, reads: ({ context }) => `${context.votes}` } as BoxFactor };
    }
  },
);

test.each([
  ['whole', whole],
  ['factored', factored],
])('a state that the symmetry refuses, %s: a finding with its run, and all the rest', (_, box) => {
  const model = box({ voters: 3, properties: PROPERTIES });
  const { symmetry = { name: '', orbit: () => '' } } = model;
  const orbit: typeof symmetry.orbit = (point, draft) => {
    if (point.place.name === 'full') throw new Error('a full box has no form');
    return symmetry.orbit(point, draft);
  };
  const found = check({ ...model, symmetry: { name: 'voters', orbit } }, { isSymmetric: true });
  expect(found).toMatchObject({ isSymmetric: false, broken: null, ended: null });
  const refused = found.results.find(({ name }) => name === 'exchange-changes-nothing');
  expect(refused?.verdict).toMatchObject({ type: 'violated', why: 'a full box has no form' });
  if (refused === undefined) expect.fail('no finding');
  const { steps = [] } = traceOf(refused);
  expect(steps.length).toBeGreaterThan(0);
  if (box === whole) expect(steps.at(-1)?.at).toBe('full');
  const plain = check(model, {});
  expect(found.states).toBe(plain.states);
  expect(found.results.slice(0, -1).map(({ verdict }) => verdict.type)).toEqual(
    plain.results.map(({ verdict }) => verdict.type),
  );
});

describe('a machine that is not as its model says', () => {
  const found = (wanted: Wanted) => check(factored(wanted)).broken;

  test('slips that depend on each other: the whole event leads elsewhere', () => {
    /** Only the first slip with a vote counts. */
    const count: CountSlips = (box, handed) =>
      countSlips(box, handed.filter(({ vote }) => vote !== null).slice(0, 1));
    const broken = found({ voters: 3, count });
    expect(broken?.message).toContain('slips as a whole leads elsewhere than its parts');
    expect(broken?.trace.events.length).toBeGreaterThan(0);
  });

  test('a part that reads more than it is said to', () => {
    /** The second voter repeats the first one's vote. */
    const take: BoxFactor['take'] = ({ context }, voter, { vote }) => ({
      context: {
        ...context,
        votes: context.votes.with(
          voter,
          voter === 1 && context.votes[0] === 1 ? 1 : (context.votes[voter] ?? vote),
        ),
      },
      kept: null,
    });
    expect(found({ voters: 2, factor: { take } })).not.toBeNull();
  });

  test('an aside that leads elsewhere', () => {
    const settle: BoxFactor['settle'] = () => ({
      ends: [slips([])],
      asides: { reads: '', list: () => [slips([{ voter: 0, vote: 1 }])] },
    });
    expect(found({ voters: 2, factor: { settle } })?.message).toContain('leads elsewhere');
  });

  test.each([
    ['no choice', { choices: () => [] }],
    ['no end', { settle: () => ({ ends: [], asides: { reads: '', list: () => [] } }) }],
  ])('%s is refused in a sentence', (_, factor) => {
    expect(() => found({ voters: 2, factor })).toThrow('needs at least one choice');
  });

  test('more parts than there are bits for are refused in a sentence', () => {
    expect(() => found({ voters: 31 })).toThrow('at most 30 parts of a factored event, found 31');
  });

  test('asides of two events with the same words are judged for both', () => {
    const rings = factored({ voters: 1 });
    const silent = {
      ...scrapsOf(1),
      parts: ({ at }: { readonly at: string }) => (at === 'open' ? 1 : null),
    };
    const aside: BoxEvent = { type: 'scraps', slips: [] };
    const scraps = {
      ...silent,
      settle: () => ({ ends: [aside], asides: { reads: '', list: () => [aside] } }),
    };
    const seen: string[] = [];
    const property: Property<Box, BoxEvent> = {
      name: 'look',
      sentence: 'Looks.',
      kind: 'step',
      holds: ({ event }) => {
        // Whole events, which are tried as well, have a slip.
        const isAside = event.type === 'slips' && event.rings && event.slips.length === 0;
        seen.push(isAside ? 'it rings' : event.type);
        return true;
      },
    };
    const slipEvent = rings.factored?.slips;
    if (slipEvent === undefined) expect.fail('it is not factored');
    // The one that comes last must not be taken for the one that came first.
    check({ ...rings, properties: [property], factored: { scraps, slips: slipEvent } });
    expect(seen).toContain('it rings');
  });

  test('a context that only a codec can tell apart is compared by it', () => {
    const machine = setup({
      types: { context: {} as { readonly votes: Set<number> }, events: {} as BoxEvent },
    }).createMachine({
      context: { votes: new Set<number>() },
      initial: 'open',
      states: {
        open: {
          on: {
            slips: {
              actions: assign(({ context, event }) => ({
                votes: new Set([...context.votes, ...event.slips.map(({ voter }) => voter)]),
              })),
            },
          },
        },
      },
    });
    type Votes = { readonly votes: Set<number> };
    const factor: FactoredEvent<Votes, BoxEvent, Slip | null> = {
      parts: () => 2,
      choices: (_, voter) => [null, { voter, vote: 1 }],
      take: ({ context }, voter, slip) => ({
        context: slip === null ? context : { votes: new Set([...context.votes, voter]) },
        kept: null,
      }),
      reads: ({ context }, voter) => `${context.votes.has(voter)}`,
      alone: (_, slip) => slips(slip === null ? [] : [slip]),
      settle: () => ({ ends: [slips([])], asides: { reads: '', list: () => [] } }),
      join: (_, handed) => slips(handed.filter((slip) => slip !== null)),
    };
    const found = check<Votes, BoxEvent>({
      name: 'a set',
      machine,
      world: () => [],
      properties: [],
      codec: (value) => (value instanceof Set ? [...value].toSorted() : undefined),
      factored: { slips: factor },
    });
    expect(found).toMatchObject({ states: 4, ended: null, broken: null });
  });

  test('a symmetry that does not know drafts is refused', () => {
    const model = factored({ voters: 2 });
    const symmetry = { name: 'voters', orbit: () => 'one' };
    expect(() => check({ ...model, symmetry }, { isSymmetric: true })).toThrow('must know drafts');
  });

  test('a property that only a part breaks, and no whole event, is not decided', () => {
    const property: Property<Box, BoxEvent> = {
      name: 'all-speak',
      sentence: 'Every voter hands in a slip, if any does.',
      kind: 'step',
      holds: ({ event }) => event.type !== 'slips' || [0, 2].includes(event.slips.length),
    };
    const [result] = check(factored({ voters: 2, properties: [property] })).results;
    expect(result?.verdict).toMatchObject({
      type: 'incomplete',
      why: expect.stringContaining('cannot be judged part by part'),
    });
  });
});
