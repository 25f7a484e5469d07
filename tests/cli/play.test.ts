import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, glassbox, jsonLines, Running } from './shell.ts';

const MEET = 'play electrical --as orange --seed 5 --speed max --out a.jsonl'.split(' ');

describeLong.concurrent('in the terminal', () => {
  test('a person plays a meeting to its end, sees refused input explained, and it replays', async () => {
    const cwd = aFolder();
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
    const played = await glassbox([...MEET, '--terminal'], { cwd, input: `${input}\n` });
    expect(played.exit).toBe(0);
    expect(played.err).toContain('You are orange, a crewmate. Do you want the floor?');
    expect(played.err).toContain('Expected /vote and one of: red, blue');
    expect(played.err).toContain('Nobody at the table is called nobody.');
    expect(played.err).toContain('Unknown command');
    expect(played.err).toContain('Your vote: blue.');
    expect(played.out).toContain('OR Orange → BL Blue');
    // A player sees neither thoughts nor roles of others before the reveal.
    expect(played.out + played.err).not.toMatch(/looked round|never seen a body|~ /);
    const again = await warmGlassbox('verify a.jsonl', { cwd });
    expect(again.exit).toBe(0);
  });

  test('the end of the input leaves', async () => {
    const cwd = aFolder();
    const { exit } = await glassbox([...MEET, '--terminal'], { cwd, input: 'Hello.\n' });
    expect(exit).toBe(0);
    const kept = readFileSync(join(cwd, 'a.jsonl'), 'utf8');
    expect(kept).toMatch(/"seat\.departed".*"left"|"left".*"seat\.departed"/);
    expect((await warmGlassbox('verify a.jsonl', { cwd })).exit).toBe(0);
  });

  test('somebody plays a game by numbers, and goes when they like', async () => {
    const cwd = aFolder();
    const run = ['play', '--terminal', '--no-live', '--players', '5', '--seed', '3'];
    const args = [...run, '--speed', 'max', '--out', 'games'];
    const input = '999\n1\n\n1\n/leave\n';
    const { exit, out, err } = await glassbox(args, { cwd, input });
    expect(exit).toBe(0);
    expect(err).toContain('Expected a number from 1 to');
    expect(out).toContain('crewmate');
    const kept = await warmGlassbox('verify games/0001.jsonl', { cwd });
    expect(kept.exit).toBe(0);
  });
});

describeLong.concurrent('in the page', () => {
  test('the game begins when the link is opened, and Ctrl-C ends it though somebody thinks', async () => {
    const cwd = aFolder();
    const running = new Running(MEET, { cwd });
    await running.said('It begins when the page is open.');
    const [, base = '', token = ''] = /(http:\S+\/)#seat=(\S+)/.exec(running.err) ?? [];
    expect(token).toMatch(/^[\w-]{22}$/);
    const seat = await fetch(`${base}seat?seat=${token}`);
    const reader = seat.body?.getReader();
    let heard = '';
    while (!heard.includes('Do you want the floor?')) {
      const part = await reader?.read();
      heard += new TextDecoder().decode(part?.value);
    }
    running.signal('SIGINT');
    await reader?.cancel();
    const { exit, out, err } = await running.finished;
    expect(exit).toBe(130);
    expect(out).not.toContain('impostor');
    expect(err.replaceAll(`#seat=${token}`, '')).not.toContain(token);
    expect((await warmGlassbox('verify a.jsonl', { cwd })).exit).toBe(0);
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
      return (await fetch(`${base}${path}`, { method: 'POST', headers, body })).status;
    },
    go: () => reader?.cancel(),
  };
}

describeLong.concurrent('a game that was killed', () => {
  async function aKilledMeeting(): Promise<string> {
    const cwd = aFolder();
    const running = new Running(MEET, { cwd });
    await running.said('It begins when the page is open.');
    const seat = await takeSeat(running);
    const first = await seat.next(0);
    expect(
      await seat.post('seat', { id: first, answer: { message: 'Where was everybody?' } }),
    ).toBe(200);
    await seat.next(first ?? 0);
    running.process.kill('SIGKILL');
    await running.finished;
    return cwd;
  }

  test('a person resumes a match in the browser and sees its past', async () => {
    const cwd = await aKilledMeeting();
    const before = readFileSync(join(cwd, 'a.jsonl'), 'utf8');
    const running = new Running('resume a.jsonl', { cwd });
    await running.said('It goes on when the page is open.');
    expect(readFileSync(join(cwd, 'a.jsonl'), 'utf8')).toBe(before);
    const seat = await takeSeat(running);
    const id = await seat.next(0);
    const lines = new AbortController();
    const table = await fetch(`${seat.base}events?lens=player:orange&seat=${seat.token}`, lines);
    const reader = table.body?.getReader();
    let past = '';
    while (!past.includes('"tick.closed"'))
      past += new TextDecoder().decode((await reader?.read())?.value);
    expect(past).toContain('Where was everybody?');
    expect(
      await seat.post('seat', { id, answer: { message: 'I am back.', desire_to_speak: 10 } }),
    ).toBe(200);
    await seat.next(id ?? 0);
    expect(await seat.post('seat/leave', {})).toBe(200);
    lines.abort();
    await seat.go();
    const { exit, out } = await running.finished;
    expect([exit, out]).toEqual([0, expect.stringContaining('were added')]);
    const kept = readFileSync(join(cwd, 'a.jsonl'), 'utf8');
    expect(kept.startsWith(before)).toBe(true);
    expect(kept).toContain('I am back.');
    expect(kept).not.toContain(seat.token);
    expect((await warmGlassbox('verify a.jsonl', { cwd })).exit).toBe(0);
  });

  test('--without-people resumes without the person, and seats no player who left', async () => {
    const cwd = await aKilledMeeting();
    const { exit, err } = await warmGlassbox('resume a.jsonl --no-live', { cwd });
    expect([exit, err]).toEqual([0, expect.not.stringContaining('plays here')]);
    const rows = readFileSync(join(cwd, 'a.jsonl'), 'utf8').split('\n');
    const left = rows.findIndex((row) => row.includes('"seat.departed"'));
    expect(left).toBeGreaterThan(0);
    writeFileSync(join(cwd, 'b.jsonl'), `${rows.slice(0, left + 1).join('\n')}\n`);
    const again = await warmGlassbox('resume b.jsonl', { cwd });
    expect([again.exit, again.err]).toEqual([0, expect.not.stringContaining('plays here')]);
  });
});

describe.concurrent('what people can’t do is refused', () => {
  test.each([
    { args: ['play', 'electrical', '--as', 'white'], code: 'play/not-seated' },
    { args: ['play', '--players', '5', '--as', 'tan'], code: 'play/not-seated' },
    { args: ['run', resolve('examples/with-you.yaml'), '-n', '2'], code: 'play/games' },
    { args: ['play', '--no-live'], code: 'play/no-page' },
    { args: ['play', 'electrical', '--as', 'red', '--lens', 'player:blue'], code: 'play/lens' },
    { args: ['play', 'electrical', '--as', 'red', '--terminal', '--json'], code: 'play/json' },
  ])('$args', async ({ args, code }) => {
    const { exit, err } = await glassbox(args, { cwd: aFolder() });
    expect([exit, err]).toEqual([2, expect.stringContaining(code)]);
  });

  test('a journal says who was played by a person, and what deadline was kept for them', async () => {
    const cwd = aFolder();
    await glassbox([...MEET, '--terminal', '--think', '7'], { cwd, input: '/leave\n' });
    const shown = await warmGlassbox('watch a.jsonl --json', { cwd });
    const header = jsonLines(shown.out)[0];
    expect(header).toMatchObject({ match: { options: { deadline_ms: 7000 } } });
    expect(JSON.stringify(header)).toContain('"mind":"human"');
  });
});
