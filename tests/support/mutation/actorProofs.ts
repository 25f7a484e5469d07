/**
 * Small models of a player and of the gallery by themselves: anything may come to them at any time, and what is asked
 * holds whatever came before. They judge mutants of their charts; a meeting that is proved has neither.
 */
import type { MachineStep, Model, Property } from 'glass-box-checker';
import {
  type GalleryContext,
  type GalleryInput,
  galleryMachine,
} from '../../../machines/charts/gallery.ts';
import type { PlayerContext, PlayerInput } from '../../../machines/charts/player.ts';
import { playerMachine } from '../../../machines/charts/player.ts';
import type { ToGallery, ToPlayer } from '../../../machines/messages.ts';
import type { GhostFact } from '../../../machines/rules/facts.ts';
import type { Bid, Pads, RequestKind } from '../../../machines/types.ts';

const NUMBERS = [0, 1];
const NOTE = { code: 'vote/cleared', text: '' };

/** As much of each event as the machine looks at. */
const seen = (fields: object) => fields as ToPlayer;

function replyOf(main: string): Bid {
  const reply = { thought: '', desire: 0, message: '', target: null, vote: null, notes: [] };
  return { type: 'reply', seat: 'red', received: null, reply: { ...reply, pads: { main } } };
}

const FAULT: Bid = { type: 'fault', seat: 'red', code: 'mind/late', text: '' };

const TO_PLAYER: readonly ToPlayer[] = [
  ...NUMBERS.flatMap((index) => [
    seen({ type: 'bid.requested', table: { tick: index }, calledOn: false }),
    seen({ type: 'order.requested', round: index }),
    seen({ type: 'talk.invited', seen: { turn: index } }),
    seen({ type: 'tick.missed', tick: index }),
    seen({ type: 'round.missed', round: index }),
    seen({ type: 'turn.missed', turn: index }),
    ...(['table', 'gallery'] as const).flatMap((to) => [
      seen({ type: 'mind.answered', to, index, bid: replyOf(`${to} ${index}`) }),
      seen({ type: 'mind.answered', to, index, bid: FAULT }),
    ]),
    seen({
      type: 'mind.decided',
      round: index,
      order: { type: 'order', decision: { pads: { main: `round ${index}` }, notes: [] } },
    }),
  ]),
  { type: 'vote.locked', ballot: 'skip' },
  { type: 'vote.locked', ballot: 'blue' },
  { type: 'vote.cleared', note: NOTE },
  { type: 'meeting.opened' },
  { type: 'scratchpads.consolidated', main: 'kept', line: null },
  { type: 'scratchpads.erased' },
  { type: 'seat.died' },
  { type: 'seat.departed' },
];

type PlayerStep = MachineStep<PlayerContext, ToPlayer>;

const isRequest = ({ type }: ToPlayer) =>
  type === 'bid.requested' || type === 'order.requested' || type === 'talk.invited';
const isAnswer = ({ type }: ToPlayer) => type === 'mind.answered' || type === 'mind.decided';
const thinks = (at: string) => /bidding|deciding|errand|musing/.test(at);
const isGone = (at: string) => at.includes('disconnected');
const isGhost = (at: string) => at.includes('ghost');

function done({ effects }: PlayerStep, ...names: readonly string[]): number {
  return effects.filter(({ type }) => names.includes(type)).length;
}

function numberOf(event: ToPlayer): number | null {
  const fields = event as { index?: number; round?: number; tick?: number; turn?: number };
  return fields.index ?? fields.round ?? fields.tick ?? fields.turn ?? null;
}

/** Whether an answer is to what the player thinks about. */
function isAwaited({ before, event }: PlayerStep): boolean {
  if (numberOf(event) !== before.context.index) return false;
  if (event.type === 'mind.decided') return /deciding|errand/.test(before.at);
  if (event.type !== 'mind.answered') return false;
  return event.to === 'table' ? before.at.includes('bidding') : before.at.includes('chatting');
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** What says nothing of a mind that answers at once, or of a ghost. */
const NOT_OF_LIGHT = [
  'awaited-answers-are-handed-on',
  'late-answers-change-nothing',
  'missed-is-over',
];
const NOT_OF_GHOSTS = ['ballot-is-binding', 'votes-are-locked'];

export function playerModel(
  light: boolean,
  ghost: boolean,
): Model<PlayerContext, ToPlayer> & { readonly input: PlayerInput } {
  const pads: Pads = { main: '', meeting: 'm' };
  return {
    name: 'a player',
    machine: playerMachine,
    input: {
      colour: 'red',
      role: 'crewmate',
      partners: [],
      persona: { name: 'Ann', temperament: 'observer', notes: '' },
      brief: { sightings: [], notes: '' },
      pads,
      light,
      ghost,
    },
    world: () => TO_PLAYER,
    // Notices add up without end, and decide nothing.
    view: ({ at, context: { notices: _, ...rest } }) => [at, rest],
    properties: listPlayerProperties(light).filter(
      ({ name }) =>
        !(light && NOT_OF_LIGHT.includes(name)) && !(ghost && NOT_OF_GHOSTS.includes(name)),
    ),
  };
}

function listPlayerProperties(light: boolean): readonly Property<PlayerContext, ToPlayer>[] {
  return [
    {
      name: 'begins-as-it-is',
      sentence: 'A player begins as a ghost where they are dead, and living otherwise.',
      kind: 'always',
      holds: ({ at, context }) => isGone(at) || isGhost(at) === context.ghost,
    },
    {
      name: 'asked-once',
      sentence: 'A request to a player who rests is thought about once, and no other event is.',
      kind: 'step',
      holds: (step) => done(step, 'consult') <= (isRequest(step.event) ? 1 : 0),
    },
    {
      name: 'every-request-is-thought-about',
      sentence:
        'A living player at rest is asked for bids and orders, a ghost for talk and orders.',
      kind: 'step',
      when: ({ before, event }) =>
        isRequest(event) &&
        !thinks(before.at) &&
        !isGone(before.at) &&
        (event.type === 'order.requested' ||
          isGhost(before.at) === (event.type === 'talk.invited')),
      holds: (step) => done(step, 'consult') === 1 && (light || thinks(step.after.at)),
    },
    {
      name: 'awaited-answers-are-handed-on',
      sentence: 'The answer to what a player thinks about is handed on once, and they rest.',
      kind: 'step',
      when: isAwaited,
      holds: (step) => done(step, 'submitBid', 'submitOrder') === 1 && !thinks(step.after.at),
    },
    {
      name: 'no-answer-is-made-up',
      sentence:
        'Nothing is handed on but an answer, and that once; a light mind hands it on itself.',
      kind: 'step',
      holds: (step) =>
        done(step, 'submitBid', 'submitOrder') <= (isAnswer(step.event) && !light ? 1 : 0),
    },
    {
      name: 'late-answers-change-nothing',
      sentence: 'An answer that is not awaited is written nowhere.',
      kind: 'step',
      when: (step) => isAnswer(step.event) && !isAwaited(step) && !light,
      holds: ({ before, after }) => before.at === after.at && isSame(before.context, after.context),
    },
    {
      name: 'pages-by-answers',
      sentence:
        'Pages change by answers, by what is kept of a meeting and by ticks that are taken back.',
      kind: 'step',
      when: ({ before, after }) => !isSame(before.context.pads, after.context.pads),
      holds: ({ event }) =>
        isAnswer(event) || event.type === 'tick.missed' || event.type.startsWith('scratchpads.'),
    },
    {
      name: 'erased-at-once',
      sentence: 'The page of a meeting is empty once it is erased, wherever the player is.',
      kind: 'step',
      when: ({ event }) => event.type === 'scratchpads.erased',
      holds: ({ before, after }) =>
        after.context.pads.meeting === '' && after.context.pads.main === before.context.pads.main,
    },
    {
      name: 'ballot-is-binding',
      sentence:
        'A ballot is locked by the living, and nothing but a departure or a new meeting takes it back.',
      kind: 'step',
      when: ({ before, after }) => before.context.ballot !== after.context.ballot,
      holds: ({ before, event }) =>
        event.type === 'vote.locked'
          ? before.context.ballot === null && !before.context.ghost
          : event.type === 'vote.cleared' || event.type === 'meeting.opened',
    },
    {
      name: 'votes-are-locked',
      sentence: 'The vote of a living player without a ballot is locked.',
      kind: 'step',
      when: ({ before, event }) => event.type === 'vote.locked' && before.at.includes('undecided'),
      holds: ({ event, after }) =>
        event.type === 'vote.locked' && after.context.ballot === event.ballot,
    },
    {
      name: 'dead-for-good',
      sentence: 'A ghost is a ghost for good, and who dies is one at once.',
      kind: 'step',
      when: ({ before, event }) =>
        !isGone(before.at) && (isGhost(before.at) || event.type === 'seat.died'),
      holds: ({ after }) => isGone(after.at) || (isGhost(after.at) && after.context.ghost),
    },
    {
      name: 'gone-for-good',
      sentence: 'Who has left is asked nothing and does nothing.',
      kind: 'step',
      when: ({ before }) => isGone(before.at),
      holds: ({ after, effects }) => isGone(after.at) && effects.length === 0,
    },
    {
      name: 'who-leaves-is-gone',
      sentence: 'A player who leaves is gone, and a mind that thinks for one living is told.',
      kind: 'step',
      when: ({ event }) => event.type === 'seat.departed',
      holds: (step) =>
        isGone(step.after.at) &&
        done(step, 'cancelRequest') === (/bidding|deciding/.test(step.before.at) ? 1 : 0),
    },
    {
      name: 'missed-is-over',
      sentence:
        'A player is waited for no more in what they missed, and goes on thinking in all else.',
      kind: 'step',
      when: ({ before, event }) => thinks(before.at) && event.type.endsWith('.missed'),
      holds: (step) => {
        const kinds = { tick: 'bidding', round: 'deciding working', turn: 'chatting' };
        const kind = kinds[step.event.type.split('.')[0] as keyof typeof kinds]; // one of the three
        const place = /bidding|deciding|errand|musing/.exec(step.before.at)?.[0] ?? '';
        const isMissed = kind.includes(place) && numberOf(step.event) === step.before.context.index;
        return isMissed
          ? !thinks(step.after.at) && done(step, 'cancelRequest') === 1
          : step.after.at === step.before.at && step.effects.length === 0;
      },
    },
    {
      name: 'can-think',
      sentence: 'A mind that takes its time is seen to.',
      kind: 'sometimes',
      holds: ({ at }) => light || thinks(at),
    },
  ];
}

const TRUTH = { ballots: {}, announced: null } as never;

const changed = (requestKind: RequestKind): ToGallery => ({
  type: 'table.changed',
  requestKind,
  truth: TRUTH,
  transcript: [],
});

const LAST_KINDS: readonly RequestKind[] = ['reaction', 'consolidation'];

type GalleryStep = MachineStep<GalleryContext, ToGallery>;

function factsOf({ effects }: GalleryStep): readonly GhostFact[] {
  return effects
    .filter(({ type }) => type === 'announceFacts')
    .flatMap(({ params }) => (params as { readonly facts: readonly GhostFact[] }).facts); // its parameters
}

/** A gallery that hears of the last two occasions once each, as a meeting has them. */
export function galleryModel(
  ghosts: GalleryInput['ghosts'],
): Model<GalleryContext, ToGallery> & { readonly input: GalleryInput } {
  const budget = 2;
  const answer = (turn: number, seat: 'red' | 'blue'): ToGallery => {
    const reply = { thought: '', desire: 0, message: 'boo', target: null, vote: null, notes: [] };
    const bid = { type: 'reply', seat, received: null, reply: { ...reply, pads: {} } } as const;
    return { type: 'ghost.answered', turn, bid };
  };
  return {
    name: 'a gallery',
    machine: galleryMachine,
    input: { chance: { seed: 1, meeting: 0 }, ghosts, budget, deadlineMs: 10, messageTokens: 20 },
    world: ({ context }) => {
      const { turn, ghosts: here, waiting, over } = context;
      const isOpen = (kind: RequestKind) =>
        context.glimpse?.requestKind === kind ||
        waiting.some(({ requestKind }) => requestKind === kind);
      return [
        changed('ghost'),
        ...(turn > 3 ? [] : LAST_KINDS.filter((kind) => !isOpen(kind)).map(changed)),
        ...(here.includes('blue') ? [] : [{ type: 'ghost.joined', seat: 'blue' } as const]),
        ...(here.includes('red') ? [answer(turn, 'red'), answer(turn + 1, 'red')] : []),
        ...(here.includes('blue') ? [answer(turn, 'blue')] : []),
        { type: 'turn.ended', dice: {} },
        ...(over ? [] : [{ type: 'meeting.over' } as const]),
      ];
    },
    view: ({ at, context: { chat, ...rest } }) => [at, chat.length, rest],
    properties: [
      {
        name: 'within-budget',
        sentence: 'Talk waits only while the budget of turns is not spent.',
        kind: 'step',
        when: ({ event }) => event.type === 'table.changed' && event.requestKind === 'ghost',
        holds: ({ before, after }) =>
          before.context.turn < budget ||
          after.context.waiting.length <= before.context.waiting.length,
      },
      {
        name: 'turns-are-told',
        sentence: 'Each turn that ends is told once, with its number and those who were asked.',
        kind: 'step',
        holds: (step) => {
          const told = factsOf(step).filter((fact) => fact.type === 'turn.closed');
          const isEnded = step.after.context.turn !== step.before.context.turn;
          return (
            told.length === Number(isEnded) &&
            told.every(
              ({ turn, bids }) =>
                turn === step.before.context.turn &&
                isSame(
                  bids.map(({ seat }) => seat).toSorted(),
                  step.before.context.asked.toSorted(),
                ),
            )
          );
        },
      },
      {
        name: 'joined-are-told',
        sentence: 'A ghost who joins is told and is there.',
        kind: 'step',
        when: ({ before, event }) => event.type === 'ghost.joined' && !before.isDone,
        holds: (step) =>
          factsOf(step).some(({ type }) => type === 'ghost.joined') &&
          step.after.context.ghosts.includes('blue'),
      },
      {
        name: 'invited-once',
        sentence: 'Ghosts are invited when a turn begins, and only then.',
        kind: 'step',
        holds: ({ before, after, effects }) => {
          const isBegun =
            after.at === 'talking' &&
            (before.at !== 'talking' || after.context.turn !== before.context.turn);
          return effects.filter(({ type }) => type === 'inviteGhosts').length === Number(isBegun);
        },
      },
      {
        name: 'last-turns-are-kept',
        sentence: 'Reaction and consolidation wait their turn, whatever is talked meanwhile.',
        kind: 'step',
        when: ({ before, event }) => event.type === 'table.changed' && before.at !== 'empty',
        holds: ({ before, after }) =>
          before.context.waiting
            .filter(({ requestKind }) => requestKind !== 'ghost')
            .every((one) => after.context.waiting.includes(one) || after.context.glimpse === one),
      },
      {
        name: 'erased-with-the-last',
        sentence:
          'What ghosts keep is told for each of them with the last turn, and then the pages are erased.',
        kind: 'step',
        when: (step) => factsOf(step).some(({ type }) => type === 'turn.closed'),
        holds: (step) => {
          const types = factsOf(step).map(({ type }) => type);
          const isLast = step.before.context.glimpse?.requestKind === 'consolidation';
          const kept = types.filter((type) => type === 'scratchpads.consolidated').length;
          const asked = step.before.context.asked.length;
          return isLast
            ? kept === asked && types.filter((type) => type === 'scratchpads.erased').length === 1
            : kept === 0 && !types.includes('scratchpads.erased');
        },
      },
      {
        name: 'closes-at-the-end',
        sentence:
          'The gallery closes once the meeting is over and nothing waits, and tells its turns where ghosts were.',
        kind: 'step',
        when: ({ after }) => after.isDone,
        holds: (step) =>
          step.after.context.over &&
          step.after.context.waiting.length === 0 &&
          (step.before.at === 'empty' ||
            factsOf(step).some(
              (fact) => fact.type === 'gallery.closed' && fact.turns === step.after.context.turn,
            )),
      },
      {
        name: 'waits-for-somebody',
        sentence: 'A turn waits only while a ghost who was asked has not answered.',
        kind: 'always',
        holds: ({ at, context: { asked, answers } }) =>
          at !== 'talking' || asked.some((seat) => answers[seat] === undefined),
      },
      {
        name: 'can-close',
        sentence: 'The gallery can close.',
        kind: 'sometimes',
        holds: ({ isDone }) => isDone,
      },
      {
        name: 'never-stuck',
        sentence: 'The gallery never waits for what cannot come.',
        kind: 'deadlock-free',
      },
    ],
  };
}
