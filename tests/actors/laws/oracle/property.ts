/**
 * The properties of a meeting, as sentences that a player could dispute.
 *
 * They are written from the design and its rulings, and checked by an oracle that shares no rule with the engine: it
 * reads lines of a journal, does the sums again, and names the property that was broken and the line.
 */
import type { Line } from '../../../../machines/journal/lines.ts';

/** Every property by its code. The number in brackets is the ruling, where there is one. */
export const PROPERTIES = {
  'course/opened': 'Each channel begins with its header, and its lines are numbered without a gap.',
  'course/phase': 'Phases follow each other in the order of the design, each entered once.',
  'course/place':
    'A line stands only in a phase in which it can happen, and nothing follows the end.',
  'course/tick': 'Ticks are numbered 0, 1, 2 …; only a tick that was abandoned leaves a gap (4).',
  'course/requestKind':
    'A tick is held for the phase it stands in; reaction and consolidation have one.',
  'course/clock':
    'Ballots are asked for when the discussion time is over, not earlier and not later.',
  'course/limit': 'Talk is cut short only by a limit of the operator, and then it is (1).',
  'course/stop': 'A stop lets the tick that is open close, and no other is opened.',
  'course/closed': 'The last line tells the result that the verdict told.',

  'bids/living': 'In each tick exactly the living bid, each once, in the order of the seats.',
  'bids/departed': 'Who has left does not bid, vote or speak any more.',
  'bids/ghost': 'No ghost stands in a line of the living.',
  'bids/desire': 'A desire that was read is a whole number from 0 to 10 (38).',

  'score/each': 'Every bid is scored, once.',
  'score/desire': 'The desire that is scored is the one that was bid; a fault has none.',
  'score/mention':
    'The mention boost is for a hit in the last three messages since one spoke (32).',
  'score/accusation': 'The accusation boost is for a hit in the last three messages (32).',
  'score/silence':
    'The silence boost is the slope times the ticks of silence after the grace (11).',
  'score/die': 'The die shows 1 to 6.',
  'score/spoke': 'Only who spoke in the previous tick is penalised for it (13).',
  'score/voted': 'The penalty for having voted comes from the tick after the vote (6).',
  'score/total': 'The total is the sum of its terms.',
  'score/called-on':
    'A player is called on from the tick on which the silence boost exceeds Δ (9).',
  'score/fault': 'A fault can not win (2).',
  'score/blank': 'A blank bid competes only when its player is called on (9).',
  'score/barred': 'Whoever has something to say competes.',

  'floor/eligible': 'The floor goes to an eligible bid.',
  'floor/highest': 'Nobody with a higher total is passed over.',
  'floor/tie':
    'Equal totals go to the longest silent, then to who has not voted, then to a draw (5).',
  'floor/nobody': 'The floor is empty only when nobody competes for it.',
  'floor/talk': 'Nobody speaks or is scored after the reveal (26).',

  'said/speaker': 'What is published is said by who has the floor, in this tick.',
  'said/words':
    'A message is published as it was bid: nothing is added, and only the end is cut (35).',
  'said/cap': 'No message is longer than the cap (35).',
  'hits/self': 'Nobody boosts himself (30).',
  'hits/named':
    'Exactly those are mentioned whose name stands in the message as a whole word (28).',
  'hits/accused': 'Accused is the target, or who is named beside an accusing word (31).',
  'nudge/reason':
    'System says "wrap it up" when the talk or the transcript is long, and only then (34).',
  'nudge/spacing': 'Between two nudges there are some ticks (34).',

  'vote/twice': 'A ballot is locked: nobody locks a second one.',
  'vote/target': 'No ballot is for the dead, the absent or the departed (15).',
  'vote/closed': 'In classic rules no vote is taken before the voting phase (39).',
  'vote/invented': 'No vote is ever invented: a ballot is what its voter bid in this tick (1, 3).',
  'vote/lost': 'Every vote that is legal is locked, and what was refused was not.',
  'vote/cleared':
    'A ballot is cleared in classic rules only, when the player it names leaves (20).',

  'poll/early': 'The poll closes when all living have voted or the voting time is up (3, 4).',
  'poll/late':
    'The poll closes at once when all living have voted, by a vote or a departure (4, 21).',
  'poll/reason': 'The reason that is told for closing the poll is the true one.',
  'poll/missed': 'Who missed the vote is who lives and has none: a missed vote is no skip (3).',
  'poll/void': 'Void are the ballots for those who have left (20).',
  'poll/count': 'The count is that of the ballots that stand.',
  'poll/outcome':
    'The unique plurality is ejected, skip being one more candidate; a tie ejects nobody (23).',

  'reveal/order': 'Ballots are turned one by one in the order of the seats (25).',
  'reveal/ballot':
    'A ballot that is turned is the one that was locked, void where its player has left.',
  'reveal/all': 'Every ballot that stands is turned once before the verdict is told.',
  'reveal/anonymous': 'Voters are named, or where votes are anonymous none is (25).',
  'reveal/sentence':
    'The sentence says the role of the ejected where ejections are confirmed, and only there.',
  'reveal/verdict': 'The verdict is what was counted.',

  'fault/streak': 'Every fault is told with the number of faults in a row.',
  'fault/patience':
    'A player is disconnected at exactly so many faults in a row as the patience is (2).',
  'fault/left': 'Who leaves is gone at once, once only, and in a moment in which one can.',

  'pads/noted': 'A scratchpad holds what its player wrote.',
  'pads/kept':
    'Every living player keeps something of the meeting: an own page or a line of the engine (27).',
  'pads/erased': 'The scratchpads of the meeting are erased once, whatever failed (27).',

  'ghosts/seats': 'In the gallery only ghosts talk, and they talk there only.',
  'ghosts/joined': 'Who joins the ghosts is who was ejected.',
  'ghosts/turn': 'Turns of the gallery are numbered 0, 1, 2 … and kept apart from ticks.',
  'ghosts/budget':
    'Ghosts have no more turns of talk than their budget, and none when they do not watch.',
  'ghosts/heard': 'A ghost who is heard said just that in this turn, cut at the cap.',
  'ghosts/react':
    'Ghosts, the ejected among them, react to the result and look back on the meeting (26).',
  'ghosts/kept': 'Ghosts keep something of the meeting too, and their scratchpads are erased once.',
} as const;
export type PropertyCode = keyof typeof PROPERTIES;

/** A property that a journal breaks. `line` counts from 1. */
export type Broken = { readonly code: PropertyCode; readonly line: number; readonly text: string };

/** Takes a complaint about the line that is looked at. */
export type Complain = (code: PropertyCode, text: string) => void;

export function expectSame(
  complain: Complain,
  code: PropertyCode,
  found: unknown,
  expected: unknown,
): void {
  if (found === expected) return;
  const [here, there] = [JSON.stringify(found), JSON.stringify(expected)];
  if (here !== there) complain(code, `expected ${there}, found ${here}`);
}

export type LineOf<T extends Line['type'], C extends Line['channel'] = 'living'> = Extract<
  Line,
  { readonly type: T; readonly channel: C }
>;
