/** Properties of announcements and notes: each matches the step, and texts say what happened. */

import type { Fact, FactType } from '../../machines/rules/facts.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import type { Ballot, Colour } from '../../machines/types.ts';
import { expectedDue } from '../models/clock.ts';
import {
  allHold,
  areVotesOpen,
  declareProperties,
  factsOf,
  factsOfType,
  factTypes,
  hasFact,
  isLiving,
  isTalkClosing,
  livingSeats,
  type MeetingProperty,
  type MeetingSnapshot,
  type MeetingTransition,
  paramsOf,
  type StartProperty,
  valuesOf,
} from './property.ts';

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
      allHold({
        'the phases': [
          factsOfType(transition, 'phase.entered').map(({ phase }) => phase),
          expectedPhases(transition),
        ],
      }),
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
});

export const startProperty: StartProperty = {
  name: 'all-are-called-in',
  sentence:
    'The meeting begins with its call. If the call breaks a rule, such as a dead player’s call, it is refused at once with the reason. The arbiter knows every seat, the options and the dice. The clock follows the options from the start.',
  kind: 'start',
  holds: ({ state: { at, context, isDone }, effects }) => {
    const { call, seats, options, chance } = context;
    const told = factsOf({ effects });
    const refusal = refusalOf(context);
    const calls = told.filter(({ type }) => type === 'meeting.called');
    const notes = told.flatMap((fact) => (fact.type === 'meeting.refused' ? fact.note.code : []));
    const arbiters = paramsOf<{ readonly input: unknown }>(effects, 'xstate.spawnChild');
    const seated = seats.map(({ colour }) => colour);
    const types = told.map(({ type }) => type);
    const expected =
      refusal === null
        ? ['phase.entered', 'meeting.called']
        : ['meeting.refused', 'meeting.closed'];
    return allHold({
      'whether it is refused': [isDone, refusal !== null],
      'the state': [at, refusal === null ? 'interrupt.gathering' : 'closed'],
      'the facts': [types, expected],
      'the call': [calls, refusal === null ? [{ type: 'meeting.called', call }] : []],
      'the refusal': [notes, refusal === null ? [] : [refusal]],
      'what is due': [context.due, expectedDue(options, 0)],
      'the outcome is refused': refusal === null || context.outcome === 'refused',
      'the arbiters': [arbiters.map(({ input }) => input), [{ chance, options, seated }]],
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

/** Pages that the living write in a tick of talk or reaction. The consolidation keeps pages differently. */
function pagesIn({ before, event }: MeetingTransition) {
  if (event.type !== 'tick.closed' || event.requestKind === 'consolidation') return [];
  if (!before.tags.has('talk') && before.at !== 'reaction') return [];
  return event.bids.flatMap((bid) =>
    bid.type === 'reply' && isLiving(before, bid.seat) && Object.keys(bid.reply.pads).length > 0
      ? [[bid.seat, bid.reply.pads]]
      : [],
  );
}

export const wordProperties = declareProperties<MeetingProperty>({
  'refusal-says-why': {
    sentence:
      'A refused vote is noted with the reason: too early, already locked (with the ballot), or not for a living player (with the living players).',
    when: hasFact('vote.refused'),
    holds: (transition) =>
      factsOfType(transition, 'vote.refused').every(({ seat, vote, note }) => {
        const [code, words] = reasonOf(transition.before, seat, vote);
        return note.code === code && words.every((word) => note.text.includes(word));
      }),
  },
  'pages-are-kept': {
    sentence:
      'Exactly the scratchpad pages of living players are kept, whatever others do in the same tick.',
    holds: (transition) =>
      allHold({
        'the pages': [
          valuesOf(transition, 'scratchpads.updated', 'seat', 'pads'),
          pagesIn(transition),
        ],
      }),
  },
  'ballots-are-asked-in-time': {
    sentence: 'Ballots are asked for exactly from the tick on that the options name.',
    kind: 'always',
    holds: ({ tags, context }) =>
      !tags.has('talk') || tags.has('ballots') === (context.due === 'ballots'),
  },
  'the-clock-is-kept': {
    sentence:
      'After each tick of talk the due part of the clock follows the options: none, ballots, the end of voting time, or the end.',
    when: isTalkClosing,
    holds: ({ event, after: { context } }) =>
      event.type === 'tick.closed' && context.due === expectedDue(context.options, event.tick + 1),
  },
});
