/** Ghosts who take their time beside players who do not: a match that was cut anywhere is continued, and replays. */
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type MatchInput, replayMatch, resumeMatch, startMatch } from '../../../actors/index.ts';
import type { Mind } from '../../../actors/minds/port.ts';
import { createScriptedMind } from '../../../actors/minds/scripted/mind.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';
import { everyNth, testLong } from '../../support/seeds.ts';

/** Thinks like an offline mind, and as a ghost answers some turns of the event loop later. */
function aSlowGhost(colour: Colour, salt: number): Mind {
  const mind = createScriptedMind(salt, colour, 'follower');
  return {
    pace: 'in-time',
    answer: async (request) => {
      const turns = request.kind === 'ghost' ? (request.index * 7 + salt * 5) % 40 : 0;
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      return mind.answer(request);
    },
  };
}

async function expectExactAtEveryCut(match: MatchInput, ghosts: readonly Colour[], seed: number) {
  let salt = 0;
  const minds = () => Object.fromEntries(ghosts.map((one) => [one, aSlowGhost(one, ++salt)]));
  const whole = startMatch({ match, seed, minds: minds() });
  await whole.result;
  const rows = whole.journal().split('\n');
  const end = rows.findIndex((row) => /"type":"(?:meeting|game)\.closed"/.test(row));
  for (const lines of everyNth([...rows.keys()].slice(2, end), 9)) {
    const again = resumeMatch(`${rows.slice(0, lines).join('\n')}\n`, { minds: minds() });
    await again.result;
    const verdict = await replayMatch(again.journal());
    expect(verdict, `cut behind line ${lines}`).toMatchObject({ type: 'same', unfinished: false });
  }
}

const example = (name: string) =>
  readFileSync(new URL(`../../../examples/${name}.yaml`, import.meta.url), 'utf8');

test('a meeting of many ghosts', async () => {
  await expectExactAtEveryCut(example('ghosts'), ['rose', 'white'], 3);
});

testLong.each<[string, readonly Colour[], number]>([
  ['ghosts', ['rose'], 4],
  ['ghosts', ['white', 'rose'], 5],
  ['after-you', ['black'], 6],
  ['classic', ['purple'], 7],
  ['electrical', ['white'], 8],
  ['electrical', ['white'], 9],
  ['fifteen', ['maroon'], 10],
  ['trouble', ['tan'], 11],
  ['two-impostors', ['cyan'], 12],
])('a meeting of %s, with %j as slow ghosts, and seed %i', async (name, ghosts, seed) => {
  await expectExactAtEveryCut(example(name), ghosts, seed);
});

testLong.each([1, 2])(
  'a game with seed %i, in which the first to die are slow ghosts',
  async (seed) => {
    const offline = startMatch({ players: 6, seed });
    await offline.result;
    const killed = [...offline.journal().matchAll(/"victim":"(\w+)"/g)].map(([, victim]) => victim);
    const ghosts = [...new Set(killed)].slice(0, 2) as Colour[];
    expect(ghosts).toHaveLength(2);
    const match = { name: 'six', seats: COLOURS.slice(0, 6).map((colour) => ({ colour })) };
    await expectExactAtEveryCut(match, ghosts, seed);
  },
);
