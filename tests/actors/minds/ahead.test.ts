import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { AheadFile } from '../../../actors/engine/journal/aheadFile.ts';
import { splitAhead, WriteAhead } from '../../../actors/minds/ahead.ts';
import type { SeatCall } from '../../../actors/minds/openai/client.ts';
import type { Answer } from '../../../actors/minds/port.ts';
import type { Line } from '../../../machines/journal/lines.ts';

const ROOT = mkdtempSync(join(tmpdir(), 'glassbox-ahead-'));
afterAll(() => rmSync(ROOT, { recursive: true }));

const question = (turn: number) => ({ kind: 'reflection', view: { turn } }) as const;
const ESTIMATE = { prompt: 100, completion: 400 };
const ASKED = { seat: 'red', requestKind: 'discussion', mode: 'tool', estimate: ESTIMATE } as const;

function aCall(id: number, failure: string | null): SeatCall {
  const usage = { promptTokens: 90, cachedTokens: null, completionTokens: 10, cost: null };
  const { seat, requestKind, mode } = ASKED;
  return { id, seat, requestKind, index: id, mode, ms: 5, usage, failure, reply: null };
}

/** Three questions, one request each: the first answered, the second failed, the third on its way. */
function threeQuestions(): string {
  let text = '';
  const ahead = new WriteAhead();
  ahead.open({ past: '', write: (line) => (text += line) }, []);
  expect([0, 1, 2].map((index) => ahead.noteSent({ ...ASKED, index }))).toEqual([0, 1, 2]);
  const received = { message: 'hm\n{"ahead":' };
  ahead.noteCall(aCall(0, null), question(0), received);
  // The mind hands on what its request has brought, which is written already.
  ahead.noteAnswer('red', question(0), { ok: true, received });
  ahead.noteCall(aCall(1, 'upstream'), question(1), null);
  ahead.noteAnswer('red', question(1), { ok: false, code: 'endpoint/upstream', text: 'down' });
  return text;
}

function reopen(past: string, lines: readonly Line[] = []) {
  const ahead = new WriteAhead();
  return { ahead, missing: ahead.open({ past, write: () => {} }, lines) };
}

describe('a match that continues', () => {
  test('has the answer that had arrived, once, and asks again for what failed or was on its way', () => {
    const { ahead } = reopen(threeQuestions());
    const answer = { ok: true, received: { message: 'hm\n{"ahead":' } };
    expect(ahead.takeAnswer('blue', question(0))).toBeUndefined();
    expect(ahead.takeAnswer('red', question(0))).toEqual(answer);
    expect(ahead.takeAnswer('red', question(0))).toBeUndefined();
    expect(ahead.takeAnswer('red', question(1))).toBeUndefined();
    expect(ahead.takeAnswer('red', question(2))).toBeUndefined();
  });

  test('a continued match counts every request, and one without an outcome by its reserve', () => {
    const { missing, ahead } = reopen(threeQuestions());
    expect(missing).toEqual([
      expect.objectContaining({ id: 0, failure: null }),
      expect.objectContaining({ id: 1, failure: 'upstream' }),
      expect.objectContaining({ id: 2, failure: 'lost', estimate: ESTIMATE, mode: 'tool' }),
    ]);
    expect(ahead.noteSent({ ...ASKED, index: 3 })).toBe(3);
  });

  test('does not count again what its journal has, and numbers on behind it', () => {
    const line = { clock: { calls: [aCall(0, null), aCall(1, 'upstream'), aCall(7, null)] } };
    const journal: unknown[] = [line];
    const { missing, ahead } = reopen(threeQuestions(), journal as readonly Line[]);
    expect(missing).toEqual([expect.objectContaining({ id: 2, failure: 'lost' })]);
    expect(ahead.noteSent({ ...ASKED, index: 8 })).toBe(8);
  });

  test('a continued match reads whole lines of a cut or polluted file', () => {
    const whole = threeQuestions();
    const ends = [...whole.matchAll(/\n/g)].map(({ index }) => index);
    fc.assert(
      fc.property(fc.nat({ max: whole.length }), fc.string(), (length, rubbish) => {
        const cut = whole.slice(0, length);
        const { missing, ahead } = reopen(`${rubbish}\n${cut}`);
        const lines = ends.filter((end) => end <= length).length;
        expect(missing).toHaveLength(Math.min(3, lines));
        expect(ahead.takeAnswer('red', question(0)) !== undefined).toBe(lines >= 4);
      }),
    );
  });
});

describe('answers that are written ahead', () => {
  test.each<[name: string, answer: Answer, isKept: boolean]>([
    ['an answer', { ok: true, received: 'Red is it.' }, true],
    ['a refusal', { ok: false, code: 'endpoint/refusal', text: 'no' }, true],
    ['what no way of asking mended', { ok: false, code: 'endpoint/malformed', text: '' }, true],
    ['a failure of the endpoint', { ok: false, code: 'endpoint/upstream', text: '' }, false],
    ['a spent budget', { ok: false, code: 'endpoint/budget', text: '' }, false],
    ['an answer that came too late', { ok: false, code: 'endpoint/aborted', text: '' }, false],
    ['a program that has ended', { ok: false, code: 'mind/ended', text: '' }, false],
  ])('%s: %o', (_, answer, isKept) => {
    let text = '';
    const first = new WriteAhead();
    first.open({ past: '', write: (line) => (text += line) }, []);
    first.noteAnswer('red', question(0), answer);
    expect(reopen(text).ahead.takeAnswer('red', question(0))).toEqual(isKept ? answer : undefined);
  });

  test('an answer that JSON can’t hold is passed over', () => {
    const round: Record<string, unknown> = {};
    round['self'] = round;
    const ahead = new WriteAhead();
    ahead.open({ past: '', write: () => expect.unreachable() }, []);
    expect(() => ahead.noteAnswer('red', question(0), { ok: true, received: round })).not.toThrow();
  });
});

test("lines written ahead are separated from the journal's lines", () => {
  const [one = '', two = ''] = threeQuestions().split(/(?<=\n)/);
  const line = '{"bids":[{"received":"{\\"ahead\\":"}]}\n';
  expect(splitAhead(`${line}${one}${line}${two}`)).toEqual({
    journal: `${line}${line}`,
    ahead: `${one}${two}`,
  });
});

describe('the file beside a journal', () => {
  let files = 0;
  const aJournal = (text: string) => {
    files += 1;
    const path = join(ROOT, `${files}.jsonl`);
    writeFileSync(path, text);
    return path;
  };

  test('is taken up by the same journal, without the line that was torn', () => {
    const path = aJournal('{"header":1}\n{"line":2}\n');
    new AheadFile(path, false).write('one\n', true);
    writeFileSync(`${path}.ahead`, 'tw', { flag: 'a' });
    const again = new AheadFile(path, true);
    expect(again.past).toMatch(/^\{"ahead":"of".*\}\none\n$/);
    again.write('three\n', false);
    expect(readFileSync(`${path}.ahead`, 'utf8')).toBe(`${again.past}three\n`);
  });

  test.each([
    ['another journal', '{"header":2}\n', true],
    ['a match that begins anew', '{"header":1}\n', false],
  ])('is emptied for %s', (_, header, goesOn) => {
    const path = aJournal('{"header":1}\n');
    new AheadFile(path, false).write('one\n', true);
    writeFileSync(path, header);
    const other = new AheadFile(path, goesOn);
    expect(other.past).toBe('');
    other.write('two\n', false);
    expect(readFileSync(`${path}.ahead`, 'utf8')).toMatch(/^\{"ahead":"of".*\}\ntwo\n$/);
  });

  test('is gone when the match is over, and nothing makes it again', () => {
    const path = aJournal('{"header":1}\n');
    const ahead = new AheadFile(path, false);
    ahead.write('one\n', true);
    ahead.remove();
    ahead.write('two\n', true);
    expect(readdirSync(ROOT).filter((name) => name.startsWith(`${files}.`))).toEqual([
      `${files}.jsonl`,
    ]);
  });

  test('leaves the file of another program alone, and says so once', () => {
    const path = aJournal('{"header":1}\n');
    writeFileSync(`${path}.ahead`, 'mine');
    const ahead = new AheadFile(path, false);
    const reasons: string[] = [];
    ahead.onFailure = (reason) => reasons.push(reason);
    ahead.write('one\n', true);
    ahead.write('two\n', true);
    ahead.remove();
    expect(reasons).toEqual(['another file is there']);
    expect(readFileSync(`${path}.ahead`, 'utf8')).toBe('mine');
  });
});
