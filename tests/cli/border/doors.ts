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

/** The words of a command line, with the path in the place of PATH. */
function door(role: Role, line: string): Door {
  return { role, words: (path) => line.split(' ').map((word) => word.replace('PATH', () => path)) };
}

const store = (line: string) => door('store', `${line} --store PATH`);
const folder = (line: string) => door('folder', `${line} --store store.db --journals PATH`);

const CUP = 'league run league.yaml --out games --json --quiet';
const FORK = 'fork a.jsonl --at 2 --out fork.jsonl';
const WHY = 'why a.jsonl --what kills';
const FORECAST = 'benchmark --model x --games 1 --dry-run';
const DOCTOR = 'doctor --model x --base-url http://127.0.0.1:9';

/**
 * By command and argument or option, as the command line names them. Brackets name a file that another file refers
 * to.
 */
export const DOORS: Readonly<Record<string, Door>> = {
  'run [match]': door('game', 'run --seed 1 --out played -q PATH'),
  'run (a meeting)': door('meeting', 'run PATH --seed 1 --out met.jsonl -q'),
  'run --dotenv': door('environment', 'run --dry-run --dotenv PATH'),
  'run --prices': door('prices', 'run --dry-run --prices PATH'),
  'run (a profile)': door('profile', 'run --dry-run --profile PATH'),
  'play [match]': door('game', 'play PATH --terminal --seed 1 --out played'),
  'league run <file>': door('league', 'league run PATH --store new.db --out games --json --quiet'),
  'league run (file of a persona)': door(
    'persona',
    'league run named.yaml --store new.db --out games --json --quiet',
  ),
  'league run --prices': door('prices', `${CUP} --store p.db --prices PATH`),
  'league run --store': store(CUP),
  'league status --store': store('league status'),
  'league show --store': store('league show'),
  'league rebuild --store': store('league rebuild'),
  'league fetch --store': store('league fetch --out games'),
  'league export --store': store('league export'),
  'league export --journals': folder('league export --format html -o league.html'),
  'league view --store': store('league view'),
  'league view --journals': folder('league view'),
  'persona list --store': store('persona list'),
  'persona show --store': store('persona show scripted_amber'),
  'persona new --store': store('persona new guest'),
  'persona forget --store': store('persona forget scripted_amber'),
  'persona rollback --store': store('persona rollback scripted_amber --to 0'),
  'fork <journal>': door('journal', 'fork PATH --at 2 --out fork.jsonl'),
  'fork --dotenv': door('environment', `${FORK} --dotenv PATH`),
  'fork --prices': door('prices', `${FORK} --prices PATH`),
  'watch [journal]': door('journal', 'watch PATH'),
  'view [journal]': door('journal', 'view PATH --no-open'),
  'export [journal]': door('journal', 'export PATH -o page.html'),
  'transcript <journal>': door('journal', 'transcript PATH'),
  'report --stats (journals)': door('journal', 'report --stats PATH'),
  'report --stats (a journal in a folder)': door('journal', 'report --stats linked'),
  'report --prices': door('prices', 'report --stats a.jsonl --prices PATH'),
  'check [match]': door('meeting', 'check PATH --max-states 50'),
  'report --deduce (journals)': door('journal', 'report --deduce PATH'),
  'report --tables (journals)': door('journal', 'report PATH --tables csv --out tabulated'),
  'why <journals>': door('journal', 'why PATH --what kills'),
  'report <journals>': door('journal', 'report PATH -o reported'),
  'report --store': store('report tiny -o reported'),
  'report --journals': folder('report tiny -o reported'),
  'why --prices': door('prices', `${WHY} --prices PATH`),
  'why --dotenv': door('environment', `${WHY} --dotenv PATH`),
  'verify [things]': door('journal', 'verify PATH'),
  'verify [things] (a bundle)': door('bundle', 'verify PATH --jobs 1'),
  'verify --store': store('verify'),
  'verify --journals': folder('verify'),
  'verify (a journal in the folder)': door('journal', 'verify --store store.db --journals linked'),
  'benchmark --prices': door('prices', `${FORECAST} --prices PATH`),
  'benchmark --dotenv': door('environment', `${FORECAST} --dotenv PATH`),
  // No prompt appears: the key is in no file.
  'doctor --dotenv': door('environment', `${DOCTOR} --key GLASSBOX_ABSENT --dotenv PATH`),
  'doctor --prices': door('prices', `${DOCTOR} --prices PATH`),
  'doctor --mind': door('module', 'doctor --mind module:PATH'),
  'doctor --store': store('doctor'),
  'prompt <match>': door('meeting', 'prompt PATH --player red --tick 0'),
  'prompt (a journal)': door('journal', 'prompt PATH --player red --tick 0'),
  // These come last because they write into the files that they read.
  'resume --dotenv': door('environment', 'resume open.jsonl --dotenv PATH'),
  'resume --prices': door('prices', 'resume open.jsonl --prices PATH'),
  'resume [journal]': door('open journal', 'resume PATH'),
};

/** Arguments and options whose values name no file. */
const OTHER = new Set(
  [
    '<n>,[when],[port],[colour],<colour>,<colours>,<lens>,<speed>,<p>,<seconds>,<time>,<names>',
    '<word>,<json>,<t>,<name>,[name],<name...>,<url>,<variable>,<dollars>,<moment>,<text>,<model>',
    '<lesson...>,<version>,<MB>,<id>,[words...],[words],--redis,--learned',
    // The source of a mind. `doctor` covers the same values.
    'run --mind,play --mind,fork --mind,benchmark --mind',
    // Written and never read.
    'run --out,run --mind-log,play --out,play --mind-log,why --mind-log,doctor --mind-log',
    'league run --out,league fetch --out,league export --out,resume --mind-log,fork --out',
    'fork --mind-log,export --out,export --card,check --trace,check --page,check --junit',
    'chart --out,verify --page,verify --junit',
    // Names of kinds and tables, and our own folders. tests/cli/why.test.ts spoils a result of our own.
    'why --what,why --out,report --only,report --out',
    'benchmark --out,benchmark --mind-log',
    // Another command reads the same kind of file.
    'play --dotenv,play --prices,play --profile,resume --profile,fork --profile,why --profile',
    'benchmark --profile,doctor --profile',
    // A worker waits for a running Redis.
    'league worker --prices',
  ].flatMap((words) => words.split(',')),
);

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
