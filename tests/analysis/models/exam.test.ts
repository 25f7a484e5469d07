import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { grade, loadExam, verifyExam } from '../../../analysis/models/exam.ts';
import { gameIn } from '../../../machines/journal/opening.ts';
import { joinBlocks } from '../../../prompts/block.ts';
import { listOptions } from '../../../prompts/choices.ts';
import { pickIdentity } from '../../../prompts/personas.ts';
import { buildPrompt } from '../../../prompts/prompt.ts';
import { formatShare } from '../../../visualizer/text.ts';
import { expectGoldenPart } from '../../support/golden.ts';

const ANSWERS = 'examples/exam/answers';
const exam = await loadExam();
type Moment = (typeof exam)[number];

const rolesOf = ({ journal }: Moment) =>
  new Map(gameIn(journal.lines[0])?.seats.map(({ colour, role }) => [colour, role]));
const isCrew = (one: Moment) => rolesOf(one).get(one.seat) === 'crewmate';
const seesOthers = ({ seat, request }: Moment) =>
  request.kind === 'discussion' &&
  request.view.you.ballot === null &&
  request.view.you.brief.sightings.some(({ who }) => who !== seat);
const talker = exam.find((one) => isCrew(one) && seesOthers(one)) ?? expect.unreachable();
const actor = exam.find(({ request }) => request.kind === 'action') ?? expect.unreachable();

function gradeReply(moment: Moment, fields: object) {
  const received = { internal_thought: 'so', desire_to_speak: 5, message: '', ...fields };
  return grade(moment, { ok: true, received });
}

test('a hundred moments of recorded games are asked as today, of every kind and both roles', () => {
  expect(exam).toHaveLength(100);
  const kinds = new Set(exam.map((one) => `${one.request.kind} ${isCrew(one)}`));
  expect(kinds.size).toBe(10);
});

describe('an answer in a discussion', () => {
  const view = talker.request.kind === 'discussion' ? talker.request.view : expect.unreachable();
  const { sightings } = view.you.brief;
  const { who, place } = sightings.find((seen) => seen.who !== talker.seat) ?? expect.unreachable();
  const nowhere = 'Shields';
  const [impostor] = [...rolesOf(talker)].find(([, role]) => role === 'impostor') ?? [];
  const said = view.table.transcript.at(-1)?.message ?? '';

  test.each([
    [`I saw ${who} in ${place}.`, { isOwn: true, hasSighting: true, isTrue: true }],
    [`I saw ${who} in ${nowhere}.`, { isOwn: true, hasSighting: true, isTrue: false }],
    ['Where was everybody?', { isOwn: true, hasSighting: false, isTrue: null }],
    [said, { isOwn: said === '' ? null : false }],
    ['The highest priority is heard: its message goes to the transcript', { isOwn: false }],
    ['', { isOwn: null, hasSighting: false }],
  ])('says %j', (message, expected) => {
    expect(gradeReply(talker, { message })).toMatchObject({ isWhole: true, ...expected });
  });

  test.each([
    [null, 'none'],
    ['skip', 'skip'],
    [impostor, 'impostor'],
    [talker.seat, 'crewmate'],
    ['everybody', 'illegal'],
  ])('votes %j, which is for %s', (vote_action, vote) => {
    expect(gradeReply(talker, { vote_action })).toMatchObject({ vote });
  });
});

test('an order is legal if it is one that is offered', () => {
  const view = actor.request.kind === 'action' ? actor.request.view : expect.unreachable();
  for (const { action } of listOptions(view))
    expect([action, gradeReply(actor, { action }).isLegal]).toEqual([action, true]);
  for (const action of [{ type: 'kill', whom: actor.seat }, { type: 'dance' }])
    expect(gradeReply(actor, { action }).isLegal).toBe(false);
});

test('sights in the words of the prompt are no copy', () => {
  const told = exam.flatMap((moment) => {
    const { request } = moment;
    const { user } = buildPrompt(request, pickIdentity(request.view.you.persona, 'doctor'));
    const [, sights] = /^You last saw (.*)\.$/m.exec(joinBlocks(user)) ?? [];
    return sights === undefined ? [] : [{ moment, sights }];
  });
  expect(told.length).toBeGreaterThan(9);
  for (const { moment, sights } of told)
    expect(gradeReply(moment, { message: `I last saw ${sights}.` }).isOwn).toBe(true);
});

test('the published answers are graded again, and docs/results.md has their shares', () => {
  let names: readonly string[] = [];
  const rows = readdirSync(ANSWERS).map((file) => {
    const graded = verifyExam(readFileSync(`${ANSWERS}/${file}`, 'utf8'), exam);
    if (graded === null) return expect.unreachable(file);
    expect([file, graded.findings]).toEqual([file, []]);
    names = Object.keys(graded.shares);
    const shares = Object.values(graded.shares).map(({ interval, cases }) =>
      interval === null ? '–' : formatShare(interval, cases),
    );
    return [graded.model, graded.answers, ...shares, `${ANSWERS}/${file}`];
  });
  const titles = ['model', 'answers', ...names, 'file'];
  const table = [titles, titles.map(() => '---'), ...rows];
  const text = table.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  expectGoldenPart('docs/results.md', 'exam', text);
});
