/** `glassbox play`: a person in the terminal or in the page, and a match that goes on after a kill. */
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeLong } from '../support/seeds.ts';
import { aPlace } from './session.ts';
import { expectEnd, glassbox, jsonLines, Running } from './shell.ts';

const MEET = 'play electrical --as orange --seed 5 --speed max --out a.jsonl';

describeLong.concurrent('in the terminal', () => {
  test('a person plays a meeting to its end, sees refused input explained, and it replays', async () => {
    const { cwd, done } = aPlace();
    const input = [
      '/vote nobody',
      '@nobody Where were you?',
      '/dance',
      '/help',
      '@blue Where were you?',
      '/note Blue is odd',
      '! Listen!',
      '/vote blue It was Blue.',
      ...Array.from({ length: 60 }, () => ''),
    ].join('\n');
    const played = await glassbox(`${MEET} --terminal`, { cwd, input: `${input}\n` });
    expectEnd(
      played,
      0,
      'You are Orange, a crewmate. Do you want the floor?',
      'Expected /vote and one of: red, blue',
      'Nobody at the table is called nobody.',
      'Unknown command',
      'Your vote: Blue.',
    );
    expect(played.out).toContain('OR Orange → BL Blue');
    // A player sees neither thoughts nor roles of others before the reveal.
    expect(played.out + played.err).not.toMatch(/looked round|never seen a body|~ /);
    await done('verify a.jsonl');
  });

  test('the end of the input leaves', async () => {
    const { cwd, done, read } = aPlace();
    expectEnd(await glassbox(`${MEET} --terminal`, { cwd, input: 'Hello.\n' }), 0);
    expect(read('a.jsonl')).toMatch(/"seat\.departed".*"left"|"left".*"seat\.departed"/);
    await done('verify a.jsonl');
  });

  test('somebody plays a game by numbers, and goes when they like', async () => {
    const { cwd, done } = aPlace();
    const line = 'play --terminal --no-live --players 5 --seed 3 --speed max --out games';
    const played = await glassbox(line, { cwd, input: '999\n1\n\n1\n/leave\n' });
    expectEnd(played, 0, 'Expected a number from 1 to');
    expect(played.out).toContain('crewmate');
    await done('verify games/0001.jsonl');
  });
});

async function takeSeat(running: Running) {
  const [, base = '', token = ''] = /(http:\S+\/)#seat=(\S+)/.exec(running.err) ?? [];
  const stream = await fetch(`${base}seat?seat=${token}`);
  const reader = stream.body?.getReader();
  let heard = '';
  return {
    base,
    token,
    /** Waits for a request after the one with this number; null when the game is over. */
    next: async (last: number): Promise<number | null> => {
      for (;;) {
        const statuses = heard.split('\n\n').slice(0, -1);
        const [, status = '{}'] = /^data: (.*)$/m.exec(statuses.at(-1) ?? '') ?? [];
        const { asked = null, isOver = false } = JSON.parse(status);
        if (isOver) return null;
        if (asked !== null && asked.id > last) return asked.id;
        const part = await reader?.read();
        if (part?.done !== false) return null;
        heard += new TextDecoder().decode(part.value);
      }
    },
    post: async (path: string, fields: object) => {
      const body = JSON.stringify({ seat: token, ...fields });
      const headers = { 'content-type': 'application/json' };
      const { status } = await fetch(`${base}${path}`, { method: 'POST', headers, body });
      expect(status).toBe(200);
    },
    heard: () => heard,
    go: () => reader?.cancel(),
  };
}

describeLong.concurrent('in the page', () => {
  test('the game begins when the link is opened, and Ctrl-C stops it though somebody thinks', async () => {
    const place = aPlace();
    const running = new Running(MEET, place);
    await running.said('It begins when the page is open.');
    const seat = await takeSeat(running);
    expect(seat.token).toMatch(/^[\w-]{22}$/);
    await seat.next(0);
    expect(seat.heard()).toContain('Do you want the floor?');
    running.signal('SIGINT');
    await seat.go();
    const { exit, out, err } = await running.finished;
    expect(exit).toBe(130);
    expect(out).not.toContain('impostor');
    expect(err.replaceAll(`#seat=${seat.token}`, '')).not.toContain(seat.token);
    // Nobody has left: the game goes on with its people.
    expect(place.read('a.jsonl')).not.toMatch(/seat\.departed|meeting\.closed/);
    await place.done('verify a.jsonl');
  });
});

describeLong.concurrent('a game that was killed', () => {
  async function aKilledMeeting() {
    const place = aPlace();
    const running = new Running(MEET, place);
    await running.said('It begins when the page is open.');
    const seat = await takeSeat(running);
    const first = await seat.next(0);
    await seat.post('seat', { id: first, answer: { message: 'Where was everybody?' } });
    await seat.next(first ?? 0);
    running.process.kill('SIGKILL');
    await running.finished;
    return place;
  }

  test('a person resumes a match in the browser and sees its past', async () => {
    const place = await aKilledMeeting();
    const before = place.read('a.jsonl');
    const running = new Running('resume a.jsonl', place);
    await running.said('It goes on when the page is open.');
    expect(place.read('a.jsonl')).toBe(before);
    const seat = await takeSeat(running);
    const id = await seat.next(0);
    const lines = new AbortController();
    const table = await fetch(`${seat.base}events?lens=player:orange&seat=${seat.token}`, lines);
    const reader = table.body?.getReader();
    let past = '';
    while (!past.includes('"tick.closed"'))
      past += new TextDecoder().decode((await reader?.read())?.value);
    expect(past).toContain('Where was everybody?');
    await seat.post('seat', { id, answer: { message: 'I am back.', desire_to_speak: 10 } });
    await seat.next(id ?? 0);
    await seat.post('seat/leave', {});
    lines.abort();
    await seat.go();
    const { exit, out } = await running.finished;
    expect([exit, out]).toEqual([0, expect.stringContaining('were added')]);
    const kept = place.read('a.jsonl');
    expect(kept.startsWith(before)).toBe(true);
    expect(kept).toContain('I am back.');
    expect(kept).not.toContain(seat.token);
    await place.done('verify a.jsonl');
  });

  test('--without-people resumes without the person, and seats no player who left', async () => {
    const { run, read, write } = await aKilledMeeting();
    const nobody = /^(?![\s\S]*plays here)/;
    expectEnd(await run('resume a.jsonl --without-people'), 0, nobody);
    const rows = read('a.jsonl').split('\n');
    const left = rows.findIndex((row) => row.includes('"seat.departed"'));
    expect(left).toBeGreaterThan(0);
    write('b.jsonl', `${rows.slice(0, left + 1).join('\n')}\n`);
    expectEnd(await run('resume b.jsonl'), 0, nobody);
  });
});

describe.concurrent('what people can’t do is refused', () => {
  test.each([
    ['play electrical --as white', 'play/not-seated'],
    ['play --players 5 --as tan', 'play/not-seated'],
    [`run ${resolve('examples/with-you.yaml')} -n 2`, 'play/games'],
    ['play --no-live', 'play/no-page'],
    ['play electrical --as red --lens player:blue', 'play/lens'],
    ['play electrical --as red --terminal --json', 'play/json'],
  ])('%s', async (line, code) => {
    expectEnd(await aPlace().run(line), 2, code);
  });

  test('a journal says who was played by a person, and what deadline was kept for them', async () => {
    const { cwd, done } = aPlace();
    await glassbox(`${MEET} --terminal --think 7`, { cwd, input: '/leave\n' });
    const [header] = jsonLines(await done('watch a.jsonl --json'));
    expect(header).toMatchObject({ match: { options: { deadline_ms: 7000 } } });
    expect(JSON.stringify(header)).toContain('"mind":"human"');
  });
});
