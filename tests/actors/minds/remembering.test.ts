import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answer, LightMind, MindRequest } from '../../../actors/minds/port.ts';
import { foldLines } from '../../../actors/minds/scripted/lineFold.ts';
import { createScriptedMind } from '../../../actors/minds/scripted/mind.ts';
import type { LivingView } from '../../../machines/rules/views.ts';
import type { GameMatch } from '../../../machines/setup/match.ts';
import { plainGame } from '../../../machines/setup/prepare.ts';
import { COLOURS, type Colour, TEMPERAMENTS } from '../../../machines/types.ts';
import { law } from '../../machines/builders.ts';
import { seeds, testLong } from '../../support/seeds.ts';
import { playGame } from '../laws/journeys.ts';

describe('folding the lines of a list that grows', () => {
  type Line = { readonly text: string };
  const lines: readonly Line[] = Array.from({ length: 12 }, (_, index) => ({ text: `${index}` }));
  const joined = (list: readonly Line[]) => list.map(({ text }, index) => `${index}:${text}`);
  const folding = () => {
    const added: string[] = [];
    const fold = foldLines<Line, string[]>(
      () => [],
      (folded, { text }, index) => {
        added.push(text);
        folded.push(`${index}:${text}`);
      },
    );
    return { fold, added };
  };

  test('adds each line once while the list grows, in a new list each time or in place', () => {
    const { fold, added } = folding();
    const growing: Line[] = [];
    for (const [index, line] of lines.entries()) {
      growing.push(line);
      expect(fold(lines.slice(0, index + 1))).toEqual(joined(lines.slice(0, index + 1)));
      expect(fold(growing)).toEqual(joined(growing));
    }
    expect(added).toEqual(lines.map(({ text }) => text));
  });

  test('begins again where a list is shorter or has another line, and in no other case', () => {
    const { fold, added } = folding();
    const other = { text: 'other' };
    fold(lines.slice(0, 4));
    const before = added.length;
    expect(fold(lines.slice(0, 4))).toEqual(joined(lines.slice(0, 4)));
    expect(added.length).toBe(before);
    expect(fold(lines.slice(0, 3))).toEqual(joined(lines.slice(0, 3)));
    expect(added.length).toBe(before + 3);
    const changed = [...lines.slice(0, 2), other, ...lines.slice(3, 5)];
    expect(fold(changed)).toEqual(joined(changed));
    expect(added.length).toBe(before + 3 + 5);
  });

  test('folding an empty list gives a fresh start value', () => {
    const { fold } = folding();
    fold([]).push('mine');
    expect(fold([])).toEqual([]);
  });

  law(
    'gives what folding the list alone gives, whatever was folded before',
    fc.property(
      fc.array(fc.array(fc.constantFrom(...lines.slice(0, 3)), { maxLength: 6 }), {
        maxLength: 12,
      }),
      (lists) => {
        const { fold } = folding();
        for (const list of lists) expect(fold(list)).toEqual(joined(list));
      },
    ),
    1000,
  );
});

type Asked = { readonly seat: Colour; readonly request: MindRequest; readonly answer: Answer };

async function recordGame(match: GameMatch, seed: number): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  await playGame(match, seed, {
    recast: (mind, seat) => {
      if (mind.pace !== 'at-once') return mind;
      return {
        pace: 'at-once',
        answer: (request) => {
          const answer = mind.answer(request);
          asked.push({ seat, request, answer });
          return answer;
        },
      };
    },
  });
  return asked;
}

/** The mind of a seat as the game creates it, with nothing remembered. */
function freshMind(match: GameMatch, seed: number, seat: Colour): LightMind {
  const index = match.seats.findIndex(({ colour }) => colour === seat);
  return createScriptedMind(seed, seat, TEMPERAMENTS[index % TEMPERAMENTS.length] ?? 'observer');
}

const GAMES = [
  { players: 6, rules: 'classic' },
  { players: 8, rules: 'house' },
  { players: 13, rules: 'house' },
] as const;

describe.each(
  GAMES.slice(0, seeds(1, 3)).flatMap((game) =>
    Array.from({ length: seeds(1, 30) }, (_, index) => ({ ...game, seed: 4100 + 97 * index })),
  ),
)('in a game of $players by the $rules rules with seed $seed', ({ players, rules, seed }) => {
  const match = plainGame(players, undefined, rules);
  const recording = recordGame(match, seed);
  const otherRecording = recordGame(match, seed + 1);
  const mindsOf = () =>
    new Map(COLOURS.map((seat) => [seat, freshMind(match, seed, seat)] as const));

  test('a mind answers a request by itself as it does in the middle of the game', async () => {
    const asked = await recording;
    expect(new Set(asked.map(({ request }) => request.kind)).size).toBeGreaterThan(3);
    for (const { seat, request, answer } of asked) {
      const alone = structuredClone(request);
      expect(freshMind(match, seed, seat).answer(alone)).toEqual(answer);
    }
  });

  test('minds repeat their answers in any order, while minds of another game answer in between', async () => {
    const [asked, others] = [await recording, await otherRecording];
    const minds = mindsOf();
    const strange = new Map(
      COLOURS.map((seat) => [seat, freshMind(match, seed + 1, seat)] as const),
    );
    // A step that has no divisor in common with the number of requests visits each of them once.
    const step = [101, 103, 107, 109].find((one) => asked.length % one !== 0) ?? 1;
    const backwards = asked.toReversed();
    const jumping = asked.map((_, index) => asked[(index * step) % asked.length] ?? asked[0]);
    for (const [index, one] of [...backwards, ...jumping].entries()) {
      const other = others[index % others.length];
      if (one === undefined || other === undefined) throw new Error('a game without requests');
      expect(minds.get(one.seat)?.answer(one.request)).toEqual(one.answer);
      expect(strange.get(other.seat)?.answer(other.request)).toEqual(other.answer);
    }
  });

  test('a mind that is asked about two games by turns answers each as if it knew only that one', async () => {
    const [asked, others] = [await recording, await otherRecording];
    const minds = mindsOf();
    for (const [index, one] of asked.entries()) {
      const other = others[index % others.length];
      if (other === undefined) throw new Error('a game without requests');
      expect(minds.get(one.seat)?.answer(one.request)).toEqual(one.answer);
      const alone = freshMind(match, seed, other.seat).answer(structuredClone(other.request));
      expect(minds.get(other.seat)?.answer(other.request)).toEqual(alone);
    }
  });

  testLong('a mind answers anew for a talk with another line or a player less', async () => {
    const minds = mindsOf();
    let varied = 0;
    for (const { seat, request, answer } of await recording) {
      if (!isTalk(request)) continue;
      for (const variant of variantsOf(request)) {
        const alone = freshMind(match, seed, seat).answer(structuredClone(variant));
        expect(minds.get(seat)?.answer(variant)).toEqual(alone);
        expect(minds.get(seat)?.answer(request)).toEqual(answer);
        varied += 1;
      }
    }
    expect(varied).toBeGreaterThan(200);
  });
});

type TalkRequest = Extract<MindRequest, { view: LivingView }>;

function isTalk(request: MindRequest): request is TalkRequest {
  return request.kind === 'discussion' || request.kind === 'voting';
}

/** The same moment after a talk that went another way, and with a player less. */
function variantsOf(request: TalkRequest): readonly TalkRequest[] {
  const { view } = request;
  const { table, you } = view;
  const { transcript, seats } = table;
  const withTable = (changes: Partial<typeof table>): TalkRequest => ({
    ...request,
    view: { ...view, table: { ...table, ...changes } },
  });
  const middle = Math.floor(transcript.length / 2);
  const other = seats.find(
    ({ colour, standing }) => standing === 'living' && colour !== you.colour,
  );
  const vented = `I saw ${other?.colour ?? 'red'} vent in Electrical.`;
  return [
    withTable({
      transcript: transcript.map((line, index) =>
        index === middle ? { ...line, message: vented, target: null } : line,
      ),
    }),
    withTable({ transcript: transcript.slice(0, -1) }),
    withTable({ transcript: transcript.filter((_, index) => index !== middle) }),
    withTable({
      seats: seats.map((one) => (one === other ? { ...one, standing: 'departed' } : one)),
    }),
  ];
}
