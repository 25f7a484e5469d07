/** Outages and unusable models (ruling 54): whole matches against endpoints that fail in the ticks of a script. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MatchPaused, replayMatch, resumeMatch, startMatch } from '../../../../actors/index.ts';
import type { Line } from '../../../../machines/journal/lines.ts';
import type { RoundEvent } from '../../../../machines/rules/ship/draft.ts';
import { answerTo } from '../../../support/endpoint/answer.ts';
import type { Asked } from '../../../support/endpoint/asked.ts';
import { FakeEndpoint } from '../../../support/endpoint/fakeEndpoint.ts';
import { completion, refusal, type Sent, said } from '../../../support/endpoint/sent.ts';
import { everyNth } from '../../../support/seeds.ts';

/** A letter for each tick and fault. The last letter of a script goes on. */
const FAULTS: Readonly<Record<string, Sent>> = {
  m: said('I would rather talk about the weather.'),
  e: completion({ content: '' }),
  t: said('{"internal_thought": "It goes on and on', 'length'),
  r: said("I'm sorry, but I can't help with that."),
  x: refusal(403, 'Input flagged by moderation', { metadata: { reasons: ['violence'] } }),
  c: refusal(400, 'the request exceeds the available context size', {
    type: 'exceed_context_size_error',
  }),
  u: refusal(418, 'a teapot'),
};
const COLOURS = ['red', 'blue', 'green', 'pink', 'orange'];

const scripts = new Map<string, string>();
let ticks = 0;
const endpoints: FakeEndpoint[] = [];

function answer(asked: Asked): Sent {
  const script = scripts.get(String(asked.body['user'])) ?? '.';
  return FAULTS[script[Math.min(ticks, script.length - 1)] ?? '.'] ?? answerTo(asked, 1);
}

beforeAll(async () => {
  for (let count = 0; count < 2; count++) endpoints.push(await FakeEndpoint.open({ answer }));
});

afterAll(async () => {
  for (const endpoint of endpoints) await endpoint.close();
});

const isMoment = ({ type }: Line) => type === 'tick.closed' || type === 'round.closed';

/** The seats of "red:a@0=mm. blue:a@0" as a match: model, endpoint and script. Other seats play offline. */
function matchOf(seats: string, isGame: boolean): string {
  scripts.clear();
  const models = seats.split(' ').map((seat) => {
    const [, colour = '', model, url = '0', script = '.'] =
      /^(\w+):(\w+)@(\d)(?:=(.+))?$/.exec(seat) ?? [];
    scripts.set(colour, script);
    const extra = `extra_body: { user: ${colour} }`;
    return `{ colour: ${colour}, mind: openai, model: ${model}, base_url: "${endpoints[Number(url)]?.baseUrl}", ${extra} }`;
  });
  const others = COLOURS.filter((colour) => !scripts.has(colour));
  const rows = [...models, ...others.map((colour) => `{ colour: ${colour} }`)];
  const list = rows.map((row) => `  - ${row}\n`).join('');
  return isGame
    ? `name: Five\noptions: { max_rounds: 30 }\nseats:\n${list}`
    : `name: Five\noptions: { max_ticks: 9 }\ncall: { by: pink }\nseats:\n${list.replace('colour: pink', 'colour: pink, role: impostor')}`;
}

const listLines = (journal: string): readonly Line[] =>
  journal
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row));

/** What became of it: the code of a pause after how many ticks, the faults that counted, and who left. */
function summarise(lines: readonly Line[], paused: string | null): string {
  const events = lines.flatMap((line): readonly (Line | RoundEvent)[] =>
    line.type === 'round.closed' ? line.events : [line],
  );
  const left = events.flatMap((one) => (one.type === 'seat.departed' ? [`-${one.seat}`] : []));
  const streaks = events.flatMap((one) => (one.type === 'seat.faulted' ? [one.streak] : []));
  const end = paused === null ? 'over' : `${paused} after ${lines.filter(isMoment).length}`;
  return [end, `streak ${Math.max(0, ...streaks)}`, ...left].join(' ');
}

async function play(seats: string, isGame = false) {
  ticks = 0;
  const match = startMatch({
    match: matchOf(seats, isGame),
    seed: 5,
    onLine: (line) => {
      if (isMoment(line)) ticks += 1;
    },
  });
  const paused = await match.result.then(
    () => null,
    (error: unknown) => {
      if (error instanceof MatchPaused) return error.code;
      throw error;
    },
  );
  const journal = match.journal();
  expect(await replayMatch(journal)).toMatchObject({ type: 'same' });
  return { journal, found: summarise(listLines(journal), paused) };
}

const three = (script: string) => `red:a@0=${script} blue:a@0=${script} green:a@0=${script}`;

describe('a meeting', () => {
  const cases: readonly (readonly [seats: string, expected: string])[] = [
    ...[...'metrxc'].map((code) => [three(code), 'unusable after 1 streak 0'] as const),
    ['red:a@0=m blue:a@0=e green:a@0=t', 'unusable after 1 streak 0'],
    [three('u'), 'upstream after 0 streak 0'],
    [three('.u'), 'upstream after 1 streak 0'],
    [three('.m'), 'outage after 2 streak 0'],
    [three('.c'), 'outage after 2 streak 0'],
    ['red:a@0=.x blue:a@0=.r', 'outage after 2 streak 0'],
    [three('.m.mm'), 'outage after 4 streak 0'],
    [three('m.'), 'over streak 0'],
    [three('m.m.m.m.m.'), 'over streak 0'],
    ['red:a@0=m.m.m.m.m. blue:a@0=.m.m.m.m.m', 'over streak 1'],
    ['red:a@0=m blue:a@0 green:a@0', 'outage after 2 streak 2'],
    ['red:a@0=m', 'unusable after 2 streak 2'],
    ['red:a@0=mm.', 'over streak 2'],
    ['red:a@0=..m', 'over streak 5 -red'],
    ['red:a@0=.u', 'over streak 5 -red'],
    ['red:a@0=.m blue:a@0', 'over streak 5 -red'],
    ['red:a@0=m blue:b@0=m green:b@0', 'unusable after 2 streak 2'],
    ['red:a@0=.m blue:a@0=.m green:b@0', 'outage after 2 streak 0'],
    ['red:a@0=.m blue:b@0=.m', 'outage after 2 streak 0'],
    ['red:a@0=.m blue:a@1=.m', 'over streak 5 -red -blue'],
    ['red:a@0=.m blue:a@0=.m green:a@1 pink:a@1', 'outage after 2 streak 0'],
    [`${three('m')} pink:a@0=m orange:a@0=m`, 'unusable after 1 streak 0'],
    // The tenth tick is the consolidation.
    [three('.........m'), 'over streak 0'],
  ];
  test.each(everyNth(cases, 3))('%s: %s', async (seats, expected) => {
    expect((await play(seats)).found).toBe(expected);
  });
});

describe('a game on the ship', () => {
  test.each<[seats: string, expected: string]>([
    [three('m'), 'unusable after 1 streak 0'],
    [three('m.'), 'over streak 0'],
    [three('.m'), 'outage'],
    ['red:a@0=m', 'unusable after 2 streak 2'],
    ['red:a@0=.m', 'over streak 5 -red'],
  ])('%s: %s', async (seats, expected) => {
    expect((await play(seats, true)).found).toContain(expected);
  });
});

test('a match that an outage paused is resumed, and its faults do not count then either', async () => {
  const paused = await play(three('.m'));
  scripts.clear();
  const resumed = resumeMatch(paused.journal, { endpointsFromJournal: true });
  expect(await resumed.result).toMatchObject({ end: { type: 'meeting.closed' } });
  expect(resumed.journal().startsWith(paused.journal)).toBe(true);
  expect(await replayMatch(resumed.journal())).toMatchObject({ type: 'same' });
  expect(summarise(listLines(resumed.journal()), null)).toBe('over streak 0');
});

test('a model that answered before a game was resumed is not unusable', async () => {
  const paused = await play(three('.m'));
  ticks = 1;
  const resumed = resumeMatch(paused.journal, { endpointsFromJournal: true });
  await expect(resumed.result).rejects.toMatchObject({ code: 'outage' });
});

test('faults of ghosts are no outage', async () => {
  const dead = matchOf('red:a@0=m blue:a@0=m', false).replaceAll(
    'mind: openai',
    'dead: true, mind: openai',
  );
  ticks = 0;
  const match = startMatch({ match: dead, seed: 5 });
  expect(await match.result).toMatchObject({ type: 'meeting' });
  expect(match.journal()).not.toContain('outage/');
});
