import { expect, test } from 'vitest';
import type { Answer, LightMind, Mind } from '../../../actors/minds/port.ts';
import { judgeGame, knowledgeOf } from '../../../analysis/observer/judgement.ts';
import type { MindRequest } from '../../../machines/request.ts';
import { type BySeat, COLOURS, type Colour } from '../../../machines/types.ts';
import { testLong } from '../../support/seeds.ts';
import { impostorsOf, playGame } from './games.ts';

const SEEDS = [1, 2];

type Voter = { readonly seat: Colour; readonly odds: ReadonlyMap<Colour, number> };

async function playReasoned(seed: number, aim: 'best' | 'worst') {
  const voters = new Map<string, Voter>();
  const lines = await playGame(seed, {
    players: 7,
    minds: (scripted, written) => {
      const isCrew = (seat: Colour) => !impostorsOf(written).includes(seat);
      const known = new Map<string, BySeat<number>>();
      const moment = (seat: Colour) =>
        `${written.filter(({ type }) => type === 'meeting.called').length} ${seat}`;
      const memory = {
        oddsFor: (seat: Colour) => {
          const odds = known.get(moment(seat)) ?? knowledgeOf(written, seat).at(-1)?.odds ?? {};
          known.set(moment(seat), odds);
          return odds;
        },
        note: (voter: Voter) => void voters.set(moment(voter.seat), voter),
      };
      const changed: BySeat<Mind> = Object.fromEntries(
        COLOURS.flatMap((seat) => {
          const mind = scripted[seat];
          return mind?.pace === 'at-once'
            ? [[seat, voting({ mind, seat, isCrew, aim }, memory)]]
            : [];
        }),
      );
      return changed;
    },
  });
  return { lines, voters };
}

type VoterSetting = {
  readonly mind: LightMind;
  readonly seat: Colour;
  readonly isCrew: (seat: Colour) => boolean;
  readonly aim: 'best' | 'worst';
};

/** Says nothing at the table and votes; on the ship it is as it was. */
function voting(
  { mind, seat, isCrew, aim }: VoterSetting,
  memory: {
    readonly oddsFor: (seat: Colour) => BySeat<number>;
    readonly note: (voter: Voter) => void;
  },
): LightMind {
  return {
    pace: 'at-once',
    answer: (request: MindRequest): Answer => {
      if (request.kind !== 'discussion' && request.kind !== 'voting') return mind.answer(request);
      const silent = { message: '', desire_to_speak: 0 };
      if (!isCrew(seat)) return { ok: true, received: { ...silent, vote_action: 'skip' } };
      const known = memory.oddsFor(seat);
      const others = request.view.table.seats.filter(
        ({ colour, standing }) => standing === 'living' && colour !== seat,
      );
      const odds = new Map(others.map(({ colour }) => [colour, known[colour] ?? 0]));
      memory.note({ seat, odds });
      const sorted = [...odds].toSorted(([, one], [, other]) => other - one);
      const [vote] = sorted.at(aim === 'best' ? 0 : -1) ?? [];
      return { ok: true, received: { ...silent, vote_action: vote ?? null } };
    },
  };
}

testLong('who reasons perfectly makes no error of logic and regrets nothing', async () => {
  let ballots = 0;
  for (const seed of SEEDS) {
    const { lines } = await playReasoned(seed, 'best');
    for (const { isError, regret } of judgeGame(lines)?.ballots ?? []) {
      expect({ seed, isError, regret }).toEqual({ seed, isError: false, regret: 0 });
      ballots += 1;
    }
  }
  expect(ballots).toBeGreaterThan(10);
});

test('who votes against all reason has made every error that could be made', async () => {
  let errors = 0;
  for (const seed of SEEDS) {
    const { lines, voters } = await playReasoned(seed, 'worst');
    for (const { voter, meeting, odds, isError, regret } of judgeGame(lines)?.ballots ?? []) {
      const known = voters.get(`${meeting} ${voter}`);
      if (known === undefined) continue;
      const all = [...known.odds.values()];
      const least = Math.min(...all);
      const expected = { odds: least, isError: least === 0, regret: Math.max(...all) - least };
      expect({ seed, odds, isError, regret }).toEqual({ seed, ...expected });
      if (isError) errors += 1;
    }
  }
  expect(errors).toBeGreaterThan(1);
});
