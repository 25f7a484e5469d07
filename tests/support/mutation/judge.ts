/**
 * What becomes of the mutants of a source: the compiler refuses them, a test notices, a small proof does, or they live.
 *
 * Of those that tests notice a share is drawn that meets the proofs as well, to say what proofs alone would find. What is
 * known is kept in a folder that no repository has, so a run that was stopped goes on where it was: of a source as it is,
 * by a test as it is.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { uniform } from '../endpoint/pick.ts';
import { listMutants, type Mutant } from './mutate.ts';
import type { ProofNotice } from './smallProofs.ts';
import type { MUTATED_SOURCES } from './sources.ts';
import { type Patience, runTrials } from './trials.ts';
import { checkTypes, Importers } from './typing.ts';

type MutatedSource = (typeof MUTATED_SOURCES)[number];

export type NamedMutant = Mutant & {
  /** The same as long as the line is, wherever in the file it stands. */
  readonly name: string;
};

/** How a mutant ended. `by` is a test, or a property. */
export type MutantOutcome =
  | { readonly type: 'refused' }
  | { readonly type: 'throws' }
  | { readonly type: 'test'; readonly by: string }
  | { readonly type: 'proof'; readonly by: string }
  | { readonly type: 'alive' };

export type JudgedMutant = {
  readonly mutant: NamedMutant;
  readonly outcome: MutantOutcome;
  /** Of those that a test notices: what proofs say. Undefined where they were not asked. */
  readonly sampled?: ProofNotice | null;
};

const CACHE = 'node_modules/.cache/source-mutants';

/** The share of what tests notice that meets the proofs as well. */
const SAMPLED_SHARE = 0.05;
/** The most of a source: proofs take long. */
const MOST_SAMPLED = 3;

/** What the small proofs are made of. */
const PROOF_FILES = ['proofs/{models,properties}/*.ts', 'tests/support/mutation/*Proofs.ts'];

/** Fewer are compiled again, so that what is known of all is not forgotten for them. */
const WORTH_KEEPING = 50;

/** The tests take a second or two, and many a mutant of a rule never ends. */
const PATIENCE: Patience = { leastMs: 10_000, times: 5 };
/** Milliseconds for the proofs of one mutant, which take a few seconds. */
const PROOF_MS = 180_000;

/** The mutants of a source, each with a name of its own. */
export function listNamedMutants(path: string): readonly NamedMutant[] {
  const source = readFileSync(path, 'utf8');
  const lines = source.split('\n');
  const times = new Map<string, number>();
  return listMutants(path, source, true).map((mutant) => {
    const line = squash(lines[mutant.line - 1] ?? '');
    const plain = `${line} [${shorten(mutant.was)} → ${shorten(mutant.is) || 'left out'}]`;
    const time = (times.get(plain) ?? 0) + 1;
    times.set(plain, time);
    return { ...mutant, name: time === 1 ? plain : `${plain} (${time})` };
  });
}

const LONGEST = 60;

function squash(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function shorten(text: string): string {
  const line = squash(text);
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** Judges some mutants of a source, or all of them; `say` hears of each that lives. */
export async function judgeMutants(
  { path, tests, proofs }: MutatedSource,
  chosen: readonly NamedMutant[],
  seed: string,
  say: (text: string) => void,
): Promise<readonly JudgedMutant[]> {
  const there = tests.filter((one) => existsSync(one));
  const source = readFileSync(path, 'utf8');
  const known = new Knowledge(path, source, there);
  const types = known.types(chosen);
  const typed = chosen.filter((_, index) => types[index]);
  const open = typed.filter(({ name }) => !known.isTried(name));
  say(`${path}: ${chosen.length} mutants, ${typed.length} compile, ${open.length} to be tried`);
  const names = new Map(open.map((mutant) => [mutant.source, mutant.name]));
  if (open.length > 0) {
    const trial = { path, source, tests: there, mutants: open };
    await runTrials(
      trial,
      (mutant, { noticedBy, test }) => {
        const name = names.get(mutant.source) ?? '';
        if (noticedBy === null) say(`passes all tests: ${path}:${mutant.line} ${name}`);
        if (noticedBy === null) known.learnPass(name);
        else known.learn(name, noticedBy, test);
      },
      PATIENCE,
    );
  }
  const prove = (mutant: NamedMutant) => known.prove(mutant, proofs);
  const judged: JudgedMutant[] = [];
  const noticed = typed.filter(({ name }) => (known.notice(name)?.test ?? null) !== null);
  const order = ({ name }: NamedMutant) => uniform(`${seed} ${path} ${name}`);
  const share = Math.min(MOST_SAMPLED, Math.ceil(noticed.length * SAMPLED_SHARE));
  const drawn = new Set(
    noticed
      .toSorted((one, other) => order(one) - order(other))
      // A few mutants are tried in seconds, and proofs say nothing of so few.
      .slice(0, proofs === 'none' || chosen.length < WORTH_KEEPING ? 0 : share),
  );
  for (const [index, mutant] of chosen.entries()) {
    if (types[index] !== true) {
      judged.push({ mutant, outcome: { type: 'refused' } });
      continue;
    }
    const notice = known.notice(mutant.name);
    if (notice === null) {
      const found = prove(mutant);
      if (found !== null) {
        say(`by ${found.property} only: ${path}:${mutant.line} ${mutant.name}`);
        judged.push({ mutant, outcome: { type: 'proof', by: found.property } });
      } else if (!known.isAccepted(mutant)) judged.push({ mutant, outcome: { type: 'refused' } });
      else {
        say(`alive: ${path}:${mutant.line} ${mutant.name}`);
        judged.push({ mutant, outcome: { type: 'alive' } });
      }
      continue;
    }
    if (notice.test === null) {
      judged.push({ mutant, outcome: { type: 'throws' } });
      continue;
    }
    const outcome = { type: 'test', by: notice.noticedBy } as const;
    judged.push(
      drawn.has(mutant) ? { mutant, outcome, sampled: prove(mutant) } : { mutant, outcome },
    );
  }
  known.close();
  return judged;
}

const factSchema = z.union([
  z.object({
    name: z.string(),
    source: z.string(),
    noticedBy: z.string(),
    test: z.string().nullable(),
    /** The test file as it was. */
    as: z.string(),
  }),
  z.object({
    proved: z.string(),
    source: z.string(),
    /** The proofs as they were. */
    as: z.string(),
    found: z.object({ world: z.string(), property: z.string() }).nullable(),
  }),
  z.object({
    passed: z.string(),
    source: z.string(),
    /** All tests as they were. */
    as: z.string(),
  }),
  z.object({
    /** Whether what imports it compiles with it. */
    accepted: z.boolean(),
    name: z.string(),
    source: z.string(),
  }),
]);

type TestNotice = { readonly noticedBy: string; readonly test: string | null };

/** What is known of the mutants of one source from earlier runs. */
class Knowledge {
  readonly #path: string;
  readonly #file: string;
  readonly #source: string;
  readonly #proofs = hashFiles(PROOF_FILES);
  readonly #notices = new Map<string, TestNotice>();
  readonly #proved = new Map<string, ProofNotice | null>();
  readonly #passed = new Set<string>();
  readonly #tests: string;
  readonly #accepted = new Map<string, boolean>();
  #importers: Importers | null = null;

  constructor(path: string, source: string, tests: readonly string[]) {
    mkdirSync(CACHE, { recursive: true });
    this.#path = path;
    this.#source = hash(source);
    this.#tests = hashFiles(tests);
    this.#file = join(CACHE, `${path.replaceAll('/', '-')}.jsonl`);
    if (!existsSync(this.#file)) return;
    const tested = new Map(tests.map((one) => [one, hashFiles([one])]));
    for (const line of readFileSync(this.#file, 'utf8').trimEnd().split('\n')) {
      const fact = factSchema.parse(JSON.parse(line));
      if (fact.source !== this.#source) continue;
      if ('passed' in fact) {
        if (fact.as === this.#tests) this.#passed.add(fact.passed);
      } else if ('accepted' in fact) this.#accepted.set(fact.name, fact.accepted);
      else if ('proved' in fact) {
        if (fact.as === this.#proofs) this.#proved.set(fact.proved, fact.found);
      } else if ((tested.get(fact.noticedBy) ?? '') === fact.as) {
        this.#notices.set(fact.name, fact);
      }
    }
  }

  notice(name: string): TestNotice | null {
    return this.#notices.get(name) ?? null;
  }

  isTried(name: string): boolean {
    return this.#notices.has(name) || this.#passed.has(name);
  }

  /** All tests pass with the mutant. */
  learnPass(name: string): void {
    this.#passed.add(name);
    this.#write({ passed: name, source: this.#source, as: this.#tests });
  }

  learn(name: string, noticedBy: string, test: string | null): void {
    this.#notices.set(name, { noticedBy, test });
    const as = existsSync(noticedBy) ? hashFiles([noticedBy]) : '';
    this.#write({ name, source: this.#source, noticedBy, test, as });
  }

  prove(mutant: NamedMutant, kind: MutatedSource['proofs']): ProofNotice | null {
    if (kind === 'none') return null;
    const known = this.#proved.get(mutant.name);
    if (known !== undefined) return known;
    const found = proveMutant(this.#path, mutant, kind);
    this.#proved.set(mutant.name, found);
    this.#write({ proved: mutant.name, source: this.#source, as: this.#proofs, found });
    return found;
  }

  /** Whether what imports a mutant compiles with it; asked where a value is exported whose type is read off it. */
  isAccepted({ name, source }: NamedMutant): boolean {
    if (!name.startsWith('export const')) return true;
    const known = this.#accepted.get(name);
    if (known !== undefined) return known;
    this.#importers ??= new Importers();
    const accepted = this.#importers.accept(this.#path, source);
    this.#accepted.set(name, accepted);
    this.#write({ accepted, name, source: this.#source });
    return accepted;
  }

  close(): void {
    this.#importers?.close();
  }

  /** For each mutant, whether it compiles. */
  types(mutants: readonly NamedMutant[]): readonly boolean[] {
    const key = hash(mutants.map(({ source }) => source).join('\0'));
    const file = join(CACHE, `${this.#path.replaceAll('/', '-')}.types.json`);
    const schema = z.object({ key: z.string(), types: z.array(z.boolean()) });
    const known = existsSync(file)
      ? schema.safeParse(JSON.parse(readFileSync(file, 'utf8')))
      : null;
    if (known?.data?.key === key) return known.data.types;
    const types = checkTypes(this.#path, mutants);
    if (mutants.length < WORTH_KEEPING) return types;
    writeFileSync(file, JSON.stringify({ key, types }));
    return types;
  }

  #write(fact: z.infer<typeof factSchema>): void {
    appendFileSync(this.#file, `${JSON.stringify(fact)}\n`);
  }
}

const PROGRAM = fileURLToPath(new URL('proveMutant.ts', import.meta.url));

/** What the small proofs say of a mutant, in a process of its own. */
function proveMutant(path: string, mutant: Mutant, kind: string): ProofNotice | null {
  const folder = mkdtempSync(join(tmpdir(), 'prove-'));
  try {
    const file = join(folder, 'mutant.ts');
    writeFileSync(file, mutant.source);
    const { status, stdout, error } = spawnSync(process.execPath, [PROGRAM, path, file, kind], {
      encoding: 'utf8',
      timeout: PROOF_MS,
    });
    if (error !== undefined) return { world: 'any', property: 'never ends' };
    if (status !== 0) return { world: 'any', property: 'throws' };
    return z
      .object({ world: z.string(), property: z.string() })
      .nullable()
      .parse(JSON.parse(stdout));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function hashFiles(patterns: readonly string[]): string {
  const paths = globSync([...patterns]).toSorted();
  return hash(paths.map((path) => readFileSync(path, 'utf8')).join('\0'));
}
