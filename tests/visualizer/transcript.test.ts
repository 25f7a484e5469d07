import { expect, test } from 'vitest';
import { type Line, lineSchema } from '../../machines/journal/lines.ts';
import { readTranscript, readTranscripts } from '../../visualizer/transcript.ts';

const tick = (t: number, said: object | null, nudge: 'ticks' | null = null): Line =>
  lineSchema.parse({
    type: 'tick.closed',
    channel: 'living',
    seq: t,
    hash: '',
    tick: t,
    requestKind: 'discussion',
    bids: [],
    scores: [],
    floor: null,
    tie: null,
    said: said === null ? null : { ...said, tick: t },
    hits: [],
    nudge,
  });

test('the design’s own example comes out to the letter', () => {
  const lines = [
    tick(0, { speaker: 'red', message: 'I was in electrical doing wires' }),
    tick(1, { speaker: 'blue', message: 'I saw Red near the body' }),
    tick(2, { message: "That's a lie!", target: 'blue', speaker: 'red' }),
  ];
  expect(JSON.stringify(readTranscript(lines))).toBe(
    '{"transcript":[' +
      '{"speaker":"red","message":"I was in electrical doing wires","t":0},' +
      '{"speaker":"blue","message":"I saw Red near the body","t":1},' +
      '{"speaker":"red","target":"blue","message":"That\'s a lie!","t":2}]}',
  );
});

test('the nudge follows the message of its tick, or is alone if nobody spoke', () => {
  const lines = [tick(4, { speaker: 'red', message: 'hm' }, 'ticks'), tick(9, null, 'ticks')];
  expect(readTranscript(lines).transcript).toEqual([
    { speaker: 'red', message: 'hm', t: 4 },
    { speaker: 'system', message: 'wrap it up', t: 4 },
    { speaker: 'system', message: 'wrap it up', t: 9 },
  ]);
});

test('a visible silence is an empty message, and a tick without a speaker is nothing', () => {
  const lines = [tick(0, { speaker: 'green', message: '' }), tick(1, null)];
  expect(readTranscript(lines).transcript).toEqual([{ speaker: 'green', message: '', t: 0 }]);
});

test('a transcript has no ghosts and no ballots', () => {
  const ghost = lineSchema.parse({
    type: 'turn.closed',
    channel: 'ghosts',
    seq: 0,
    hash: '',
    turn: 0,
    requestKind: 'ghost',
    bids: [],
    said: { speaker: 'pink', message: 'boo' },
  });
  const vote = lineSchema.parse({
    type: 'vote.locked',
    channel: 'living',
    seq: 0,
    hash: '',
    seat: 'red',
    ballot: 'skip',
  });
  expect(readTranscript([ghost, vote])).toEqual({ transcript: [] });
});

test('of a game there are the transcripts of all its meetings, one after the other', () => {
  const line = (fields: object) =>
    lineSchema.parse({ channel: 'living', seq: 0, hash: '', ...fields });
  const lobby = { name: 'x', seats: [{ colour: 'red' }] };
  const opened = line({ type: 'match.opened', format: 1, rulesVersion: 2, seed: 1, match: lobby });
  const called = { type: 'meeting.called', by: 'red', kind: 'button', body: null, place: null };
  const game = [
    opened,
    line(called),
    tick(0, { speaker: 'red', message: 'one' }),
    line(called),
    tick(0, { speaker: 'red', message: 'two' }),
  ];
  expect(readTranscripts(game)).toEqual({
    meetings: ['one', 'two'].map((message) => ({
      transcript: [{ speaker: 'red', message, t: 0 }],
    })),
  });
  expect(readTranscripts([opened])).toEqual({ meetings: [] });
  expect(readTranscripts(game.slice(1))).toBeNull();
});
