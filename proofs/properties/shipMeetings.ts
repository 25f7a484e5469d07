/** Properties of how a game and its meetings begin, what a meeting leaves, and what is recorded of it. */

import type { PlayerLoss } from '../../machines/rules/record.ts';
import type { GameCourse } from '../../machines/rules/ship/game.ts';
import type { PlayerState, World } from '../../machines/rules/ship/world.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';
import {
  allHold,
  declareProperties,
  isSame,
  listClauses,
  paramsOf,
  sortFields,
} from './property.ts';
import { truthOf } from './shipNews.ts';
import { barOf } from './shipSights.ts';
import {
  canAct,
  countWork,
  fullClock,
  isImpostor,
  isMeetingOver,
  isRound,
  listLiving,
  type ShipProperty,
  type ShipTransition,
} from './shipSteps.ts';

/** Everybody at the button, asked anew and without an order, and the timers full. */
function calmWorld(
  world: World,
  killCooldown: number,
  own: (seat: Colour) => Partial<PlayerState>,
) {
  const { ship } = world;
  const { emergencyCooldown, sabotageCooldown } = ship.options;
  const seats = ship.seats.map(({ colour }) => colour);
  const players = seats.map((seat) => {
    const fresh = { place: ship.map.button, vent: null, intent: null, moved: false, stride: 0 };
    const killWait = isImpostor(world, seat) ? Math.max(0, fullClock(killCooldown)) : 0;
    return [seat, sortFields({ ...fresh, killWait, ...own(seat) })];
  });
  const asks = seats.flatMap((seat) => (canAct(world, seat) ? [[seat, ['begun']]] : []));
  return {
    ...{ ship, bodies: [], streaks: {}, doors: [], asks: Object.fromEntries(asks) },
    players: Object.fromEntries(players),
    sabotageWait: fullClock(sabotageCooldown),
    buttonWait: fullClock(emergencyCooldown),
  };
}

/** The world with the fields of its players in order. */
function inOrder({ players, ...world }: World) {
  const sorted = Object.entries(players).map(([seat, player]) => [seat, sortFields(player)]);
  return { ...world, players: Object.fromEntries(sorted) };
}

/** A meeting of the game so far. The default slope and grace of silence follow the living players (ruling 47). */
function expectedSession(course: GameCourse & Record<'players' | 'ghostBudget', unknown>) {
  const { seed, world, meetings, call, record, ghostBudget } = course;
  const { map, options, meeting, seats } = world.ship;
  const { weights } = meeting;
  const living = listLiving(world).length;
  const spread = MOST_LEAD + weights.mention + weights.accusation + weights.voted;
  const slope = Math.floor(spread / (Math.max(living, FEWEST) + 1)) + 1;
  const silence = { ...weights.silence, slope, grace: living };
  const setting = {
    chance: { seed, meeting: meetings },
    options: { ...meeting, weights: { ...weights, silence } },
    ...{ seats, call, circumstances: { meetingRunning: false, gameOver: false } },
    ...{ standings: world.standings, record, ship: { map, options } },
    ...{ world: truthOf(course), kills: [] },
  };
  return { setting, players: [], ghostBudget };
}

/** The desire and the dice of two players differ by at most this. */
const MOST_LEAD = 15;
const FEWEST = 3;

/** Whether the record names exactly those who are out of the game, each once, and the new ones as expected. */
function areLossesNamed(
  { before, after }: ShipTransition,
  where: PlayerLoss['where'],
  how: (who: Colour) => PlayerLoss['how'],
): boolean {
  const { losses: known, meetings } = before.context.record;
  const { standings } = after.context.world;
  const isOut = (seat: Colour) => standings[seat] !== undefined && standings[seat] !== 'living';
  const fresh = COLOURS.filter((seat) => isOut(seat) && known.every(({ who }) => who !== seat));
  const meeting = meetings.length + 1;
  const added = fresh.map((who) => ({ who, how: how(who), where, meeting }));
  return isSame(after.context.record.losses, [...known, ...added]);
}

export const shipStartProperty: ShipProperty = {
  name: 'a-game-begins-afresh',
  sentence:
    'A game begins at the button with full clocks, nothing done or broken, everybody asked, and a record that says how many impostors there are, unless the lobby hides it.',
  kind: 'start',
  holds: ({ state: { at, context } }) => {
    const { world, known, record, chronicle, calls, round, meetings } = context;
    const { options, seats, tasks } = world.ship;
    const all = seats.map(({ colour }) => colour);
    const calm = calmWorld(world, options.firstKillCooldown ?? options.killCooldown, (seat) => ({
      buttons: options.buttons,
      progress: (tasks[seat] ?? []).map(() => ({ steps: 0, worked: 0 })),
    }));
    const standings = Object.fromEntries(all.map((seat) => [seat, 'living']));
    const impostors = seats.filter(({ role }) => role === 'impostor').length;
    const shown = options.showImpostors ? impostors : null;
    return allHold({
      ...listClauses(inOrder(world), { ...calm, standings, crisis: null, barShown: 0 }),
      'the record': [record, { impostors: shown, meetings: [], losses: [], bar: null }],
      'the course': [
        [at, known, chronicle, calls, round, meetings],
        ['round.opening', all, [], [], 0, 0],
      ],
    });
  },
};

export const shipMeetingProperties = declareProperties<ShipProperty>({
  'a-meeting-clears-the-ship': {
    sentence:
      'After a meeting no body is left, every player is at the button and out of vents, the timers of kills, button and sabotage are full, and no countdown runs.',
    when: isMeetingOver,
    holds: ({ before, after }) => {
      const [was, is] = [before.context.world, after.context.world];
      const calm = calmWorld(is, is.ship.options.killCooldown, (seat) => {
        const { buttons = 0, progress = [] } = was.players[seat] ?? {};
        return { buttons, progress: progress.map((one) => ({ ...one, worked: 0 })) };
      });
      const crisis = was.crisis?.left === null ? was.crisis : null;
      const { standings } = is;
      return allHold(listClauses(inOrder(is), { ...inOrder(was), ...calm, crisis, standings }));
    },
  },
  'a-meeting-begins-with-the-game-so-far': {
    sentence:
      'A called meeting gets its number, call, seats, standings, record, ship and the truth for ghosts, with the silence of the players who still live.',
    when: ({ before, after }) => before.at !== 'meeting' && after.at === 'meeting',
    holds: ({ after: { context }, effects }) => {
      const [begun] = paramsOf<{ readonly input: unknown }>(effects, 'xstate.spawnChild');
      const course = context as Parameters<typeof expectedSession>[0]; // a game's context has both
      return isSame(begun?.input, expectedSession(course));
    },
  },
  'a-call-is-recorded': {
    sentence:
      'Rounds are counted. A call is dated, shows the bar as it is, and names the missing with what is known of them. Nothing else changes the record on the ship.',
    when: isRound,
    holds: (transition) => {
      const [before, after] = [transition.before.context, transition.after.context];
      const { record, calls, round, meetings, known } = before;
      const { barShown } = after.world;
      const isNew = after.call !== null;
      const fallen = [...before.world.bodies, ...after.world.bodies].map(({ victim }) => victim);
      const how = (who: Colour) => (fallen.includes(who) ? 'killed' : 'left');
      return allHold({
        'the round': [after.round, round + 1],
        meetings: [after.meetings, meetings],
        'who is known to live': [after.known, known],
        'the calls': [after.calls, isNew ? [...calls, round + 1] : calls],
        'the record of meetings': [after.record.meetings, record.meetings],
        'the bar in the record': [after.record.bar, isNew ? barOf(after.world, known) : record.bar],
        'the bar': [barShown, isNew ? countWork(after.world).done : before.world.barShown],
        'the losses': isNew
          ? areLossesNamed(transition, 'ship', how)
          : isSame(after.record, record),
      });
    },
  },
  'a-meeting-is-recorded': {
    sentence:
      'A meeting is counted, and adds its result, its losses, the standings and who is known to live. It forgets faults in a row.',
    when: isMeetingOver,
    holds: (transition) => {
      const { event } = transition;
      const [before, after] = [transition.before.context, transition.after.context];
      const { record, calls, round, meetings } = before;
      if (event.type !== 'xstate.done.actor.meetingSession') return false;
      const { held, standings } = event.output;
      const living = COLOURS.filter((seat) => standings[seat] === 'living');
      const how = (who: Colour) => (who === held.result?.ejected ? 'ejected' : 'left');
      const { world } = after;
      return allHold({
        'the round': [after.round, round],
        'the calls': [after.calls, calls],
        meetings: [after.meetings, meetings + 1],
        'the open call': [after.call, null],
        'who is known to live': [after.known, living],
        standings: [world.standings, standings],
        'the bar in the record': [after.record.bar, record.bar],
        'the record of meetings': [after.record.meetings, [...record.meetings, held]],
        'the losses': areLossesNamed(transition, 'table', how),
      });
    },
  },
});
