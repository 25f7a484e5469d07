/** The poll in print: who has voted, the ballots turned one by one, and the sentence. */

import type { SeenOf } from '../../machines/journal/lens.ts';
import { type BallotCount, countTurned } from '../../machines/journal/projection.ts';
import type { Outcome } from '../../machines/types.ts';
import { CODES } from '../codes.ts';
import { glued, type Ink, ink } from './ink.ts';
import { thoughtBlock } from './minds.ts';
import { type Block, banner, blank, INDENT, NUMBER_WIDTH, paragraph } from './page.ts';
import type { Scene } from './scene.ts';
import { candidate, player, players } from './seats.ts';
import { sizeOf } from './wrap.ts';

export function lockedBlocks(
  { seat, ballot }: SeenOf<'vote.locked'>,
  scene: Scene,
): readonly Block[] {
  if (seat === undefined) return [];
  if (ballot === undefined) return [remark([...player(seat), ink(' has voted')])];
  const lock = ink(ballot === 'skip' ? ' locks in a vote to ' : ' locks in a vote for ');
  // The speaker's thought has been told with the speech.
  const why =
    seat === scene.state.meeting?.tick?.floor ? undefined : scene.state.minds.thoughts[seat];
  return [remark([...player(seat), lock, ...candidate(ballot)]), ...thoughtBlock(why, INDENT)];
}

export function refusedBlocks({ seat, note }: SeenOf<'vote.refused'>): readonly Block[] {
  if (seat === undefined) return [];
  return [
    remark([
      ...player(seat),
      ink(` is told: ${note?.text ?? 'your vote does not count'}`, 'yellow'),
    ]),
  ];
}

export function clearedBlocks({ seat, leaver }: SeenOf<'vote.cleared'>): readonly Block[] {
  if (seat === undefined) return [];
  const why = leaver === undefined ? [] : [ink(' (it was for '), ...player(leaver), ink(')')];
  return [remark([...player(seat), ink(' may vote again'), ...why])];
}

export function departedBlocks({ seat, reason }: SeenOf<'seat.departed'>): readonly Block[] {
  if (seat === undefined) return [];
  const how =
    reason === 'faults'
      ? ' is disconnected: too many replies in a row were of no use'
      : ' leaves the game';
  return [remark([...player(seat), ink(how, 'yellow')])];
}

export function closedBlocks({ reason, missed = [] }: SeenOf<'poll.closed'>): readonly Block[] {
  const why = reason === 'time-up' ? 'The time is up' : 'Everybody has voted';
  const late = missed.length === 0 ? [] : [ink('. Without a vote: '), ...players(missed)];
  return [remark([ink(`${why}: the poll is closed`, 'bold'), ...late])];
}

/** One ballot and the count so far: the drum-roll. */
export function turnedBlocks(line: SeenOf<'ballot.turned'>, { state }: Scene): readonly Block[] {
  const { index = 0, ballot } = line;
  if (ballot === undefined) return [];
  const who = line.voter ?? line.by;
  const vote = who === undefined ? [ink('somebody')] : player(who);
  const isVoid = line.void === true ? [ink(' (void)', 'yellow')] : [];
  const lead = [
    ink(`${String(index + 1).padStart(NUMBER_WIDTH)}  `, 'dim'),
    ...vote,
    ink(' → '),
    ...candidate(ballot),
  ];
  const space = ink(' '.repeat(Math.max(2, COUNT_COLUMN - sizeOf(lead))));
  return [
    paragraph([...lead, space], [...count(countTurned(state.meeting?.turned ?? [])), ...isVoid]),
  ];
}

export function verdictBlocks({ sentence }: SeenOf<'verdict.told'>): readonly Block[] {
  if (sentence === undefined) return [];
  return [remark([ink('.  .  .', 'dim')]), blank(), remark([ink(sentence, 'bold')])];
}

/** Where the count begins: behind the longest two names of colours. */
const COUNT_COLUMN = 30;

/** "BL ■■ 2 · skip ■ 1" */
function count(turned: readonly BallotCount[]): readonly Ink[] {
  return turned.flatMap(({ candidate: who, votes }, index) => {
    const name = who === 'skip' ? 'skip' : CODES[who];
    const bar = glued(`${name} ${'■'.repeat(votes)} ${votes}`, 'dim');
    return index === 0 ? bar : [ink('  ·  ', 'dim'), ...bar];
  });
}

const ENDINGS: Readonly<Record<Outcome, string>> = {
  ejected: 'somebody was ejected',
  tie: 'a tie, nobody was ejected',
  skipped: 'skipped, nobody was ejected',
  empty: 'nobody is left alive',
  unconverged: 'stopped before the vote by an operator’s limit',
  interrupted: 'somebody stopped the run',
  refused: 'the call was against the rules',
};

export function endBlocks(
  { outcome, ejected }: SeenOf<'meeting.closed'>,
  { state }: Scene,
): readonly Block[] {
  const how: readonly Ink[] =
    ejected === null || ejected === undefined
      ? [ink(ENDINGS[outcome ?? 'interrupted'])]
      : [...player(ejected), ink(' was ejected')];
  const ticks = state.meeting?.ticks ?? 0;
  const talk = ink(` (${ticks} ${ticks === 1 ? 'tick' : 'ticks'} of talk)`, 'dim');
  return [banner('The meeting is over'), remark([...how, talk])];
}

function remark(text: readonly Ink[]): Block {
  return paragraph([ink(INDENT)], text);
}
