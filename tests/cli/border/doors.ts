/** The doors: every argument and option that takes a path. */
import type { Command } from 'commander';

export const ROLES = [
  'journal',
  'open journal',
  'meeting',
  'game',
  'league',
  'persona',
  'prices',
  'environment',
  'profile',
  'module',
  'store',
  'folder',
  'bundle',
] as const;
export type Role = (typeof ROLES)[number];

type Door = { readonly role: Role; readonly words: (path: string) => readonly string[] };

const END = ['--json', '--quiet'];
const PLAY = ['run', '--seed', '1', '--out', 'played', '-q'];
const FORECAST = ['benchmark', '--model', 'x', '--games', '1', '--dry-run'];
const MEET = ['--seed', '1', '--out', 'met.jsonl', '-q'];

/**
 * By command and argument or option, as the command line names them. Brackets name a file that another file refers
 * to.
 */
export const DOORS: Readonly<Record<string, Door>> = {
  'run [match]': { role: 'game', words: (path) => [...PLAY, path] },
  'run (a meeting)': { role: 'meeting', words: (path) => ['run', path, ...MEET] },
  'run --dotenv': { role: 'environment', words: (path) => ['run', '--dry-run', '--dotenv', path] },
  'run --prices': { role: 'prices', words: (path) => ['run', '--dry-run', '--prices', path] },
  'run --profile': { role: 'profile', words: (path) => ['run', '--dry-run', '--profile', path] },
  'play [match]': {
    role: 'game',
    words: (path) => ['play', path, '--terminal', '--seed', '1', '--out', 'played'],
  },
  'league run <file>': {
    role: 'league',
    words: (path) => ['league', 'run', path, '--store', 'new.db', '--out', 'games', ...END],
  },
  'league run (file of a persona)': {
    role: 'persona',
    words: () => ['league', 'run', 'named.yaml', '--store', 'new.db', '--out', 'games', ...END],
  },
  'league run --prices': {
    role: 'prices',
    words: (path) => ['league', 'run', 'league.yaml', '--store', 'p.db', '--prices', path, ...END],
  },
  'league run --store': {
    role: 'store',
    words: (path) => ['league', 'run', 'league.yaml', '--store', path, '--out', 'games', ...END],
  },
  'league status --store': store('league', 'status'),
  'league show --store': store('league', 'show'),
  'league rebuild --store': store('league', 'rebuild'),
  'league fetch --store': store('league', 'fetch', '--out', 'games'),
  'league export --store': store('league', 'export'),
  'league export --journals': folder('league', 'export', '--format', 'html', '-o', 'league.html'),
  'league view --store': store('league', 'view'),
  'league view --journals': folder('league', 'view'),
  'persona list --store': store('persona', 'list'),
  'persona show --store': store('persona', 'show', 'scripted_amber'),
  'persona new --store': store('persona', 'new', 'guest'),
  'persona forget --store': store('persona', 'forget', 'scripted_amber'),
  'persona rollback --store': store('persona', 'rollback', 'scripted_amber', '--to', '0'),
  'fork <journal>': {
    role: 'journal',
    words: (path) => ['fork', path, '--at', '2', '--out', 'fork.jsonl'],
  },
  'fork --dotenv': {
    role: 'environment',
    words: (path) => ['fork', 'a.jsonl', '--at', '2', '--out', 'fork.jsonl', '--dotenv', path],
  },
  'fork --prices': {
    role: 'prices',
    words: (path) => ['fork', 'a.jsonl', '--at', '2', '--out', 'fork.jsonl', '--prices', path],
  },
  'watch [journal]': { role: 'journal', words: (path) => ['watch', path] },
  'view [journal]': { role: 'journal', words: (path) => ['view', path, '--no-open'] },
  'export [journal]': { role: 'journal', words: (path) => ['export', path, '-o', 'page.html'] },
  'transcript <journal>': { role: 'journal', words: (path) => ['transcript', path] },
  'report --stats <journals>': { role: 'journal', words: (path) => ['report', '--stats', path] },
  'report --stats (a journal in a folder)': {
    role: 'journal',
    words: () => ['report', '--stats', 'linked'],
  },
  'report --prices': {
    role: 'prices',
    words: (path) => ['report', '--stats', 'a.jsonl', '--prices', path],
  },
  'check [match]': { role: 'meeting', words: (path) => ['check', path, '--max-states', '50'] },
  'report --deduce <journals>': { role: 'journal', words: (path) => ['report', '--deduce', path] },
  'report --tables <journals>': {
    role: 'journal',
    words: (path) => ['report', path, '--tables', 'csv', '--out', 'tabulated'],
  },
  'why <journals>': { role: 'journal', words: (path) => ['why', path, '--what', 'kills'] },
  'report <journals>': { role: 'journal', words: (path) => ['report', path, '-o', 'reported'] },
  'report --store': store('report', 'tiny', '-o', 'reported'),
  'report --journals': folder('report', 'tiny', '-o', 'reported'),
  'why --prices': {
    role: 'prices',
    words: (path) => ['why', 'a.jsonl', '--what', 'kills', '--prices', path],
  },
  'why --dotenv': {
    role: 'environment',
    words: (path) => ['why', 'a.jsonl', '--what', 'kills', '--dotenv', path],
  },
  'verify [things]': { role: 'journal', words: (path) => ['verify', path] },
  'verify [things] (a bundle)': {
    role: 'bundle',
    words: (path) => ['verify', path, '--jobs', '1'],
  },
  'verify --store': store('verify'),
  'verify --journals': folder('verify'),
  'verify (a journal in the folder)': {
    role: 'journal',
    words: () => ['verify', '--store', 'store.db', '--journals', 'linked'],
  },
  'benchmark --prices': { role: 'prices', words: (path) => [...FORECAST, '--prices', path] },
  'benchmark --dotenv': { role: 'environment', words: (path) => [...FORECAST, '--dotenv', path] },
  'doctor --dotenv': {
    role: 'environment',
    words: (path) => [
      'doctor',
      '--model',
      'x',
      '--base-url',
      'http://127.0.0.1:9',
      // No prompt appears: the key is in no file.
      '--key',
      'GLASSBOX_ABSENT',
      '--dotenv',
      path,
    ],
  },
  'doctor --prices': {
    role: 'prices',
    words: (path) => [
      'doctor',
      '--model',
      'x',
      '--base-url',
      'http://127.0.0.1:9',
      '--prices',
      path,
    ],
  },
  'doctor --mind': { role: 'module', words: (path) => ['doctor', '--mind', `module:${path}`] },
  'doctor --store': store('doctor'),
  'prompt <match>': {
    role: 'meeting',
    words: (path) => ['prompt', path, '--player', 'red', '--tick', '0'],
  },
  'prompt (a journal)': {
    role: 'journal',
    words: (path) => ['prompt', path, '--player', 'red', '--tick', '0'],
  },
  // These come last because they write into the files that they read.
  'resume --dotenv': {
    role: 'environment',
    words: (path) => ['resume', 'open.jsonl', '--dotenv', path],
  },
  'resume --prices': {
    role: 'prices',
    words: (path) => ['resume', 'open.jsonl', '--prices', path],
  },
  'resume [journal]': { role: 'open journal', words: (path) => ['resume', path] },
};

function store(...words: readonly string[]): Door {
  return { role: 'store', words: (path) => [...words, '--store', path] };
}

function folder(...words: readonly string[]): Door {
  return { role: 'folder', words: (path) => [...words, '--store', 'store.db', '--journals', path] };
}

/** Arguments and options whose values name no file. */
const OTHER = new Set([
  ...[
    '<n>',
    '[port]',
    '[colour]',
    '<colour>',
    '<colours>',
    '<lens>',
    '<speed>',
    '<p>',
    '<seconds>',
    '<time>',
  ],
  ...[
    '<names>',
    '<word>',
    '<json>',
    '<t>',
    '<name>',
    '[name]',
    '<name...>',
    '<url>',
    '<variable>',
    '<dollars>',
    '<moment>',
    '<text>',
  ],
  ...[
    '<model>',
    '<lesson...>',
    '<version>',
    '<MB>',
    '<id>',
    '[words...]',
    '[words]',
    '--redis',
    '--learned',
  ],
  // The source of a mind. `doctor` covers the same values.
  ...['run --mind', 'play --mind', 'fork --mind', 'benchmark --mind'],
  // Written and never read.
  ...[
    'run --out',
    'run --mind-log',
    'play --out',
    'play --mind-log',
    'why --mind-log',
    'doctor --mind-log',
    'league run --out',
    'league fetch --out',
  ],
  ...['league export --out', 'resume --mind-log', 'fork --out', 'fork --mind-log', 'export --out'],
  'export --card',
  ...['check --trace', 'check --page', 'check --junit', 'chart --out'],
  // Names of kinds and tables, and our own folders. tests/cli/why.test.ts spoils a result of our own.
  ...['why --what', 'why --out', 'tables --only', 'tables --out'],
  ...['benchmark --out', 'benchmark --mind-log'],
  ...['why --what', 'why --out', 'tables --only', 'tables --out', 'report --out'],
  ...['play --dotenv', 'play --prices', 'play --profile', 'resume --profile', 'fork --profile'],
  ...['why --profile', 'benchmark --profile', 'doctor --profile'],
  // A worker waits for a running Redis.
  'league worker --prices',
]);

export function listDoors(program: Command): readonly string[] {
  return program.commands.flatMap((command) => doorsOf(command, ''));
}

function doorsOf(command: Command, before: string): readonly string[] {
  const name = `${before}${command.name()}`;
  const arguments_ = command.registeredArguments
    .filter(({ argChoices }) => argChoices === undefined)
    .map((argument) => [argument.required ? `<${argument.name()}>` : `[${argument.name()}]`]);
  const options = command.options
    .filter(
      ({ required, optional, argChoices }) => (required || optional) && argChoices === undefined,
    )
    .map(({ flags, long }) => [long ?? flags, /[<[].*$/.exec(flags)?.[0] ?? '']);
  const own = [...arguments_, ...options]
    .filter((words) => words.every((word) => !OTHER.has(word) && !OTHER.has(`${name} ${word}`)))
    .map(([word]) => `${name} ${word}`);
  return [...own, ...command.commands.flatMap((inner) => doorsOf(inner, `${name} `))];
}
