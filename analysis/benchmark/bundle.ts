/** Games and scores, bound by hashes to their files. The seal detects careless edits, and `verify.ts` forged ones. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { journalName } from '../../actors/jobs/gameJob.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import { DRAWS, VICTORIES, WINNERS } from '../../machines/rules/ship/world.ts';
import { isPlainJson, isTooDeep, parseJson } from '../../machines/text.ts';
import { testedSchema } from './definition.ts';
import { figuresSchema } from './figures.ts';
import { scoresSchema } from './scores.ts';
import { MOST_TABLES } from './sizes.ts';

const count = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'expected a hash of 64 hexadecimal digits');

const recordSchema = z.strictObject({
  digest: sha256.describe('The hash of the whole journal'),
  winner: z.enum(WINNERS).nullable(),
  reason: z.enum([...VICTORIES, ...DRAWS]),
  rounds: count,
  meetings: count,
  figures: figuresSchema,
});
export type GameRecord = z.infer<typeof recordSchema>;

const testedRecordSchema = recordSchema.extend({
  /** The last hash of each channel. Times and requests are not hashed. */
  living: sha256,
  ghosts: sha256,
  requests: count,
  prompt_tokens: count,
  completion_tokens: count,
});
export type TestedRecord = z.infer<typeof testedRecordSchema>;

const gameSchema = z.strictObject({
  table: z.int().min(1).max(MOST_TABLES),
  journal: z.string(),
  tested: testedRecordSchema,
  reference: recordSchema,
});
export type BundleGame = z.infer<typeof gameSchema>;

const compactSchema = z.strictObject({
  table: z.int().min(1).max(MOST_TABLES),
  tested: sha256,
  reference: sha256,
});
export type CompactGame = z.infer<typeof compactSchema>;

export function isCompact(game: BundleGame | CompactGame): game is CompactGame {
  return typeof game.tested === 'string';
}

export function toCompact({ table, tested, reference }: BundleGame): CompactGame {
  return { table, tested: tested.digest, reference: reference.digest };
}

const fileSchema = z.strictObject({ path: z.string(), sha256 });
export type BundleFile = z.infer<typeof fileSchema>;

/** A run continues only with the same values. */
const startFields = {
  type: z.literal('benchmark.bundle'),
  v: z.literal(1),
  benchmark: z.string(),
  engine: z.string().describe('The program, with the versions of rules, prompts and minds'),
  tested: testedSchema,
};

const openSchema = z.strictObject({ ...startFields, state: z.literal('open') });
export type OpenBundle = z.infer<typeof openSchema>;

const bundleSchema = z.strictObject({
  ...startFields,
  state: z.literal('whole'),
  tables: z.int().min(1).max(MOST_TABLES),
  plan: sha256,
  games: z.union([z.array(gameSchema).max(MOST_TABLES), z.array(compactSchema).max(MOST_TABLES)]),
  scores: scoresSchema,
  files: z.array(fileSchema).max(100),
  seal: sha256,
});
export type Bundle = z.infer<typeof bundleSchema>;

export const BUNDLE_FILE = 'bundle.json';
export const JOURNALS = 'journals';

/** The journal of a table, relative to the folder of the bundle. */
export function journalOf(table: number): string {
  return `${JOURNALS}/${journalName(table, MOST_TABLES)}`;
}

export function sealBundle(bundle: Omit<Bundle, 'seal'>): Bundle {
  return { ...bundle, seal: sealOf(bundle) };
}

export function isSealed({ seal, ...bundle }: Bundle): boolean {
  return seal === sealOf(bundle);
}

function sealOf(bundle: Omit<Bundle, 'seal'>): string {
  return hash('sha256', canonical(bundle), 'hex');
}

/** One game a line, so that people can compare two bundles. */
export function writeBundle({ games, ...bundle }: Bundle): string {
  const head = JSON.stringify(bundle, null, 2).replace(/\n\}$/, '');
  const rows = games.map((game) => `    ${JSON.stringify(game)}`);
  return `${head},\n  "games": [\n${rows.join(',\n')}\n  ]\n}\n`;
}

export type BundleReading =
  | { readonly type: 'whole'; readonly bundle: Bundle }
  | { readonly type: 'open'; readonly bundle: OpenBundle }
  | { readonly type: 'other'; readonly benchmark: string; readonly engine: string }
  | { readonly type: 'none'; readonly text: string };

/** Readers that take the first of two fields of one name would see another value. */
const NOT_PLAIN = 'expected JSON as "benchmark" writes it, found a name twice or another spelling';

const anySchema = z.looseObject({
  type: z.literal('benchmark.bundle'),
  v: z.number(),
  benchmark: z.string().max(100),
  engine: z.string().max(200),
});

export function readBundle(
  text: string,
  { benchmark, engine }: { readonly benchmark: string; readonly engine: string },
): BundleReading {
  const value = parseJson(text);
  if (value === undefined) return { type: 'none', text: 'expected JSON, found other text' };
  if (isTooDeep(value) || !isPlainJson(text)) return { type: 'none', text: NOT_PLAIN };
  const any = anySchema.safeParse(value);
  if (!any.success) return { type: 'none', text: 'expected a bundle of "glassbox benchmark"' };
  const { v, ...found } = any.data;
  if (v !== 1 || found.benchmark !== benchmark || found.engine !== engine)
    return { type: 'other', benchmark: found.benchmark, engine: found.engine };
  const open = openSchema.safeParse(value);
  if (open.success) return { type: 'open', bundle: open.data };
  const whole = bundleSchema.safeParse(value);
  if (whole.success) return { type: 'whole', bundle: whole.data };
  const [issue] = whole.error.issues;
  return { type: 'none', text: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` };
}
