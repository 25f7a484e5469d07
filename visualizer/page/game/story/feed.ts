import type { JudgedClaim } from '../../../../analysis/claims/whereabouts.ts';
import type { SeenEvent, SeenLine, SeenOf } from '../../../../machines/journal/lens.ts';
import {
  type CurrentAction,
  type Projection,
  readBid,
  type SeenRound,
  type ShipState,
  type TurnedBallot,
} from '../../../../machines/journal/projection.ts';
import { capitalize, SYSTEM_NAMES } from '../../../../machines/text.ts';
import type { Ballot, ByType, Colour, NudgeReason, Outcome } from '../../../../machines/types.ts';
import type { Stepped, SteppedLine } from '../../../charts/moves.ts';
import { explainFloor } from '../../../floorReason.ts';
import {
  describeCall,
  describeDeparture,
  describeEnding,
  MEETING_ENDINGS,
  type TextPiece,
  VENT_MOVES,
  withArticle,
} from '../../../text.ts';
import { closingCard, openingCard } from './cards.ts';

type FeedTone = 'plain' | 'work' | 'alarm' | 'death';

export type FeedSpeech = {
  readonly type: 'speech';
  readonly tick: number;
  readonly speaker: Colour;
  readonly model: string;
  readonly target: Colour | null;
  readonly message: string;
  readonly hits: readonly NonNullable<SeenOf<'tick.closed'>['hits']>[number][];
  readonly accused: readonly Colour[];
  /** Its place claims that are known to be true or false. Only the glass lens has them. */
  readonly claims: readonly JudgedClaim[];
  readonly thought: string;
  readonly why: string;
};

export type FeedItem =
  | ReturnType<typeof openingCard>
  | ReturnType<typeof closingCard>
  | FeedSpeech
  | ByType<{
      chapter: { title: string; detail: readonly TextPiece[] };
      quiet: { tick: number };
      nudge: { reason: NudgeReason };
      vote: { seat: Colour; ballot: Ballot | null; thought: string };
      remark: { tone: FeedTone; words: readonly TextPiece[] };
      ballot: TurnedBallot;
      verdict: { sentence: string; outcome: Outcome | null; ejected: Colour | null };
    }>;

type FeedContext = {
  readonly before: ShipState | null;
  readonly state: Projection;
  readonly lie: FeedSpeech | null;
};

export function feedItems(line: SteppedLine, context: FeedContext): readonly FeedItem[] {
  switch (line.type) {
    case 'match.opened':
      return [
        chapter(line.match.name, [line.match.about]),
        openingCard(line, context.state.players, context.state.lens),
      ];
    case 'round.closed':
      return roundItems(line, context);
    case 'meeting.called':
      return callItems(line, context);
    case 'meeting.refused':
      return [remark('alarm', [`No meeting: ${line.note?.text ?? 'the call breaks a rule'}`])];
    case 'phase.entered':
      if (line.phase === undefined || line.phase === 'interrupt') return [];
      return [chapter(capitalize(line.phase))];
    case 'tick.closed':
      return tickItems(line, context);
    case 'game.closed':
      return [
        chapter('The game is over', [describeEnding(line)]),
        closingCard(context.state, context.lie),
      ];
    case 'meeting.closed':
      return context.state.ship === null
        ? [
            remark('plain', [`The meeting is over: ${MEETING_ENDINGS[line.outcome ?? 'empty']}.`]),
            closingCard(context.state, context.lie),
          ]
        : [];
    default: {
      const item = voteItem(line, context.state);
      return item === null ? [] : [item];
    }
  }
}

function chapter(title: string, detail: readonly TextPiece[] = []): FeedItem {
  return { type: 'chapter', title, detail };
}

function callItems(
  line: SeenOf<'meeting.called'>,
  { state: { meeting }, before }: FeedContext,
): readonly FeedItem[] {
  const { body } = line;
  const words = [...describeCall(line), '.'];
  const known = before?.losses.map(({ seat }) => seat) ?? [];
  const fresh = (line.dead ?? []).filter((seat) => seat !== body && !known.includes(seat));
  const missing = fresh.map((seat) => remark('death', [{ seat }, ' is missing.']));
  return [
    chapter(before === null ? 'A meeting' : `Meeting ${meeting?.number ?? 0}`, words),
    ...missing,
  ];
}

function tickItems(
  line: SeenOf<'tick.closed'> & Stepped,
  { state: { players } }: FeedContext,
): readonly FeedItem[] {
  const { requestKind, tick = 0, said, floor, hits = [], bids = [], nudge } = line;
  const { accused = [], claims = [] } = line;
  if (requestKind !== 'discussion' && requestKind !== 'voting') return [];
  const system: readonly FeedItem[] = nudge == null ? [] : [{ type: 'nudge', reason: nudge }];
  if (said == null || floor == null) return [{ type: 'quiet', tick }, ...system];
  const bid = bids.find(({ seat }) => seat === floor);
  const speech: FeedSpeech = {
    type: 'speech',
    tick,
    speaker: floor,
    model: players.find((each) => each.seat === floor)?.model ?? '',
    target: said.target ?? null,
    message: said.message,
    hits,
    accused,
    claims,
    thought: bid === undefined ? '' : readBid(bid).thought,
    why: explainFloor(line),
  };
  return [speech, ...system];
}

function remark(tone: FeedTone, words: readonly TextPiece[]): FeedItem {
  return { type: 'remark', tone, words };
}

function remarkOn(seat: Colour | undefined, tone: FeedTone, ...words: readonly TextPiece[]) {
  return remark(tone, [seat === undefined ? 'Somebody' : { seat }, ...words]);
}

function voteItem(line: SeenLine, { minds }: Projection): FeedItem | null {
  switch (line.type) {
    case 'vote.locked': {
      const { seat, ballot = null } = line;
      if (seat === undefined) return null;
      return { type: 'vote', seat, ballot, thought: minds.thoughts[seat] ?? '' };
    }
    case 'poll.closed': {
      const why = line.reason === 'time-up' ? 'The time is up' : 'Everybody has voted';
      return remark('plain', [`${why}: the poll is closed.`]);
    }
    case 'ballot.revealed': {
      const { index = 0, voter, by = null, ballot } = line;
      if (ballot === undefined) return null;
      return { type: 'ballot', index, voter: voter ?? by, ballot, isVoid: line.void === true };
    }
    case 'verdict.announced': {
      const { sentence = '', outcome = null, ejected = null } = line;
      return { type: 'verdict', sentence, outcome, ejected };
    }
    case 'stop.requested':
    case 'end.requested':
      return remark('alarm', ['Somebody asks for the end.']);
    default:
      return 'seat' in line && line.seat !== undefined ? seatItem(line, line.seat) : null;
  }
}

function seatItem(line: SeenLine, seat: Colour): FeedItem | null {
  switch (line.type) {
    case 'vote.refused':
      return remarkOn(seat, 'plain', ` gets the note: ${line.note?.text ?? ''}`);
    case 'vote.cleared':
      return remarkOn(seat, 'plain', ' may vote again.');
    case 'seat.faulted': {
      const { code = '', streak = 1 } = line;
      return remarkOn(seat, 'alarm', ` gives no usable reply (${code}), ${streak} in a row.`);
    }
    case 'seat.departed':
      return remarkOn(seat, 'death', ` ${describeDeparture(line.reason)}.`);
    default:
      return null;
  }
}

function roundItems(line: SeenRound, { before, state }: FeedContext): readonly FeedItem[] {
  const isReturn = before !== null && before.lastRound === null;
  const title = line.round === 0 ? 'To work' : 'Back to work';
  const work = isReturn ? [chapter(title)] : [];
  const events = (line.events ?? []).flatMap((event) => eventItem(event) ?? []);
  return [...work, ...events, ...foundItems(before, state.ship)];
}

function foundItems(before: ShipState | null, after: ShipState | null): readonly FeedItem[] {
  if (before === null || after === null) return [];
  const fresh = after.found.filter((seat) => !before.found.includes(seat));
  return fresh.map((seat) => remark('death', ['The body of ', { seat }, ' is found.']));
}

function eventItem(event: SeenEvent): FeedItem | null {
  switch (event.type) {
    case 'player.killed': {
      const victim = event.victim === undefined ? 'Somebody' : { seat: event.victim };
      return remarkOn(event.by, 'death', ' kills ', victim, ` in ${event.place ?? 'the ship'}.`);
    }
    case 'vent.used': {
      const where = event.place === undefined ? 'the ship' : withArticle(event.place);
      return remarkOn(event.seat, 'alarm', ` ${VENT_MOVES[event.how ?? 'in']} ${where}.`);
    }
    case 'sabotage.begun':
      if (event.system === undefined) return null;
      return remarkOn(event.by, 'alarm', ` sabotages ${SYSTEM_NAMES[event.system]}.`);
    case 'sabotage.fixed':
      if (event.system === undefined) return null;
      return remark('work', ['Fixed: ', SYSTEM_NAMES[event.system], '.']);
    case 'doors.shut':
      return remarkOn(event.by, 'alarm', ` shuts the doors of ${event.room ?? 'a room'}.`);
    case 'keypad.entered':
      return remarkOn(event.seat, 'work', ` enters the code in ${event.at ?? 'a room'}.`);
    case 'task.stepped':
      if (event.done !== true || event.seat === undefined) return null;
      return remarkOn(event.seat, 'work', ' finishes a task: ', taskName(event.task), '.');
    case 'seat.departed':
      return remarkOn(event.seat, 'death', ` ${describeDeparture(event.reason)}.`);
    case 'seat.faulted':
      return remarkOn(event.seat, 'alarm', ` gives no usable reply (${event.code ?? ''}).`);
    case 'intent.refused':
      return remarkOn(event.seat, 'plain', ` gets the note: ${event.note?.text ?? ''}`);
    default:
      return null;
  }
}

/** "fix wiring" of "fix-wiring". */
function taskName(task: string | undefined): string {
  return (task ?? 'a task').replaceAll('-', ' ');
}

export function describeAction({ type, task }: CurrentAction): string {
  return task === '' ? type : `${type} · ${taskName(task)}`;
}

const MOST_PLACES = 3;

/** "says Electrical, 10 s before the call", or "says Red in Electrical". */
export function describeClaim({ by, about, place, ago }: JudgedClaim): string {
  const whom = by === about ? '' : `${capitalize(about)} in `;
  const when = ago === null ? '' : `, ${ago} s before the call`;
  return `says ${whom}${place}${when}`;
}

export function describeTruth({ truth, ago, places }: JudgedClaim): string {
  if (truth === 'true') return 'so it was';
  if (ago === null) return 'never there since the last meeting';
  const more = places.length > MOST_PLACES ? ' and on' : '';
  return `was in ${places.slice(0, MOST_PLACES).join(', ')}${more}`;
}
