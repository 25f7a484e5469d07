/** A worker that answers questions about one journal, whose minds all answer at once. */
import { serveJobs } from '../../actors/jobs/pool.ts';
import { startData } from '../../actors/ports/threads.ts';
import { WhatIf } from '../../actors/replay/whatIf.ts';
import type { WhyQuestion } from './questions.ts';
import { type AskingPlan, answerExactly, type QuestionOutcome } from './why.ts';

const plan = startData<AskingPlan>();
const journal = { ...plan.journal, damages: [], damageCount: 0, isTorn: false };
const record = WhatIf.open(journal, { models: null, standIns: plan.continued === 'stand-ins' });
if (record.type === 'unplayable') throw new Error(record.text);

serveJobs<WhyQuestion, QuestionOutcome>((question) => {
  const { until, continued } = plan;
  const outcome = answerExactly(record, plan.was, question, { until, continued }).catch(
    (error): QuestionOutcome => ({ id: question.id, text: String(error) }),
  );
  return { over: outcome, outcome, stop: () => {} };
});
