import type { SeenEvent, SeenLine, SeenOf } from '../../../../machines/journal/lens.ts';
import type { MeetingState } from '../../../../machines/journal/projection.ts';
import { listDecidingTerms } from '../../../../machines/rules/grant.ts';
import { capitalize, listWords, SYSTEM_NAMES } from '../../../../machines/text.ts';
import type { Stepped, SteppedLine } from '../../../charts/moves.ts';
import { candidateName, describeCall, describeEnding, joinPieces } from '../../../text.ts';

export const MARKS = {
  kill: '✕',
  meeting: '◉',
  verdict: '⏏',
  alarm: '⚠',
  vent: '⇵',
  vote: '✓',
  forced: '‼',
  dice: '⚄',
  accusation: '☞',
  nudge: '◔',
  fault: '⌁',
  gone: '⊘',
  end: '■',
} as const;
export type MarkKind = keyof typeof MARKS;

export type Mark = { readonly step: number; readonly kind: MarkKind; readonly text: string };
type FoundMark = Omit<Mark, 'step'>;

export function findMarks(line: SteppedLine, meeting: MeetingState | null): readonly FoundMark[] {
  switch (line.type) {
    case 'round.closed':
      return (line.events ?? []).flatMap((event) => markEvent(event) ?? []);
    case 'tick.closed':
      return markTick(line);
    default: {
      const mark = markLine(line, meeting);
      return mark === null ? [] : [mark];
    }
  }
}

function markLine(line: SeenLine, meeting: MeetingState | null): FoundMark | null {
  switch (line.type) {
    case 'meeting.called':
      return { kind: 'meeting', text: joinPieces(describeCall(line)) };
    case 'vote.locked': {
      const isFirst = meeting !== null && Object.keys(meeting.locked).length === 0;
      const { seat, ballot } = line;
      if (!isFirst || seat === undefined) return null;
      const whom = ballot === undefined ? '' : `: ${candidateName(ballot)}`;
      return { kind: 'vote', text: `First vote, by ${capitalize(seat)}${whom}` };
    }
    case 'verdict.announced':
      return { kind: 'verdict', text: line.sentence ?? 'The verdict' };
    case 'seat.faulted':
    case 'seat.departed':
      return line.seat === undefined ? null : markSeat(line.type, line.seat);
    case 'meeting.refused':
      return { kind: 'meeting', text: 'The call is refused' };
    case 'game.closed':
      return { kind: 'end', text: describeEnding(line) };
    default:
      return null;
  }
}

function markSeat(type: 'seat.faulted' | 'seat.departed', seat: string): FoundMark {
  return type === 'seat.departed'
    ? { kind: 'gone', text: `${capitalize(seat)} is gone` }
    : { kind: 'fault', text: `${capitalize(seat)} gives no usable reply` };
}

function markEvent(event: SeenEvent): FoundMark | null {
  const name = (seat: string | undefined) => (seat === undefined ? 'somebody' : capitalize(seat));
  switch (event.type) {
    case 'player.killed':
      return { kind: 'kill', text: `${capitalize(name(event.by))} kills ${name(event.victim)}` };
    case 'sabotage.begun':
      if (event.system === undefined) return null;
      return { kind: 'alarm', text: `Sabotage of ${SYSTEM_NAMES[event.system]}` };
    case 'vent.used':
      if (event.how !== 'in') return null;
      return { kind: 'vent', text: `${capitalize(name(event.seat))} vents` };
    case 'seat.departed':
    case 'seat.faulted':
      return markSeat(event.type, name(event.seat));
    default:
      return null;
  }
}

function markTick(line: SeenOf<'tick.closed'> & Stepped): readonly FoundMark[] {
  const { floor, nudge, scores = [], tie } = line;
  const marks: FoundMark[] = [];
  if (floor != null) {
    const who = capitalize(floor);
    const score = scores.find(({ seat }) => seat === floor);
    if (score?.calledOn === true) marks.push({ kind: 'forced', text: `${who} is called on` });
    if (tie === 'draw') marks.push({ kind: 'dice', text: `A tie is drawn: ${who} speaks` });
    else if (tie == null && listDecidingTerms(scores, floor).some(({ term }) => term.key === 'die'))
      marks.push({ kind: 'dice', text: `The die gives ${who} the floor` });
    const accused = listWords((line.accused ?? []).map(capitalize));
    if (accused !== '') marks.push({ kind: 'accusation', text: `${who} accuses ${accused}` });
  }
  if (nudge != null) marks.push({ kind: 'nudge', text: 'System says: wrap it up' });
  return marks;
}
