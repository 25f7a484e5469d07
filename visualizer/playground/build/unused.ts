/**
 * What no tab asks for, and is therefore not in its script: parts that can't fall away by themselves, because a flag of
 * the command line, or a package for everybody, can ask for them.
 *
 * A part that is left out throws where it is called after all. A name that is no longer where this table says fails the
 * build.
 */
import { globSync, readFileSync } from 'node:fs';
import { type ESTree, type Plugin, parseSync, Visitor } from 'vite';
import { ROOT } from './ports.ts';

/** Functions, classes and methods (`Class.method`), by the end of the file that they are declared in. */
const UNUSED: Readonly<Record<string, readonly string[]>> = {
  // The tab proves meetings tick by tick, once, with machines that were compiled.
  'checker/draftSearch.ts': ['DraftSearch', 'DraftWalk'],
  'checker/outcomes.ts': ['OutcomeEvents'],
  'checker/xstateStepper.ts': ['createXstateStepper'],
  'checker/checkpoint.ts': [
    'encodeCheckpoint',
    'decodeCheckpoint',
    'readEngine',
    'digestMachine',
    'refuseElsewhere',
  ],
  'checker/explore.ts': [
    'Search.#refind',
    'Search.#refindNext',
    'Search.#searchDrafts',
    'readTree',
  ],
  'checker/paths.ts': ['SavedTree', 'NumberList.restore', 'MoveTable.restore'],
  'checker/coverage.ts': ['CoverageCounter.save', 'CoverageCounter.restore'],
  'checker/liveness.ts': ['LivenessMonitor.restore'],
  'checker/properties.ts': [
    'PropertyMonitor.save',
    'PropertyMonitor.restore',
    'PropertyMonitors.save',
    'PropertyMonitors.restore',
  ],
  'checker/history.ts': ['createHistory', 'readHistory', 'readHistoryDefault'],
  'checker/check.ts': ['describeGraph', 'bindSearch'],
  'checker/machine.ts': ['prepareMachine'],
  'proofs/run.ts': ['cutToPlayers'],
  'proofs/models/foldedTick.ts': ['foldTick'],
  // A tab reads journals that it has written.
  'actors/engine/journal/reader.ts': [
    'JournalReading.#leaveOutLong',
    'JournalReading.#leaveRest',
    'refuseHeader',
    'describeMisfit',
    'describeNoLine',
    'describeRow',
  ],
  // Offline players are not asked what they believe.
  'actors/engine/beliefs.ts': ['BeliefInquiry', 'writeBeliefsHeader'],
  'actors/replay/recordedReplies.ts': ['recordedBelievers'],
  // Charts run compiled here as well: XState builds them, and does not interpret them.
  'xstate/dist/raise-effbee0c.esm.js': [
    'macrostep',
    'initialMicrostep',
    'resolveActionsAndContext',
    'transitionNode',
    'getPersistedSnapshot',
    'resolveSpawn',
    'resolveStop',
    'Actor.on',
    'Actor.select',
  ],
  'xstate/dist/StateMachine-ae06a22b.esm.js': [
    'StateMachine.getInitialSnapshot',
    'StateMachine._getPreInitialState',
    'StateMachine.getTransitionData',
    'StateMachine.restoreSnapshot',
    'StateNode.definition',
    'StateNode.next',
  ],
  'xstate/dist/assign-1f0d7720.esm.js': ['resolveAssign'],
  'xstate/dist/log-6a5e50a8.esm.js': ['resolveEnqueueActions'],
  // No server is behind the page.
  'visualizer/page/game/state/seat.ts': ['takeSeatAgain'],
  // `why` is not asked in a tab, and no model.
  'visualizer/page/game/stakes.tsx': ['drawArea', 'describeSource'],
  'visualizer/page/game/story/cards.ts': [
    'describeTurn',
    'describeChange',
    'describeErrors',
    'describeSpending',
  ],
  'visualizer/page/game/calls/recordedCalls.ts': ['readCall'],
  // Streams of bids are made of streams, and of nothing else that can be turned into one.
  'rxjs/dist/esm/internal/Observable.js': ['Observable.forEach', 'Observable.toPromise'],
  'rxjs/dist/esm/internal/scheduled/scheduled.js': ['scheduled'],
  'rxjs/dist/esm/internal/observable/innerFrom.js': [
    'fromInteropObservable',
    'fromPromise',
    'fromIterable',
    'fromAsyncIterable',
    'fromReadableStreamLike',
  ],
};

/** Written otherwise, by the end of the file: features that a package can do without, and does in a tab. */
const REPLACED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'zod/v4/classic/schemas.js': {
    // Values from JSON have no cycles, and the policy of the page has no place for scripts that are made up on the way.
    'core.config({ memoizer: core.memoizer() })': 'undefined',
    'core.$ZodObjectJIT.init': 'core.$ZodObject.init',
  },
  'zod/v4/classic/errors.js': {
    // A refusal lists its issues; nothing formats them as a tree.
    'core.formatError(self, mapper)': 'undefined',
    'core.flattenError(self, mapper)': 'undefined',
  },
};

/** Modules of packages for what no tab asks for: 5 kB that write schemas as JSON Schema. */
const UNUSED_MODULES = /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/;

const SCHEMAS = 'zod/v4/classic/schemas.js';

/** Sources whose schemas are in the tab; of a schema only the methods are kept that they name. */
const WITH_SCHEMAS = [
  'machines/**/*.ts',
  'prompts/*.ts',
  'analysis/why/*.ts',
  'visualizer/playground/*.ts',
];

/** Methods of schemas that others of theirs call. */
const CALLED_WITHIN = ['check(', 'clone(', 'safeParse('];

/** Explanations for editors and forms: schemas refuse without them. */
const EXPLAINING = /\/machines\/(?:setup\/\w+|rules\/options)\.ts$/;

/** With `explains` the explanations of options stay, as the page shows them. */
export function leaveOutUnused({ explains }: { readonly explains: boolean }): Plugin {
  const named = new Set(CALLED_WITHIN);
  const withSchemas = globSync(WITH_SCHEMAS, { cwd: ROOT }).map((path) => `${ROOT}${path}`);
  return {
    name: 'leave-out-unused',
    enforce: 'pre',
    buildStart() {
      for (const path of withSchemas) {
        const text = readFileSync(path, 'utf8');
        if (!text.includes("from 'zod'")) continue;
        for (const [, name = ''] of text.matchAll(/\.(\w+\(?)/g)) named.add(name);
      }
      if (!explains) named.delete('describe(');
    },
    async load(id) {
      return UNUSED_MODULES.test(id) ? await writeUnused(id) : null;
    },
    transform(code, id) {
      let left = code;
      for (const [from, to] of Object.entries(findFor(REPLACED, id) ?? {})) {
        if (!left.includes(from)) this.error(`expected ${from} in ${id}`);
        left = left.replaceAll(from, to);
      }
      const names = findFor(UNUSED, id);
      if (names !== undefined) left = leaveOutBodies(left, id, names);
      if (!explains && EXPLAINING.test(id)) left = leaveOutExplanations(left, id);
      if (id.endsWith(SCHEMAS)) left = leaveOutMembers(left, id, named);
      return left === code ? null : left;
    },
    generateBundle(_options, files) {
      for (const file of Object.values(files)) {
        if (file.type !== 'chunk') continue;
        for (const id of Object.keys(file.modules)) {
          const isOurs = id.startsWith(ROOT) && !id.includes('/node_modules/');
          if (!isOurs || withSchemas.includes(id)) continue;
          const imported = this.getModuleInfo(id)?.importedIds ?? [];
          if (imported.some((each) => each.includes('/zod/'))) {
            this.error(`expected no schemas in ${id}: their methods may be left out`);
          }
        }
      }
    },
  };
}

function findFor<T>(table: Readonly<Record<string, T>>, id: string): T | undefined {
  return Object.entries(table).find(([end]) => id.endsWith(`/${end}`))?.[1];
}

/** A piece of a text, and what stands there instead. */
type Cut = { readonly start: number; readonly end: number; readonly text: string };

function applyCuts(code: string, cuts: readonly Cut[]): string {
  let [left, at] = ['', 0];
  for (const { start, end, text } of cuts.toSorted((one, other) => one.start - other.start)) {
    left += code.slice(at, start) + text;
    at = end;
  }
  return left + code.slice(at);
}

function parseModule(code: string, id: string): readonly ESTree.Statement[] {
  const { program, errors } = parseSync(id, code);
  if (errors[0] !== undefined) throw new Error(`${id}: ${errors[0].message}`);
  return program.body as readonly ESTree.Statement[];
}

/** What a statement declares, exported or not. */
function declarationOf(statement: ESTree.Node): ESTree.Node | null {
  return statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
}

/** The same sentence everywhere; the stack says where. */
const REFUSAL = "{ throw new Error('visualizer/playground/build/unused.ts leaves this out'); }";

function leaveOutBodies(code: string, id: string, names: readonly string[]): string {
  const declared = parseModule(code, id).map(declarationOf);
  const cuts = names.map((name): Cut => {
    const [outer, method] = name.split('.');
    for (const node of declared) {
      if (node?.type === 'FunctionDeclaration' && node.id?.name === name && node.body !== null) {
        const { start, end } = node.body;
        return { start, end, text: REFUSAL };
      }
      if (node?.type === 'ClassDeclaration' && node.id?.name === outer) {
        if (method === undefined) {
          const { start, end } = node.body;
          return { start, end, text: `{ constructor() ${REFUSAL} }` };
        }
        for (const each of node.body.body) {
          if (each.type !== 'MethodDefinition' || each.value.body === null) continue;
          if (code.slice(each.key.start, each.key.end) !== method) continue;
          const { start, end } = each.value.body;
          return { start, end, text: REFUSAL };
        }
      }
    }
    throw new Error(`expected a function or a class ${name} in ${id}`);
  });
  return applyCuts(code, cuts);
}

/** Leaves out the methods of schemas that no source names: each would keep in the script what it makes. */
function leaveOutMembers(code: string, id: string, named: ReadonlySet<string>): string {
  const cuts: Cut[] = [];
  const visit = (node: ESTree.Node | null | undefined) => {
    if (node?.type === 'CallExpression') for (const each of node.arguments) visit(each);
    if (node?.type !== 'ObjectExpression') return;
    for (const property of node.properties) {
      if (property.type !== 'Property') continue;
      const { key, start, end } = property;
      const name = code.slice(key.start, key.end);
      if (named.has(property.kind === 'init' ? `${name}(` : name)) continue;
      cuts.push({ start, end: code[end] === ',' ? end + 1 : end, text: '' });
    }
  };
  for (const statement of parseModule(code, id)) {
    const node = declarationOf(statement);
    if (node?.type !== 'VariableDeclaration') continue;
    for (const { init } of node.declarations) {
      if (init?.type !== 'CallExpression') continue;
      const text = code.slice(init.callee.start, init.callee.end);
      if (text.endsWith('$constructor')) for (const each of init.arguments.slice(2)) visit(each);
    }
  }
  if (cuts.length === 0) throw new Error(`expected methods of schemas in ${id}`);
  return applyCuts(code, cuts);
}

/** What rows of options and schemas say of themselves. */
function leaveOutExplanations(code: string, id: string): string {
  const cuts: Cut[] = [];
  const { program } = parseSync(id, code);
  new Visitor({
    Property({ key, start, end }) {
      if (code.slice(key.start, key.end) !== 'help') return;
      cuts.push({ start, end: code[end] === ',' ? end + 1 : end, text: '' });
    },
    CallExpression({ callee, end }) {
      if (callee.type !== 'MemberExpression') return;
      const { object, property } = callee;
      if (code.slice(property.start, property.end) !== 'describe') return;
      cuts.push({ start: object.end, end, text: '' });
    },
  }).visit(program);
  return applyCuts(code, cuts);
}

/** The names that a module exports, each a function that says that it is not there. */
async function writeUnused(id: string): Promise<string> {
  const own: object = await import(id);
  const names = Object.keys(own).map((each) => `export const ${each} = refuse;`);
  return [`const refuse = () => ${REFUSAL};`, ...names].join('\n');
}
