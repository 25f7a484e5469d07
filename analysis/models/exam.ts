/** The exam of a model: fixed moments of recorded games, where its answers are compared with what really happened. */

import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Journal } from '../../actors/engine/journal/reader.ts';
import { openJournal } from '../../actors/files/openFiles.ts';
import { forEachAtOnce } from '../../actors/jobs/pool.ts';
import type { Answer, MindRequest } from '../../actors/minds/port.ts';
import { readOwnFile } from '../../actors/ports/reading.ts';
import { throughGlass } from '../../machines/journal/lens.ts';
import { gameIn } from '../../machines/journal/opening.ts';
import type { LivingView } from '../../machines/rules/views.ts';
import { isPlainJson, parseJson, pluralize } from '../../machines/text.ts';
import type { Reply } from '../../machines/types.ts';
import { ENGINE } from '../../machines/versions.ts';
import { joinBlocks } from '../../prompts/block.ts';
import { listOptions, listTargets } from '../../prompts/choices.ts';
import { findPlaceClaims } from '../../prompts/claims/reading.ts';
import { readOrder } from '../../prompts/order.ts';
import { pickIdentity } from '../../prompts/personas.ts';
import { buildPrompt } from '../../prompts/prompt.ts';
import { readReply } from '../../prompts/reply.ts';
import { judgeTestimony } from '../claims/whereabouts.ts';
import { rate } from '../counts/numeric.ts';
import { isCopied } from './modelPlay.ts';
import type { FailedProbe, ModelTrial } from './modelProbe.ts';
import { collectRecorded, type RecordedRequest } from './prompts.ts';

type ExamMoment = RecordedRequest & { readonly name: string; readonly journal: Journal };

/** The moments in the order of asking: neighbours share the beginning of their prompts. */
export async function loadExam(folder = EXAM): Promise<readonly ExamMoment[]> {
  const rows = (readOwnFile(`${folder}/moments.txt`) ?? '').trim().split('\n');
  const moments: ExamMoment[] = [];
  for (const name of new Set(rows.map((row) => row.split(' ')[0]))) {
    const journal = await openJournal(`${folder}/${name}.jsonl.zst`);
    for (const asked of await collectRecorded(journal))
      moments.push({ ...asked, name: `${name} ${asked.at + 1} ${asked.seat}`, journal });
  }
  const byName = new Map(moments.map((one) => [one.name, one]));
  return rows.flatMap((row) => byName.get(row) ?? []);
}

const EXAM = fileURLToPath(new URL('../../examples/exam', import.meta.url));

/** Asks `samples` times at each moment. An exam that ends early counts what was answered, and says why it did. */
export async function takeExam(
  moments: readonly ExamMoment[],
  samples: number,
  trial: ModelTrial,
  concurrency: number,
) {
  const answers: GradedAnswer[] = [];
  const ends: FailedProbe[] = [];
  const questions = moments.flatMap((one) => Array<ExamMoment>(samples).fill(one));
  await forEachAtOnce([...questions.entries()], concurrency, {
    isStopped: () => ends.length > 0,
    work: async ([index, moment]) => {
      const { answer } = await trial.ask(moment, index % samples);
      if (!answer.ok && (trial.isStopped || answer.code === 'endpoint/budget'))
        ends.push(trial.describeFailure(answer));
      else answers.push(grade(moment, answer));
    },
  });
  const requests = trial.log.requests.length;
  return {
    engine: ENGINE,
    samples,
    requests,
    shares: sumUp(answers),
    answers,
    end: ends[0] ?? null,
  };
}

const examSchema = z.object({
  type: z.literal('doctor.exam'),
  v: z.literal(1),
  engine: z.string(),
  model: z.string(),
  samples: z.int().min(1),
  shares: z.unknown(),
  answers: z.array(
    z.looseObject({ name: z.string(), isWhole: z.boolean(), received: z.unknown() }),
  ),
});

/** Grades the answers that `doctor --exam --json` has printed once more; null if the text is something else. */
export function verifyExam(text: string, moments: readonly ExamMoment[]) {
  const parsed = examSchema.safeParse(parseJson(text));
  if (!parsed.success || !isPlainJson(text)) return null;
  const { answers, shares, samples, model, engine } = parsed.data;
  const findings: string[] = [];
  const byName = Object.groupBy(answers, ({ name }) => name);
  for (const [name, { length } = []] of Object.entries(byName))
    if (length > samples)
      findings.push(`${name}: expected ${pluralize(samples, 'answer')} at most, found ${length}`);
  const graded = answers.flatMap((answer) => {
    const moment = moments.find(({ name }) => name === answer.name);
    if (moment === undefined) {
      findings.push(`expected a moment of the exam, found ${JSON.stringify(answer.name)}`);
      return [];
    }
    const { isWhole, received } = answer;
    const again = grade(
      moment,
      isWhole ? { ok: true, received } : { ok: false, code: String(received), text: '' },
    );
    const wrong = Object.entries(again).find(
      ([field, value]) => !isDeepStrictEqual(answer[field], value),
    );
    if (wrong !== undefined) {
      const [field, value] = wrong.map((one) => JSON.stringify(one));
      findings.push(`${answer.name}: expected ${field} to be ${value}`);
    }
    return [again];
  });
  const counted = JSON.parse(JSON.stringify(sumUp(graded)));
  if (!isDeepStrictEqual(shares, counted)) findings.push('the shares are not those of the answers');
  if (findings.length > 0 && engine !== ENGINE)
    findings.push(`${engine} held this exam, and ${ENGINE} may ask and count differently`);
  return { model, engine, samples, shares: sumUp(graded), answers: graded.length, findings };
}

type GradedAnswer = ReturnType<typeof grade>;

/** The marks for an answer. Null where the question does not ask for it. */
export function grade(moment: ExamMoment, answer: Answer) {
  const { request, seat, name, journal } = moment;
  const seats = gameIn(journal.lines[0])?.seats ?? [];
  const roleOf = (one: string | null) => seats.find(({ colour }) => colour === one)?.role;
  const isTalk = request.kind === 'discussion' || request.kind === 'voting';
  const reading = answer.ok && request.kind !== 'action' ? readReply(answer.received) : null;
  const order =
    answer.ok && request.kind === 'action' ? readOrder(answer.received, request.view) : null;
  const reply = reading?.ok === true && isTalk ? reading.reply : null;
  const truths = reply === null ? [] : judgeSightings(moment, reply);
  const isChecked = truths.some((truth) => truth !== 'unverifiable');
  const vote = reply && isTalk ? findVote(reply, request.view) : null;
  return {
    ...{ name, kind: request.kind, role: roleOf(seat) },
    received: answer.ok ? answer.received : answer.code,
    isWhole: (reading ?? order)?.ok === true,
    isOwn: reply?.message.trim() ? !isCopied(reply.message, writeUnseeing(request)) : null,
    hasSighting: reply && truths.length > 0,
    isTrue: isChecked ? !truths.includes('false') : null,
    vote: roleOf(vote) ?? vote,
    isLegal: order && request.kind === 'action' ? isLegal(order, request.view) : null,
  };
}

/** The prompt without what the player saw: to tell that is no copy, even in the same words. */
function writeUnseeing(request: MindRequest): string {
  const { you } = request.view;
  const brief = 'brief' in you ? { brief: { ...you.brief, sightings: [] } } : {};
  const blind = { ...request, view: { ...request.view, you: { ...you, ...brief } } } as MindRequest;
  const { system, user } = buildPrompt(blind, pickIdentity(you.persona, 'doctor'));
  return joinBlocks(system) + joinBlocks(user);
}

function judgeSightings({ journal: { lines }, at, seat }: ExamMoment, said: Reply) {
  const judge = judgeTestimony<never>(findPlaceClaims);
  const [line, ...before] = lines.slice(0, at + 1).toReversed();
  for (const one of before.toReversed()) if (one.type !== 'tick.closed') judge(throughGlass(one));
  if (line?.type !== 'tick.closed') return [];
  const utterance = { speaker: seat, message: said.message, tick: line.tick };
  return judge({ ...line, said: utterance }).map(({ truth }) => truth);
}

/** Null if the player has voted or cannot vote now. */
function findVote({ vote, notes }: Reply, { table, you }: LivingView) {
  if (!table.votesOpen || you.ballot !== null) return null;
  if (vote === null) return notes.some(({ code }) => code === 'vote/unknown') ? 'illegal' : 'none';
  const isLiving = table.seats.some((one) => one.colour === vote && one.standing === 'living');
  return vote === 'skip' || isLiving ? vote : 'illegal';
}

function isLegal(order: ReturnType<typeof readOrder>, view: Parameters<typeof listOptions>[0]) {
  if (!order.ok || order.decision.notes.some(({ code }) => code === 'order/refused')) return false;
  const { intent } = order.decision;
  if (intent === null) return view.scene.intent !== null;
  const write = (one: typeof intent | (typeof options)[number]) =>
    `${one.type} ${listTargets(one)}`;
  const options = listOptions(view).map(({ action }) => action);
  return options.map(write).includes(write(intent));
}

export type ExamShares = ReturnType<typeof sumUp>;

/** Sightings and votes are those of crewmates: impostors may lie. */
function sumUp(answers: readonly GradedAnswer[]) {
  const share = (test: (one: GradedAnswer) => boolean | null, list = answers) => {
    const tested = list.map(test).filter((found) => found !== null);
    return rate(tested.filter(Boolean).length, tested.length);
  };
  const crew = answers.filter(({ role }) => role === 'crewmate');
  const votes = (wanted: string) =>
    share(({ vote }) => (vote === null ? null : vote === wanted), crew);
  return {
    'whole answers': share(({ isWhole }) => isWhole),
    'own words': share(({ isOwn }) => isOwn),
    sightings: share(({ hasSighting }) => hasSighting, crew),
    'true sightings': share(({ isTrue }) => isTrue, crew),
    ...Object.fromEntries(VOTES.map((vote) => [`vote: ${vote}`, votes(vote)])),
    'legal orders': share(({ isLegal: legal }) => legal),
  };
}

const VOTES = ['impostor', 'crewmate', 'skip', 'none', 'illegal'];
