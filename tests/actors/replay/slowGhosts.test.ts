/** Ghosts who take their time beside players who do not: a match that was cut anywhere is continued, and replays. */
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type MatchInput, replayMatch, resumeMatch, startMatch } from '../../../actors/index.ts';
import { type OpenJournal, playLeagueGame, readPlayedGame } from '../../../actors/league/game.ts';
import { type LeagueGame, prepareGame, scheduleLeague } from '../../../actors/league/plan.ts';
import type { Mind } from '../../../actors/minds/port.ts';
import { createScriptedMind } from '../../../actors/minds/scripted/mind.ts';
import { describeTested, makeTable, prepareTable } from '../../../analysis/benchmark/definition.ts';
import { inspectGame } from '../../../analysis/benchmark/inspect.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';
import { everyNth, testLong } from '../../support/seeds.ts';
import { aPlanOfModels, EDGE, slowThinkers } from '../league/leagues.ts';

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

/** Cuts the open journal of a game at each line, and gives each journal that is played to its end from there. */
async function* playFromEveryCut(game: LeagueGame) {
  let salt = 0;
  const play = async (past: string) => {
    const minds = ({ colour }: { readonly colour: Colour }) => aSlowGhost(colour, ++salt);
    const opened: OpenJournal = { past, ahead: '', begin: () => {}, write: () => {} };
    const services = { ...EDGE, models: { ...slowThinkers(0).models, minds } };
    const outcome = await playLeagueGame(game, services, opened);
    if (outcome.type !== 'played' || outcome.journal === null) throw new Error('it was not played');
    return outcome.journal;
  };
  const rows = (await play('')).trimEnd().split('\n');
  expect(rows.filter((row) => row.includes('"type":"turn.closed"')).length).toBeGreaterThan(2);
  for (const lines of [...rows.keys()].slice(2)) {
    const past = `${rows.slice(0, lines).join('\n')}\n`;
    const journal = await play(past);
    expect(journal.startsWith(past), `cut behind line ${lines}`).toBe(true);
    yield { lines, journal };
  }
}

testLong('a game of a league goes on exactly, and its result can be counted again', async () => {
  const plan = aPlanOfModels({ seed: 8, options: {} });
  const [fixture] = scheduleLeague(plan);
  const game = prepareGame(plan, fixture ?? expect.fail('expected a game'), {});
  for await (const { lines, journal } of playFromEveryCut(game)) {
    const result = await readPlayedGame(game, journal, EDGE.count);
    expect(result, `cut behind line ${lines}`).not.toBeNull();
  }
});

testLong('a game of a bundle goes on exactly, and the bundle can be verified', async () => {
  const seat = { colour: 'red', mind: 'module', module: 'm', votes: 'freely', notes: '' } as const;
  const tested = describeTested(seat, 'm');
  const game = prepareTable(makeTable(TABLE), tested);
  for await (const { lines, journal: text } of playFromEveryCut(game)) {
    const task = { table: TABLE, sitter: 'tested', tested, text, isChecked: true } as const;
    const { findings } = await inspectGame(task);
    expect(findings, `cut behind line ${lines}`).toEqual([]);
  }
});

/** The tested player dies early, and there is a meeting afterwards. */
const TABLE = 14;
