/** The feed: what is told of the lines, item by item, in the order in which it happened. */

import type { SeenLine, SeenOf } from '../../../../machines/journal/lens.ts';
import { readBid } from '../../../../machines/journal/projection.ts';
import type { Outcome } from '../../../../machines/types.ts';
import { describeEnding } from '../../../text.ts';
import { whyFloor } from './bids.ts';
import type { Around, Item, Piece, Speech, Tone } from './item.ts';
import { polled } from './polled.ts';
import { roundItems } from './rounds.ts';

export function itemsOf(line: SeenLine, around: Around): readonly Item[] {
  switch (line.type) {
    case 'journal.opened':
      return [chapter(line.scenario.name, [line.scenario.about])];
    case 'game.opened':
      return [chapter(line.lobby.name, [line.lobby.about])];
    case 'round.closed':
      return roundItems(line, around);
    case 'meeting.called':
      return called(line, around);
    case 'meeting.refused':
      return [remark('alarm', [`No meeting: ${line.note?.text ?? 'the call breaks a rule'}`])];
    case 'phase.entered':
      return phase(line);
    case 'tick.closed':
      return ticked(line, around);
    case 'game.closed':
      return [chapter('The game is over', [describeEnding(line)])];
    case 'meeting.closed':
      return around.after === null
        ? [remark('plain', [MEETING_ENDS[line.outcome ?? 'empty']])]
        : [];
    default:
      return polled(line, around.thoughts);
  }
}

function chapter(title: string, detail: readonly Piece[] = []): Item {
  return { type: 'chapter', title, detail };
}

function remark(tone: Tone, words: readonly Piece[]): Item {
  return { type: 'remark', tone, words };
}

const PHASES = {
  discussion: 'Discussion',
  voting: 'Voting',
  reveal: 'Reveal',
  reaction: 'Reaction',
  consolidation: 'Consolidation',
} as const;

function phase({ phase: name }: SeenOf<'phase.entered'>): readonly Item[] {
  return name === undefined || name === 'interrupt' ? [] : [chapter(PHASES[name])];
}

function called(line: SeenOf<'meeting.called'>, { meetings, before }: Around): readonly Item[] {
  const { by, kind, body, place } = line;
  const who: readonly Piece[] = by === undefined ? ['Somebody'] : [{ seat: by }];
  const where = place == null ? '' : ` in ${place}`;
  const words: readonly Piece[] =
    kind === 'body' && body != null
      ? [...who, ' reports the body of ', { seat: body }, `${where}.`]
      : [...who, ' presses the emergency button.'];
  const known = before?.losses.map(({ seat }) => seat) ?? [];
  const fresh = (line.dead ?? []).filter((seat) => seat !== body && !known.includes(seat));
  const missing = fresh.map((seat) => remark('death', [{ seat }, ' is missing.']));
  return [chapter(before === null ? 'A meeting' : `Meeting ${meetings}`, words), ...missing];
}

function ticked(line: SeenOf<'tick.closed'>, { claims }: Around): readonly Item[] {
  const { occasion, tick = 0, said, floor, hits = [], bids = [], nudge, tie = null } = line;
  if (occasion !== 'discussion' && occasion !== 'voting') return [];
  const system: readonly Item[] = nudge == null ? [] : [{ type: 'nudge', reason: nudge }];
  if (said == null || floor == null) return [{ type: 'quiet', tick }, ...system];
  const bid = bids.find(({ seat }) => seat === floor);
  const speech: Speech = {
    type: 'speech',
    tick,
    speaker: floor,
    target: said.target ?? null,
    message: said.message,
    hits,
    claims: claims.filter(({ truth }) => truth !== 'unverifiable'),
    thought: bid === undefined ? '' : readBid(bid).thought,
    why: line.scores === undefined ? '' : whyFloor(line),
    tie,
  };
  return [speech, ...system];
}

const MEETING_ENDS: Readonly<Record<Outcome, string>> = {
  ejected: 'The meeting is over: somebody was ejected.',
  tie: 'The meeting is over: a tie, nobody was ejected.',
  skipped: 'The meeting is over: skipped, nobody was ejected.',
  empty: 'The meeting is over: nobody is left alive.',
  unconverged: 'The meeting was stopped before the vote by a limit.',
  interrupted: 'Somebody stopped the meeting.',
  refused: 'The call was against the rules.',
};
