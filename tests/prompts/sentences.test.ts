import { describe, expect, test } from 'vitest';
import { joinBlocks } from '../../prompts/block.ts';
import { buildPrompt, type PromptRequest } from '../../prompts/prompt.ts';
import { anIdentity, crewMoment, crewView, ghostView, impostorMoment, TOLD } from './views.ts';

function textOf(asked: PromptRequest): string {
  return joinBlocks(buildPrompt(asked, anIdentity()).user);
}

test.each([
  [true, 'The reveal does not say who voted for whom, and whether'],
  [false, 'The reveal says who voted for whom, and whether'],
])('anonymous votes, %s: %s', (anonymousVotes, expected) => {
  for (const kind of ['discussion', 'voting', 'reaction', 'consolidation'] as const) {
    const text = textOf({ kind, view: crewView({ table: { anonymousVotes } }) });
    expect(text).toContain(expected);
    expect(text.match(/who voted for whom, and/g)).toHaveLength(1);
  }
});

test.each([
  [true, 'for whom, and whether the ejected player was an impostor.'],
  [false, 'for whom, and not whether the ejected player was an impostor.'],
])('confirmed ejections, %s: %s', (confirmEjects, expected) => {
  const text = textOf({ kind: 'discussion', view: crewView({ table: { confirmEjects } }) });
  expect(text).toContain(expected);
});

describe('the request for a missing vote', () => {
  const voting = (closeAfter: number | null) =>
    textOf({
      kind: 'voting',
      view: crewView({ table: { tick: 6, clock: { openAfter: 3, closeAfter } } }),
    });

  test('says how many ticks are left if voting is timed', () => {
    expect(voting(8)).toContain(
      'Voting is open, and it is timed. The poll closes after 2 ticks, this one counted. You have not voted: vote or skip before the time is up. A missed vote is not a skip.',
    );
    expect(voting(7)).toContain('This is the last tick before the poll closes.');
  });

  test('says nothing of running out of time if voting has no limit', () => {
    expect(voting(null)).toContain(
      'Voting is open, without a time limit. You have not voted: vote or skip.\n',
    );
    expect(voting(null)).not.toMatch(/timed|time is up|missed/);
  });
});

describe.each(['reaction', 'consolidation'] as const)('the %s after an ejection', (kind) => {
  const told = (colour: 'red' | 'blue') => {
    const view = crewView({ you: { colour }, table: { announced: { ...TOLD, ejected: 'red' } } });
    return textOf({ kind, view });
  };
  const NOTE = 'You are the ejected player: from now on you are a ghost.';

  test('only the ejected player reads about their new state', () => {
    expect(told('red')).toContain(NOTE);
    expect(told('blue')).not.toContain(NOTE);
  });

  test('counts the ejected player among the living no more', () => {
    expect(told('blue')).toContain('Living: blue, green, pink, black\nEjected: red\nDead: white');
  });

  test('lists all of them as living after a tie', () => {
    const announced = { ...TOLD, outcome: 'tie', ejected: null } as const;
    const text = textOf({ kind, view: crewView({ table: { announced } }) });
    expect(text).toContain('Living: red, blue, green, pink, black\nDead: white');
    expect(text).not.toContain('Ejected:');
  });
});

test('ghosts read the ballots until they are revealed, and then the reveal alone', () => {
  const before = textOf({ kind: 'ghost', view: ghostView() });
  expect(before).toContain('# The ballots (ghosts only)\ngreen→red.');
  const truth = { ...ghostView().truth, announced: TOLD };
  const after = textOf({ kind: 'ghost', view: ghostView({ requestKind: 'reaction', truth }) });
  expect(after).not.toContain('# The ballots');
  expect(after).toContain('# The engine: the reveal');
  expect(after.match(/This is meeting 1\./g)).toHaveLength(1);
});

test('a player inside a vent is offered what is possible there, and nothing else', () => {
  const outside = textOf({ kind: 'action', view: impostorMoment() });
  const inside = textOf({ kind: 'action', view: impostorMoment({ scene: { vent: 3 } }) });
  expect(outside).toContain('# You can always\n');
  expect(inside).not.toContain('# You can always\n');
  expect(inside).toContain('- {"type":"surface"}'.replaceAll(':', ': '));
});

test.each([
  [0, 'Living at the start: red, blue'],
  [1, 'Living after the last meeting: red, blue'],
])('after %i meetings: %s', (count, expected) => {
  const { record } = crewMoment();
  const call = { by: 'red', kind: 'button', body: null, place: null } as const;
  const meetings = Array.from({ length: count }, () => ({ call, result: null }));
  const view = crewMoment({ record: { ...record, meetings } });
  expect(textOf({ kind: 'action', view })).toContain(expected);
});
