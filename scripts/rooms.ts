/**
 * Which room may import what: the one table behind the linter's import rules. `node scripts/rooms.ts` writes it as
 * `biome.rooms.json`, which `biome.json` extends. A later row replaces an earlier one for the files that both name.
 */
import { writeFileSync } from 'node:fs';

type ImportRule = {
  readonly files: readonly string[];
  /** Each group of patterns that are refused (those with `!` are allowed after all), and the advice that is printed. */
  readonly refused: readonly { readonly group: readonly string[]; readonly message: string }[];
};

const ROOMS = words(
  'machines checker prompts actors analysis proofs visualizer cli scripts tests playground',
);

/** Modules of Node.js that reach outside: only a port imports them. */
const PORTED = words(`node:sqlite node:fs node:fs/* node:worker_threads node:child_process node:http
  node:https node:net node:process node:timers node:timers/*`);
const NODE = ['!node:*', '!node:*/**'];

/** The files of actors/ that own one module or package of the outside world each. */
const OWNERS = {
  'actors/doors/mcp.ts': ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio'],
  'actors/engine/bids.ts': ['rxjs'],
  'actors/engine/effects.ts': ['glass-box-checker/compile'],
  'actors/engine/configFile.ts': ['yaml'],
  'actors/minds/openai/transport.ts': ['#openai'],
  'actors/stores/redis.ts': ['ioredis'],
  'actors/stores/sqlite.ts': ['node:sqlite'],
  'actors/league/queue.ts': ['bullmq'],
  'actors/ports/disk.ts': ['node:fs', 'node:fs/promises'],
  'actors/ports/reading.ts': ['node:fs', 'node:net'],
  'actors/ports/threads.ts': ['node:worker_threads'],
  'actors/ports/time.ts': ['node:timers/promises'],
  'actors/ports/process.ts': ['node:child_process'],
  'actors/ports/commands.ts': ['node:child_process'],
};

const COUNTERS = {
  'analysis/report/database.ts': 'node:sqlite',
  'analysis/tables/formats.ts': 'hyparquet-writer',
};

const MACHINE =
  'A machine names effects and an actor provides them: machines/ imports machines/ and xstate only.';
const RULE =
  'A rule is arithmetic over plain values: import types.ts, text.ts and other rules only, and pass in whatever else it needs.';
const CHECKER =
  'The checker knows no meeting: hand it a machine, and properties as data (proofs/).';
const PACKAGED = 'The checker is a package of its own: import glass-box-checker.';
const PICTURE =
  'Draw from the journal, never from live actors: what a picture needs is written into a journal line.';
const PORT = `A package of the outside world has one file of its own: go through the port of that file (${Object.keys(OWNERS).join(', ')}).`;
const TOP =
  'Nobody imports tests or the playground: move what is shared into the folder that owns it.';

/** Refuses everything but the room's own files, the named rooms or parts of rooms, and the named packages. */
function only(own: string, named: string, packages: string): string[] {
  const rooms = words(named);
  const closed = ROOMS.filter((one) => one !== own && !rooms.includes(one));
  const parts = rooms.filter((one) => !ROOMS.includes(one));
  return [
    ...['**', '!./**', '!../**'],
    ...closed.map((one) => `**/${one}/**`),
    ...parts.map((part) => `!**/${part}`),
    ...words(packages).map((name) =>
      /^[!*]/.test(name) || PORTED.includes(name) ? name : `!${name}`,
    ),
  ];
}

function room(files: string, group: string | readonly string[], message: string): ImportRule {
  return {
    files: words(files),
    refused: [{ group: typeof group === 'string' ? words(group) : group, message }],
  };
}

function words(list: string): readonly string[] {
  return list.split(/\s+/).filter((word) => word !== '');
}

const COUNTED =
  'What is worked out from journals is handed to commands and pictures as data: analysis/ imports machines, prompts and actors.';

const analysis = (owned: string) =>
  only('analysis', 'machines prompts actors', ['zod', ...NODE, ...PORTED, owned].join(' '));

const ACTOR = ['**', '!./**', '!../**', '!xstate', '!zod', ...NODE, ...PORTED];
const EDGE = {
  group: words('analysis checker cli proofs playground tests visualizer').map(
    (name) => `**/${name}/**`,
  ),
  message:
    'The edges start actors, not the other way round: hand the edge in as a function or a sink.',
};
const DRAWN = `machines/types.ts machines/text.ts machines/journal/** machines/rules/**
  machines/messages.ts machines/turnPrompt.ts prompts/claims/** analysis proofs`;
const drawing = (files: string, packages: string, named = DRAWN) =>
  room(files, only('visualizer', named, packages), PICTURE);
const LIBRARY = [
  { group: ['**/tests/**', '**/playground/**'], message: TOP },
  { group: ['**/checker/**'], message: PACKAGED },
];
const COMMAND = [
  ...LIBRARY,
  {
    group: [...PORTED, 'ioredis', 'bullmq', 'openai'],
    message:
      'A command reaches disk, process, threads and network through the ports of actors/ports/ and the rooms that have them.',
  },
];
const WITHIN = './**/../** ../*/**/../**';

export const TABLE: readonly ImportRule[] = [
  room('machines/*.ts', '** !./** ./**/../** !xstate', MACHINE),
  room('machines/charts/**', `** !./** !../** .. ../.. ../../** ${WITHIN} !xstate`, MACHINE),
  room(
    'machines/setup/**',
    `** !./** !../** .. ../.. ../../** ${WITHIN} !zod`,
    'What a file may say is described by schemas in machines/setup/ and machines/journal/: they import machines/ and zod, no statechart library.',
  ),
  room(
    'machines/journal/**',
    `** !./** !../types.ts !../text.ts !../versions.ts !../rules/** !../setup/** ${WITHIN} !zod`,
    'The journal is read without a statechart: machines/journal/ imports types, text, versions, rules, the schemas of machines/setup/ and zod.',
  ),
  room(
    'machines/types.ts machines/text.ts',
    '**',
    'machines/types.ts and machines/text.ts import nothing: move what needs an import into the file that owns it.',
  ),
  room('machines/rules/**', '** !./* !../types.ts !../text.ts', RULE),
  room('machines/rules/ship/**', '** !./* !../*.ts !../../types.ts !../../text.ts', RULE),
  room('checker/**', only('checker', '', 'xstate'), CHECKER),
  room(
    'checker/tests/** checker/examples/**',
    only(
      'checker',
      'tests',
      'xstate xstate/graph !node:* glass-box-checker glass-box-checker/** vitest fast-check',
    ),
    CHECKER,
  ),
  room(
    'checker/command/** checker/vitest.ts',
    only('checker', '', 'xstate !node:* vitest'),
    CHECKER,
  ),
  room(
    'prompts/**',
    only('prompts', 'machines/types.ts machines/text.ts machines/rules/**', 'zod jsonrepair'),
    'A prompt is a function from a view to text: put what it needs into the view (machines/rules/views.ts).',
  ),
  { files: ['actors/**'], refused: [{ group: ACTOR, message: PORT }, EDGE] },
  ...Object.entries(OWNERS).map(([file, owned]) => ({
    files: [file],
    refused: [{ group: [...ACTOR, ...owned.map((name) => `!${name}`)], message: PORT }, EDGE],
  })),
  room('analysis/**', analysis(''), COUNTED),
  ...Object.entries(COUNTERS).map(([file, owned]) => room(file, analysis(`!${owned}`), COUNTED)),
  room(
    'proofs/**',
    only(
      'proofs',
      'machines actors',
      `glass-box-checker glass-box-checker/** xstate zod ${NODE.join(' ')} node:sqlite #manifest`,
    ),
    'A proof knows the machines, the checker and how a journal is played again: proofs/ imports nothing that draws or prints.',
  ),
  drawing('visualizer/**', '!node:util'),
  drawing('visualizer/server/server.ts', '!node:util !node:http'),
  drawing('visualizer/server/sockets.ts', '!node:stream !node:http ws'),
  drawing('visualizer/charts/**', '!node:util xstate elkjs elkjs/**'),
  drawing('visualizer/charts/machineRun.ts', '!node:util xstate', 'machines analysis proofs'),
  drawing('visualizer/page/**', 'preact preact/hooks @preact/signals glass-box-checker/formats'),
  drawing('visualizer/page/build/**', '!node:* vite elkjs elkjs/**', 'machines analysis proofs'),
  {
    files: words('visualizer/playground/** actors/index.ts actors/library.ts actors/unstable.ts'),
    refused: LIBRARY,
  },
  {
    files: ['cli/**', '!cli/launcher.js'],
    refused: [
      ...COMMAND,
      {
        group: ['**/ports/reading.ts'],
        message:
          "What comes from outside is opened by actors/files/openFiles.ts, which refuses what can't be read.",
      },
    ],
  },
  { files: ['scripts/**'], refused: LIBRARY },
  room('tests/**', '**/checker/** !**/checker/tests/**', PACKAGED),
];

export function writeOverrides(): string {
  const lines = TABLE.map(({ files, refused }) => {
    const noRestrictedImports = { level: 'error', options: { patterns: refused } };
    const linter = { rules: { style: { noRestrictedImports } } };
    return JSON.stringify({ includes: files, linter });
  });
  return `{"overrides":[\n${lines.join(',\n')}\n]}\n`;
}

if (import.meta.main)
  writeFileSync(new URL('../biome.rooms.json', import.meta.url), writeOverrides());
