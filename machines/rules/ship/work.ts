/** Work: tasks, faked tasks and consoles. A player who walked in this round has not worked. */
import type { Colour, Deed, Room } from '../../types.ts';
import {
  type Draft,
  isActiveSeat,
  isLivingSeat,
  pickByDraw,
  type SeatDraft,
  seatOf,
} from './draft.ts';
import { placeToFollow } from './movement.ts';
import type { Intent } from './orders.ts';
import { isVisible } from './tasks.ts';
import { type Crisis, isJammed, nextTaskStep, taskIndex } from './world.ts';

/** Rounds that a player must hold the switches of the lights or the dial of the comms. */
const ROUNDS_TO_FIX = 2;

type Fixer = { readonly by: SeatDraft; readonly at: Room };

export function doWork(draft: Draft): void {
  const fixers: Fixer[] = [];
  for (const by of draft.seats) {
    const { player } = by;
    if (player.vent !== null || !isActiveSeat(draft, by)) continue;
    const { intent } = player;
    const hasWalked = by.path !== null;
    if (intent?.type === 'fix' && !hasWalked && player.place === intent.at && isLivingSeat(by))
      fixers.push({ by, at: intent.at });
    by.deed = hasWalked ? 'passing' : deedOf(draft, by, intent);
    if (intent !== null) continueIntent(draft, by, intent);
  }
  holdConsoles(draft, fixers);
}

function deedOf({ world }: Draft, { seat, player }: SeatDraft, intent: Intent | null): Deed {
  if (intent === null) return 'lurking';
  const { map, options } = world.ship;
  switch (intent.type) {
    case 'task':
    case 'fake': {
      const index = taskIndex(world, seat, intent.task);
      const step = nextTaskStep(world, seat, index);
      if (step === null || step.place !== player.place) return 'lurking';
      const task = world.ship.tasks[seat]?.[index];
      const isSeen = task !== undefined && isVisible(task, player.progress[index]?.steps ?? 0);
      return isSeen && intent.type === 'task' && options.visualTasks ? 'visual' : 'task';
    }
    case 'fix':
      return intent.at === player.place ? 'fixing' : 'lurking';
    case 'watch': {
      const at = intent.what === 'cameras' ? map.cameras?.at : map.adminTable;
      return at === player.place && !isJammed(world) ? 'watching' : 'lurking';
    }
    default:
      return 'lurking';
  }
}

function continueIntent(draft: Draft, by: SeatDraft, intent: Intent): void {
  switch (intent.type) {
    case 'wait':
      countDown(by, intent);
      break;
    case 'go':
      if (by.player.place === intent.to) by.isFinished = true;
      break;
    case 'follow':
      if (isOverWith(draft, by, intent.whom)) by.isFinished = true;
      else countDown(by, intent);
      break;
    case 'task':
    case 'fake':
      if (by.path === null) workOnTask(draft, by, intent);
      break;
    case 'fix':
      // Another player or a meeting has fixed it.
      if (draft.world.crisis === null) by.isFinished = true;
      break;
    case 'watch':
      if (isJammed(draft.world)) by.isFinished = true;
      else if (by.deed === 'watching') countDown(by, intent);
      break;
    default:
  }
}

function countDown(by: SeatDraft, intent: Extract<Intent, { readonly rounds: number }>): void {
  if (intent.rounds <= 1) by.isFinished = true;
  else by.player.intent = { ...intent, rounds: intent.rounds - 1 };
}

/** The other is out of sight, or both are in one place. */
function isOverWith(draft: Draft, by: SeatDraft, whom: Colour): boolean {
  const other = seatOf(draft, whom);
  const haveStood = by.path === null && other?.path === null;
  if (haveStood && by.player.place === other.player.place) return true;
  return placeToFollow(draft.world, by.seat, whom) === null;
}

function workOnTask(
  draft: Draft,
  by: SeatDraft,
  intent: Extract<Intent, { type: 'task' | 'fake' }>,
): void {
  const { seat, player } = by;
  const index = taskIndex(draft.world, seat, intent.task);
  const step = nextTaskStep(draft.world, seat, index);
  if (step === null || step.place !== player.place) return;
  const before = player.progress[index] ?? { steps: 0, worked: 0 };
  const worked = before.worked + 1;
  const isStepDone = worked >= step.rounds;
  const after = isStepDone
    ? { steps: before.steps + 1, worked: 0 }
    : { steps: before.steps, worked };
  player.progress = player.progress.map((one, place) => (place === index ? after : one));
  if (!isStepDone) return;
  const done = nextTaskStep(draft.world, seat, index) === null;
  if (done) by.isFinished = true;
  if (intent.type === 'fake') return;
  draft.events.push({ type: 'task.stepped', seat, task: intent.task, steps: after.steps, done });
}

/** The reactor needs two players at once, oxygen each keypad, lights and comms some time. */
function holdConsoles(draft: Draft, fixers: readonly Fixer[]): void {
  const { crisis, ship } = draft.world;
  if (crisis === null || fixers.length === 0) return;
  const consoles = ship.map.consoles[crisis.system];
  if (crisis.system === 'reactor') {
    if (consoles.every((room) => isHeld(room, consoles, fixers))) mend(draft, fixers);
    return;
  }
  if (crisis.system === 'o2') {
    enterKeypads(draft, crisis, fixers);
    return;
  }
  const held = crisis.held + 1;
  if (held >= ROUNDS_TO_FIX) mend(draft, fixers);
  else draft.world = { ...draft.world, crisis: { ...crisis, held } };
}

function isHeld(room: Room, consoles: readonly Room[], fixers: readonly Fixer[]): boolean {
  const hands = fixers.filter(({ at }) => at === room).length;
  return hands >= consoles.filter((one) => one === room).length;
}

function enterKeypads(draft: Draft, crisis: Crisis, fixers: readonly Fixer[]): void {
  const { consoles } = draft.world.ship.map;
  const done = consoles.o2.filter(
    (room) => crisis.done.includes(room) || fixers.some(({ at }) => at === room),
  );
  for (const { by } of fixers) by.isFinished = true;
  for (const at of done) {
    if (crisis.done.includes(at)) continue;
    const first = pickByDraw(
      draft,
      fixers.filter((fixer) => fixer.at === at),
    );
    if (first !== null) draft.events.push({ type: 'keypad.entered', seat: first.seat, at });
  }
  if (done.length === consoles.o2.length) mend(draft, fixers);
  else draft.world = { ...draft.world, crisis: { ...crisis, done } };
}

function mend(draft: Draft, fixers: readonly Fixer[]): void {
  const { crisis } = draft.world;
  if (crisis === null) return;
  draft.world = { ...draft.world, crisis: null };
  const by = fixers.map((fixer) => fixer.by.seat);
  draft.events.push({ type: 'sabotage.fixed', by, system: crisis.system });
  for (const one of draft.seats) if (one.player.intent?.type === 'fix') one.isFinished = true;
}
