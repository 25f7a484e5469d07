/**
 * Properties of texts and notes: how a meeting begins, its output, why a vote is refused, which
 * scratchpad pages are kept, and the sentence that everybody hears.
 */
import type { MeetingOutput } from '../../machines/charts/meeting.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import type { Ballot, Colour, PadUpdates } from '../../machines/types.ts';
import { expectedDue } from '../models/clock.ts';
import { expectedResult, writeSentence } from './poll.ts';
import {
  areVotesOpen,
  bidOf,
  declareProperties,
  factsAbout,
  factsOf,
  factsOfType,
  hasFact,
  isLiving,
  isSame,
  isTalkClosing,
  livingSeats,
  type MeetingProperty,
  type MeetingSnapshot,
  type MeetingTransition,
  type StartProperty,
  seatsOf,
  type TransitionProperty,
  voteIn,
} from './property.ts';

export const startProperty: StartProperty = {
  name: 'all-are-called-in',
  sentence:
    'The meeting begins with its call. If the call breaks a rule, it is refused with the reason. The arbiter knows every seat, the options and the dice.',
  kind: 'start',
  holds: ({ state: { context, isDone }, effects }) => {
    const { call, seats, options, chance } = context;
    const told = factsOf({ effects });
    const refusal = refusalOf(context);
    const calls = told.filter(({ type }) => type === 'meeting.called');
    const notes = told.flatMap((fact) => (fact.type === 'meeting.refused' ? fact.note.code : []));
    const arbiters = effects.filter(({ type }) => type === 'xstate.spawnChild');
    const seated = seats.map(({ colour }) => colour);
    const types = told.map(({ type }) => type);
    const expected =
      refusal === null
        ? ['phase.entered', 'meeting.called']
        : ['meeting.refused', 'meeting.closed'];
    return (
      isDone === (refusal !== null) &&
      isSame(types, expected) &&
      isSame(calls, refusal === null ? [{ type: 'meeting.called', call }] : []) &&
      isSame(notes, refusal === null ? [] : [refusal]) &&
      (refusal === null || context.outcome === 'refused') &&
      arbiters.length === 1 &&
      isSame(inputOf(arbiters[0]?.params), { chance, options, seated })
    );
  },
};

function refusalOf({ call, standings, circumstances }: Table): string | null {
  const { by, kind, body, buttonsLeft, cooldown, crisis } = call;
  const isButton = kind === 'button';
  const whoseBody = body === null ? undefined : standings[body];
  const reasons: readonly (readonly [isSo: boolean, code: string])[] = [
    [circumstances.gameOver, 'call/game-over'],
    [circumstances.meetingRunning, 'call/meeting-running'],
    [standings[by] !== 'living', 'call/not-living'],
    [!isButton && whoseBody !== 'dead' && whoseBody !== 'departed', 'call/no-body'],
    [isButton && buttonsLeft < 1, 'call/no-button'],
    [isButton && cooldown > 0, 'call/cooldown'],
    [isButton && crisis !== null, 'call/crisis'],
  ];
  return reasons.find(([isSo]) => isSo)?.[1] ?? null;
}

function inputOf(params: unknown): unknown {
  return (params as { readonly input?: unknown } | undefined)?.input;
}

function reasonOf(
  before: MeetingSnapshot,
  seat: Colour,
  vote: Ballot,
): readonly [code: string, words: readonly string[]] {
  const locked = before.context.ballots[seat];
  if (!areVotesOpen(before)) return ['vote/closed', []];
  return locked === undefined
    ? ['vote/not-living', [vote, ...livingSeats(before)]]
    : ['vote/locked', [locked]];
}

type Writer = { readonly seat: Colour; readonly pads: PadUpdates };

/**
 * Players who write in a tick of talk or reaction, in the order of their bids. The consolidation
 * keeps pages differently.
 */
function writersIn({ before, event }: MeetingTransition): readonly Writer[] {
  if (event.type !== 'tick.closed' || event.requestKind === 'consolidation') return [];
  if (!before.tags.has('talk') && before.at !== 'reaction') return [];
  return event.bids.flatMap((bid) =>
    bid.type === 'reply' && isLiving(before, bid.seat) && Object.keys(bid.reply.pads).length > 0
      ? [{ seat: bid.seat, pads: bid.reply.pads }]
      : [],
  );
}

function writeLine({ ballots, outcome, ejected }: Table, seat: Colour): string {
  const ballot = ballots[seat];
  const vote = ballot === undefined ? 'I did not vote' : `I voted ${ballot}`;
  const end = ejected === null ? `nobody was ejected (${outcome})` : `${ejected} was ejected`;
  return `Meeting: ${vote}; ${end}.`;
}

export const faultNoteProperty: TransitionProperty = {
  name: 'faults-are-noted',
  sentence:
    'Each failure of a living player in a tick of talk is noted with its code and the number of failures in a row.',
  kind: 'step',
  when: hasFact('seat.faulted'),
  holds: (transition) =>
    factsOfType(transition, 'seat.faulted').every(({ seat, code, streak }) => {
      const bid = bidOf(transition, seat);
      const before = transition.before.context.streaks[seat] ?? 0;
      return bid?.type === 'fault' && code === bid.code && streak === before + 1;
    }) &&
    seatsOf(transition.before).every(
      (seat) =>
        bidOf(transition, seat)?.type !== 'fault' ||
        !isLiving(transition.before, seat) ||
        factsAbout(transition, 'seat.faulted', seat).length === 1,
    ),
};

export const wordProperties = declareProperties<MeetingProperty>([
  {
    name: 'the-sentence-is-true',
    sentence:
      'The sentence names the ejected player, their role and the number of remaining impostors, as far as the options permit.',
    when: hasFact('verdict.announced'),
    holds: (transition) => {
      const { context } = transition.after;
      const left = context.seats.filter(
        ({ role, colour }) => role === 'impostor' && context.standings[colour] === 'living',
      ).length;
      const [fact] = factsOfType(transition, 'verdict.announced');
      return fact?.sentence === writeSentence(context, left) && context.remaining === left;
    },
  },
  {
    name: 'refusal-says-why',
    sentence:
      'A refused vote is noted with the vote and the reason: too early, already locked (with the ballot), or not for a living player (with the living players).',
    when: hasFact('vote.refused'),
    holds: (transition) =>
      factsOfType(transition, 'vote.refused').every(({ seat, vote, note }) => {
        const [code, words] = reasonOf(transition.before, seat, vote);
        return (
          vote === voteIn(transition, seat) &&
          note.code === code &&
          words.every((word) => note.text.includes(word))
        );
      }),
  },
  {
    name: 'pages-are-kept',
    sentence:
      'Exactly the scratchpad pages of living players are kept, whatever others do in the same tick.',
    when: (transition) =>
      writersIn(transition).length > 0 || factsOfType(transition, 'scratchpads.updated').length > 0,
    holds: (transition) => {
      const kept = factsOfType(transition, 'scratchpads.updated');
      const written = writersIn(transition);
      return (
        kept.length === written.length &&
        written.every(({ seat, pads }, index) => {
          const fact = kept[index];
          return fact?.seat === seat && isSame(fact.pads, pads);
        })
      );
    },
  },
  {
    name: 'line-says-what-happened',
    sentence:
      'The engine’s line for a player without a note states their vote and the outcome of the meeting.',
    when: hasFact('scratchpads.consolidated'),
    holds: (transition) =>
      factsOfType(transition, 'scratchpads.consolidated').every(
        ({ seat, line }) => line === null || line === writeLine(transition.before.context, seat),
      ),
  },
  {
    name: 'the-clock-is-kept',
    sentence:
      'After each tick of talk the due part of the clock follows the options: none, ballots, the end of voting time, or the end.',
    when: isTalkClosing,
    holds: ({ event, after: { context } }) =>
      event.type === 'tick.closed' && context.due === expectedDue(context.options, event.tick + 1),
  },
  {
    name: 'result-is-handed-out',
    sentence:
      'A finished meeting returns its outcome, the ejected player, the standings, and its public record.',
    when: ({ after }) => after.isDone,
    holds: ({ after, effects }) => {
      const { context } = after;
      const outputs = effects.filter(({ type }) => type === 'xstate.output');
      const output = outputs[0]?.params as MeetingOutput | undefined; // as its chart says it
      const { outcome, ejected, standings, call } = context;
      return (
        outputs.length === 1 &&
        output?.outcome === outcome &&
        output.ejected === ejected &&
        isSame(output.standings, standings) &&
        output.held.call.by === call.by &&
        output.held.call.kind === call.kind &&
        output.held.call.body === call.body &&
        output.held.call.place === call.place &&
        isSame(output.held.result, expectedResult(after))
      );
    },
  },
]);
