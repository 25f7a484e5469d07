/** The phases of a meeting: which are over, and one sentence about the current one, from what the lens shows. */
import {
  type BallotCount,
  countTurned,
  livingIn,
  type MeetingState,
  type Projection,
} from '../../../../machines/journal/projection.ts';
import { readMeetingOptions } from '../../../../machines/rules/options.ts';
import { voteTicks } from '../../../../machines/rules/tick.ts';
import { capitalize, pluralize } from '../../../../machines/text.ts';
import { PHASES, type Phase } from '../../../../machines/types.ts';
import {
  candidateName,
  describeCall,
  describeEnding,
  joinPieces,
  MEETING_ENDINGS,
} from '../../../text.ts';

export type PhaseMark = {
  readonly phase: Phase;
  readonly place: 'done' | 'left out' | 'here' | 'next' | 'later';
};

export function markPhases({ phase, isOver, poll }: MeetingState): readonly PhaseMark[] {
  const here = phase === null ? -1 : PHASES.indexOf(phase);
  return PHASES.map((each, index) => {
    if (index === here && !isOver) return { phase: each, place: 'here' };
    if (index > here && (isOver || phase === null)) return { phase: each, place: 'left out' };
    if (index > here) return { phase: each, place: index === here + 1 ? 'next' : 'later' };
    // A meeting that reaches a limit goes from the talk to the consolidation.
    const isMissed = index > 1 && index < here && poll === null;
    return { phase: each, place: isMissed ? 'left out' : 'done' };
  });
}

type Sitting = Projection & { readonly meeting: MeetingState };

/** "Discussion: 4 of 6 have voted. Voting closes when all have." */
export function describePhase(now: Projection): string {
  const { meeting } = now;
  if (meeting === null) return '';
  const sitting = { ...now, meeting };
  const { phase, refusal, isOver } = meeting;
  if (now.ending !== null) return `The game is over. ${describeEnding(now.ending)}`;
  if (refusal !== '') return `The call was refused: ${refusal}`;
  if (isOver || phase === null) {
    const { ejected, outcome, ticks } = meeting;
    const nobody = MEETING_ENDINGS[outcome ?? 'interrupted'];
    const end = ejected === null ? nobody : `${capitalize(ejected)} was ejected`;
    return `The meeting is over after ${pluralize(ticks, 'tick')}: ${end}.`;
  }
  return `${capitalize(phase)}: ${SENTENCES[phase](sitting)}`;
}

const SENTENCES: Readonly<Record<Phase, (sitting: Sitting) => string>> = {
  interrupt: ({ meeting: { call }, players }) => {
    const living = livingIn(players).length;
    const what = call === null ? 'The call is checked' : joinPieces(describeCall(call));
    return `${what}. All living players (${living}) come to the table.`;
  },
  discussion: describeTalk,
  voting: (sitting) => {
    const { poll } = sitting.meeting;
    if (poll === null) return describeTalk(sitting);
    const missed = poll.missed?.length ?? 0;
    const reason = poll.reason === 'time-up' ? 'Time is up' : 'All have voted';
    return `${reason}, ${missed === 0 ? 'nobody' : missed} missed the vote. The ballots are counted.`;
  },
  reveal: ({ meeting: { turned, locked, sentence } }) => {
    if (sentence !== '') return sentence;
    const all = Math.max(Object.keys(locked).length, turned.length);
    return `${turned.length} of ${pluralize(all, 'ballot')} turned. ${formatLead(countTurned(turned))}`;
  },
  reaction: ({ players }) =>
    `All living players (${livingIn(players).length}) take in the result. Nobody speaks or votes.`,
  consolidation: ({ players }) =>
    `All living players (${livingIn(players).length}) keep what matters. The meeting notes are erased.`,
};

function describeTalk({ meeting: { locked, ticks }, players, header }: Sitting): string {
  const { openAfter, closeAfter } = voteTicks(readMeetingOptions(header?.match ?? NO_MATCH));
  if (ticks < openAfter)
    return `${ticks} of ${pluralize(openAfter, 'tick')} have passed. Voting opens after them.`;
  const living = livingIn(players);
  const voted = living.filter((seat) => seat in locked).length;
  if (voted === living.length) return `All ${voted} have voted, so voting closes.`;
  const left = pluralize(Math.max(0, (closeAfter ?? 0) - ticks), 'tick');
  const limit = closeAfter === null ? '' : `, or in ${left}`;
  return `${voted} of ${living.length} ${voted === 1 ? 'has' : 'have'} voted. Voting closes when all have${limit}.`;
}

const NO_MATCH = { options: {}, seats: [] };

function formatLead([first, second]: readonly BallotCount[]): string {
  if (first === undefined) return 'The first one comes.';
  if (second?.votes === first.votes) return `A tie at ${first.votes}.`;
  return `${candidateName(first.candidate)} leads with ${first.votes}.`;
}
