import { describe, expect, test } from 'vitest';
import { createMatch } from '../../../actors/engine/match.ts';
import { judgePlay } from '../../../analysis/models/modelPlay.ts';
import { collectPrompts } from '../../../analysis/models/prompts.ts';
import { meetingMatchSchema } from '../../../machines/setup/match.ts';
import { joinBlocks } from '../../../prompts/block.ts';
import { pickIdentity } from '../../../prompts/personas.ts';
import { buildPrompt } from '../../../prompts/prompt.ts';

const NOTES = 'You trust nobody before breakfast, and you say so to everybody who asks.';

/** Real requests of a meeting without Pink, who is dead, with their prompts. */
const asked = await (async () => {
  const seats = [
    { colour: 'red', notes: NOTES },
    { colour: 'blue', role: 'impostor' },
  ];
  const others = [{ colour: 'green' }, { colour: 'pink', dead: true }, { colour: 'orange' }];
  const call = { by: 'red', report: 'pink', place: 'Electrical' };
  const match = meetingMatchSchema.parse({ name: 'm', call, seats: [...seats, ...others] });
  const creation = createMatch(match, 1);
  if (!creation.ok) throw new Error('no match');
  const requests = await collectPrompts(creation.ready);
  return requests.map(({ request }) => {
    const { system, user } = buildPrompt(request, pickIdentity(request.view.you.persona, 'm'));
    return { request, prompt: joinBlocks(system) + joinBlocks(user) };
  });
})();
const reds = asked.filter(({ request }) => request.view.you.colour === 'red');
const table = reds.find(({ request }) => request.kind === 'discussion') ?? expect.unreachable();
const later = reds.findLast(({ request }) => request.kind === 'discussion') ?? table;
const line = /"message": ?"((?:\w+[ ,.']*){8,}[^"]*)"/.exec(later.prompt)?.[1] ?? '';

const judge = (message: string, vote: string | null = null, one = later) => {
  const received = { desire_to_speak: 5, message, vote_action: vote };
  return judgePlay([{ ...one, received }]);
};

describe('words are copied', () => {
  test.each([
    ['from the rules', 'Each player is known by a colour and is secretly a crewmate', 1],
    ['from the persona', `${NOTES.toUpperCase()} Really.`, 1],
    ['from the transcript', line, 1],
    ['not where only seven of them agree', 'Player is known by a colour and Green knows it', 0],
    ['not where all say them', 'Who?', 0],
  ])('%s', (_, message, copied) => {
    expect(message).not.toBe('');
    expect(judge(message)).toMatchObject({ messages: 1, copied });
  });
});

test.each([
  ['I want to speak. I want to speak', 1],
  ['no no no no no no', 1],
  ['I agree. I agree! I agree …', 1],
  ['It was me who saw it first, and it was me who saw it first in Weapons', 1],
  ['I saw Red in Weapons, then I saw Red in Storage', 0],
])('"%s" repeats itself: %i', (message, repeated) => {
  expect(judge(message)).toMatchObject({ repeated, example: message });
});

test('the same message of two answers is a repetition, but for its marks', () => {
  const received = ['Ask Green!', 'ask green', 'Ask Blue.'].map((message) => ({ message }));
  expect(judgePlay(received.map((one) => ({ ...table, received: one })))).toMatchObject({
    messages: 3,
    repeated: 1,
  });
});

test.each([
  [null, 0, 0],
  ['skip', 1, 0],
  ['blue', 1, 0],
  ['red', 1, 0],
  ['pink', 1, 1],
  ['white', 1, 1],
  ['the butler', 1, 1],
])('a vote for %s counts %i, illegal %i', (vote, votes, illegalVotes) => {
  expect(judge('Hm.', vote)).toMatchObject({ votes, illegalVotes });
});

test.each([{ ballot: 'red' }, { votesOpen: false }] as const)(
  'a vote is illegal where it cannot count: %j',
  (closed) => {
    const { request } = later;
    if (request.kind !== 'discussion') return expect.unreachable();
    const { you, table: shown } = request.view;
    const view = { ...request.view, you: { ...you, ...closed }, table: { ...shown, ...closed } };
    const one = { ...later, request: { ...request, view } };
    expect(judge('Hm.', 'blue', one)).toMatchObject({ votes: 1, illegalVotes: 1 });
  },
);
