/** What can't be asked of a journal, and why not. */

import { isPlayable, type Journal } from '../../actors/engine/journal/reader.ts';
import { ASKABLE, SUBJECTS, type WhyQuestion } from '../../analysis/why/questions.ts';
import { findUnaskable } from '../../analysis/why/why.ts';
import { pluralize } from '../../machines/text.ts';
import { createFailure, EXIT } from '../exit.ts';
import { damagedJournal, nameOf, openJournal, seatedIn } from '../input.ts';
import type { WhyFlags } from './flags.ts';

/** A journal that is whole, and that went its own way to its end. */
export async function openAskable(path: string): Promise<Journal> {
  const journal = await openJournal(path);
  if (!isPlayable(journal) || journal.damageCount > 0) throw damagedJournal(path, journal);
  const problem = findUnaskable(journal);
  if (problem === null) return journal;
  throw createFailure(EXIT.usage, problem.code, `${nameOf(path)}: ${problem.text}`);
}

export function refuseIdleReplacement({ what, by }: WhyFlags): void {
  if (by === undefined) return;
  const able = SUBJECTS.filter((subject) => ASKABLE[subject].some((way) => way === by));
  if (what.some((subject) => able.includes(subject))) return;
  const text = `--by ${by} is for ${able.join(' and ')}, found --what ${what.join(',')}`;
  throw createFailure(EXIT.usage, 'why/idle-replacement', text);
}

/** Refuses of several journals what is of one: a meeting or player of its own, a file for its result, a budget. */
export function refuseOfMany({ out, samples, shapley, meeting, player }: WhyFlags): void {
  const single = [
    ...(out === undefined ? [] : ['--out']),
    ...(samples === undefined ? [] : ['--samples']),
    ...(shapley === undefined ? [] : ['--shapley']),
    ...(meeting === undefined ? [] : ['--meeting']),
    ...(player === undefined ? [] : ['--player']),
  ];
  if (single.length === 0) return;
  const text = `${single.join(' and ')}: expected one journal, found several or a folder`;
  throw createFailure(EXIT.usage, 'why/one-journal', text);
}

/** Refuses a meeting that was not held, and a player who was not there. */
export function refuseAbsentPlace(
  path: string,
  { lines }: Journal,
  { meeting, player }: WhyFlags,
): void {
  const seated = seatedIn(lines) ?? [];
  if (player !== undefined && !seated.includes(player)) {
    const text = `--player: ${nameOf(path)} has no player ${player} (there are: ${seated.join(', ')})`;
    throw createFailure(EXIT.usage, 'why/no-such-player', text);
  }
  const meetings = lines.filter(({ type }) => type === 'meeting.called').length;
  // What is seen in the rounds behind the last meeting belongs to one that was not held.
  if (meeting === undefined || meeting <= meetings + 1) return;
  const text = `--meeting: ${nameOf(path)} has ${pluralize(meetings, 'meeting')}, found ${meeting}`;
  throw createFailure(EXIT.usage, 'why/no-such-meeting', text);
}

/** Refuses to weigh what has no winner, and what only models could go on with. */
export function refuseUnweighable(path: string, { lines }: Journal, flags: WhyFlags): void {
  const refuse = (text: string) =>
    createFailure(EXIT.usage, 'why/not-weighed', `--stakes: ${text}`);
  if (lines.every(({ type }) => type !== 'game.closed')) {
    throw refuse(`expected a game, found that ${nameOf(path)} is a meeting on its own`);
  }
  if (flags.shapley === true) throw refuse('it is another question than --shapley');
  if (flags.samples !== undefined)
    throw refuse('models go on by --stand-in only; leave --samples out');
}

/** Refuses to share credit among what can't be taken back together, or does not belong together. */
export function refuseUnshared(questions: readonly WhyQuestion[], flags: WhyFlags): void {
  const { what, samples, standIn = false } = flags;
  const refuse = (text: string) =>
    createFailure(EXIT.usage, 'why/not-shared', `--shapley: ${text}`);
  const [subject] = what;
  if (
    what.length !== 1 ||
    subject === undefined ||
    !['messages', 'bids', 'kills'].includes(subject)
  ) {
    throw refuse(`expected --what messages, bids or kills, found ${what.join(',')}`);
  }
  if (samples !== undefined || standIn) {
    throw refuse('expected offline minds: models and stand-ins would not say again what is valued');
  }
  const meetings = new Set(questions.map(({ meeting }) => meeting + 1));
  if (meetings.size > 1) {
    throw refuse(
      `expected one meeting, found ${[...meetings].join(', ')}: name one with --meeting`,
    );
  }
  if (questions.length === 0) throw refuse(`there are no ${subject} to share the credit among`);
}
