/**
 * The fences: which file may import what, with one plant for each side of each fence.
 *
 * This is the table of docs/decisions/0001 in a form that can be tried. The messages are those of biome.json, word for
 * word: a fence that says something else is another fence.
 */

/** A file behind a fence, what it may import, what it may not, and what the linter says then. */
export type Fence = {
  /** What the fence is for, as a sentence. */
  readonly name: string;
  readonly file: string;
  readonly allowed: readonly string[];
  readonly forbidden: readonly string[];
  readonly message: string;
};

const RULE =
  'A rule is arithmetic over plain values: import ../types.ts and sister rules only, and pass in whatever else it needs.';
const MACHINE =
  'A machine names effects and an actor provides them: machines/ imports machines/ and xstate only.';
const WIRE =
  'The wire is described in machines/journal.ts and machines/scenario.ts: they import machines/ and zod, no statechart library.';
const CHECKER =
  'The checker knows no meeting: hand it a machine, and properties as data (machines/properties.ts).';
const PROMPT =
  'A prompt is a function from a view to text: put what it needs into the view (machines/rules/views.ts).';
const PACKAGE =
  'A package of the outside world has one file of its own: go through the port of that file (bids.ts, scenario-file.ts, minds/openai.ts, stores/redis.ts, stores/sqlite.ts, league/queue.ts).';
const EDGE =
  'The edges start actors, not the other way round: hand the edge in as a function or a sink.';
const PICTURE =
  'Draw from the journal, never from live actors or rules: what a picture needs is written into a journal line.';
const TOP = 'Nobody imports tests or bench: move what is shared into the folder that owns it.';

/** Packages that only one file of actors/ may import. */
const OUTSIDE = ['rxjs', 'yaml', 'openai', 'ioredis', 'bullmq', 'node:sqlite'];

/** Files of actors/ with a package of their own. */
const PORTS = {
  'actors/bids.ts': 'rxjs',
  'actors/scenario-file.ts': 'yaml',
  'actors/minds/openai.ts': 'openai',
  'actors/stores/redis.ts': 'ioredis',
  'actors/stores/sqlite.ts': 'node:sqlite',
  'actors/league/queue.ts': 'bullmq',
};

export const FENCES: readonly Fence[] = [
  {
    name: 'the words of the game import nothing',
    file: 'machines/types.ts',
    allowed: [],
    forbidden: ['./rules/dice.ts', 'xstate', 'zod', 'node:fs'],
    message:
      'machines/types.ts imports nothing: what needs an import belongs into the file that owns it.',
  },
  {
    name: 'a rule imports the words and its sisters',
    file: 'machines/rules/planted.ts',
    allowed: ['../types.ts', './dice.ts'],
    forbidden: [
      '../arbiter.ts',
      './../arbiter.ts',
      '../../actors/hold.ts',
      'xstate',
      'zod',
      'node:fs',
    ],
    message: RULE,
  },
  ...['round', 'ship'].map((folder) => ({
    name: `a rule of the ${folder} imports the words, rules and the ship`,
    file: `machines/rules/${folder}/planted.ts`,
    allowed: ['./sight.ts', '../dice.ts', '../ship/map.ts', '../../types.ts'],
    forbidden: [
      '../../game.ts',
      '../../player/knowledge.ts',
      './../../game.ts',
      '../../../actors/play.ts',
      'xstate',
      'zod',
      'node:fs',
    ],
    message: RULE,
  })),
  {
    name: 'a rule of meetings knows no round',
    file: 'machines/rules/ashore.ts',
    allowed: [],
    forbidden: ['./round/world.ts', './ship/map.ts'],
    message: RULE,
  },
  {
    name: 'the ship knows no round',
    file: 'machines/rules/ship/moored.ts',
    allowed: [],
    forbidden: ['../round/world.ts'],
    message: RULE,
  },
  {
    name: 'a machine imports machines and xstate',
    file: 'machines/planted.ts',
    allowed: ['./rules/dice.ts', './meeting/setup.ts', './types.ts', 'xstate'],
    forbidden: [
      '../actors/hold.ts',
      './../actors/hold.ts',
      './rules/../../actors/hold.ts',
      '../prompts/reply.ts',
      '../checker/explore.ts',
      'rxjs',
      'zod',
      'node:fs',
    ],
    message: MACHINE,
  },
  {
    name: 'a phase of the meeting imports machines and xstate',
    file: 'machines/meeting/planted.ts',
    allowed: ['../protocol.ts', '../rules/table.ts', './setup.ts', 'xstate'],
    forbidden: [
      '../../actors/hold.ts',
      '../rules/../../actors/hold.ts',
      '..',
      '../..',
      'zod',
      'node:fs',
    ],
    message: MACHINE,
  },
  {
    name: 'the journal may describe the wire',
    file: 'machines/journal.ts',
    allowed: ['./types.ts', './scenario.ts', 'zod'],
    forbidden: ['../actors/hold.ts', 'xstate', 'node:crypto'],
    message: WIRE,
  },
  {
    name: 'the scenario may describe the wire',
    file: 'machines/scenario.ts',
    allowed: ['./types.ts', './rules/options.ts', 'zod'],
    forbidden: ['../actors/scenario-file.ts', 'xstate', 'yaml'],
    message: WIRE,
  },
  ...['lobby.ts', 'roundLines.ts'].map((name) => ({
    name: `${name} may describe the wire`,
    file: `machines/${name}`,
    allowed: ['./types.ts', './rules/round/intent.ts', './rules/ship/map.ts', 'zod'],
    forbidden: ['../actors/lobby-file.ts', 'xstate', 'yaml'],
    message: WIRE,
  })),
  {
    name: 'the checker knows no meeting',
    file: 'checker/planted.ts',
    allowed: ['./explore.ts', 'xstate', 'node:worker_threads'],
    forbidden: ['../machines/meeting.ts', '../machines/types.ts', '../actors/hold.ts', 'node:fs'],
    message: CHECKER,
  },
  {
    name: 'a prompt imports prompts, the words and the rules',
    file: 'prompts/planted.ts',
    allowed: [
      './reply.ts',
      '../machines/types.ts',
      '../machines/rules/views.ts',
      'zod',
      'jsonrepair',
    ],
    forbidden: [
      '../machines/player.ts',
      '../actors/hold.ts',
      './../actors/hold.ts',
      'xstate',
      'node:fs',
    ],
    message: PROMPT,
  },
  {
    name: 'a prompt deeper down imports the same',
    file: 'prompts/strategy/planted.ts',
    allowed: ['../reply.ts', '../../machines/types.ts', '../../machines/rules/views.ts'],
    forbidden: ['../../machines/player.ts', '../../visualizer/chart/svg.ts'],
    message: PROMPT,
  },
  {
    name: 'an actor imports machines, prompts, xstate and node',
    file: 'actors/planted.ts',
    allowed: [
      './hold.ts',
      '../machines/meeting.ts',
      '../prompts/reply.ts',
      'xstate',
      'zod',
      'node:fs',
      'node:fs/promises',
    ],
    forbidden: [...OUTSIDE, 'rxjs/testing'],
    message: PACKAGE,
  },
  {
    name: 'an actor knows no edge',
    file: 'actors/minds/planted.ts',
    allowed: ['./port.ts', '../session.ts', '../../machines/types.ts'],
    forbidden: [
      '../../cli/glassbox.ts',
      '../../visualizer/chart/svg.ts',
      '../../checker/explore.ts',
      '../../tests/setup.ts',
      '../../bench/bench.ts',
      './../../cli/glassbox.ts',
    ],
    message: EDGE,
  },
  ...Object.entries(PORTS).map(([file, own]) => ({
    name: `${own} belongs to one file`,
    file,
    allowed: [own, 'xstate'],
    forbidden: OUTSIDE.filter((name) => name !== own),
    message: PACKAGE,
  })),
  {
    name: 'a picture is drawn from the journal',
    file: 'visualizer/terminal/planted.ts',
    allowed: [
      './frame.ts',
      '../chart/svg.ts',
      '../../machines/journal.ts',
      '../../machines/types.ts',
      '../../machines/lens.ts',
      '../../machines/offer.ts',
      'node:util',
      'node:http',
    ],
    forbidden: [
      '../../machines/meeting.ts',
      '../../machines/rules/dice.ts',
      '../../actors/hold.ts',
      '../../prompts/reply.ts',
      '../../cli/glassbox.ts',
      'xstate',
      'elkjs',
      'node:fs',
    ],
    message: PICTURE,
  },
  {
    name: 'a chart is laid out by elkjs and described by xstate',
    file: 'visualizer/chart/planted.ts',
    allowed: ['./graph.ts', 'xstate', 'elkjs/lib/elk.bundled.js', '../../machines/types.ts'],
    forbidden: ['../../machines/meeting.ts', '../../machines/rules/dice.ts', 'node:fs'],
    message: PICTURE,
  },
  {
    name: 'the page draws with preact',
    file: 'visualizer/page/view/planted.ts',
    allowed: [
      './seat.tsx',
      '../../map/svg.ts',
      '../../../machines/lens.ts',
      '../../../machines/offer.ts',
      'preact',
      'preact/hooks',
      '@preact/signals',
    ],
    forbidden: [
      '../../../machines/meeting.ts',
      '../../../actors/hold.ts',
      'vite',
      'node:fs',
      'zod',
    ],
    message: PICTURE,
  },
  {
    name: 'the page is built from the machines that run',
    file: 'visualizer/page/build/planted.ts',
    allowed: [
      '../../chart/graph.ts',
      '../../../machines/meeting.ts',
      'vite',
      'elkjs/lib/elk.bundled.js',
      'node:fs',
      'node:zlib',
    ],
    forbidden: ['../../../actors/hold.ts', '../../../cli/glassbox.ts', 'preact', 'openai'],
    message: PICTURE,
  },
  {
    name: 'a command imports everything but tests and bench',
    file: 'cli/planted.ts',
    allowed: [
      './play.ts',
      '../actors/hold.ts',
      '../visualizer/chart/svg.ts',
      'commander',
      'node:fs',
    ],
    forbidden: ['../tests/setup.ts', '../bench/bench.ts'],
    message: TOP,
  },
];
