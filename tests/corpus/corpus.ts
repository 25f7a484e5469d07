/** The corpus of utterances, labelled by hand with their claims, and how often the reader of claims agrees. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { COLOURS, PLACES } from '../../machines/types.ts';
import { findClaims, type SpokenClaim } from '../../prompts/claims/claims.ts';
import { CLAIMED_ACTS } from '../../prompts/claims/deeds.ts';

const HERE = new URL('./', import.meta.url);
const READER = fileURLToPath(new URL('../../prompts/claims/', import.meta.url));

/** `diverse` and `sandbox` are recorded games of language models. The others are in this repository. */
export const SOURCES = ['diverse', 'sandbox', 'chat', 'prose', 'scripted'] as const;
type Source = (typeof SOURCES)[number];
export const HALVES = ['development', 'held-out'] as const;
type Half = (typeof HALVES)[number];

const colour = z.enum(COLOURS);
const utterance = z.strictObject({
  id: z.string().regex(/^u\d{3}$/),
  source: z.enum(SOURCES),
  speaker: colour,
  target: colour.nullable(),
  /** The text. Recorded games have only its address and hash. */
  text: z.string().optional(),
  from: z.string().optional(),
  model: z.string().optional(),
  path: z.string().optional(),
  step: z.int().optional(),
  sha256: z.string().length(16).optional(),
});
export type CorpusUtterance = z.infer<typeof utterance>;

const labelled = z.strictObject({ id: z.string(), claims: z.array(z.string()) });
const recorded = z.strictObject({ id: z.string(), text: z.string() });

function readLines<T>(name: string, schema: z.ZodType<T>): readonly T[] {
  return readFileSync(new URL(name, HERE), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => schema.parse(JSON.parse(line)));
}

/** Speech of offline players and small models, labelled once, by reading alone. No reader was fitted to it. */
export const readSpeech = () =>
  readLines(
    'speech.jsonl',
    utterance.required({ text: true, from: true }).extend({
      id: z.string().regex(/^s\d{3}$/),
      source: z.enum(['scripted', 'SmolLM2-135M', 'Qwen2.5-Coder-0.5B', 'Qwen2.5-Coder-1.5B']),
      claims: z.array(z.string().regex(LABEL)),
    }),
  );

export const readUtterances = () => readLines('utterances.jsonl', utterance);

const RECORDED = 'recorded.local.jsonl';

export function writeRecorded(lines: readonly z.infer<typeof recorded>[]): void {
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  writeFileSync(new URL(RECORDED, HERE), `${text}\n`);
}

/** Texts of recorded games, if they were collected on this machine: `node tests/corpus/collect.ts`. */
export function readRecorded(): ReadonlyMap<string, string> {
  if (!existsSync(new URL(RECORDED, HERE))) return new Map();
  return new Map(readLines(RECORDED, recorded).map(({ id, text }) => [id, text]));
}

export function readLabels(name: 'first' | 'second' | 'labels'): ReadonlyMap<string, Set<string>> {
  const lines = readLines(`${name}.jsonl`, labelled);
  return new Map(lines.map(({ id, claims }) => [id, new Set(claims)]));
}

/** Utterances whose id has an even first byte of SHA-256 are for development; the reader is not fitted to the others. */
export function halfOf(id: string): Half {
  const [first = 0] = createHash('sha256').update(id).digest();
  return first % 2 === 0 ? 'development' : 'held-out';
}

const place = PLACES.join('|');
const who = COLOURS.join('|');
export const LABEL = new RegExp(
  `^(?:place (?:${who}) (?:${place})(?: \\d+)?|company (?:${who}) (?:${who})|(?:task|accuse|defend|vent) (?:${who})|act (?:${who}) (?:${CLAIMED_ACTS.join('|')}))$`,
);

export const COUNTED = [
  ...['place', 'time', 'company', 'task', 'accusation', 'defence', 'vent', 'act'],
] as const;
type CountedKind = (typeof COUNTED)[number];

const WORD: Readonly<Record<CountedKind, string>> = {
  place: 'place',
  time: 'place',
  company: 'company',
  task: 'task',
  accusation: 'accuse',
  defence: 'defend',
  vent: 'vent',
  act: 'act',
};
const TIMED = /^(place \w+ .*\D) (\d+)$/;

function writeLabel(claim: SpokenClaim): string {
  const { type, about } = claim;
  switch (type) {
    case 'place':
      return `place ${about} ${claim.place}${claim.ago === null ? '' : ` ${Math.round(claim.ago)}`}`;
    case 'company':
      return `company ${[about, claim.with].toSorted().join(' ')}`;
    case 'act':
      return `act ${about} ${claim.act}`;
    default:
      return `${WORD[type]} ${about}`;
  }
}

export function readByMachine(
  { speaker, target }: Pick<CorpusUtterance, 'speaker' | 'target'>,
  message: string,
) {
  return new Set(findClaims({ speaker, target, message }).map(writeLabel));
}

/** The labels of one kind; places without their times, so that a wrong time is no wrong place. */
function selectKind(labels: ReadonlySet<string>, kind: CountedKind): Set<string> {
  const own = [...labels].filter((label) => label.startsWith(`${WORD[kind]} `));
  if (kind === 'time') return new Set(own.filter((label) => TIMED.test(label)));
  return new Set(own.map((label) => label.replace(TIMED, '$1')));
}

export function countCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((label) => other.has(label)).length;
}

/** Claims found and right, found and wrong, and missed, and utterances in which rightly none was found. */
export type ReaderCount = {
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
  readonly neither: number;
};

export type ReaderCounts = Readonly<Record<CountedKind, ReaderCount>>;

export function countReader(
  utterances: readonly CorpusUtterance[],
  texts: ReadonlyMap<string, string>,
): ReaderCounts {
  const labels = readLabels('labels');
  const read = utterances.flatMap((one) => {
    const text = one.text ?? texts.get(one.id);
    const wanted = labels.get(one.id);
    return text === undefined || wanted === undefined
      ? []
      : [{ found: readByMachine(one, text), wanted }];
  });
  return countLabels(read);
}

type ReadUtterance = { readonly found: ReadonlySet<string>; readonly wanted: ReadonlySet<string> };

export function countLabels(read: readonly ReadUtterance[]): ReaderCounts {
  const count = (kind: CountedKind): ReaderCount => {
    const sum = { right: 0, wrong: 0, missed: 0, neither: 0 };
    for (const { found, wanted } of read) {
      const [theirs, ours] = [selectKind(found, kind), selectKind(wanted, kind)];
      const right = countCommon(theirs, ours);
      sum.right += right;
      sum.wrong += theirs.size - right;
      sum.missed += ours.size - right;
      if (theirs.size + ours.size === 0) sum.neither += 1;
    }
    return sum;
  };
  return {
    place: count('place'),
    time: count('time'),
    company: count('company'),
    task: count('task'),
    accusation: count('accusation'),
    defence: count('defence'),
    vent: count('vent'),
    act: count('act'),
  };
}

export function isRecorded({ source }: { readonly source: Source }): boolean {
  return source === 'diverse' || source === 'sandbox';
}

export function hashReader(): string {
  const hash = createHash('sha256');
  const names = readdirSync(READER).filter((name) => !APART.includes(name));
  for (const name of names.toSorted()) hash.update(readFileSync(`${READER}${name}`));
  return hash.digest('hex').slice(0, 16);
}

const APART: readonly string[] = ['accuracy.ts', 'counts.ts', 'whereabouts.ts'];

/** Cohen's kappa of whether an utterance has a claim of the kind, and the F1 of the claims themselves. */
export function compareAnnotators(kind: CountedKind) {
  const [first, second] = [readLabels('first'), readLabels('second')];
  let [ours, theirs, same] = [0, 0, 0];
  let [both, onlyFirst, onlySecond, none] = [0, 0, 0, 0];
  for (const [id, labels] of first) {
    const [one, other] = [selectKind(labels, kind), selectKind(second.get(id) ?? new Set(), kind)];
    ours += one.size;
    theirs += other.size;
    same += countCommon(one, other);
    if (one.size > 0 && other.size > 0) both += 1;
    else if (one.size > 0) onlyFirst += 1;
    else if (other.size > 0) onlySecond += 1;
    else none += 1;
  }
  const all = both + onlyFirst + onlySecond + none;
  const agreed = (both + none) / all;
  const yes = ((both + onlyFirst) * (both + onlySecond)) / all ** 2;
  const no = ((none + onlyFirst) * (none + onlySecond)) / all ** 2;
  const chance = yes + no;
  return {
    first: ours,
    second: theirs,
    same,
    kappa: (agreed - chance) / (1 - chance),
    f1: (2 * same) / (ours + theirs),
  };
}
