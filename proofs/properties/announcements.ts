/**
 * Properties of what is announced, sent and noted: each announcement matches the step, the arbiter gets the actual table,
 * and texts say what happened.
 */

import type { MeetingOutput } from '../../machines/charts/meeting.ts';
import type { Fact, FactType } from '../../machines/rules/facts.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import { LEFT } from '../../machines/rules/tick.ts';
import type { PublicTable } from '../../machines/rules/views.ts';
import type { Ballot, Colour, PadUpdates, RequestKind } from '../../machines/types.ts';
import { clockMarks, expectedDue } from '../models/clock.ts';
import { faultsInARow, isTickOpen, openedTicks } from './floor.ts';
import {
  allHold,
  areVotesOpen,
  bidOf,
  canBeGone,
  declareProperties,
  factsAbout,
  factsOf,
  factsOfType,
  factTypes,
  hasFact,
  haveAllVoted,
  isClassic,
  isLiving,
  isSame,
  isTalkClosing,
  livingSeats,
  type MeetingProperty,
  type MeetingSnapshot,
  type MeetingTransition,
  messagesToArbiter,
  ofEach,
  ofFacts,
  onlyFact,
  type StartProperty,
  seatsOf,
  voteIn,
} from './property.ts';
import { expectedResult, writeSentence } from './votes.ts';

function phaseOf({ at }: MeetingSnapshot): string {
  return at.split('.')[0] ?? at;
}

/** The phases that begin with a step. A finished meeting has no phase. */
function expectedPhases({ before, after }: MeetingTransition): readonly string[] {
  const [from, to] = [phaseOf(before), phaseOf(after)];
  if (from === to || after.isDone) return [];
  // Without time to talk, the discussion ends as it begins.
  return from === 'interrupt' && to === 'voting' ? ['discussion', 'voting'] : [to];
}

function isTableOf(table: PublicTable, state: MeetingSnapshot): boolean {
  const { options, call, record, ship } = state.context;
  const { by, kind, body, place } = call;
  return (
    table.requestKind === occasionOf(state) &&
    table.rules === options.rules &&
    table.confirmEjects === options.confirmEjects &&
    table.anonymousVotes === options.anonymousVotes &&
    table.votesOpen === (occasionOf(state) === 'voting' || !isClassic(state)) &&
    isSame(table.call, { by, kind, body, place }) &&
    isSame(table.clock, expectedClock(state)) &&
    isSame(table.record, record) &&
    isSame(table.ship, ship)
  );
}

function occasionOf({ at }: MeetingSnapshot): RequestKind {
  if (at === 'reaction' || at === 'consolidation') return at;
  return at.startsWith('voting') ? 'voting' : 'discussion';
}

/** The tick after which votes count, and the tick after which the poll closes. */
function expectedClock({ context: { options } }: MeetingSnapshot): PublicTable['clock'] {
  const withoutLimit = clockMarks({ ...options, maxTicks: null });
  return {
    openAfter: options.rules === 'house' ? 0 : (withoutLimit.ballots ?? 0),
    closeAfter: withoutLimit.timeUp,
  };
}

const STEPS_OF_A_TICK: readonly (readonly FactType[])[] = [
  ['tick.closed'],
  ['vote.locked', 'vote.refused'],
  ['seat.faulted', 'seat.departed', 'vote.cleared'],
  ['scratchpads.updated'],
];

function isDepartureInOrder(transition: MeetingTransition, leaver: Colour): boolean {
  const told = factsOf(transition);
  const at = (isIt: (fact: Fact) => boolean) => told.findIndex(isIt);
  const gone = at((fact) => fact.type === 'seat.departed' && fact.seat === leaver);
  const failed = at((fact) => fact.type === 'seat.faulted' && fact.seat === leaver);
  const cleared = at((fact) => fact.type === 'vote.cleared' && fact.leaver === leaver);
  return failed < gone && (cleared < 0 || cleared > gone);
}

export const announcementProperties = declareProperties<MeetingProperty>({
  'phases-are-announced': {
    sentence: 'Each phase is announced once, by its name, when it begins.',
    holds: (transition) =>
      isSame(
        factsOfType(transition, 'phase.entered').map(({ phase }) => phase),
        expectedPhases(transition),
      ),
  },
  'ticks-are-announced-as-they-were': {
    sentence:
      'A tick is announced with its number, its kind, all bids in order, the dice, and the floor, which a departed player never has.',
    when: ({ before, event }) => event.type === 'tick.closed' && isTickOpen(before),
    holds: (transition) => {
      const { before, event } = transition;
      const [fact] = factsOfType(transition, 'tick.closed');
      if (event.type !== 'tick.closed' || fact === undefined) return false;
      const { decision } = event;
      const holder = decision?.floor ?? null;
      const isGone = holder !== null && !isLiving(before, holder);
      const expected =
        isGone && before.tags.has('talk')
          ? { ...decision, floor: null, tieBreak: null, said: null, hits: [] }
          : decision;
      return allHold({
        'the tick': [fact.tick, event.tick],
        'the kind': [fact.requestKind, event.requestKind],
        'the bids': [fact.bids, event.bids],
        'the dice': [fact.dice, event.dice],
        'the decision': [fact.decision, expected],
      });
    },
  },
  'poll-is-announced-as-it-is': {
    sentence: 'The announcement names the missed votes and the void ballots of the closed poll.',
    when: ({ before, after }) => before.context.poll === null && after.context.poll !== null,
    holds: (transition) => {
      const { poll } = transition.after.context;
      const [fact] = factsOfType(transition, 'poll.closed');
      return allHold({
        'the missed votes': [fact?.missed, poll?.missed],
        'the void ballots': [fact?.void, poll?.void],
      });
    },
  },
  'the-count-is-announced': {
    sentence: 'The count is announced once, with players in seat order and then skip.',
    when: ({ before, after }) => before.at === 'voting.counting' && phaseOf(after) === 'reveal',
    holds: (transition) => {
      const counted = onlyFact(transition, 'poll.counted')?.counts.map((one) => one.candidate);
      const candidates = [...seatsOf(transition.before), 'skip'] as const;
      const order = candidates.filter((candidate) => counted?.includes(candidate));
      return isSame(counted, order);
    },
  },
  'arbiter-knows-the-table': {
    sentence:
      'When a tick opens, the arbiter gets its actual kind, call, options, voting clock and public record.',
    ...ofEach(openedTicks, ({ table }, { after }) => isTableOf(table, after)),
  },
  'facts-come-in-order': {
    sentence:
      'A tick of talk announces its bids, then votes, then failures and departures, then pages. A failure comes before the departure it causes, and that before the votes it clears.',
    when: isTalkClosing,
    holds: (transition) => {
      const order = factTypes(transition)
        .map((type) => STEPS_OF_A_TICK.findIndex((types) => types.includes(type)))
        .filter((place) => place >= 0);
      return (
        order.every((place, index) => place >= (order[index - 1] ?? 0)) &&
        factsOfType(transition, 'seat.departed').every(({ seat }) =>
          isDepartureInOrder(transition, seat),
        )
      );
    },
  },
  'a-complete-poll-is-counted': {
    sentence:
      'Once all living players have voted the poll closes, even if a budget has run out. Only the operator’s stop comes first.',
    when: ({ before, after }) =>
      before.tags.has('talk') && after.context.outcome !== 'interrupted' && haveAllVoted(after),
    holds: ({ after }) => after.context.poll !== null,
  },
  'no-count-after-the-poll': {
    sentence: 'Once the poll is closed, failures are no longer counted.',
    kind: 'never',
    holds: ({ context }) => context.poll !== null && Object.keys(context.streaks).length > 0,
  },
  'no-count-of-the-gone': {
    sentence: 'During the talk, failures of dead or departed players are not counted.',
    appliesTo: canBeGone,
    kind: 'never',
    holds: ({ tags, context }) =>
      tags.has('talk') &&
      context.seats.some(
        ({ colour }) =>
          context.streaks[colour] !== undefined && context.standings[colour] !== 'living',
      ),
  },
});

export const leaverProperties = declareProperties<MeetingProperty>({
  'departure-says-why': {
    sentence:
      'Each departure has its reason: the player left or failed too often. The arbiter hears of exactly the players who leave during a tick.',
    when: hasFact('seat.departed'),
    holds: (transition) => {
      const { event } = transition;
      const hasLeft = (seat: Colour) =>
        event.type === 'seat.left' ||
        (event.type === 'tick.closed' &&
          event.bids.some((bid) => bid.seat === seat && bid.type === 'fault' && bid.code === LEFT));
      const vacated = messagesToArbiter(transition).flatMap((message) =>
        message.type === 'seat.vacated' ? [message.seat] : [],
      );
      return (
        factsOfType(transition, 'seat.departed').every(
          ({ seat, reason }) => (reason === 'left') === hasLeft(seat),
        ) && vacated.every((seat) => event.type === 'seat.left' && event.seat === seat)
      );
    },
  },
});

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
    return allHold({
      'whether it is refused': [isDone, refusal !== null],
      'the facts': [types, expected],
      'the call': [calls, refusal === null ? [{ type: 'meeting.called', call }] : []],
      'the refusal': [notes, refusal === null ? [] : [refusal]],
      'the outcome is refused': refusal === null || context.outcome === 'refused',
      'the arbiters': [
        arbiters.map(({ params }) => inputOf(params)),
        [{ chance, options, seated }],
      ],
    });
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

export const faultNoteProperties = declareProperties<MeetingProperty>({
  'faults-are-noted': {
    sentence:
      'Each failure of a living player in a tick of talk is noted with its code and the number of failures in a row.',
    when: hasFact('seat.faulted'),
    holds: (transition) =>
      factsOfType(transition, 'seat.faulted').every(({ seat, code, streak }) => {
        const bid = bidOf(transition, seat);
        const isOfBid = bid?.type === 'fault' && code === bid.code;
        return isOfBid && streak === faultsInARow(transition, seat);
      }) &&
      seatsOf(transition.before).every(
        (seat) =>
          bidOf(transition, seat)?.type !== 'fault' ||
          !isLiving(transition.before, seat) ||
          factsAbout(transition, 'seat.faulted', seat).length === 1,
      ),
  },
});

export const wordProperties = declareProperties<MeetingProperty>({
  'the-sentence-is-true': {
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
  'refusal-says-why': {
    sentence:
      'A refused vote is noted with the vote and the reason: too early, already locked (with the ballot), or not for a living player (with the living players).',
    ...ofFacts('vote.refused', ({ seat, vote, note }, transition) => {
      const [code, words] = reasonOf(transition.before, seat, vote);
      const isExplained = note.code === code && words.every((word) => note.text.includes(word));
      return isExplained && vote === voteIn(transition, seat);
    }),
  },
  'pages-are-kept': {
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
  'line-says-what-happened': {
    sentence:
      'The engine’s line for a player without a note states their vote and the outcome of the meeting.',
    ...ofFacts(
      'scratchpads.consolidated',
      ({ seat, line }, { before }) => line === null || line === writeLine(before.context, seat),
    ),
  },
  'the-clock-is-kept': {
    sentence:
      'After each tick of talk the due part of the clock follows the options: none, ballots, the end of voting time, or the end.',
    when: isTalkClosing,
    holds: ({ event, after: { context } }) =>
      event.type === 'tick.closed' && context.due === expectedDue(context.options, event.tick + 1),
  },
  'result-is-handed-out': {
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
});
