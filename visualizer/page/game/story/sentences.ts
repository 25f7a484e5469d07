import { capitalize, pluralize } from '../../../../machines/text.ts';
import { candidateName, describeEnding, formatClock, joinPieces } from '../../../text.ts';
import type { FeedItem } from './feed.ts';
import { readTaskBar } from './ship.ts';
import type { Moment, Story } from './story.ts';

export function describeStep(story: Story, step: number): string {
  const moment = story.moments[step];
  if (moment === undefined) return '';
  const from = step === 0 ? 0 : (story.moments[step - 1]?.feedLength ?? 0);
  const items = story.feed.slice(from, moment.feedLength).map(({ item }) => describeItem(item));
  const ghost = story.gallery.at(moment.galleryLength - 1);
  if (ghost !== undefined && ghost.step === step)
    return `Ghost ${capitalize(ghost.speaker)}: ${ghost.message}`;
  if (items.length > 0) return items.join(' ');
  return describeQuiet(moment);
}

/** Where a step is: "Step 12 of 80, meeting 1, discussion, tick 5". */
export function describePosition(story: Story, step: number): string {
  const moment = story.moments[step];
  const place = `Step ${step + 1} of ${story.moments.length}`;
  return moment === undefined ? place : `${place}, ${describeTime(moment)}`;
}

/** "Meeting 1 · discussion · tick 5", or the time on the ship. */
export function describeTime({ meeting, ship, line }: Moment): string {
  const isAboard = ship !== null && (ship.lastRound !== null || meeting === null);
  if (line.type === 'game.closed') return 'The end';
  if (isAboard) return `On the ship, ${formatClock(ship.round)}`;
  if (meeting === null) return 'Before the meeting';
  const name = ship === null ? 'Meeting' : `Meeting ${meeting.number}`;
  const phase = meeting.isOver ? 'over' : (meeting.phase ?? 'called');
  const isTalk = phase === 'discussion' || phase === 'voting';
  const tick = isTalk && meeting.tick !== null ? `, tick ${meeting.tick.tick ?? 0}` : '';
  return `${name}, ${phase}${tick}`;
}

/** "Meeting 2: Red reported Pink’s body. 5 alive, 1 impostor among them. Cyan speaks." */
export function describeSituation(moment: Moment, isFloorTold = true): string {
  const { meeting, ship, players, ending, lens } = moment;
  if (ending !== null) return describeEnding(ending);
  const living = players.filter(({ fate }) => fate === 'living');
  const alive = `${living.length} alive`;
  if (ship !== null && (ship.lastRound !== null || meeting === null)) {
    const { words = '' } = readTaskBar(ship) ?? {};
    // Only the glass sees every kill at once.
    const facts = [words, lens.type === 'glass' ? alive : ''].filter((fact) => fact !== '');
    return [describeTime(moment), facts.join(', ')].join('. ');
  }
  if (meeting?.call == null) return meeting?.refusal || describeTime(moment);
  const { by, body } = meeting.call;
  const who = by === undefined ? 'Somebody' : capitalize(by);
  const impostors = living.filter(({ role }) => role === 'impostor').length;
  const isKnown = living.every(({ role }) => role !== null);
  const { floor = null } = meeting.tick ?? {};
  const isTalk = meeting.phase === 'discussion' || meeting.phase === 'voting';
  const talk = isTalk && isFloorTold && floor !== null ? `${capitalize(floor)} speaks.` : '';
  return [
    ship === null ? 'Meeting:' : `Meeting ${meeting.number}:`,
    body == null
      ? `${who} pressed the emergency button.`
      : `${who} reported ${capitalize(body)}’s body.`,
    `${alive}${isKnown ? `, ${pluralize(impostors, 'impostor')} among them` : ''}.`,
    meeting.sentence === '' ? talk : meeting.sentence,
  ].join(' ');
}

const QUIET: Readonly<Partial<Record<Moment['line']['type'], string>>> = {
  'round.closed': 'A quiet round.',
  'meeting.closed': 'The meeting is over.',
  'tick.closed': 'Everybody keeps what matters.',
  'phase.entered': 'A meeting is called.',
};

function describeQuiet({ line, minds }: Moment): string {
  if (line.type === 'scratchpads.updated' || line.type === 'scratchpads.consolidated')
    return minds.noted === null ? 'Notes are kept.' : `${capitalize(minds.noted)} writes a note.`;
  if (line.type === 'tick.closed' && line.requestKind === 'reaction')
    return 'Everybody takes it in.';
  if (line.type === 'ghost.joined' && line.seat !== undefined)
    return `${capitalize(line.seat)} joins the ghosts.`;
  return QUIET[line.type] ?? '';
}

export function describeItem(item: FeedItem): string {
  switch (item.type) {
    case 'chapter': {
      const detail = joinPieces(item.detail);
      return detail === '' ? `${item.title}.` : `${item.title}. ${detail}`;
    }
    case 'opening':
      return `${item.rules}.`;
    case 'closing':
      return item.facts.map(({ name, text }) => `${name}: ${text}`).join('. ');
    case 'speech': {
      const whom = item.target === null ? '' : ` to ${capitalize(item.target)}`;
      const words = item.message === '' ? 'stays silent' : item.message;
      return `${capitalize(item.speaker)}${whom}: ${words}`;
    }
    case 'quiet':
      return 'Nobody asks for the floor.';
    case 'nudge':
      return 'System: wrap it up.';
    case 'vote':
      return item.ballot === null
        ? `${capitalize(item.seat)} has voted.`
        : `${capitalize(item.seat)} votes for ${candidateName(item.ballot)}.`;
    case 'remark':
      return joinPieces(item.words);
    case 'ballot':
      return `Ballot ${item.index + 1}: ${item.voter === null ? 'somebody' : capitalize(item.voter)} for ${candidateName(item.ballot)}.`;
    case 'verdict':
      return item.sentence;
    default:
      return item satisfies never;
  }
}
