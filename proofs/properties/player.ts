/**
 * Laws of a player's own chart: its memory, its questions to the mind, and the answers it hands on. Each event of a short
 * life is compared with a player kept by hand. Every sequence of three events is tried, and of two after longer lives.
 */

import type { PlayerContext } from '../../machines/charts/player.ts';
import type { ToPlayer } from '../../machines/messages.ts';
import type { MindRequest } from '../../machines/request.ts';
import { NO_PAST, type OwnPast, type PastSighting } from '../../machines/rules/record.ts';
import type { MemoryEntry } from '../../machines/rules/ship/sight.ts';
import type { Note, Reply, Sighting } from '../../machines/types.ts';
import { replyOf } from '../models/closings.ts';
import { type ActorStep, createPlayerStepper } from '../models/meetingSystem.ts';
import { isSame, sortFields } from './property.ts';
import { SECONDS } from './shipSteps.ts';

/** A player kept by hand. `isBound`: a ballot is locked. */
type Kept = {
  readonly own: PlayerContext;
  readonly life: 'living' | 'ghost' | 'gone';
  readonly asked: 'bid' | 'order' | 'talk' | null;
  readonly isBound: boolean;
};
type Done = { readonly kept: Kept; readonly isAsked?: boolean; readonly isHanded?: boolean };

const keep = (kept: Kept, changes: Partial<PlayerContext>, rest: Partial<Kept> = {}): Done => ({
  kept: { ...kept, ...rest, own: { ...kept.own, ...changes } },
});

/** Deeds that a memory never drops (ruling 58). It also keeps the last sight of each player. */
const VITAL = ['kill', 'vent', 'dead'];
/** Entries since the last meeting, and sightings before it. */
const [MOST_ENTRIES, MOST_PAST] = [80, 20];

/** The last `most` sights, the older ones that are kept, and how many are lost. */
function fade<S extends Pick<Sighting, 'who' | 'did'>>(all: readonly S[], most: number) {
  const old = all.slice(0, -most);
  const kept = old.filter(
    ({ who, did }, at) => VITAL.includes(did) || all.slice(at + 1).every((one) => one.who !== who),
  );
  return { recent: all.slice(-most), kept, lost: old.length - kept.length };
}

function addSightings(past: OwnPast, seen: readonly Sighting[], meeting: number): OwnPast {
  const dated = seen.toReversed().map((one): PastSighting => ({ ...one, meeting }));
  const { recent, kept, lost } = fade([...past.sightings, ...dated], MOST_PAST);
  return { ...past, sightings: [...kept, ...recent], forgotten: past.forgotten + lost };
}

/** In seconds before the call, the latest first. A long stay has two ends. */
function sightingsAt(memory: readonly MemoryEntry[], round: number): readonly Sighting[] {
  const found = memory.flatMap(({ from, until, ...sight }): readonly Sighting[] => {
    const ends = until - from > 1 ? [until, from] : [until];
    return ends.map((at) => ({ ago: (round - at) * SECONDS, ...sight }));
  });
  return found.toSorted((one, other) => one.ago - other.ago);
}

/** Once a meeting is over, its vote and the sightings before it are past. */
function pastAfterMeeting(own: PlayerContext): Partial<PlayerContext> {
  const { past, meetings, ballot, brief } = own;
  if (past.votes.length >= meetings) return {};
  const votes = [...past.votes, { meeting: meetings, ballot }];
  const seen = addSightings({ ...past, votes }, brief.sightings, meetings);
  return { past: seen, brief: { ...brief, sightings: [] } };
}

function called(kept: Kept, { brief, round }: Extract<ToPlayer, { type: 'meeting.opened' }>): Done {
  const fresh = { ballot: null, notices: [] };
  const { own } = kept;
  if (round === undefined)
    return keep(kept, { ...fresh, brief: brief ?? own.brief }, { isBound: false });
  const meeting = own.meetings + 1;
  const { past = own.past } = pastAfterMeeting(own);
  const deeds = own.deeds.map(({ round: at, ...deed }) => {
    return { ...deed, meeting, ago: (round - at) * SECONDS };
  });
  const seen = addSightings(past, sightingsAt(own.faded, round), meeting);
  const changes = {
    ...{ ...fresh, memory: [], faded: [], deeds: [], meetings: meeting },
    past: { ...seen, deeds: [...past.deeds, ...deeds] },
    brief: { ...own.brief, sightings: sightingsAt(own.memory, round) },
  };
  return keep(kept, changes, { isBound: false });
}

/** A sight of the round before goes on. */
function remembered({ own }: Kept, { rounds }: Extract<ToPlayer, { type: 'rounds.seen' }>) {
  let { memory, deeds, faded, past } = own;
  for (const { round, sights, deeds: done = [] } of rounds) {
    for (const sight of sights) {
      const known = memory.findLastIndex(
        ({ from: _, until, ...one }) => until === round - 1 && isSame(one, sight),
      );
      const entry: MemoryEntry = { ...sight, from: memory[known]?.from ?? round, until: round };
      memory = known < 0 ? [...memory, entry] : memory.with(known, entry);
    }
    deeds = [...deeds, ...done.map((deed) => ({ ...deed, round }))];
    const { recent, kept, lost } = fade([...faded, ...memory], MOST_ENTRIES);
    [memory, faded] = [recent, kept];
    past = { ...past, forgotten: past.forgotten + lost };
  }
  const { meetings } = own;
  const all = Array.from({ length: Math.max(meetings + 1, own.stretches.length) }, (_, index) => {
    return own.stretches[index] ?? [];
  });
  const stretches = all.with(meetings, [...(all[meetings] ?? []), ...rounds]);
  return { memory, deeds, faded, past, stretches };
}

/** Pages and notes after an answer. A fault changes no page. */
function written(own: PlayerContext, answer: Pick<Reply, 'pads' | 'notes'> | null) {
  if (answer === null) return { notices: [] };
  const { main = own.pads.main, meeting = own.pads.meeting } = answer.pads;
  return { pads: { main, meeting }, notices: answer.notes };
}

function live(kept: Kept, event: ToPlayer): Done {
  const { own, life } = kept;
  const idle = { kept };
  switch (event.type) {
    case 'meeting.opened':
      return called(kept, event);
    case 'rounds.seen':
      return keep(kept, remembered(kept, event));
    case 'notice.given':
      return keep(kept, { notices: [...own.notices, event.note] });
    case 'scratchpads.consolidated': {
      const line = [own.pads.main, event.line ?? ''].filter((one) => one !== '').join('\n');
      return keep(kept, { pads: { ...own.pads, main: event.main ?? line } });
    }
    case 'scratchpads.erased':
      return keep(kept, { pads: { ...own.pads, meeting: '' } });
    case 'seat.departed':
      return keep(kept, {}, { life: 'gone', asked: null });
    case 'seat.died':
      return life === 'living' ? keep(kept, { ghost: true }, { life: 'ghost', asked: null }) : idle;
    case 'vote.locked':
      if (life !== 'living' || kept.isBound) return idle;
      return keep(kept, { ballot: event.ballot }, { isBound: true });
    case 'vote.cleared':
      if (life !== 'living' || !kept.isBound) return idle;
      return keep(
        kept,
        { ballot: null, notices: [...own.notices, event.note] },
        { isBound: false },
      );
    default:
      return think(kept, event);
  }
}

function think(kept: Kept, event: ToPlayer): Done {
  const { own, life, asked } = kept;
  const idle = { kept };
  const isFree = asked === null && life !== 'gone';
  switch (event.type) {
    case 'bid.requested':
      if (!isFree || life !== 'living') return idle;
      return { ...keep(kept, { index: event.table.tick }, { asked: 'bid' }), isAsked: true };
    case 'talk.invited':
      if (!isFree || life !== 'ghost') return idle;
      return { ...keep(kept, { index: event.seen.turn }, { asked: 'talk' }), isAsked: true };
    case 'order.requested': {
      if (!isFree) return idle;
      const changes = { index: event.round, ...pastAfterMeeting(own) };
      return { ...keep(kept, changes, { asked: 'order' }), isAsked: true };
    }
    case 'mind.decided': {
      if (!isFree && asked !== 'order') return idle;
      const { order, round } = event;
      if (asked === null || round !== own.index) return { kept, isHanded: true };
      const changes = written(own, order.type === 'fault' ? null : order.decision);
      return { ...keep(kept, changes, { asked: null }), isHanded: true };
    }
    case 'mind.answered': {
      if (!isFree && asked !== 'bid' && asked !== 'talk') return idle;
      const { bid, index, to } = event;
      const isCurrent = index === own.index && to === (asked === 'talk' ? 'gallery' : 'table');
      if (asked === null || !isCurrent) return { kept, isHanded: true };
      const changes = written(own, bid.type === 'fault' ? null : bid.reply);
      return { ...keep(kept, { ...changes, before: own.pads }, { asked: null }), isHanded: true };
    }
    case 'tick.missed':
      if (event.tick !== own.index || life !== 'living') return idle;
      if (asked === 'bid') return keep(kept, {}, { asked: null });
      // The tick was abandoned, so its pages are void.
      return asked === null ? keep(kept, { pads: own.before }) : idle;
    case 'turn.missed':
      return asked === 'talk' && event.turn === own.index ? keep(kept, {}, { asked: null }) : idle;
    case 'round.missed':
      return asked === 'order' && event.round === own.index
        ? keep(kept, {}, { asked: null })
        : idle;
    default:
      return idle;
  }
}

/** A player who saw nothing before a meeting has a gap there. */
const withoutGap = <T>(one: T) => one ?? [];

/** The request shows the player's own knowledge, whole and unchanged. */
function isOwnRequest(request: MindRequest | null, { kept: { own, asked } }: Done): boolean {
  if (request === null) return false;
  const known = { ...own, isGhost: own.ghost };
  const fill = (value: unknown) => (Array.isArray(value) ? Array.from(value, withoutGap) : value);
  const isKind = { bid: 'discussion', order: 'action', talk: 'ghost' }[asked ?? 'bid'];
  return (
    request.kind === isKind &&
    request.index === own.index &&
    Object.entries(request.view.you).every(([name, value]) => {
      return isSame(fill(value), Reflect.get(known, name));
    })
  );
}

function isStepKept({ point, outputs }: ActorStep, done: Done, event: ToPlayer): boolean {
  const { context } = point;
  const stretches = Array.from(context.stretches, withoutGap);
  const requests = outputs.flatMap((one) => (one.type === 'request' ? [one.request] : []));
  const messages = outputs.flatMap((one) => (one.type === 'messages' ? one.messages : []));
  const handed = done.isHanded ? [handedOn(event)] : [];
  return (
    isSame(sortFields({ ...context, stretches }), sortFields(done.kept.own)) &&
    requests.length === Number(done.isAsked ?? false) &&
    requests.every((request) => isOwnRequest(request, done)) &&
    isSame(messages, handed)
  );
}

function handedOn(event: ToPlayer): object | null {
  if (event.type === 'mind.decided') {
    const { round, order } = event;
    return { to: 'orders', message: { type: 'order.placed', round, order } };
  }
  if (event.type !== 'mind.answered') return null;
  const { to, index, bid } = event;
  return to === 'table'
    ? { to: 'bids', message: { type: 'bid.placed', tick: index, bid } }
    : { to: 'gallery', message: { type: 'ghost.answered', turn: index, bid } };
}

const NOTE: Note = { code: 'vote/locked', text: 'locked' };
const NOTES: readonly Note[] = [{ code: 'reply/desire', text: 'read' }];
const PADS = { main: 'mine', meeting: 'theirs' };
const REPLY = replyOf('red', { pads: PADS, notes: NOTES });
const FAULT = { type: 'fault', seat: 'red', code: 'mind/late', text: '' } as const;
const SIGHT = { who: 'blue', place: 'Storage', did: 'lurking' } as const;
const ELSEWHERE = { ...SIGHT, place: 'Admin' } as const;
const ANOTHER = { who: 'green', place: 'Storage', did: 'lurking' } as const;
const GRAVE = (['kill', 'vent', 'dead'] as const).map((did) => ({ ...ANOTHER, did }));
const FIRST = [...GRAVE, { ...SIGHT, who: 'cyan' } as const];
const KILL = { type: 'kill', victim: 'blue', place: 'Storage' } as const;
const decided = (round: number): ToPlayer => ({
  type: 'mind.decided',
  round,
  order: {
    ...({ type: 'order', seat: 'red', received: null } as const),
    decision: { thought: '', intent: null, pads: { main: 'new' }, notes: NOTES },
  },
});
/** Their tables and scenes are handed on as they are. */
const asking = (event: object): ToPlayer => event as ToPlayer;
const bidAt = (tick: number) =>
  asking({ type: 'bid.requested', table: { tick, requestKind: 'discussion' } });
const orderAt = (round: number) =>
  asking({ type: 'order.requested', round, shown: {}, scene: {}, truth: null });
const rounds = (...numbers: readonly number[]): ToPlayer => ({
  type: 'rounds.seen',
  rounds: numbers.map((round) => ({
    round,
    sights: [SIGHT, ELSEWHERE].slice(0, 1 + (round % 2)),
    ...(round === 2 ? { deeds: [KILL] } : {}),
  })),
});

/** So much that the first sights no longer fit. */
const LONG_TIME: ToPlayer = {
  type: 'rounds.seen',
  rounds: Array.from({ length: 45 }, (_, round) => ({
    round,
    sights: round === 0 ? FIRST : round % 2 === 0 ? [SIGHT] : [ELSEWHERE, ANOTHER],
  })),
};

const OPENED: ToPlayer = { type: 'meeting.opened', round: 4 };
const ANSWERED: ToPlayer = { type: 'mind.answered', to: 'table', index: 0, bid: REPLY };
const VOTED: ToPlayer = { type: 'vote.locked', ballot: 'blue' };
const EVENTS: readonly ToPlayer[] = [
  OPENED,
  { type: 'meeting.opened', brief: { sightings: [{ ...SIGHT, ago: 5 }], notes: 'old' } },
  rounds(1, 2, 3),
  bidAt(0),
  orderAt(4),
  asking({ type: 'talk.invited', seen: { turn: 0 } }),
  decided(4),
  { type: 'mind.decided', round: 4, order: FAULT },
  decided(3),
  ANSWERED,
  { type: 'mind.answered', to: 'table', index: 0, bid: FAULT },
  { type: 'mind.answered', to: 'gallery', index: 0, bid: REPLY },
  { type: 'mind.answered', to: 'table', index: 7, bid: REPLY },
  { type: 'tick.missed', tick: 0 },
  { type: 'turn.missed', turn: 0 },
  { type: 'round.missed', round: 4 },
  VOTED,
  { type: 'vote.locked', ballot: 'skip' },
  { type: 'vote.cleared', note: NOTE },
  { type: 'notice.given', note: NOTE },
  { type: 'scratchpads.consolidated', main: 'kept', line: null },
  { type: 'scratchpads.consolidated', main: null, line: 'I voted blue' },
  { type: 'scratchpads.erased' },
  { type: 'seat.died' },
  { type: 'seat.departed' },
];

const LIVES: readonly (readonly ToPlayer[])[] = [
  [rounds(1), rounds(2, 3), OPENED, bidAt(0), ANSWERED, VOTED],
  [rounds(1, 2), OPENED, VOTED, orderAt(4), decided(4), rounds(5)],
  [bidAt(0), ANSWERED, { type: 'scratchpads.erased' }, { type: 'seat.died' }],
  [LONG_TIME, LONG_TIME, OPENED, orderAt(4), decided(4), LONG_TIME, OPENED],
];

const INPUT = {
  ...({ colour: 'red', role: 'impostor', partners: [], ghost: false, past: NO_PAST } as const),
  persona: { name: 'Ann', temperament: 'observer', notes: '' } as const,
  ...{ brief: { sightings: [], notes: 'n' }, pads: { main: 'old', meeting: '' } },
};

/** The first life that differs from the one kept by hand, for each first event. */
function* misremembered(machine?: Parameters<typeof createPlayerStepper>[1]): Generator<unknown> {
  const stepper = createPlayerStepper(INPUT, machine);
  const start = stepper.start();
  const born: PlayerContext = {
    ...INPUT,
    ...{ ballot: null, notices: [], stretches: [], memory: [], faded: [], deeds: [] },
    ...{ meetings: 0, index: -1, before: INPUT.pads },
  };
  const first: Kept = { own: born, life: 'living', asked: null, isBound: false };
  const go = (from: readonly [ActorStep, Kept], event: ToPlayer) => {
    const done = live(from[1], event);
    const step = stepper.step(from[0], event);
    return isStepKept(step, done, event) ? ([step, done.kept] as const) : null;
  };
  function* tryAll(
    from: readonly [ActorStep, Kept],
    most: number,
    life: readonly ToPlayer[],
  ): Generator<unknown> {
    for (const event of most === 0 ? [] : EVENTS) {
      const next = go(from, event);
      if (next === null) yield [...life.map(({ type }) => type), event];
      else yield* tryAll(next, most - 1, [...life, event]);
    }
  }
  yield* tryAll([start, first], 3, []);
  for (const life of LIVES) {
    let at: readonly [ActorStep, Kept] | null = [start, first];
    for (const event of life) at &&= go(at, event);
    if (at === null) yield life;
    else yield* tryAll(at, 2, life);
  }
}

export const PLAYER_LAW = {
  name: 'a-player-remembers-rightly',
  sentence:
    'A player keeps pages, notes, ballot, sights, deeds and past as they came, dated by the meeting; asks its mind only when free; and hands on each answer, but keeps only one to the open request.',
  find: misremembered,
};
