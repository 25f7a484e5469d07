/**
 * The fences: which file may import what, with one plant for each side of each fence.
 *
 * This is the table of scripts/rooms.ts in a form that can be tried. The messages are repeated here word for word, so
 * that a row with another message fails.
 */

/** A planted file with imports that are allowed and imports that are refused with `message`. */
type Fence = {
  /** The purpose, as a sentence. */
  readonly name: string;
  readonly file: string;
  /** Separated by white space. */
  readonly allowed: string;
  readonly forbidden: string;
  readonly message: string;
};

const RULE =
  'A rule is arithmetic over plain values: import types.ts, text.ts and other rules only, and pass in whatever else it needs.';
const MACHINE =
  'A machine names effects and an actor provides them: machines/ imports machines/ and xstate only.';
const SCHEMA =
  'What a file may say is described by schemas in machines/setup/ and machines/journal/: they import machines/ and zod, no statechart library.';
const JOURNAL =
  'The journal is read without a statechart: machines/journal/ imports types, text, versions, rules, the schemas of machines/setup/ and zod.';
const CHECKER =
  'The checker knows no meeting: hand it a machine, and properties as data (proofs/).';
const PACKAGED = 'The checker is a package of its own: import glass-box-checker.';
const PROMPT =
  'A prompt is a function from a view to text: put what it needs into the view (machines/rules/views.ts).';
const PACKAGE =
  'A package of the outside world has one file of its own: go through the port of that file';
const EDGE =
  'The edges start actors, not the other way round: hand the edge in as a function or a sink.';
const PICTURE =
  'Draw from the journal, never from live actors: what a picture needs is written into a journal line.';
const ANALYSIS =
  'What is worked out from journals is handed to commands and pictures as data: analysis/ imports machines, prompts and actors.';
const PROOF =
  'A proof knows the machines, the checker and how a journal is played again: proofs/ imports nothing that draws or prints.';
const COMMAND =
  'A command reaches disk, process, threads and network through the ports of actors/ports/ and the rooms that have them.';
const BORDER =
  "What comes from outside is opened by actors/files/openFiles.ts, which refuses what can't be read.";
const TOP =
  'Nobody imports tests or the playground: move what is shared into the folder that owns it.';

/** Packages that only one file of actors/ may import. */
const OUTSIDE = [
  'rxjs',
  '@modelcontextprotocol/server',
  'yaml',
  'openai',
  'ioredis',
  'bullmq',
  'node:sqlite',
  'node:fs',
  'node:worker_threads',
  'node:child_process',
  'node:timers/promises',
];

/** What no file of actors/ imports. */
const UNUSED = ['node:http', 'node:https', 'node:net', 'node:process'];

/** Files of actors/ with a package of their own. */
const PORTS = {
  'actors/engine/bids.ts': 'rxjs',
  'actors/engine/configFile.ts': 'yaml',
  'actors/engine/effects.ts': 'glass-box-checker/compile',
  'actors/minds/openai/transport.ts': '#openai',
  'actors/stores/redis.ts': 'ioredis',
  'actors/stores/sqlite.ts': 'node:sqlite',
  'actors/league/queue.ts': 'bullmq',
  'actors/ports/disk.ts': 'node:fs',
  'actors/ports/reading.ts': 'node:fs',
  'actors/ports/threads.ts': 'node:worker_threads',
  'actors/ports/process.ts': 'node:child_process',
  'actors/ports/commands.ts': 'node:child_process',
  'actors/ports/time.ts': 'node:timers/promises',
};

/** Files of analysis/ with a package of their own. */
const COUNTERS = {
  'analysis/report/database.ts': 'node:sqlite',
  'analysis/tables/formats.ts': 'hyparquet-writer',
};

const ROWS: readonly Fence[] = [
  {
    name: 'the words of the game import nothing',
    file: 'machines/types.ts',
    allowed: '',
    forbidden: './rules/dice.ts xstate zod node:fs',
    message:
      'machines/types.ts and machines/text.ts import nothing: move what needs an import into the file that owns it.',
  },
  {
    name: 'a rule imports the words and its sisters',
    file: 'machines/rules/planted.ts',
    allowed: '../types.ts ../text.ts ./dice.ts',
    forbidden: '../arbiter.ts ./../arbiter.ts ../../actors/engine/match.ts xstate zod node:fs',
    message: RULE,
  },
  {
    name: 'a rule of the ship imports the words, rules and the ship',
    file: 'machines/rules/ship/planted.ts',
    allowed: './sight.ts ../dice.ts ./map.ts ../../types.ts ../../text.ts',
    forbidden: `../../charts/game.ts ../../charts/player/knowledge.ts ./../../charts/game.ts
      ../../../actors/engine/match.ts xstate zod node:fs`,
    message: RULE,
  },
  {
    name: 'a rule of meetings knows no ship',
    file: 'machines/rules/ashore.ts',
    allowed: '',
    forbidden: './ship/world.ts ./ship/map.ts',
    message: RULE,
  },
  {
    name: 'a machine imports machines and xstate',
    file: 'machines/planted.ts',
    allowed: './rules/dice.ts ./charts/meeting/setup.ts ./types.ts xstate',
    forbidden: `../actors/engine/match.ts ./../actors/engine/match.ts
      ./rules/../../actors/engine/match.ts ../prompts/reply.ts ../checker/explore.ts
      glass-box-checker rxjs zod node:fs`,
    message: MACHINE,
  },
  {
    name: 'a statechart imports machines and xstate',
    file: 'machines/charts/planted.ts',
    allowed: '../messages.ts ../rules/table.ts ./meeting/setup.ts xstate',
    forbidden: `../../actors/engine/match.ts ../../actors/engine/match.ts .. ../.. zod node:fs`,
    message: MACHINE,
  },
  {
    name: 'the setup of a match describes files',
    file: 'machines/setup/planted.ts',
    allowed: '../types.ts ../rules/options.ts ../rules/ship/map.ts zod',
    forbidden: '../../actors/engine/configFile.ts xstate yaml',
    message: SCHEMA,
  },
  {
    name: 'the journal describes its lines and knows no statechart',
    file: 'machines/journal/planted.ts',
    allowed: `../types.ts ../text.ts ../versions.ts ../rules/facts.ts ../setup/match.ts
      ./canonical.ts zod`,
    forbidden: `../messages.ts ../charts/meeting.ts ../../actors/engine/match.ts xstate
      node:crypto`,
    message: JOURNAL,
  },
  {
    name: 'the checker knows no meeting',
    file: 'checker/planted.ts',
    allowed: './explore.ts xstate',
    forbidden: `../machines/charts/meeting.ts ../machines/types.ts ../actors/engine/match.ts
      ./tests/law.ts glass-box-checker node:fs`,
    message: CHECKER,
  },
  {
    name: 'the command of the checker reads files, and knows no meeting',
    file: 'checker/command/planted.ts',
    allowed: '../check.ts ./load.ts xstate node:fs',
    forbidden: '../../machines/charts/meeting.ts ../../cli/input.ts ../tests/law.ts zod',
    message: CHECKER,
  },
  {
    name: 'an example of the checker knows the package by its name, and no meeting',
    file: 'checker/examples/planted.ts',
    allowed: 'glass-box-checker glass-box-checker/compile xstate node:fs',
    forbidden: '../../machines/charts/meeting.ts ../../proofs/a.ts rxjs',
    message: CHECKER,
  },
  {
    name: 'a test of the checker knows no meeting either',
    file: 'checker/tests/planted.ts',
    allowed: '../check.ts ./law.ts vitest fast-check xstate node:fs',
    forbidden: '../../machines/charts/meeting.ts ../../tests/cli/shell.ts',
    message: CHECKER,
  },
  {
    name: 'a prompt imports prompts, the words and the rules',
    file: 'prompts/planted.ts',
    allowed: './reply.ts ../machines/types.ts ../machines/rules/views.ts zod jsonrepair',
    forbidden: `../machines/charts/player.ts ../actors/engine/match.ts ./../actors/engine/match.ts
      xstate node:fs`,
    message: PROMPT,
  },
  {
    name: 'a prompt deeper down imports the same',
    file: 'prompts/strategy/planted.ts',
    allowed: '../reply.ts ../../machines/types.ts ../../machines/rules/views.ts',
    forbidden: '../../machines/charts/player.ts ../../visualizer/charts/chartSvg.ts',
    message: PROMPT,
  },
  {
    name: 'an actor imports machines, prompts, xstate and node',
    file: 'actors/planted.ts',
    allowed: `./engine/match.ts ../machines/charts/meeting.ts ../prompts/reply.ts xstate zod
      node:crypto`,
    forbidden: [
      ...OUTSIDE,
      ...UNUSED,
      'node:fs/promises',
      'rxjs/testing',
      'glass-box-checker',
    ].join(' '),
    message: PACKAGE,
  },
  {
    name: 'an actor knows no edge',
    file: 'actors/minds/planted.ts',
    allowed: './port.ts ../engine/session.ts ../../machines/types.ts',
    forbidden: `../../cli/glassbox.ts ../../visualizer/charts/chartSvg.ts ../../checker/explore.ts
      ../../visualizer/playground/engine.ts ../../tests/setup.ts ../tests/bench/bench.ts
      ./../../cli/glassbox.ts`,
    message: EDGE,
  },
  ...Object.entries(PORTS).map(([file, own]) => ({
    name: `${own} belongs to one file`,
    file,
    allowed: `${own} xstate`,
    forbidden: OUTSIDE.filter((name) => name !== own).join(' '),
    message: PACKAGE,
  })),
  {
    name: 'what is worked out from journals draws nothing',
    file: 'analysis/planted.ts',
    allowed: '../machines/journal/lines.ts ../prompts/reply.ts ../actors/engine/match.ts',
    forbidden: `../visualizer/charts/svg.ts ../cli/glassbox.ts ../proofs/a.ts rxjs node:fs
      node:timers/promises`,
    message: ANALYSIS,
  },
  ...Object.entries(COUNTERS).map(([file, own]) => ({
    name: `${own} belongs to one file of analysis/`,
    file,
    allowed: `${own} zod node:path`,
    forbidden: ['node:sqlite', 'hyparquet-writer', 'node:fs']
      .filter((name) => name !== own)
      .join(' '),
    message: ANALYSIS,
  })),
  {
    name: 'a proof knows the machines and the checker',
    file: 'proofs/planted.ts',
    allowed: `../machines/charts/meeting.ts glass-box-checker glass-box-checker/formats
      ../actors/replay/replay.ts`,
    forbidden: `../visualizer/charts/svg.ts ../cli/glassbox.ts ../visualizer/playground/engine.ts
      ../prompts/reply.ts ../checker/check.ts rxjs`,
    message: PROOF,
  },
  {
    name: 'a picture is drawn from the journal',
    file: 'visualizer/terminal/planted.ts',
    allowed: `./frame.ts ../charts/svg.ts ../../machines/journal/lines.ts
      ../../machines/types.ts ../../machines/journal/lens.ts
      ../../machines/turnPrompt.ts ../../machines/rules/dice.ts
      ../../analysis/counts/statistics.ts node:util`,
    forbidden: `../../machines/charts/meeting.ts ../../actors/engine/match.ts
      ../../prompts/reply.ts ../../cli/glassbox.ts ../../visualizer/playground/engine.ts
      xstate elkjs node:fs node:http`,
    message: PICTURE,
  },
  {
    name: 'one file serves sockets',
    file: 'visualizer/server/sockets.ts',
    allowed: './broadcast.ts node:http node:stream ws',
    forbidden: '../../actors/engine/match.ts node:fs node:net',
    message: PICTURE,
  },
  {
    name: 'one file serves pages',
    file: 'visualizer/server/server.ts',
    allowed: './broadcast.ts node:http',
    forbidden: '../../actors/engine/match.ts node:fs node:net',
    message: PICTURE,
  },
  {
    name: 'a chart is laid out by elkjs and described by xstate',
    file: 'visualizer/charts/planted.ts',
    allowed: './graph.ts xstate elkjs/lib/elk.bundled.js ../../machines/types.ts',
    forbidden: '../../machines/charts/meeting.ts node:fs',
    message: PICTURE,
  },
  {
    name: 'the page draws with preact',
    file: 'visualizer/page/game/view/planted.ts',
    allowed: `./seat.tsx ../../../map/svg.ts ../../../../machines/journal/lens.ts
      ../../../../machines/turnPrompt.ts preact preact/hooks @preact/signals`,
    forbidden: `../../../../machines/charts/meeting.ts ../../../../actors/engine/match.ts vite
      node:fs zod`,
    message: PICTURE,
  },
  {
    name: 'the page is built from the machines that run',
    file: 'visualizer/page/build/planted.ts',
    allowed: `../../charts/graph.ts ../../../machines/charts/meeting.ts
      ../../../proofs/explorer/report.ts vite elkjs/lib/elk.bundled.js node:fs node:zlib`,
    forbidden: '../../../actors/engine/match.ts ../../../cli/glassbox.ts preact openai',
    message: PICTURE,
  },
  {
    name: 'a command imports everything but tests and the playground',
    file: 'cli/planted.ts',
    allowed: `./play.ts ../actors/engine/match.ts ../visualizer/charts/svg.ts commander
      node:path`,
    forbidden: '../tests/setup.ts ../tests/bench/bench.ts ../visualizer/playground/engine.ts',
    message: TOP,
  },
  {
    name: 'the playground imports everything but tests',
    file: 'visualizer/playground/planted.ts',
    allowed: `./engine.ts ../actors/replay/continue.ts ../proofs/checks/mutation.ts
      ../visualizer/page/game/app.tsx glass-box-checker @noble/hashes vite node:fs`,
    forbidden: '../tests/setup.ts ../tests/bench/bench.ts ../tests/storm/storm.ts',
    message: TOP,
  },
  {
    name: 'a command goes through the ports',
    file: 'cli/league/planted.ts',
    allowed: '../../actors/ports/disk.ts node:path node:readline',
    forbidden: `node:fs node:fs/promises node:child_process node:worker_threads node:http
      node:timers/promises node:process ioredis`,
    message: COMMAND,
  },
  {
    name: 'a command opens what comes from outside by its input',
    file: 'cli/planted/opens.ts',
    allowed: '../../actors/files/openFiles.ts ../../actors/ports/disk.ts',
    forbidden: '../../actors/ports/reading.ts',
    message: BORDER,
  },
  {
    name: 'a command knows the checker by the name of its package',
    file: 'cli/check/planted.ts',
    allowed: 'glass-box-checker glass-box-checker/formats',
    forbidden: '../../checker/check.ts',
    message: PACKAGED,
  },
  {
    name: 'a test knows the checker by the name of its package',
    file: 'tests/proofs/planted.ts',
    allowed: 'glass-box-checker ../../proofs/a.ts ../../checker/tests/agreement.ts',
    forbidden: '../../checker/check.ts',
    message: PACKAGED,
  },
];

function splitWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

export const FENCES = ROWS.map(({ allowed, forbidden, ...row }) => ({
  ...row,
  allowed: splitWords(allowed),
  forbidden: splitWords(forbidden),
}));
