/**
 * Properties of the arbiter's own chart: whom it asks, which ticks it sends to the meeting, who has the floor, and how
 * it keeps its books. They call no rule: scores, silence and tokens are computed again from docs/design.md.
 */
import type { MachineStep, Property } from 'glass-box-checker';
import type { ArbiterBooks, ArbiterInput } from '../../machines/charts/arbiter.ts';
import {
  BIDS,
  playerId,
  type ToArbiter,
  type ToBids,
  type ToMeeting,
  type ToPlayer,
} from '../../machines/messages.ts';
import type { OutgoingMessage } from '../../machines/outgoing.ts';
import type { TickDecision } from '../../machines/rules/facts.ts';
import type { Floor } from '../../machines/rules/floor.ts';
import { ACCUSING_WORDS } from '../../machines/rules/mentions.ts';
import type { Score } from '../../machines/rules/scoreTerms.ts';
import { LATE, LEFT } from '../../machines/rules/tick.ts';
import {
  type Bid,
  type Colour,
  NUDGE,
  type NudgeReason,
  SYSTEM,
  type TieBreak,
  type Utterance,
} from '../../machines/types.ts';
import { isTalk } from '../models/closings.ts';
import { messagesIn } from '../models/meetingSystem.ts';
import { allHold, declareProperties, isSame, readSent, sortFields } from './property.ts';

type ArbiterProperty = Property<ArbiterBooks, ToArbiter>;
type ArbiterStep = MachineStep<ArbiterBooks, ToArbiter>;
type Gathered = Extract<ToArbiter, { type: 'bids.gathered' }>;

const toPlayer = (seat: Colour, message: ToPlayer): OutgoingMessage => ({
  to: playerId(seat),
  message,
});
const toBids = (message: ToBids): OutgoingMessage => ({ to: BIDS, message });

/** The bids of the open tick, or null for another event or an earlier tick. */
function bidsOfOpenTick({ before, event }: ArbiterStep): Gathered | null {
  const isOpen = before.at !== 'idle' && event.type === 'bids.gathered';
  return isOpen && event.tick === before.context.floor.tick ? event : null;
}

const isInTalk = ({ opened }: ArbiterBooks) => opened !== null && isTalk(opened.table.requestKind);

function decisionOf({ effects }: ArbiterStep): TickDecision | null {
  const [closed] = readSent<ToMeeting>(effects);
  return closed?.type === 'tick.closed' ? closed.decision : null;
}

function silenceOf({ tick, lastSpoke }: Floor, seat: Colour): number {
  return tick - (lastSpoke[seat] ?? -1) - 1;
}

function boostAfter({ options }: ArbiterBooks, silent: number): number {
  const { slope, grace, cap } = options.weights.silence;
  return Math.min(slope * Math.max(0, silent - grace), cap ?? Number.POSITIVE_INFINITY);
}

/** Whether the silence boost alone exceeds all that a rival can have: desire, die, names and a ballot. */
function isDue(books: ArbiterBooks, seat: Colour): boolean {
  const { mention, accusation, voted } = books.options.weights;
  const most = MOST_DESIRE + MOST_FACE - LEAST_FACE + mention + accusation + voted;
  return boostAfter(books, silenceOf(books.floor, seat)) > most;
}

const MOST_DESIRE = 10;
const [LEAST_FACE, MOST_FACE] = [1, 6];

function expectedScore(books: ArbiterBooks, bid: Bid, dice: Gathered['dice']): Score {
  const { floor, opened, options } = books;
  const { weights } = options;
  const { seat } = bid;
  const last = floor.lastSpoke[seat];
  const isNamed = (kind: 'mention' | 'accusation') =>
    floor.heard.some(
      ({ tick, hits }) =>
        tick > (last ?? -1) && hits.some((hit) => hit.seat === seat && hit.kind === kind),
    );
  const hasVoted = opened?.voted.includes(seat) === true;
  const silent = silenceOf(floor, seat);
  const terms = {
    desire: bid.type === 'reply' ? bid.reply.desire : 0,
    mention: isNamed('mention') ? weights.mention : 0,
    accusation: isNamed('accusation') ? weights.accusation : 0,
    silence: boostAfter(books, silent),
    die: dice[seat]?.face ?? LEAST_FACE,
    recentSpeaker: last === floor.tick - 1 ? 0 - weights.recentSpeaker : 0,
    voted: hasVoted ? 0 - weights.voted : 0,
  };
  const calledOn = isDue(books, seat);
  return {
    seat,
    ...terms,
    total: Object.values(terms).reduce((sum, term) => sum + term, 0),
    silentTicks: silent,
    hasVoted,
    calledOn,
    eligible: bid.type === 'reply' && (calledOn || bid.reply.message.trim() !== ''),
  };
}

/** The highest eligible score wins. Ties go to the longest silence, then to who has not voted, then to the draw. */
function expectedFloor(scores: readonly Score[], dice: Gathered['dice']) {
  const rank = ({ total, silentTicks, hasVoted, seat }: Score) => [
    total,
    silentTicks,
    hasVoted ? 0 : 1,
    dice[seat]?.draw ?? 0,
  ];
  const [first, ...others] = scores
    .filter(({ eligible }) => eligible)
    .map((score) => ({ seat: score.seat, rank: rank(score) }))
    .toSorted((one, other) => compareRanks(other.rank, one.rank));
  if (first === undefined) return { floor: null, tieBreak: null };
  const settled = others.map((other) => differsAt(first.rank, other.rank));
  return { floor: first.seat, tieBreak: SETTLED_BY[Math.max(0, ...settled)] ?? null };
}

/** The tie break, by the first index where the ranks differ. */
const SETTLED_BY: readonly (TieBreak | null)[] = [null, 'silence', 'unvoted', 'draw'];

function differsAt(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at < 0 ? one.length - 1 : at;
}

function compareRanks(one: readonly number[], other: readonly number[]): number {
  const at = differsAt(one, other);
  return (one[at] ?? 0) - (other[at] ?? 0);
}

/** The audible message: cut to the token limit at four letters per token, and addressed only to another player. */
function expectedSaid(books: ArbiterBooks, bid: Bid | undefined): Utterance | null {
  if (bid?.type !== 'reply') return null;
  const { tick } = books.floor;
  const { message: whole, target } = bid.reply;
  const message = whole.trim().slice(0, books.options.messageTokens * LETTERS);
  const isAddressed = message !== '' && target !== bid.seat;
  return { tick, speaker: bid.seat, target: isAddressed ? target : null, message };
}

/** Names as whole words, also plural or possessive, and accusing words in their sentence. A target is accused. */
function expectedHits({ seated }: ArbiterBooks, said: Utterance | null) {
  if (said === null) return [];
  const named = said.message.split(/(?<=[.!?;\n])/).flatMap((sentence) => {
    const words = sentence.match(/[\w']+/g) ?? [];
    const accusing = words.find((word) => ACCUSING.includes(word.toLowerCase()));
    return words.flatMap((word) => {
      const seat = seated.find((one) => ENDINGS.some((end) => word.toLowerCase() === one + end));
      if (seat === undefined) return [];
      const mention = { seat, kind: 'mention', word };
      return accusing ? [mention, { seat, kind: 'accusation', word: accusing }] : [mention];
    });
  });
  const target = { seat: said.target, kind: 'accusation', word: 'target' };
  const all = [...(said.target === null ? [] : [target]), ...named];
  return all.filter(
    ({ seat, kind }, index) =>
      seat !== said.speaker &&
      index === all.findIndex((one) => one.seat === seat && one.kind === kind),
  );
}

const ENDINGS = ['', 's', "'", "'s"];
const ACCUSING: readonly string[] = ACCUSING_WORDS;

/** Letters per token. All messages of the model are plain ASCII. */
const LETTERS = 4;
/** Tokens of the JSON around a message. */
const FRAME = 18;
const NUDGE_AT = 0.8;
const RECENT = 3;

function expectedNudge({ options, floor }: ArbiterBooks, tokens: number): NudgeReason | null {
  const { lastNudge, tick } = floor;
  if (lastNudge !== null && tick - lastNudge < options.nudgeEvery) return null;
  if (tokens >= options.tokenTarget * NUDGE_AT) return 'tokens';
  return tick + 1 >= options.nudgeAfter ? 'ticks' : null;
}

function expectedBooks({ floor }: ArbiterBooks, { said, hits, nudge }: TickDecision): Floor {
  const { tick, transcript, tokens, lastNudge, heard, lastSpoke } = floor;
  const system: Utterance = { tick, speaker: SYSTEM, target: null, message: NUDGE };
  const spoke = said === null ? {} : { [said.speaker]: tick };
  return {
    tick: tick + 1,
    lastSpoke: { ...lastSpoke, ...spoke },
    heard: said === null ? heard : [...heard, { tick, hits }].slice(-RECENT),
    transcript: [
      ...transcript,
      ...(said === null ? [] : [said]),
      ...(nudge === null ? [] : [system]),
    ],
    tokens: tokens + tokensOf(said),
    lastNudge: nudge === null ? lastNudge : tick,
  };
}

function expectedAfter(step: ArbiterStep): Omit<ArbiterBooks, keyof ArbiterInput> & { at: string } {
  const { event, before } = step;
  const { floor, pending, opened } = before.context;
  const passed = { ...floor, tick: floor.tick + 1 };
  if (event.type === 'tick.opened')
    return { at: 'asking', floor: pending ?? floor, pending: null, opened: event };
  if (event.type === 'tick.abandoned')
    return { at: 'idle', floor: passed, pending: null, opened: null };
  const at = event.type === 'bids.outstanding' ? 'waiting' : before.at;
  if (bidsOfOpenTick(step) === null) return { at, floor, pending, opened };
  const decision = decisionOf(step);
  const next = decision === null ? passed : expectedBooks(before.context, decision);
  return { at: 'idle', floor, pending: next, opened };
}

function tokensOf(said: Utterance | null): number {
  return said === null ? 0 : FRAME + Math.ceil(said.message.length / LETTERS);
}

const isTalkClosing = (step: ArbiterStep) =>
  bidsOfOpenTick(step) !== null && isInTalk(step.before.context);

export const arbiterProperties = declareProperties<ArbiterProperty>({
  'ticks-close-as-they-were-opened': {
    sentence:
      'When the bids of the open tick are in, the meeting gets them once, with that tick’s number, kind and dice. The arbiter sends the meeting no other message.',
    holds: (step) => {
      const sent = readSent<ToMeeting>(step.effects);
      const gathered = bidsOfOpenTick(step);
      if (gathered === null) return sent.length === 0;
      const { tick, bids, dice } = gathered;
      const { opened } = step.before.context;
      const requestKind = opened?.table.requestKind;
      const decision = isInTalk(step.before.context) ? decisionOf(step) : null;
      const expected = { type: 'tick.closed', tick, requestKind, bids, dice, decision };
      return allHold({ 'the messages': [sent.map(sortFields), [sortFields(expected)]] });
    },
  },
  'the-highest-bid-has-the-floor': {
    sentence:
      'Each bid is scored by its terms. The highest bidder with a message or a call has the floor. Silence, ballot and draw break ties. Names, accusing words and the target count.',
    when: isTalkClosing,
    holds: (step) => {
      const decision = decisionOf(step);
      const gathered = bidsOfOpenTick(step);
      if (decision === null || gathered === null) return false;
      const { bids, dice } = gathered;
      const { context } = step.before;
      const scores = bids.map((bid) => expectedScore(context, bid, dice));
      const { floor, tieBreak } = expectedFloor(scores, dice);
      const said = expectedSaid(
        context,
        bids.find(({ seat }) => seat === floor),
      );
      const hits = decision.hits.map(({ seat, kind, word }) => ({ seat, kind, word }));
      return allHold({
        'the scores': [decision.scores, scores],
        'the floor': [decision.floor, floor],
        'the tie break': [decision.tieBreak, tieBreak],
        'what is said': [sortFields(decision.said ?? {}), sortFields(said ?? {})],
        'who is named': [hits, expectedHits(context, decision.said)],
      });
    },
  },
  'wrap-it-up-comes-in-time': {
    sentence:
      'The system asks to wrap up after the configured ticks or tokens, never twice within the spacing.',
    when: isTalkClosing,
    holds: (step) => {
      const decision = decisionOf(step);
      const { context } = step.before;
      if (decision === null) return false;
      const tokens = context.floor.tokens + tokensOf(decision.said);
      return decision.nudge === expectedNudge(context, tokens);
    },
  },
  'the-books-are-kept': {
    sentence:
      'The decision of a closed tick enters the books when the next tick opens, and not before. An abandoned tick leaves no trace in them, except that its number is not reused. Bids of a tick that is not open, and all else, change nothing.',
    holds: (step) => {
      const { floor, pending, ...others } = step.after.context;
      const expected = expectedAfter(step);
      return allHold({
        'the books': [sortFields(floor), sortFields(expected.floor)],
        'the pending books': [sortFields(pending ?? {}), sortFields(expected.pending ?? {})],
        'the open tick': [others.opened, expected.opened],
        'what it was given': [others.options, step.before.context.options],
        'the state': [step.after.at, expected.at],
      });
    },
  },
  'all-who-are-named-are-asked': {
    sentence:
      'When a tick opens, exactly the named players are asked, each once, with the table, the tick number and the whole transcript. A player who was silent too long is reminded, and later called on, but only in talk.',
    when: ({ before, event }) => before.at === 'idle' && event.type === 'tick.opened',
    holds: ({ event, after, effects }) => {
      if (event.type !== 'tick.opened') return false;
      const { tick, transcript } = after.context.floor;
      const { seats } = event;
      const table = { ...event.table, tick, transcript };
      const asked = seats.map((seat) => {
        const isHeard = isInTalk(after.context);
        const isQuiet =
          isHeard && boostAfter(after.context, silenceOf(after.context.floor, seat)) > 0;
        const reminder = isQuiet ? "You can't just be silent, that ruins the fun" : null;
        const calledOn = isHeard && isDue(after.context, seat);
        return toPlayer(seat, { type: 'bid.requested', table, calledOn, reminder });
      });
      const expected = [
        toBids({ type: 'bids.awaited', tick, seats }),
        ...asked,
        toBids({ type: 'bids.requested', tick }),
      ];
      return isSame(messagesIn(effects), expected);
    },
  },
  'nobody-is-waited-for-in-vain': {
    sentence:
      'Late players and the players of an abandoned tick are released. A player who leaves counts as a fault. At the deadline, time is called.',
    when: ({ event }) => event.type !== 'tick.opened',
    holds: ({ before, event, effects }) =>
      isSame(messagesIn(effects), expectedReleases(before, event)),
  },
});

function expectedReleases(
  { at, context: { floor, opened } }: ArbiterStep['before'],
  event: ArbiterStep['event'],
): readonly OutgoingMessage[] {
  const { tick } = floor;
  const missed = (seat: Colour) => toPlayer(seat, { type: 'tick.missed', tick });
  if (event.type.startsWith('xstate.after.')) return [toBids({ type: 'time.called', tick })];
  if (event.type === 'bids.gathered') {
    if (at === 'idle' || event.tick !== tick) return [];
    return event.bids.flatMap((bid) =>
      bid.type === 'fault' && bid.code === LATE ? [missed(bid.seat)] : [],
    );
  }
  if (event.type === 'tick.abandoned')
    return [toBids({ type: 'tick.abandoned' }), ...(opened?.seats ?? []).map(missed)];
  if (event.type !== 'seat.vacated' || at === 'idle') return [];
  const bid: Bid = { type: 'fault', seat: event.seat, code: LEFT, text: 'left the table' };
  return [toBids({ type: 'bid.placed', tick, bid })];
}
