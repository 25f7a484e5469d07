/**
 * Ending early: one Ctrl-C leaves a complete journal, two leave a journal that opens, and a closed pipe is no
 * failure.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { SCENARIO } from './scenario.ts';
import { aFolder, glassbox, jsonLines, Running, sh } from './shell.ts';

const FILES = { 'a.yaml': SCENARIO };
const MEET = ['run', 'a.yaml', '--seed', '7', '--out', 'a.jsonl'];

function journalIn(cwd: string) {
  return readJournal(readFileSync(join(cwd, 'a.jsonl'), 'utf8'));
}

describeLong.concurrent('a signal', () => {
  test.each([
    ['SIGINT', 'slow', 'Seen through the glass'],
    ['SIGINT', 'fast', '▸'],
    ['SIGTERM', 'fast', 'Discussion'],
  ] as const)(
    '%s at speed %s after "%s" ends the meeting after its tick',
    async (signal, speed, words) => {
      const cwd = aFolder(FILES);
      const running = new Running([...MEET, '--speed', speed], { cwd });
      await running.said(words);
      running.signal(signal);
      const { exit, out, err } = await running.finished;
      expect(exit).toBe(130);
      expect(err).toContain(
        'The meeting ends after this tick. Press Ctrl-C again to stop at once.',
      );
      expect(out).toMatch(/^interrupted after \d ticks?, seed 7: a\.jsonl$/m);
      const { lines, damages } = journalIn(cwd);
      expect(damages).toEqual([]);
      expect(lines.findLast(({ channel }) => channel === 'living')).toMatchObject({
        type: 'meeting.closed',
        outcome: 'interrupted',
      });
      const again = await glassbox(['verify', 'a.jsonl'], { cwd });
      expect(again).toMatchObject({ exit: 0, out: expect.stringMatching(/^the same: a\.jsonl /) });
    },
  );

  test('with --json leaves the result as the last line', async () => {
    const cwd = aFolder(FILES);
    const running = new Running([...MEET, '--speed', 'slow', '--json'], { cwd });
    await running.said('meeting.called');
    running.signal('SIGINT');
    const { exit, out } = await running.finished;
    expect(exit).toBe(130);
    expect(jsonLines(out).at(-1)).toMatchObject({ type: 'meeting.result', outcome: 'interrupted' });
  });

  test('and another one stop the program at once, and the journal so far opens', async () => {
    const cwd = aFolder(FILES);
    const running = new Running([...MEET, '--speed', 'slow'], { cwd });
    await running.said('Seen through the glass');
    running.signal('SIGINT', 'SIGTERM');
    const { exit, err } = await running.finished;
    expect(exit).toBe(130);
    expect(err.split('The meeting ends after this tick').length).toBe(2);
    const { lines, damages } = journalIn(cwd);
    expect(lines.length).toBeGreaterThan(1);
    expect(damages.filter(({ code }) => code !== 'journal/torn')).toEqual([]);
  });
});

describe.concurrent('a reader who goes', () => {
  testLong.each([
    'run a.yaml --seed 7 --out a.jsonl',
    'run a.yaml --seed 7 --out a.jsonl --json --fault-rate 0.3',
  ])('after the first line of %s is no failure', async (line) => {
    const cwd = aFolder(FILES);
    const { exit, out, err } = await sh(`{ $GLASSBOX ${line}; echo $? >&2; } | head -n 1`, cwd);
    expect(exit).toBe(0);
    expect(out.split('\n').length).toBe(2);
    expect(err).toMatch(/^(?:\n?(?:See it|In the browser|Without|Check).*\n)*0\n$/);
    // In simulated time the meeting ends at once, so the journal is the same as with a reader.
    const { lines, damages } = journalIn(cwd);
    expect(damages).toEqual([]);
    expect(lines.findLast(({ type }) => type === 'meeting.closed')).not.toMatchObject({
      outcome: 'interrupted',
    });
  });

  testLong('before anything is printed is no failure', async () => {
    const { err } = await sh('{ $GLASSBOX chart; echo $? >&2; } | true', aFolder());
    expect(err).toBe('0\n');
  });

  test('in real time ends the meeting after its tick', async () => {
    const cwd = aFolder(FILES);
    const line = '{ $GLASSBOX run a.yaml --out a.jsonl --speed fast; echo $? >&2; } | head -n 1';
    const { err } = await sh(line, cwd);
    expect(err).toBe('0\n');
    const { lines, damages } = journalIn(cwd);
    expect(damages).toEqual([]);
    expect(lines.findLast(({ type }) => type === 'meeting.closed')).toMatchObject({
      outcome: 'interrupted',
    });
  });
});
