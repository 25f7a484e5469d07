/** Sabotage: one system at a time. The doors of each room have their own clock. */
import type { Colour, Note, Room, System } from '../../types.ts';
import { type GameOptions, rounds } from '../options.ts';
import {
  type Attempt,
  type Draft,
  isActiveSeat,
  pickByDraw,
  refuseIntent,
  type SeatDraft,
  seatsIntending,
} from './draft.ts';
import { roleOf, type World } from './world.ts';

export function resolveSabotage(draft: Draft): void {
  breakSystem(draft);
  shutDoors(draft);
}

function breakSystem(draft: Draft): void {
  const [chosen] = settle(
    draft,
    'sabotage',
    ({ by, intent }) => systemRefusal(draft.world, by.seat, intent.system),
    () => 'the one system',
  );
  if (chosen === undefined) return;
  const { system } = chosen.intent;
  const { options } = draft.world.ship;
  const left = secondsLeft(options, system);
  draft.world = {
    ...draft.world,
    crisis: { system, left: left === null ? null : rounds(left), done: [], held: 0 },
    sabotageWait: rounds(options.sabotageCooldown),
  };
  draft.events.push({ type: 'sabotage.begun', by: chosen.by.seat, system });
}

/** Reactor and O2 kill when the time is up. Lights and comms only hinder. */
function secondsLeft(options: GameOptions, system: System): number | null {
  if (system === 'reactor') return options.reactorSeconds;
  return system === 'o2' ? options.o2Seconds : null;
}

function shutDoors(draft: Draft): void {
  const chosen = settle(
    draft,
    'shut',
    ({ by, intent }) => doorRefusal(draft.world, by.seat, intent.room),
    ({ intent }) => intent.room,
  );
  for (const { by, intent } of chosen) shut(draft, by, intent.room);
}

/** Of the able who intend the same, the draw chooses one. All others are refused. */
function settle<Type extends 'sabotage' | 'shut'>(
  draft: Draft,
  type: Type,
  judge: (attempt: Attempt<Type>) => Note | null,
  targetOf: (attempt: Attempt<Type>) => string,
): readonly Attempt<Type>[] {
  const tried = seatsIntending(draft, type).filter(({ by }) => isActiveSeat(draft, by));
  const able = tried.filter((attempt) => judge(attempt) === null);
  const chosen = able.filter((one) => {
    const rivals = able.filter((other) => targetOf(other) === targetOf(one));
    return pickByDraw(draft, rivals) === one.by;
  });
  for (const attempt of tried) {
    const { by, intent } = attempt;
    by.isFinished = true;
    const note = judge(attempt) ?? (chosen.includes(attempt) ? null : TOO_SLOW);
    if (note !== null) refuseIntent(draft, by, intent, note);
  }
  return chosen;
}

const TOO_SLOW = refusal('at-once', 'another impostor was quicker');

function shut(draft: Draft, { seat: by }: SeatDraft, room: Room): void {
  const { options } = draft.world.ship;
  const { doors } = draft.world;
  const own = { room, shut: rounds(options.doorSeconds), wait: rounds(options.doorCooldown) };
  // In the order of the map, so that equal states have equal values.
  const after = draft.world.ship.map.doors.flatMap((each) =>
    each === room ? own : doors.filter((door) => door.room === each),
  );
  draft.world = { ...draft.world, doors: after };
  draft.events.push({ type: 'doors.shut', by, room });
}

function systemRefusal(world: World, by: Colour, system: System): Note | null {
  if (roleOf(world, by) !== 'impostor') return refusal('impostors-only', 'only impostors sabotage');
  if (world.ship.map.consoles[system].length === 0)
    return refusal('no-system', `there is no ${system} on ${world.ship.map.name}`);
  if (world.crisis !== null)
    return refusal('one-at-a-time', `${world.crisis.system} is sabotaged already`);
  return world.sabotageWait > 0
    ? refusal('cooldown', `${world.sabotageWait} rounds until a sabotage`)
    : null;
}

function doorRefusal(world: World, by: Colour, room: Room): Note | null {
  if (roleOf(world, by) !== 'impostor') return refusal('impostors-only', 'only impostors sabotage');
  if (!world.ship.map.doors.includes(room)) return refusal('no-doors', `${room} has no doors`);
  const door = world.doors.find((one) => one.room === room);
  return door === undefined || door.wait === 0
    ? null
    : refusal('cooldown', `${door.wait} rounds until the doors of ${room} can be shut`);
}

function refusal(code: string, text: string): Note {
  return { code: `sabotage/${code}`, text };
}
