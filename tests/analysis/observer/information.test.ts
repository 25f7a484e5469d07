/** Information: the value of a message to an honest listener. */

import { describe, expect, test } from 'vitest';
import { judgeTestimony } from '../../../analysis/claims/whereabouts.ts';
import { informationOf, narrowTeams } from '../../../analysis/observer/information.ts';
import { listen } from '../../../analysis/observer/judgement.ts';
import { throughGlass } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { COLOURS, SYSTEM } from '../../../machines/types.ts';
import { findClaims } from '../../../prompts/claims/claims.ts';
import { findPlaceClaims } from '../../../prompts/claims/reading.ts';
import { seeds } from '../../support/seeds.ts';
import { impostorsOf, playGame } from './games.ts';

async function findListener(seed: number) {
  const lines = await playGame(seed, { players: 7 });
  const all = COLOURS.flatMap((seat) => listen(lines, seat)).filter(
    ({ knowledge }) => knowledge.meeting === 1,
  );
  const [most] = all.toSorted((one, other) => other.teams.length - one.teams.length);
  if (most === undefined) throw new Error('no crewmate was alive');
  return most;
}

let found: ReturnType<typeof findListener> | null = null;

function aListener(): ReturnType<typeof findListener> {
  found ??= findListener(1);
  return found;
}

describe('a witness of a crime', () => {
  test('leaves the teams with the accused, and those with the speaker', async () => {
    const listener = await aListener();
    const { teams, evidence } = listener;
    const [speaker, accused] =
      evidence.stretches[0]?.living.filter((seat) => teams.some((team) => team.includes(seat))) ??
      [];
    if (speaker === undefined || accused === undefined) throw new Error('all is known');
    for (const deed of ['vent in Electrical', 'kill Pink']) {
      const message = { speaker, target: null, message: `I saw ${accused} ${deed}.` };
      const left = teams.filter((team) => team.includes(speaker) || team.includes(accused));
      expect(narrowTeams(listener, speaker, findClaims(message)).map(String).sort()).toEqual(
        left.map(String).sort(),
      );
      expect(left.length).toBeLessThan(teams.length);
      expect(informationOf(message, [listener])).toMatchObject({
        bits: Math.log2(teams.length / left.length),
      });
    }
  });
});

test('two claims that can’t both be true leave only the teams with the speaker', async () => {
  const listener = await aListener();
  const [speaker, about] = listener.evidence.stretches[0]?.living ?? [];
  if (speaker === undefined || about === undefined) throw new Error('nobody was alive');
  const claims = (['Reactor', 'Navigation'] as const).map((place) => ({
    ...({ type: 'place', by: speaker, about, place, ago: 5 } as const),
  }));
  const left = listener.teams.filter((team) => team.includes(speaker));
  expect(narrowTeams(listener, speaker, claims)).toEqual(left);
});

describe('no claim, no information', () => {
  test.each(['I think it is Red.', 'Where was Blue?', 'Blue says that Red vented.', ''])(
    '%s',
    async (message) => {
      const listener = await aListener();
      expect(informationOf({ speaker: 'red', target: null, message }, [listener])).toEqual({
        claims: 0,
        bits: 0,
      });
    },
  );

  test('a claim that nobody hears carries no information', () => {
    const message = { speaker: 'red', target: null, message: 'I was in Admin.' } as const;
    expect(informationOf(message, [])).toEqual({ claims: 1, bits: 0 });
  });
});

const games = seeds(2, 100);
test(`the truth rules out no true team (${games} games)`, async () => {
  let weighed = 0;
  for (let seed = 1; seed <= games; seed++) {
    const lines = await playGame(seed, { players: 8 });
    const team = impostorsOf(lines).join();
    const listeners = COLOURS.flatMap((seat) => listen(lines, seat));
    for (const { message, meeting } of listTrueMessages(lines)) {
      for (const listener of listeners) {
        const { seat, meeting: own } = listener.knowledge;
        if (own !== meeting || seat === message.speaker) continue;
        const left = narrowTeams(listener, message.speaker, findPlaceClaims(message)).map((one) =>
          one.join(),
        );
        expect(left, `seed ${seed}, ${seat} hears "${message.message}"`).toContain(team);
        weighed += 1;
      }
    }
  }
  expect(weighed).toBeGreaterThan(10 * games);
});

/** Messages that claim only places, all of them true. */
function listTrueMessages(lines: readonly Line[]) {
  const judge = judgeTestimony<never>(findPlaceClaims);
  let meeting = 0;
  return lines.flatMap((line) => {
    const claims = line.channel === 'ghosts' ? [] : judge(throughGlass(line));
    if (line.type === 'meeting.called') meeting += 1;
    if (line.type !== 'tick.closed' || line.said === null || line.said.speaker === SYSTEM)
      return [];
    const { speaker, target = null, message } = line.said;
    const isTrue = claims.length > 0 && claims.every(({ truth }) => truth === 'true');
    const isAccusing = /vent|kill/i.test(message);
    return isTrue && !isAccusing ? [{ meeting, message: { speaker, target, message } }] : [];
  });
}
