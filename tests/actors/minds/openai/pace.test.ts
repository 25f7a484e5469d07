import { describe, expect, test } from 'vitest';
import { EndpointPace, GateWidth } from '../../../../actors/minds/openai/pace.ts';

const DEADLINE_MS = 60_000;

/** The silence that was measured where one request alone was answered after so long. */
function aPaceOf(ms: number): EndpointPace {
  const pace = new EndpointPace();
  pace.noteEnded(pace.noteSent(0), ms, true);
  return pace;
}

describe('a request counts as lost', () => {
  test.each([
    // Nothing is measured: after the deadline, and the first answer may be measured as nothing.
    [0, false, 60_000],
    // After ten times the longest silence, where that is longer.
    [6_000, false, 60_000],
    [6_001, false, 60_010],
    // Sooner, where others that came later were answered: half of the deadline, or four times the longest silence.
    [0, true, 30_000],
    [7_500, true, 30_000],
    [7_501, true, 30_004],
  ])('after answers that took %i ms, overtaken: %s, after %i ms', (measured, isOvertaken, ms) => {
    const pace = aPaceOf(measured);
    const request = { ...pace.noteSent(0), isOvertaken };
    expect(pace.lostAfterMs(request, 0, DEADLINE_MS)).toBe(ms);
    // Each time that it is made again it is given twice as long.
    expect(pace.lostAfterMs(request, 1, DEADLINE_MS)).toBe(2 * ms);
    expect(pace.lostAfterMs(request, 3, DEADLINE_MS)).toBe(8 * ms);
  });
});

describe('the longest silence', () => {
  test('is none before the first answer', () => {
    expect(new EndpointPace().longestSilenceMs).toBe(0);
  });

  test('is that before an answer, and not before a refusal or a loss', () => {
    const pace = new EndpointPace();
    const [refused, answered] = [pace.noteSent(1_000), pace.noteSent(1_000)];
    pace.noteEnded(refused, 9_000, false);
    expect(pace.longestSilenceMs).toBe(0);
    pace.noteEnded(answered, 4_000, true);
    expect(pace.longestSilenceMs).toBe(3_000);
  });

  test('of a request that ends twice counts once', () => {
    const pace = new EndpointPace();
    const request = pace.noteSent(0);
    pace.noteEnded(request, 1_000, true);
    pace.noteEnded(request, 5_000, true);
    expect(pace.longestSilenceMs).toBe(1_000);
  });

  test('the longest silence is the one before the last 32 answers', () => {
    const pace = aPaceOf(9_000);
    const answer = () => pace.noteEnded(pace.noteSent(0), 1_000, true);
    for (let turn = 1; turn < 32; turn++) answer();
    expect(pace.longestSilenceMs).toBe(9_000);
    answer();
    expect(pace.longestSilenceMs).toBe(1_000);
  });
});

describe('the effect of an answer on requests beside it', () => {
  /** One that was sent at 10 seconds, when another is answered a minute later that was sent at a moment. */
  function besideOneOf(sentAt: number, isAnswered = true) {
    const pace = new EndpointPace();
    const [request, other] = [pace.noteSent(10_000), pace.noteSent(sentAt)];
    expect(request).toEqual({
      sentAt: 10_000,
      silentSince: 10_000,
      heardAt: 10_000,
      isOvertaken: false,
    });
    pace.noteEnded(other, 70_000, isAnswered);
    return { isHeard: request.silentSince === 70_000, isOvertaken: request.isOvertaken };
  }

  test.each([
    // Those of one second may be answered in any order.
    [8_999, { isHeard: true, isOvertaken: false }],
    [9_000, { isHeard: true, isOvertaken: true }],
    [10_000, { isHeard: true, isOvertaken: true }],
    [11_000, { isHeard: true, isOvertaken: true }],
    [11_001, { isHeard: false, isOvertaken: true }],
  ])('that was sent at 10000, by one that was sent at %i', (sentAt, expected) => {
    expect(besideOneOf(sentAt)).toEqual(expected);
  });

  test('one that failed says nothing', () => {
    expect(besideOneOf(10_000, false)).toEqual({ isHeard: false, isOvertaken: false });
  });

  test('a request that has ended is left alone', () => {
    const pace = new EndpointPace();
    const [ended, other] = [pace.noteSent(0), pace.noteSent(0)];
    pace.noteEnded(ended, 1_000, false);
    pace.noteEnded(other, 5_000, true);
    expect(ended.silentSince).toBe(0);
  });
});

/**
 * The widths of a gate after each round, written as "8 in 31000": requests and the milliseconds of each, and
 * " without 1" for those that were lost. An hour lies between two rounds.
 */
function widthsOf(most: number, rounds: string): readonly number[] {
  const gate = new GateWidth(most);
  let now = 5_000;
  return rounds.split(', ').map((round) => {
    const [requests = 0, ms = 0, lost = 0] = round.split(/ in | without /).map(Number);
    for (let request = 0; request < requests; request++) gate.noteSent(now);
    now += ms;
    for (let request = 0; request < requests; request++)
      gate.noteEnded(now, ms, request < requests - lost);
    now += 3_600_000;
    return gate.width;
  });
}

describe('a gate', () => {
  test('is as wide as it may be at first', () => expect(new GateWidth(8).width).toBe(8));

  test.each<[string, most: number, rounds: string, readonly number[]]>([
    ['is not narrowed when answers take half a minute', 8, '8 in 30000', [8]],
    ['is narrowed by half when they take longer', 8, '8 in 30001', [4]],
    ['is narrowed by less than half where it is odd', 5, '5 in 31000', [3]],
    ['is narrowed to one at last', 2, '2 in 31000', [1]],
    ['is widened again by answers that take no time at all', 8, '8 in 31000, 4 in 0', [4, 8]],
    ['is not narrowed for one request alone', 8, '1 in 90000', [8]],
    [
      'is narrowed to half of what was open, however wide it is',
      8,
      '6 in 31000, 3 in 15500',
      [3, 3],
    ],
    [
      'is narrowed further while answers take long and it costs nothing: a server of one slot',
      8,
      '8 in 160000, 4 in 80000, 2 in 40000, 1 in 20000',
      [4, 2, 1, 1],
    ],
    [
      'is as wide as before where it costs throughput, and not narrowed so far again: a server of many slots',
      8,
      '8 in 40000, 4 in 40000, 8 in 40000, 8 in 40000',
      [4, 8, 8, 8],
    ],
    [
      'is narrowed by less where narrower was too narrow',
      10,
      '8 in 40000, 4 in 40000, 10 in 40000',
      [4, 10, 5],
    ],
    [
      'of two is as wide as before where one alone costs throughput',
      2,
      '2 in 40000, 1 in 40000',
      [1, 2],
    ],
    [
      'stays narrow where three quarters of the throughput are left',
      8,
      '8 in 49152, 4 in 32768',
      [4, 2],
    ],
    ['and not where less is left', 8, '8 in 49152, 4 in 32768.1', [4, 8]],
    [
      'is judged by as many requests as it lets through, and by no fewer',
      8,
      '8 in 40000, 3 in 40000, 4 in 40000',
      [4, 4, 8],
    ],
    [
      'that stays narrow is not widened by a slower time later',
      8,
      '8 in 32000, 4 in 16000, 4 in 29000',
      [4, 4, 4],
    ],
    [
      'is widened when answers take less than eight seconds',
      8,
      '8 in 80000, 4 in 40000, 2 in 8000, 2 in 7999, 4 in 7999, 8 in 7999',
      [4, 2, 2, 4, 8, 8],
    ],
    ['is never wider than it may be', 5, '5 in 31000, 3 in 7000', [3, 5]],
    [
      'is not judged while less came back than was asked, until as many answers have come',
      8,
      '8 in 31000 without 1, 1 in 1000',
      [8, 4],
    ],
  ])('%s', (_, most, rounds, widths) => expect(widthsOf(most, rounds)).toEqual(widths));

  test.each([
    [2, 8],
    [4, 16],
  ])('of %i that is never empty is judged by %i answers', (most, answers) => {
    const gate = new GateWidth(most);
    for (let request = 0; request < most; request++) gate.noteSent(0);
    for (let answer = 1; answer < answers; answer++) {
      gate.noteEnded(answer * 31_000, 31_000, true);
      gate.noteSent(answer * 31_000);
      expect(gate.width).toBe(most);
    }
    gate.noteEnded(answers * 31_000, 31_000, true);
    expect(gate.width).toBe(most / 2);
  });
});
