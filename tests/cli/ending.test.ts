/**
 * Ending early: one Ctrl-C leaves a journal that can be continued, two leave a journal that opens, and a closed pipe is
 * no failure.
 */
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { SCENARIO } from './matches.ts';
import { aPlace, type Place } from './session.ts';
import { expectQuiet, jsonLines, Running, sh } from './shell.ts';

const aTable = () => aPlace({ 'a.yaml': SCENARIO });
const MEET = 'run a.yaml --seed 7 --out a.jsonl';
const END = 'The match stops here, and "resume" continues it. Press Ctrl-C again to stop at once.';

/** The outcome in the journal, which must be whole. */
function outcomeIn({ read }: Place): unknown {
  const { lines, damages } = readJournal(read('a.jsonl'));
  expect(damages).toEqual([]);
  const last = lines.findLast(({ channel }) => channel === 'living');
  return last?.type === 'meeting.closed' ? last.outcome : null;
}

async function interrupted(line: string, words: string, ...signals: readonly NodeJS.Signals[]) {
  const place = aTable();
  const running = new Running(line, place);
  await running.said(words);
  running.signal(...signals);
  const found = await running.finished;
  expect(found.exit).toBe(130);
  return { ...found, place };
}

describeLong.concurrent('a signal', () => {
  test.each([
    ['SIGINT', 'slow', 'A meeting is called'],
    ['SIGINT', 'fast', '▸'],
    ['SIGTERM', 'fast', 'Discussion'],
  ] as const)(
    '%s at speed %s after "%s" leaves a meeting that goes on',
    async (signal, speed, words) => {
      const { out, err, place } = await interrupted(`${MEET} --speed ${speed}`, words, signal);
      expect(err).toContain(END);
      expect(err).toContain('resume a.jsonl');
      expect(out).toMatch(/^interrupted after \d ticks?, seed 7: a\.jsonl$/m);
      expect(outcomeIn(place)).toBe(null);
      expectQuiet(await place.run('resume a.jsonl -q'));
      expect(outcomeIn(place)).not.toBe(null);
      expect(await place.done('verify a.jsonl')).toMatch(/^the same: a\.jsonl /);
    },
  );

  test('with --json leaves the result as the last line', async () => {
    const { out } = await interrupted(`${MEET} --speed slow --json`, 'meeting.called', 'SIGINT');
    expect(jsonLines(out).at(-1)).toMatchObject({ type: 'meeting.result', outcome: 'interrupted' });
  });

  test('and another one stop the program at once, and the journal so far opens', async () => {
    const line = `${MEET} --speed slow`;
    const { err, place } = await interrupted(line, 'A meeting is called', 'SIGINT', 'SIGTERM');
    expect(err.split('The match stops here').length).toBe(2);
    const { lines, damages } = readJournal(place.read('a.jsonl'));
    expect(lines.length).toBeGreaterThan(1);
    expect(damages.filter(({ code }) => code !== 'journal/torn')).toEqual([]);
  });
});

describe.concurrent('a reader who goes', () => {
  testLong.each([MEET, `${MEET} --json --fault-rate 0.3`])(
    'after the first line of %s is no failure',
    async (line) => {
      const place = aTable();
      const { exit, out, err } = await sh(
        `{ $GLASSBOX ${line}; echo $? >&2; } | head -n 1`,
        place.cwd,
      );
      expect(exit).toBe(0);
      expect(out.split('\n').length).toBe(2);
      expect(err).toMatch(/^(?:\n?(?:Journal|See it|What decided|Without|Check).*\n)*0\n$/);
      // In simulated time the meeting ends at once, so the journal is the same as with a reader.
      expect(outcomeIn(place)).not.toBe('interrupted');
    },
  );

  testLong('before anything is printed is no failure', async () => {
    expect((await sh('{ $GLASSBOX chart; echo $? >&2; } | true', aPlace().cwd)).err).toBe('0\n');
  });

  test('in real time stops the meeting', async () => {
    const place = aTable();
    const line = '{ $GLASSBOX run a.yaml --out a.jsonl --speed fast; echo $? >&2; } | head -n 1';
    expect((await sh(line, place.cwd)).err).toBe('0\n');
    expect(outcomeIn(place)).toBe(null);
  });
});
