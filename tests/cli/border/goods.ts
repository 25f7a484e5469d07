/** A valid file for each door, made by the commands themselves in the folder of the test. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCENARIO } from '../matches.ts';
import type { Role } from './doors.ts';
import { halfOf, OTHERS } from './kinds.ts';

const GAME = `name: A game
seats: [{ colour: red }, { colour: blue }, { colour: green }, { colour: pink }, { colour: orange, role: impostor }]
`;
const LEAGUE = `name: tiny
seed: 1
games: 2
players: 4
personas: [{ name: amber }, { name: brass }, { name: coral }, { name: dusk }]
`;
const MODULE = 'export default () => ({});\n';
const PRICES = '{"gpt-x": {"input": 1, "output": 4}}\n';
const BENCHMARK = ['benchmark', '--persona', 'leader', '--games', '1'];
const PERSONA = 'temperament: sceptic\n';

export async function makeGoods(
  folder: string,
  run: (words: readonly string[]) => Promise<unknown>,
): Promise<Readonly<Record<Role, Buffer>>> {
  const write = (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text);
  write('match.yaml', SCENARIO);
  write('league.yaml', LEAGUE);
  await run(['run', 'match.yaml', '--seed', '7', '--out', 'a.jsonl', '-q']);
  await run(['league', 'run', 'league.yaml', '--store', 'store.db', '--out', 'journals', '-q']);
  await run([...BENCHMARK, '--jobs', '1', '--compact', '--out', 'bundle.json', '-q']);
  const journal = readFileSync(join(folder, 'a.jsonl'));
  write('open.jsonl', halfOf(journal));
  OTHERS.journal = () => journal;
  OTHERS.match = () => SCENARIO;
  OTHERS.store = () => join(folder, 'store.db');
  return {
    journal,
    'open journal': halfOf(journal),
    meeting: Buffer.from(SCENARIO),
    game: Buffer.from(GAME),
    league: Buffer.from(LEAGUE),
    persona: Buffer.from(PERSONA),
    prices: Buffer.from(PRICES),
    environment: Buffer.from('GLASSBOX_KEY=none\n'),
    profile: Buffer.from('temperature: 1\n'),
    module: Buffer.from(MODULE),
    store: Buffer.of(),
    folder: Buffer.of(),
    bundle: readFileSync(join(folder, 'bundle.json')),
  };
}

/** Files that name another file: a match with a module, a league with a persona, and a folder. */
export function namingFiles(path: string): Readonly<Record<string, string>> {
  const named = JSON.stringify(path);
  return {
    'seated.yaml': SCENARIO.replace(
      'colour: green',
      `colour: green\n    mind: module\n    module: ${named}`,
    ),
    'named.yaml': LEAGUE.replace('{ name: amber }', `{ name: amber, file: ${named} }`),
  };
}
