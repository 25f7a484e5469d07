/** Laws of a meeting with its actors: what the others know is what the meeting knows, and nobody waits in vain. */
import { isDeepStrictEqual } from 'node:util';
import type { MachinePoint } from 'glass-box-checker';
import type { ArbiterBooks } from '../../machines/charts/arbiter.ts';
import type { GalleryContext } from '../../machines/charts/gallery.ts';
import type { PlayerContext } from '../../machines/charts/player.ts';
import type { PlayerFate } from '../../machines/journal/projection.ts';
import { ARBITER, GALLERY, MEETING, playerId } from '../../machines/messages.ts';
import type { Fact } from '../../machines/rules/facts.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import type { Colour, Standing } from '../../machines/types.ts';
import type { SystemState } from '../models/meetingSystem.ts';
import { actorState, listThinking, type SystemLaws, type SystemMoment } from '../models/secrets.ts';

export const TOGETHER = {
  name: 'messages-arrive',
  sentence:
    'Meeting, arbiter and players know the same after every message, and nobody waits in vain.',
} as const;

const tableOf = (state: SystemState) => actorState<Table>(state, MEETING);

/** Holds for every seat, with its player's actor and the table. */
const forEach =
  (holds: (seat: Colour, player: MachinePoint<PlayerContext>, table: Table) => boolean) =>
  ({ state }: SystemMoment) => {
    const { context } = tableOf(state);
    return context.seats.every(({ colour }) =>
      holds(colour, actorState<PlayerContext>(state, playerId(colour)), context),
    );
  };

export const SYSTEM_LAWS: SystemLaws = {
  'Each living player knows their own ballot as the table has it.': forEach(
    (seat, { context }, { standings, ballots }) =>
      standings[seat] !== 'living' || context.ballot === (ballots[seat] ?? null),
  ),
  'A player is a ghost or disconnected exactly as the table says.': forEach(
    (seat, { place }, { standings }) => {
      const known = { living: 'living', dead: 'ghost', departed: 'disconnected' } as const;
      return place.name.startsWith(known[standings[seat] ?? 'departed']);
    },
  ),
  'Only living players think about a bid, and only in an open tick.': ({ state }) => {
    const { context } = tableOf(state);
    const isOpen = actorState(state, ARBITER).place.name !== 'idle';
    return listThinking(state).every((seat) => isOpen && context.standings[seat] === 'living');
  },
  'While the meeting lasts, a player thinks or a timer runs.': ({ state }) =>
    tableOf(state).status !== 'active' ||
    listThinking(state).length > 0 ||
    [MEETING, ARBITER].some((name) => actorState(state, name).timers.length > 0),
  'After the meeting every scratchpad of the meeting is empty.': (moment) =>
    tableOf(moment.state).status === 'active' ||
    forEach(
      (seat, { context }, { standings }) =>
        standings[seat] === 'departed' || context.ghost || context.pads.meeting === '',
    )(moment),
  'A player who is asked sees the table as it is.': ({ state, observations }) => {
    const { seats, standings, ballots } = tableOf(state).context;
    const { transcript } = actorState<ArbiterBooks>(state, ARBITER).context.floor;
    const shown = seats.map(({ colour }) => {
      return { colour, standing: standings[colour], voted: ballots[colour] !== undefined };
    });
    return observations.every((one) => {
      if (one.type !== 'asked' || !('table' in one.request.view)) return true;
      const { you, table } = one.request.view;
      const found = [table.transcript, table.seats, you.ballot];
      return isDeepStrictEqual(found, [transcript, shown, ballots[one.seat] ?? null]);
    });
  },
  'After a tick and at the end the ghosts see the table as it is.': ({ state, observations }) => {
    if (!observations.some((one) => one.type === 'told' && isShownToGhosts(one.fact))) return true;
    const { seats, standings, ballots } = tableOf(state).context;
    const { floor, pending } = actorState<ArbiterBooks>(state, ARBITER).context;
    const { glimpse, waiting } = actorState<GalleryContext>(state, GALLERY).context;
    const last = waiting.at(-1) ?? glimpse;
    const shown = seats.map(({ colour, role }) => ({ colour, role, standing: standings[colour] }));
    return isDeepStrictEqual(
      [last?.transcript, last?.truth.ballots, last?.truth.seats],
      [(pending ?? floor).transcript, ballots, shown],
    );
  },
  'The journal says what the table says.': ({ state, journal: { players, meeting } }) => {
    const { status, context } = tableOf(state);
    const { seats, standings, ballots, poll, revealed, outcome, ejected } = context;
    const living = seats.filter(({ colour }) => standings[colour] === 'living');
    return (
      players.every(({ seat, fate }) => STANDINGS[fate] === standings[seat]) &&
      meeting?.turned.length === revealed &&
      (poll !== null || living.every(({ colour }) => meeting.locked[colour] === ballots[colour])) &&
      meeting.isOver === (status === 'done') &&
      (!meeting.isOver || (meeting.outcome === outcome && meeting.ejected === ejected))
    );
  },
  'A reader gets each fact from its line.': ({ kept }) =>
    kept.every(([written, read]) => isDeepStrictEqual(withoutDice(read), withoutDice(written))),
};

const STANDINGS: Readonly<Record<PlayerFate, Standing>> = {
  ...{ living: 'living', left: 'departed', dead: 'dead', killed: 'dead', ejected: 'dead' },
};

const isShownToGhosts = (fact: Fact) =>
  fact.type === 'tick.closed'
    ? fact.decision !== null
    : fact.type === 'phase.entered' && ['reaction', 'consolidation'].includes(fact.phase);

/** A line omits dice that decide nothing. */
const withoutDice = (fact: object | null) => ({ ...fact, dice: null });
