/**
 * Why it happened: asks of a record, one thing at a time, what would have come if it had gone otherwise.
 *
 * The answer to a question is the outcome of the match that is played with the change in it, beside that of the record.
 * With minds that answer at once it is exact. Before anything is asked, forks without a change must be the record.
 */
import type { Journal } from '../../actors/engine/journal/reader.ts';
import { JobQueue, WorkerPool } from '../../actors/jobs/pool.ts';
import { listSeats } from '../../actors/minds/openai/seats.ts';
import type { Workers } from '../../actors/ports/ports.ts';
import { realWorkers } from '../../actors/ports/threads.ts';
import type { Difference } from '../../actors/replay/replay.ts';
import { replay } from '../../actors/replay/replay.ts';
import type { ChangedMatch, WhatIf } from '../../actors/replay/whatIf.ts';
import { isPerson, isSlow } from '../../machines/rules/mindKinds.ts';
import type { Colour } from '../../machines/types.ts';
import { type MatchOutcome, OutcomeReader } from './outcome.ts';
import type { WhyQuestion } from './questions.ts';
import {
  type AskedUnder,
  type Horizon,
  type NullCheck,
  toAnswer,
  toSample,
  type WhyAnswer,
} from './result.ts';

/** Why nothing can be asked of a journal. */
export type UnaskableJournal = { readonly code: string; readonly text: string };

/** Says why a journal can't be asked about; null where it can. */
export function findUnaskable({ lines }: Journal): UnaskableJournal | null {
  const [header] = lines;
  const isGame = header?.type === 'match.opened' && !('call' in header.match);
  const end = isGame ? 'game.closed' : 'meeting.closed';
  if (lines.every(({ type }) => type !== end)) {
    const text = 'the match is not over, so there is no outcome to ask about: "resume" plays it on';
    return { code: 'why/unfinished', text };
  }
  const at = lines.findIndex(
    (line) =>
      line.type === 'stop.requested' ||
      line.type === 'end.requested' ||
      (line.type === 'seat.departed' && line.during !== null),
  );
  if (at < 0) return null;
  const what = lines[at]?.type === 'seat.departed' ? 'a player left' : 'the match was stopped';
  const text = `${what} from outside (line ${at + 1}), which no mind decides: expected a match that went its own way to its end`;
  return { code: 'why/from-outside', text };
}

/** The seats for which something outside thinks: a model, a person, an own program. */
export function findOutsideSeats({ lines }: Journal): readonly Colour[] {
  return listSeats(lines[0]).flatMap((seat) =>
    isSlow(seat) || isPerson(seat) ? [seat.colour] : [],
  );
}

/** What the check without a change has come to. */
export type NullOutcome =
  | { readonly type: 'identical'; readonly check: NullCheck }
  /** The record itself is not what this program plays from its answers. */
  | { readonly type: 'unplayable'; readonly difference: Difference | string }
  /** The minds do not answer as they did; `line` is the one behind which they thought anew, from 1. */
  | { readonly type: 'different'; readonly difference: Difference; readonly line: number };

/** Forks without a change that are compared besides the match as a whole. */
const COMPARED = 3;

/**
 * Compares forks without a change with the record: the match from its tape, the match with every mind thinking anew from
 * its beginning, and forks at some of the moments that are asked about, or at all of them.
 */
export async function checkUnchanged(
  record: WhatIf,
  questions: readonly WhyQuestion[],
  isStrict: boolean,
): Promise<NullOutcome> {
  const { journal } = record;
  const taped = await replay(journal);
  if (taped.type === 'unplayable') return { type: 'unplayable', difference: taped.text };
  if (taped.type === 'different') return { type: 'unplayable', difference: taped.difference };
  const moments = [...new Set(questions.map(({ line }) => line))];
  const lines = record.isAtOnce ? [0, ...(isStrict ? moments : pickSome(moments))] : [];
  for (const line of lines) {
    const difference = await record.compare(line);
    if (difference !== null) return { type: 'different', difference, line: line + 1 };
  }
  const check = { forks: lines.length + 1, lines: journal.lines.length, identical: true } as const;
  return { type: 'identical', check };
}

/** The first, the last, and those between them at equal distances. */
function pickSome(moments: readonly number[]): readonly number[] {
  if (moments.length <= COMPARED) return moments;
  const step = (moments.length - 1) / (COMPARED - 1);
  return Array.from({ length: COMPARED }, (_, index) => moments[Math.round(index * step)] ?? 0);
}

/** Plays a match with a change in it, as far as is asked. */
async function playChanged(
  record: WhatIf,
  change: ChangedMatch,
  { until, meeting }: { readonly until: Horizon; readonly meeting: number },
): Promise<MatchOutcome> {
  const reader = new OutcomeReader();
  await record.play(change, (happenings) => {
    reader.read(happenings);
    return until === 'end' || reader.meetingsOver <= meeting;
  });
  return reader.outcome;
}

/** The outcome of a record, as far as is asked. */
function cutOutcome(outcome: MatchOutcome, until: Horizon, meeting: number): MatchOutcome {
  if (until === 'end') return outcome;
  return {
    ...outcome,
    winner: null,
    reason: null,
    rounds: 0,
    meetings: outcome.meetings.slice(0, meeting + 1),
  };
}

/** Answers one question exactly: every mind answers at once. */
export async function answerExactly(
  record: WhatIf,
  was: MatchOutcome,
  question: WhyQuestion,
  under: AskedUnder,
): Promise<WhyAnswer> {
  const { line, intervention, meeting } = question;
  const { until, continued } = under;
  const is = await playChanged(record, { line, interventions: [intervention] }, { until, meeting });
  const sample = toSample(
    question,
    cutOutcome(was, until, meeting),
    cutOutcome(is, until, meeting),
  );
  return toAnswer(question, { until, continued }, [sample]);
}

/** What a thread needs to answer questions about a journal. */
export type AskingPlan = AskedUnder & {
  readonly journal: Pick<Journal, 'lines' | 'bodies'>;
  readonly was: MatchOutcome;
};

export type AskOptions = {
  readonly record: WhatIf;
  readonly plan: AskingPlan;
  /** Threads that answer; with one it is this. */
  readonly jobs: number;
  readonly onAnswer: (answer: WhyAnswer) => void;
  readonly workers?: Workers;
};

export type RunningQuestions = {
  /** Resolves when every question that was begun is answered; names those that were lost with their thread. */
  readonly result: Promise<readonly LostQuestion[]>;
  /** Begins no other question. */
  stop(): void;
};

export type LostQuestion = { readonly id: string; readonly text: string };

/** A file beside this one keeps its ending when it is built. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js',
  import.meta.url,
);

/** Questions that a thread has at once, so that it does not wait for the next one. */
const IN_HAND = 3;

/** What has come of a question on another thread. */
export type QuestionOutcome = WhyAnswer | LostQuestion;

/** Answers questions, on this thread or on several others. */
export function answerQuestions(
  questions: readonly WhyQuestion[],
  { record, plan, jobs, onAnswer, workers = realWorkers }: AskOptions,
): RunningQuestions {
  const queue = new JobQueue(questions);
  const lost: LostQuestion[] = [];
  if (jobs < 2) {
    const answerHere = async () => {
      for (let one = queue.take(); one !== null; one = queue.take()) {
        onAnswer(await answerExactly(record, plan.was, one, plan));
        // A request to end is heard between two questions.
        await new Promise((resolve) => setImmediate(resolve));
      }
      return lost;
    };
    return { result: answerHere(), stop: () => queue.stop() };
  }
  const pool = new WorkerPool<WhyQuestion, QuestionOutcome>({
    threads: jobs,
    file: WORKER,
    data: plan,
    jobsInHand: IN_HAND,
    queue,
    onOutcome: (outcome) => {
      if ('samples' in outcome) onAnswer(outcome);
      else lost.push(outcome);
    },
    lose: ({ id }, text) => ({ id, text }),
    workers,
  });
  const answerAll = async () => {
    pool.work();
    await pool.idle();
    await pool.close();
    return lost;
  };
  return { result: answerAll(), stop: () => queue.stop() };
}
