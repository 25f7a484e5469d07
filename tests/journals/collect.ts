/**
 * Adds journals to the corpus: `node tests/journals/collect.ts`. An existing journal is never rewritten: later
 * versions must read it. See docs/journal.md#the-recorded-journals.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { constants, zstdCompressSync } from 'node:zlib';
import { z } from 'zod';
import { silentMind } from '../../actors/minds/kinds.ts';
import type { Match } from '../../machines/setup/match.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';
import { aMind, FAULT, LEAVE } from '../actors/laws/meetings.ts';
import { FakeEndpoint, type FakeOptions } from '../support/endpoint/fakeEndpoint.ts';
import { faulty } from '../support/endpoint/faults.ts';
import { TABLE } from '../support/endpoint/table.ts';
import { oddMeeting, otherGame, playCrisis, RAFT, writtenGame, writtenMeeting } from './matches.ts';
import {
  aGame,
  aTable,
  believeOddly,
  forkText,
  gossiping,
  ordering,
  person,
  plainGame,
  play,
  playOutside,
  playStopped,
  playTurmoil,
  readExample,
  resumeText,
  standIn,
  stumbling,
  tearOff,
} from './offline.ts';

const FOLDER = fileURLToPath(new URL('./', import.meta.url));
const ROOT = join(FOLDER, '../..');
const PROGRAM = join(ROOT, 'cli/glassbox.ts');
const MANIFEST = join(FOLDER, 'manifest.json');

type Source = readonly [shows: string, make: () => Promise<string>];

const run = promisify(execFile);

async function runCommands(
  commands: readonly (readonly string[])[],
  file: string,
  prepare: (folder: string) => void = () => {},
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-journals-'));
  try {
    prepare(folder);
    const env = {
      ...process.env,
      GLASSBOX_STATE: 'none',
      OWN_KEY: 'no-key-at-all',
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    };
    for (const words of commands) {
      // A run that is paused ends with a status of its own.
      await run(process.execPath, [PROGRAM, ...words], { cwd: folder, env });
    }
    return readFileSync(join(folder, file), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withEndpoint(
  options: FakeOptions,
  act: (words: readonly string[]) => Promise<string>,
): Promise<string> {
  const endpoint = await FakeEndpoint.open(options);
  try {
    return await act(['--model', 'gemma', '--base-url', endpoint.baseUrl]);
  } finally {
    await endpoint.close();
  }
}

const GAME = 'out/0001.jsonl';
const RUN = 'run --seed 6 --json --out out'.split(' ');
const aRun = (...words: readonly string[]) => [...RUN, ...words];

function modelMeeting(options: FakeOptions, ...words: readonly string[]): Promise<string> {
  return withEndpoint(options, (model) =>
    runCommands(
      [['run', 'four.yaml', '--seed', '3', '--out', 'a.jsonl', ...words, ...model]],
      'a.jsonl',
      (to) => cpSync(join(ROOT, 'examples/four.yaml'), join(to, 'four.yaml')),
    ),
  );
}

/** The match with a person in a seat. */
function withPerson<M extends Match>(match: M, colour: Colour): M {
  const seats = match.seats.map((seat) =>
    seat.colour === colour ? { ...seat, mind: 'human' as const } : seat,
  );
  return { ...match, seats };
}

const SOURCES: Readonly<Record<string, Source>> = {
  'meeting-house': [
    'a meeting by the house rules, of offline minds',
    () => play(readExample('four'), 7),
  ],
  'meeting-classic': ['a meeting by the classic rules', () => play(readExample('classic'), 7)],
  'meeting-faults': [
    'replies that go wrong, repairs and faults',
    () => play(readExample('trouble'), 7),
  ],
  'meeting-ghosts': [
    'a full gallery, and beliefs after each tick',
    () => play(readExample('ghosts'), 7, { beliefs: 'tick' }),
  ],
  'meeting-written': [
    'all that a match file can say of a meeting: record, map, sightings, personas',
    () => play(writtenMeeting(), 4),
  ],
  'game-house': [
    'a game by the house rules, with beliefs at each meeting',
    () => play(plainGame(6, undefined, 'house'), 17, { beliefs: 'meeting' }),
  ],
  'game-classic': [
    'a game by the classic rules, with ghosts who do tasks',
    () => play(plainGame(7, 1, 'classic'), 5),
  ],
  'game-written': [
    'all that a match file can say of a game: every option, a map, lessons',
    () => play(writtenGame(), 3),
  ],
  'game-orders': [
    'orders of every kind, most of which can not be done',
    () =>
      play(aGame({ ...plainGame(5), options: { max_rounds: 80, kill_cooldown: 60 } }), 16, {
        recast: ordering(),
      }),
  ],
  'game-gossip': [
    'meetings of a game at which anything is said',
    () =>
      play(aGame({ ...plainGame(5), options: { max_rounds: 90 } }), 8, { recast: gossiping(8) }),
  ],
  'game-stumbling': [
    'players who fail and leave in the middle of a game',
    () =>
      play(aGame({ ...plainGame(7), options: { max_rounds: 120 } }), 5, { recast: stumbling(5) }),
  ],
  'game-interrupted': [
    'a game that the operator has ended in a round',
    () => playStopped(plainGame(5), 4, { how: 'stop', kind: 'action', index: 12 }),
  ],
  'game-interrupted-in-a-meeting': [
    'a game that the operator has ended at the table',
    () => playStopped(plainGame(5), 4, { how: 'stop', kind: 'discussion', index: 2 }),
  ],
  'game-unfinished': [
    'a game that a budget has ended',
    () => playStopped(plainGame(5), 4, { how: 'end', kind: 'action', index: 20 }),
  ],
  'game-auction': ['a game in which silence counts after a grace', () => play(plainGame(6), 12)],
  'meeting-victim': ['a meeting whose file names the victim', () => play(writtenMeeting(), 3)],
  'meeting-outside': [
    'a meeting with an outside seat, whose persona writes in German',
    () => playOutside('call: { by: blue }'),
  ],
  'game-outside': [
    'a game with an outside seat, whose persona writes in German',
    () => playOutside('options: { max_rounds: 40 }'),
  ],
  'game-forfeited': [
    'a game that a side leaves through faults',
    () =>
      play(plainGame(4), 2, {
        recast: (mind, seat) => (['red', 'blue'].includes(seat) ? silentMind : mind),
      }),
  ],
  'game-torn': [
    'a game whose last line broke off, as after a crash',
    async () => tearOff(await play(plainGame(5), 11), 0.6),
  ],
  'game-resumed': [
    'the same game, gone on with',
    async () => resumeText(tearOff(await play(plainGame(5), 11), 0.6)),
  ],
  'meeting-forked': [
    'a meeting from whose third tick another mind sits in a seat',
    async () =>
      forkText(
        await play(readExample('four'), 7),
        { type: 'tick', meeting: 0, tick: 3 },
        { seat: 'lime' },
      ),
  ],
  'meeting-what-if': [
    'a meeting in which a player says something else',
    async () =>
      forkText(
        await play(readExample('electrical'), 7, { beliefs: 'meeting' }),
        { type: 'tick', meeting: 0, tick: 2 },
        { seat: 'orange', say: 'What if it was Blue?' },
      ),
  ],
  'meeting-person': [
    'a person at the table',
    () => play(withPerson(readExample('electrical'), 'orange'), 5, { person, isTimed: true }),
  ],
  'game-person': [
    'a person on the ship',
    () => play(withPerson(plainGame(5), 'red'), 3, { person, isTimed: true }),
  ],
  ...Object.fromEntries(
    [3, 5, 8, 10, 13, 21].map((seed) => [
      `turmoil-${seed}`,
      [
        'a table at which players leave and the operator may end it, at any moment',
        () => playTurmoil(seed),
      ],
    ]),
  ),
  crowd: ['fifteen players', () => play(aTable({ living: 15 }, { options: { max_ticks: 14 } }), 2)],
  ...Object.fromEntries(
    (['o2', 'lights', 'comms'] as const).map((crisis) => [
      `meeting-${crisis}`,
      [`a body that was found while ${crisis} was broken`, () => playCrisis(crisis)],
    ]),
  ),
  'meeting-odd': [
    'every option of a meeting away from its default, and seats of every kind of mind',
    () => play(oddMeeting(), 6, { person: standIn, beliefs: 'meeting', believers: believeOddly() }),
  ],
  'meeting-empty': [
    'a vote in which nobody has voted',
    () =>
      play(
        aTable(
          { living: 4 },
          { options: { rules: 'classic', voting_time: 15, discussion_time: 15 } },
        ),
        1,
        {
          recast: () =>
            aMind(({ index }) => ({ message: 'I say nothing of it.', desire_to_speak: index % 5 })),
        },
      ),
  ],
  'meeting-paused': [
    'a player who leaves, and an operator who ends the meeting, between two ticks',
    () =>
      play(aTable({ living: 5 }, { options: { beat_ms: 20 } }), 3, {
        isTimed: true,
        begun: (match, clock) => {
          clock.setTimeout(() => match.leave?.('green'), 30);
          clock.setTimeout(() => match.stop(), 70);
        },
      }),
  ],
  'meeting-deserted': [
    'a meeting that all players leave',
    () =>
      play(aTable({ living: 4 }), 1, {
        recast: () => ({ pace: 'at-once', answer: ({ index }) => (index > 2 ? LEAVE : FAULT) }),
      }),
  ],
  'meeting-unconverged': [
    'a meeting that a limit has ended',
    () => playStopped(aTable({ living: 4 }), 1, { how: 'end', kind: 'discussion', index: 2 }),
  ],
  'game-minds': [
    'a game with seats of every kind of mind, on another map',
    () => play(otherGame(), 5, { person: standIn, beliefs: 'tick', believers: believeOddly() }),
  ],
  'game-nowhere': [
    'orders to go and watch where the map has no such place',
    () => {
      const seats = COLOURS.slice(0, 5).map((colour) => ({ colour }));
      return play(
        aGame({
          name: 'Nowhere',
          map: RAFT,
          options: { impostors: 1, common_tasks: 0, long_tasks: 0, max_rounds: 60 },
          seats,
        }),
        4,
        { recast: ordering() },
      );
    },
  ],
  'game-witness': [
    'a player who has seen an impostor come out of a vent',
    () => play(aGame({ ...plainGame(7), options: { kill_cooldown: 10, crew_vision: 3 } }), 5),
  ],
  'game-tasks': [
    'a crew that has done its tasks',
    () =>
      play(
        aGame({
          ...plainGame(6),
          options: { common_tasks: 0, long_tasks: 0, short_tasks: 1, kill_cooldown: 60 },
        }),
        2,
      ),
  ],
  'models-meeting': [
    'models at the table: three of ten requests fail, calls, retries and repairs; beliefs',
    () => modelMeeting({ steps: faulty(0.3, 1) }, '--beliefs', 'tick'),
  ],
  'models-texts': [
    'a model that takes no schema',
    () => modelMeeting({ steps: TABLE['05'] ?? [] }),
  ],
  'models-repaired': [
    'a model whose JSON is repaired',
    () => modelMeeting({ steps: TABLE['175'] ?? [] }, '--max-calls', '9'),
  ],
  'models-streamed': [
    'models that stream, with every setting of a model',
    () =>
      modelMeeting(
        {},
        ...'--stream --temperature 0.3 --effort low --level advanced --key OWN_KEY'.split(' '),
      ),
  ],
  'models-budget': [
    'a game of models that a budget has ended',
    () =>
      withEndpoint({ steps: faulty(0.1, 1) }, (model) =>
        runCommands([aRun('--players', '4', '--max-calls', '30', ...model)], GAME),
      ),
  ],
  'models-game': [
    'a game of models that was killed, and gone on with',
    () =>
      withEndpoint({ steps: faulty(0.1, 1) }, async (model) => {
        const short = aRun('--rules', 'classic', '--players', '4', ...model);
        const whole = await runCommands([short], GAME);
        return await runCommands([['resume', 'a.jsonl', ...model]], 'a.jsonl', (folder) =>
          writeFileSync(join(folder, 'a.jsonl'), tearOff(whole, 0.3)),
        );
      }),
  ],
  'own-minds': [
    'minds of the operator: commands, a module, HTTP, and one that talks rubbish',
    playOwnMinds,
  ],
};

const messageSchema = z.object({ type: z.string(), id: z.int().default(0) });

/** The address of a mind over HTTP that answers nothing useful but keeps to the protocol. */
async function playOwnMinds(): Promise<string> {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      const { type, id } = messageSchema.parse(JSON.parse(text));
      const answer =
        type === 'hello'
          ? { type: 'hello', protocol: 1, name: 'web' }
          : {
              type: 'answer',
              id,
              answer: {
                message: 'I was in Admin.',
                desire_to_speak: 3,
                vote_action: 'skip',
                action: null,
              },
            };
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const game = `name: Minds of one's own
options: { rules: classic, max_rounds: 60 }
seats:
  - { colour: red, mind: command, command: [python3, random_player.py] }
  - { colour: blue, role: crewmate, mind: command, command: 'node rubbish.mjs', folder: . }
  - { colour: green, mind: command, command: [node, logicalPlayer.ts] }
  - { colour: pink, mind: module, module: ./randomPlayer.ts, folder: . }
  - { colour: orange, mind: http, url: 'http://127.0.0.1:${address.port}/' }
  - { colour: yellow, persona: joker, role: impostor }
  - { colour: white, persona: leader }
`;
  try {
    return await runCommands([[...aRun('game.yaml', '--beliefs', 'meeting')]], GAME, (folder) => {
      for (const name of ['random_player.py', 'logicalPlayer.ts', 'randomPlayer.ts']) {
        cpSync(join(ROOT, 'examples/minds', name), join(folder, name));
      }
      writeFileSync(join(folder, 'game.yaml'), game);
      writeFileSync(
        join(folder, 'rubbish.mjs'),
        "process.stdin.on('data', () => console.log('As a language model'));\n",
      );
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

type Manifest = Readonly<Record<string, { readonly shows: string; readonly sha256: string }>>;

function readManifest(): Manifest {
  return existsSync(MANIFEST) ? JSON.parse(readFileSync(MANIFEST, 'utf8')) : {};
}

/** As small as can be: these files are kept for ever. */
function pack(text: string): Buffer {
  const params = { [constants.ZSTD_c_compressionLevel]: 22, [constants.ZSTD_c_checksumFlag]: 1 };
  return zstdCompressSync(text, { params });
}

const wanted = process.argv.slice(2);
for (const [name, [shows, make]] of Object.entries(SOURCES)) {
  if (readManifest()[name] !== undefined || (wanted.length > 0 && !wanted.includes(name))) continue;
  const text = await make().catch((error: unknown) => {
    console.error(`${name}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
    return null;
  });
  if (text === null) continue;
  const bytes = pack(text);
  writeFileSync(join(FOLDER, `${name}.jsonl.zst`), bytes, { flag: 'wx' });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const manifest = { ...readManifest(), [name]: { shows, sha256 } };
  writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
  console.log(`${name}: ${bytes.length} bytes`);
}
