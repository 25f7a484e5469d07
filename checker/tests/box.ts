/** Voters and a box: one event is the product of all slips. A second model lists every product. */
import { assign, setup } from 'xstate';
import type { FactoredEvent, Fairness, Model, Property } from '../model.ts';

/** Voters vote for 0 or 1, or wait. A vote stays. `round` alternates between 0 and 1. */
export type Box = { readonly votes: readonly (0 | 1 | null)[]; readonly round: number };
export type Slip = { readonly voter: number; readonly vote: 0 | 1 | null };
export type BoxEvent =
  | { readonly type: 'slips'; readonly slips: readonly Slip[]; readonly rings: boolean }
  | { readonly type: 'scraps'; readonly slips: readonly Slip[] }
  | { readonly type: 'reset' };
export type BoxModel = Model<Box, BoxEvent>;

export const CHOICES = [null, 0, 1] as const;

export type CountSlips = (box: Box, slips: readonly Slip[]) => Box['votes'];

export const countSlips: CountSlips = ({ votes }, slips) =>
  votes.map((vote, voter) => vote ?? slips.find((slip) => slip.voter === voter)?.vote ?? null);

function createBox(voters: number, count: CountSlips = countSlips) {
  return setup({ types: { context: {} as Box, events: {} as BoxEvent } }).createMachine({
    context: { votes: Array.from({ length: voters }, () => null), round: 0 },
    initial: 'open',
    states: {
      open: {
        always: {
          guard: ({ context }) => context.votes.every((vote) => vote !== null),
          target: 'full',
        },
        on: {
          slips: {
            actions: assign(({ context, event }) => ({
              votes: count(context, event.slips),
              round: (context.round + 1) % 2,
            })),
          },
          scraps: {
            actions: assign(({ context, event }) => ({ votes: count(context, event.slips) })),
          },
        },
      },
      full: { on: { reset: { target: 'over' } } },
      over: { type: 'final' },
    },
  });
}

export const slips = (handed: readonly Slip[], rings = false): BoxEvent => ({
  type: 'slips',
  slips: handed,
  rings,
});

export type BoxFactor = FactoredEvent<Box, BoxEvent, Slip>;

function factorOf(voters: number): BoxFactor {
  return {
    parts: ({ at }) => (at === 'open' ? voters : null),
    choices: (_, voter) => CHOICES.map((vote) => ({ voter, vote })),
    take: ({ context }, voter, { vote }) => ({
      context: { ...context, votes: context.votes.with(voter, context.votes[voter] ?? vote) },
      kept: null,
    }),
    reads: ({ context }, voter) => `${context.votes[voter]}`,
    alone: (_, slip) => slips([slip]),
    settle: () => ({ ends: [slips([])], asides: { reads: '', list: () => [slips([], true)] } }),
    join: (end, handed) => slips(handed, end.type === 'slips' && end.rings),
  };
}

export function scrapsOf(voters: number): BoxFactor {
  const slipFactor = factorOf(voters);
  const scraps = (handed: readonly Slip[]): BoxEvent => ({ type: 'scraps', slips: handed });
  return {
    ...slipFactor,
    choices: (_, voter) => [0, 1].map((vote) => ({ voter, vote: vote === 0 ? 0 : 1 })),
    alone: (_, slip) => scraps([slip]),
    settle: () => ({ ends: [scraps([])], asides: { reads: '', list: () => [] } }),
    join: (_, handed) => scraps(handed),
  };
}

export function listWhole(voters: number): readonly BoxEvent[] {
  let all: readonly (readonly Slip[])[] = [[]];
  for (let voter = 0; voter < voters; voter++) {
    all = all.flatMap((before) => CHOICES.map((vote) => [...before, { voter, vote }]));
  }
  return all.flatMap((handed) => [slips(handed), slips(handed, true)]);
}

export const reset: BoxEvent = { type: 'reset' };

export type Wanted = {
  readonly voters: number;
  readonly count?: CountSlips;
  readonly properties?: readonly Property<Box, BoxEvent>[];
  readonly factor?: Partial<BoxFactor>;
};

export function whole({ voters, count, properties = [] }: Wanted): BoxModel {
  let all: readonly BoxEvent[] | null = null;
  const list = () => {
    all ??= listWhole(voters);
    return all;
  };
  return {
    name: 'a box',
    machine: createBox(voters, count),
    world: ({ at }) => (at === 'open' ? list() : at === 'full' ? [reset] : []),
    properties,
    symmetry: {
      name: 'voters',
      orbit: ({ place, context: { votes, round } }, draft) => {
        const labels = votes.map((vote, voter) => `${vote}${((draft?.taken ?? 0) >> voter) & 1}`);
        return `${place.name} ${round} ${labels.sort().join()}`;
      },
    },
  };
}

export function factored(wanted: Wanted): BoxModel {
  return {
    ...whole(wanted),
    world: ({ at }) => (at === 'full' ? [reset] : []),
    factored: { slips: { ...factorOf(wanted.voters), ...wanted.factor } },
  };
}

const votesOf = ({ context }: { readonly context: Box }) => context.votes;

const VOTES_COME: Fairness<Box, BoxEvent> = {
  name: 'somebody who has not voted votes',
  helps: ({ context }, event) =>
    event.type === 'slips' &&
    event.slips.some(({ voter, vote }) => vote !== null && context.votes[voter] === null),
};

export const PROPERTIES: readonly Property<Box, BoxEvent>[] = [
  {
    name: 'a-vote-stays',
    sentence: 'A vote never changes.',
    kind: 'step',
    when: ({ before }) => votesOf(before).some((vote) => vote !== null),
    holds: ({ before, after }) =>
      votesOf(before).every((vote, voter) => vote === null || votesOf(after)[voter] === vote),
  },
  {
    name: 'nobody-votes-1',
    sentence: 'Nobody votes 1: it is not so.',
    expect: 'violated',
    kind: 'step',
    holds: ({ before, after }) =>
      votesOf(after).every((vote, voter) => vote !== 1 || votesOf(before)[voter] === 1),
  },
  {
    name: 'it-never-rings',
    sentence: 'It never rings: it is not so.',
    expect: 'violated',
    kind: 'step',
    holds: ({ event }) => event.type !== 'slips' || !event.rings,
  },
  {
    name: 'never-full-of-1',
    sentence: 'Not all vote 1: it is not so.',
    expect: 'violated',
    kind: 'never',
    holds: ({ at, context }) => at === 'full' && context.votes.every((vote) => vote === 1),
  },
  {
    name: 'fills',
    sentence: 'It fills by itself: it is not so.',
    expect: 'violated',
    kind: 'eventually',
    isSymmetric: true,
    holds: ({ at }) => at !== 'open',
    excuses: [VOTES_COME],
  },
  {
    name: 'fills-if-all-vote',
    sentence: 'It fills if whoever has not voted votes in the end.',
    kind: 'eventually',
    isSymmetric: true,
    holds: ({ at }) => at !== 'open',
    fair: [VOTES_COME],
  },
];
