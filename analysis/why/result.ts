/** The result of `why`, bound to its journal and program. Meetings and lines count from 1, ticks and rounds from 0. */
import { z } from 'zod';
import type { Journal } from '../../actors/engine/journal/reader.ts';
import { CHANNELS } from '../../machines/journal/lines.ts';
import { parseJson } from '../../machines/text.ts';
import { COLOURS, type Note } from '../../machines/types.ts';
import { compareTexts } from '../counts/numeric.ts';
import {
  type AnswerSample,
  compareOutcomes,
  effectSchema,
  HORIZONS,
  type MatchOutcome,
  matchOutcomeSchema,
  rankEffects,
  sampleSchema,
  sumUpSamples,
} from './outcome.ts';
import { REPLACEMENTS, SUBJECTS, type WhyQuestion } from './questions.ts';
import type { ShapleyOutcome } from './shapley.ts';

const WHY_VERSION = 2;

/** The minds of the journal, or offline stand-ins for slow minds. */
const CONTINUERS = ['minds', 'stand-ins'] as const;

const seat = z.enum(COLOURS);
const count = z.int().nonnegative();

const answerSchema = z.strictObject({
  id: z.string(),
  what: z.enum(SUBJECTS),
  by: z.enum(REPLACEMENTS),
  seat,
  meeting: z.int().positive(),
  tick: count.nullable(),
  round: count.nullable(),
  words: z.string(),
  instead: z.string(),
  line: z.int().positive(),
  until: z.enum(HORIZONS),
  continued: z.enum(CONTINUERS),
  /** Models that were asked again, such as "red=gemma3,blue=gemma3"; null for none. */
  models: z.string().nullable(),
  effect: effectSchema,
  samples: z.array(sampleSchema).min(1),
});
export type WhyAnswer = z.infer<typeof answerSchema>;

const valueSchema = z.strictObject({
  ...answerSchema.pick({ id: true, seat: true, tick: true, round: true, words: true }).shape,
  ejected: z.number(),
  ejectedError: z.number().nonnegative(),
  winner: z.number(),
  winnerError: z.number().nonnegative(),
});

const creditSchema = z.strictObject({
  meeting: z.int().positive(),
  what: z.enum(SUBJECTS),
  by: z.enum(REPLACEMENTS),
  until: z.enum(HORIZONS),
  continued: z.enum(CONTINUERS),
  /** Drawn orders; null if every set was played and the values are exact. */
  orders: z.int().positive().nullable(),
  seed: count,
  sets: count,
  /** 1 if the record's ejection or winner stays when everything is taken back, else 0. */
  without: z.strictObject({ ejected: z.number(), winner: z.number() }),
  values: z.array(valueSchema),
});
export type SharedCredit = z.infer<typeof creditSchema>;

const momentSchema = z.strictObject({
  line: z.int().positive(),
  /** The current or next meeting. */
  meeting: z.int().positive(),
  tick: count.nullable(),
  round: count.nullable(),
  what: z.string(),
  continuations: z.int().positive(),
  crew: count,
  impostors: count,
  ejected: z.partialRecord(seat, count).readonly(),
});
export type StakeMoment = z.infer<typeof momentSchema>;

const stakesSchema = z.strictObject({
  continued: z.enum(CONTINUERS),
  continuations: z.int().positive(),
  /** In the order of the record. Incomplete after an interruption. */
  moments: z.array(momentSchema),
  /** Greatest first, played again with other seeds; null before all moments are known. The first turned the match. */
  swings: z.array(z.strictObject({ before: momentSchema, after: momentSchema })).nullable(),
});
export type Stakes = z.infer<typeof stakesSchema>;

const nullCheckSchema = z.strictObject({
  forks: count,
  /** Compared lines of all forks. Forks with stand-ins count up to their moment. */
  lines: count,
  identical: z.literal(true),
});
export type NullCheck = z.infer<typeof nullCheckSchema>;

export const whyResultSchema = z.strictObject({
  v: z.literal(WHY_VERSION),
  type: z.literal('why'),
  engine: z.string(),
  journal: z.strictObject({
    lines: count,
    /** The hash of the last line; null for an empty channel. */
    living: z.string().nullable(),
    ghosts: z.string().nullable(),
  }),
  outside: z.array(seat).readonly(),
  record: matchOutcomeSchema,
  check: nullCheckSchema.nullable(),
  answers: z.array(answerSchema),
  credits: z.array(creditSchema),
  stakes: z.array(stakesSchema),
});
export type WhyResult = z.infer<typeof whyResultSchema>;

export function beginResult(
  journal: Journal,
  { engine, outside, record }: Pick<WhyResult, 'engine' | 'outside' | 'record'>,
): WhyResult {
  return {
    v: WHY_VERSION,
    type: 'why',
    engine,
    journal: bindJournal(journal),
    outside,
    record,
    check: null,
    answers: [],
    credits: [],
    stakes: [],
  };
}

export function bindJournal({ lines }: Pick<Journal, 'lines'>): WhyResult['journal'] {
  const [living = null, ghosts = null] = CHANNELS.map(
    (channel) => lines.findLast((line) => line.channel === channel)?.hash,
  );
  return { lines: lines.length, living, ghosts };
}

/** Reads a result of this journal and this program version; null accepts all versions. */
export function readResult(
  text: string,
  { journal, engine }: Pick<WhyResult, 'journal'> & { readonly engine: string | null },
): { readonly ok: true; readonly result: WhyResult } | ({ readonly ok: false } & Note) {
  const refuse = (code: string, sentence: string) => ({ ok: false, code, text: sentence }) as const;
  const value = parseJson(text);
  const head = headSchema.safeParse(value);
  if (!head.success)
    return refuse('why/not-a-result', 'expected a result of "why", found something else');
  const { v, engine: maker } = head.data;
  if (v !== WHY_VERSION || maker !== (engine ?? maker)) {
    const by = engine === null ? '' : ` by ${engine}`;
    const sentence = `expected a result of version ${WHY_VERSION}${by}, found version ${v} by ${maker}`;
    return refuse('why/other-version', sentence);
  }
  const checked = whyResultSchema.safeParse(value);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const sentence = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'wrong shape'}`;
    return refuse('why/damaged', sentence);
  }
  const found = checked.data.journal;
  if (found.living !== journal.living || found.ghosts !== journal.ghosts) {
    const sentence = `expected the result of this journal (${shortHash(journal.living)}), found that of another one (${shortHash(found.living)})`;
    return refuse('why/other-journal', sentence);
  }
  return { ok: true, result: checked.data };
}

const headSchema = z.object({ v: z.int(), type: z.literal('why'), engine: z.string() });

const SHOWN_HASH = 8;

function shortHash(hash: string | null): string {
  return hash === null ? 'without a hash' : hash.slice(0, SHOWN_HASH);
}

/** One answer a line, for readable diffs. */
export function writeResult({ answers, credits, ...head }: WhyResult): string {
  const start = JSON.stringify({ ...head, credits, answers: [] });
  const rows = answers.map((answer) => JSON.stringify(answer));
  return `${start.slice(0, -2)}${rows.length === 0 ? '' : `\n${rows.join(',\n')}\n`}]}\n`;
}

export type AskedUnder = Pick<WhyAnswer, 'until' | 'continued' | 'models'>;

export function findAnswer(
  result: WhyResult,
  question: WhyQuestion,
  { samples, ...under }: AskedUnder & { readonly samples: number },
): WhyAnswer | undefined {
  const known = findKept(result, question, under);
  if (known === undefined || known.samples.length < samples) return undefined;
  const first = known.samples.slice(0, samples);
  return { ...known, effect: sumUpSamples(first), samples: first };
}

export function findKept(
  { answers }: WhyResult,
  { id }: WhyQuestion,
  under: AskedUnder,
): WhyAnswer | undefined {
  const key = keyOfAnswer({ ...under, id });
  return answers.find((one) => keyOfAnswer(one) === key);
}

function keyOfAnswer({ id, until, continued, models }: AskedUnder & Pick<WhyAnswer, 'id'>): string {
  return JSON.stringify([id, until, continued, models]);
}

/** Compares matches without the change and with it. A changed ballot is not among those that differ. */
export function toSample(
  { what, seat: own, meeting }: WhyQuestion,
  was: MatchOutcome,
  is: MatchOutcome,
): AnswerSample {
  const sample = compareOutcomes(was, is, meeting);
  const others = sample.ballots.filter(({ voter }) => what !== 'ballots' || voter !== own);
  return { ...sample, ballots: others };
}

export function toAnswer(
  { line, meeting, intervention: _intervention, ...question }: WhyQuestion,
  under: AskedUnder,
  samples: readonly AnswerSample[],
): WhyAnswer {
  const place = { meeting: meeting + 1, line: line + 1 };
  return { ...question, ...place, ...under, effect: sumUpSamples(samples), samples: [...samples] };
}

export function addAnswers(result: WhyResult, answers: readonly WhyAnswer[]): WhyResult {
  const all = [...result.answers, ...answers];
  const byKey = new Map(all.map((one) => [keyOfAnswer(one), one]));
  const sorted = [...byKey.values()].toSorted(
    (one, other) => one.line - other.line || compareTexts(one.id, other.id),
  );
  return { ...result, answers: sorted };
}

export function toCredit(
  questions: readonly WhyQuestion[],
  { orders, sets, none, values }: ShapleyOutcome,
  { until, continued, seed }: Pick<SharedCredit, 'until' | 'continued' | 'seed'>,
): SharedCredit | null {
  const [first] = questions;
  if (first === undefined) return null;
  const [ejections = [], winners = []] = values;
  const { what, by, meeting } = first;
  return {
    meeting: meeting + 1,
    what,
    by,
    until,
    continued,
    orders,
    seed,
    sets,
    without: { ejected: none[0] ?? 0, winner: none[1] ?? 0 },
    values: questions.map(({ id, seat: own, tick, round, words }, index) => {
      const { value: ejected = 0, error: ejectedError = 0 } = ejections[index] ?? {};
      const { value: winner = 0, error: winnerError = 0 } = winners[index] ?? {};
      return { id, seat: own, tick, round, words, ejected, ejectedError, winner, winnerError };
    }),
  };
}

export function addCredit(result: WhyResult, credit: SharedCredit): WhyResult {
  const others = result.credits.filter((one) => keyOfCredit(one) !== keyOfCredit(credit));
  return { ...result, credits: [...others, credit] };
}

/** Finds values of these questions that are exact or were computed in the same way. */
export function findCredit(
  { credits }: WhyResult,
  questions: readonly WhyQuestion[],
  { until, continued, orders, seed }: Pick<SharedCredit, 'until' | 'continued' | 'orders' | 'seed'>,
): SharedCredit | undefined {
  const ids = questions.map(({ id }) => id).join();
  return credits.find(
    (one) =>
      one.until === until &&
      one.continued === continued &&
      (one.orders === null || (one.orders === orders && one.seed === seed)) &&
      one.values.map(({ id }) => id).join() === ids,
  );
}

function keyOfCredit({ meeting, what, by, until, continued }: SharedCredit): string {
  return [meeting, what, by, until, continued].join(' ');
}

export function rankAnswers(answers: readonly WhyAnswer[]): readonly WhyAnswer[] {
  return answers.toSorted(
    (one, other) => rankEffects(one.effect, other.effect) || one.line - other.line,
  );
}

export function findStakes(
  { stakes }: WhyResult,
  { continued, continuations }: Pick<Stakes, 'continued' | 'continuations'>,
): Stakes {
  const known = stakes.find(
    (one) => one.continued === continued && one.continuations === continuations,
  );
  return known ?? { continued, continuations, moments: [], swings: null };
}

export function putStakes(result: WhyResult, stakes: Stakes): WhyResult {
  const others = result.stakes.filter(
    (one) => one.continued !== stakes.continued || one.continuations !== stakes.continuations,
  );
  return { ...result, stakes: [...others, stakes] };
}
