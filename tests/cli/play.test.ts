/** People on the command line: a terminal in which somebody plays, what is refused, and what a journal of it is worth. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { warmGlassbox } from './session.ts';
import { aFolder, glassbox, jsonLines, Running } from './shell.ts';

const MEET = ['meet', '--play', 'orange', '--terminal', '--seed', '5', '--speed', 'max'];

describe.concurrent('in the terminal', () => {
  test('somebody plays a meeting to its end, is told what was wrong, and it can be played again', async () => {
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
    const played = await glassbox([...MEET, '--out', 'a.jsonl'], { cwd, input: `${input}\n` });
    expect(played.exit).toBe(0);
    expect(played.err).toContain('You are orange, a crewmate. Do you want the floor?');
    expect(played.err).toContain('Expected /vote and one of: red, blue');
    expect(played.err).toContain('Nobody at the table is called nobody.');
    expect(played.err).toContain('Unknown command');
    expect(played.err).toContain('Your vote: blue.');
    expect(played.out).toContain('OR Orange → BL Blue');
    // Own eyes: what others think, and who they are, is seen when it is told.
    expect(played.out + played.err).not.toMatch(/looked round|never seen a body|~ /);
    const again = await warmGlassbox(['replay', 'a.jsonl'], { cwd });
    expect(again.exit).toBe(0);
  });

  test('the end of the input leaves', async () => {
    const cwd = aFolder();
    const { exit } = await glassbox([...MEET, '--out', 'a.jsonl'], { cwd, input: 'Hello.\n' });
    expect(exit).toBe(0);
    const kept = readFileSync(join(cwd, 'a.jsonl'), 'utf8');
    expect(kept).toMatch(/"seat\.departed".*"left"|"left".*"seat\.departed"/);
    expect((await warmGlassbox(['replay', 'a.jsonl'], { cwd })).exit).toBe(0);
  });

  test('somebody plays a game by numbers, and goes when they like', async () => {
    const cwd = aFolder();
    const run = ['run', '--play', '--terminal', '--no-live', '--players', '5', '--seed', '3'];
    const args = [...run, '--speed', 'max', '--out', 'games'];
    const input = '999\n1\n\n1\n/leave\n';
    const { exit, out, err } = await glassbox(args, { cwd, input });
    expect(exit).toBe(0);
    expect(err).toContain('Expected a number from 1 to');
    expect(out).toContain('crewmate');
    const kept = await warmGlassbox(['replay', 'games/0001.jsonl'], { cwd });
    expect(kept.exit).toBe(0);
  });
});

describe.concurrent('in the page', () => {
  test('the game begins when the link is opened, and Ctrl-C ends it though somebody thinks', async () => {
    const cwd = aFolder();
    const args = ['meet', '--play', 'orange', '--seed', '5', '--speed', 'max', '--out', 'a.jsonl'];
    const running = new Running(args, { cwd });
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
    expect(err.split(token)).toHaveLength(2);
    expect((await warmGlassbox(['replay', 'a.jsonl'], { cwd })).exit).toBe(0);
  });
});

describe.concurrent('what people can’t do is refused', () => {
  test.each([
    { args: ['meet', '--play', 'white'], code: 'play/not-seated' },
    { args: ['run', '--players', '5', '--play', 'tan'], code: 'play/not-seated' },
    { args: ['run', '-n', '2', '--play'], code: 'play/games' },
    { args: ['run', '--play', '--no-live'], code: 'play/no-page' },
    { args: ['meet', '--terminal'], code: 'play/no-player' },
    { args: ['meet', '--play', 'red', '--lens', 'player:blue'], code: 'play/lens' },
    { args: ['meet', '--play', 'red', '--terminal', '--json'], code: 'play/json' },
  ])('$args', async ({ args, code }) => {
    const { exit, err } = await glassbox(args, { cwd: aFolder() });
    expect([exit, err]).toEqual([2, expect.stringContaining(code)]);
  });

  test('a journal says who was played by a person, and what deadline was kept for them', async () => {
    const cwd = aFolder();
    await glassbox([...MEET, '--think', '7', '--out', 'a.jsonl'], { cwd, input: '/leave\n' });
    const shown = await warmGlassbox(['watch', 'a.jsonl', '--json'], { cwd });
    const header = jsonLines(shown.out)[0];
    expect(header).toMatchObject({ match: { options: { deadline_ms: 7000 } } });
    expect(JSON.stringify(header)).toContain('"mind":"human"');
  });
});
