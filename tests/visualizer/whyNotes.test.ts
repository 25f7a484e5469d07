import { beforeAll, describe, expect, test } from 'vitest';
import type { StakeMoment, Stakes, WhyAnswer, WhyResult } from '../../analysis/why/result.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { gameIn } from '../../machines/journal/opening.ts';
import { createWhyRoute } from '../../visualizer/server/routes.ts';
import { createWhyNotes } from '../../visualizer/whyNotes.ts';
import { recordedGame } from './page/recorded.ts';

let lines: readonly Line[] = [];
let talk: readonly { readonly line: number; readonly isImpostor: boolean }[] = [];

beforeAll(async () => {
  lines = await recordedGame(2);
  const seats = lines[0] === undefined ? [] : (gameIn(lines[0])?.seats ?? []);
  talk = lines.flatMap((line, at) =>
    line.type === 'tick.closed' && line.said !== null && line.floor !== null
      ? [
          {
            line: at,
            isImpostor: seats.some(
              (seat) => seat.colour === line.floor && seat.role === 'impostor',
            ),
          },
        ]
      : [],
  );
});

const moment = (line: number, crew: number, continuations = 20): StakeMoment => ({
  ...{ line: line + 1, meeting: 1, tick: 0, round: null, what: `secret ${line}` },
  ...{ continuations, crew, impostors: continuations - crew, ejected: {} },
});

function resultWith(stakes: readonly Stakes[], answers: readonly WhyAnswer[] = []): WhyResult {
  return {
    ...{ v: 2, type: 'why', engine: 'a test', check: null, credits: [] },
    journal: { lines: lines.length, living: null, ghosts: null },
    outside: ['red'],
    record: { winner: 'crew', reason: 'tasks', rounds: 9, meetings: [] },
    answers: [...answers],
    stakes: [...stakes],
  };
}

const stakesOf = (swings: Stakes['swings'], continued: Stakes['continued'] = 'minds'): Stakes => ({
  continued,
  continuations: 20,
  moments: [moment(0, 10), moment(talk[0]?.line ?? 0, 16)],
  swings,
});

describe('a swing', () => {
  const find = (isImpostor: boolean) =>
    talk.find((one) => one.isImpostor === isImpostor)?.line ?? 0;

  test.each([
    // Of 100 each, less than 20 percent could be chance; from 30 on it is great.
    { crew: [50, 85], speaker: 'crew', grade: 'brilliant' },
    { crew: [50, 79], speaker: 'crew', grade: 'good' },
    { crew: [50, 21], speaker: 'crew', grade: 'mistake' },
    { crew: [50, 20], speaker: 'crew', grade: 'blunder' },
    { crew: [50, 20], speaker: 'impostor', grade: 'brilliant' },
    { crew: [50, 80], speaker: 'impostor', grade: 'blunder' },
    { crew: [50, 60], speaker: 'crew', grade: 'swing' },
  ] as const)('from $crew by the $speaker is graded as $grade', ({ crew, speaker, grade }) => {
    const line = find(speaker === 'impostor');
    const [before, after] = [moment(line - 1, crew[0], 100), moment(line, crew[1], 100)];
    const { stakes } = createWhyNotes(resultWith([stakesOf([{ before, after }])]), lines, true);
    expect(stakes?.turns).toEqual([
      {
        ...{ at: `${lines[line]?.seq}`, from: 0.5, to: crew[1] / 100, grade },
        ...{ what: `secret ${line}`, when: 'in meeting 1, tick 0' },
      },
    ]);
  });

  test.each([
    [{ tick: null, round: 115 }, 'at 4:47'],
    [{ tick: 5, round: null, meeting: 2 }, 'in meeting 2, tick 5'],
  ] as const)('at %j says when it was', (place, when) => {
    const [before, after] = [moment(0, 90, 100), { ...moment(find(false), 10, 100), ...place }];
    const { stakes } = createWhyNotes(resultWith([stakesOf([{ before, after }])]), lines, true);
    expect(stakes?.turns.map((turn) => turn.when)).toEqual([when]);
  });

  test('that may be chance is left out, unless it is the turning point', () => {
    const swing = { before: moment(0, 50, 100), after: moment(find(false), 60, 100) };
    const { stakes } = createWhyNotes(resultWith([stakesOf([swing, swing])]), lines, true);
    expect(stakes?.turns).toHaveLength(1);
  });
});

test('original minds count before stand-ins, and the page names who played on', () => {
  const [own, standing] = [stakesOf(null), stakesOf(null, 'stand-ins')];
  expect(createWhyNotes(resultWith([standing, own]), lines, true).stakes?.standIns).toEqual([]);
  const { stakes } = createWhyNotes(resultWith([standing]), lines, true);
  expect(stakes).toEqual({
    continuations: 20,
    standIns: ['red'],
    points: [
      { at: '0', crew: 0.5 },
      { at: `${lines[talk[0]?.line ?? 0]?.seq}`, crew: 0.8 },
    ],
    turns: [],
  });
});

test('a lens gets numbers without words, and none before the end', () => {
  const line = talk[0]?.line ?? 0;
  const swing = { before: moment(0, 0, 100), after: moment(line, 100, 100) };
  const coming = {
    winner: 'crew',
    reason: 'tasks',
    rounds: 9,
    outcome: null,
    ejected: null,
  } as const;
  const answer: WhyAnswer = {
    ...{ id: 'm', what: 'messages', by: 'silence', seat: 'red', meeting: 1, tick: 0, round: null },
    ...{
      words: 'secret',
      instead: '…',
      line: line + 1,
      until: 'end',
      continued: 'minds',
      models: null,
    },
    effect: {
      samples: 1,
      winner: 1,
      ejected: 0,
      ballots: 0,
      reason: 0,
      rounds: 0,
      suspicion: null,
    },
    samples: [
      {
        was: coming,
        is: { ...coming, winner: 'impostors', reason: 'kills' },
        ballots: [],
        suspicion: null,
      },
    ],
  };
  const result = resultWith([stakesOf([swing])], [answer]);
  expect(createWhyNotes(result, lines, true).credits).toEqual([
    { at: `${lines[line]?.seq}`, text: 'the impostors win (kills)', isByStandIns: false },
  ]);
  const cut = createWhyNotes(result, lines, false);
  expect(cut.credits).toEqual([]);
  expect(cut.stakes?.turns).toHaveLength(1);
  expect(JSON.stringify(cut)).not.toContain('secret');
  const open = { ...result, record: { ...result.record, winner: null, reason: null } };
  expect(createWhyNotes(open, lines, false).stakes).toBeNull();
  expect(createWhyNotes(open, lines, true).stakes).not.toBeNull();
});

test('the server answers GET /why with the findings, and no other request', async () => {
  const notes = createWhyNotes(resultWith([stakesOf(null)]), lines, true);
  const ask = (path: string, method: 'GET' | 'POST' = 'GET', of: typeof notes | null = notes) =>
    createWhyRoute(of === null ? null : () => Promise.resolve(of))({
      method,
      path,
      search: new URLSearchParams(),
      body: '',
    });
  expect(await ask('/why')).toEqual({ type: 'json', status: 200, text: JSON.stringify(notes) });
  expect(await Promise.all([ask('/'), ask('/why', 'POST'), ask('/why', 'GET', null)])).toEqual([
    ...[null, null, null],
  ]);
});

test('of a result without stakes nothing is drawn', () => {
  expect(createWhyNotes(resultWith([]), lines, true)).toEqual({ stakes: null, credits: [] });
});
