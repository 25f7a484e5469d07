/** Work: tasks, faked ones, and consoles that are held. A player who walked in this round has not worked. */
import { COLOURS, type Colour, type Deed, type Room } from '../../types.ts';
import { changePlayer, type Draft, pickByDraw, playerOf } from './draft.ts';
import { placeToFollow } from './movement.ts';
import type { Intent } from './orders.ts';
import { isVisible } from './tasks.ts';
import { type Crisis, isActive, isJammed, isLiving, nextTaskStep, taskIndex } from './world.ts';

/** Rounds for which somebody must hold the switches of the lights or the dial of the comms. */
const ROUNDS_TO_FIX = 2;

export function doWork(draft: Draft): void {
  const fixers: { readonly seat: Colour; readonly at: Room }[] = [];
  for (const seat of COLOURS) {
    const player = playerOf(draft, seat);
    if (player === undefined || !isActive(draft.world, seat)) continue;
    if (player.vent !== null) continue;
    const { intent } = player;
    const hasWalked = draft.paths[seat] !== undefined;
    if (
      intent?.type === 'fix' &&
      !hasWalked &&
      player.place === intent.at &&
      isLiving(draft.world, seat)
    ) {
      fixers.push({ seat, at: intent.at });
    }
    draft.deeds[seat] = hasWalked ? 'passing' : deedOf(draft, seat, intent);
    if (intent !== null) continueIntent(draft, seat, intent, hasWalked);
  }
  holdConsoles(draft, fixers);
}

/** What a player who stands can be seen doing. */
function deedOf(draft: Draft, seat: Colour, intent: Intent | null): Deed {
  const player = playerOf(draft, seat);
  if (player === undefined || intent === null) return 'lurking';
  const { map, options } = draft.world.ship;
  switch (intent.type) {
    case 'task':
    case 'fake': {
      const index = taskIndex(draft.world, seat, intent.task);
      const step = nextTaskStep(draft.world, seat, index);
      if (step === null || step.place !== player.place) return 'lurking';
      const task = draft.world.ship.tasks[seat]?.[index];
      const done = player.progress[index]?.steps ?? 0;
      const isSeen = task !== undefined && isVisible(task, done);
      return isSeen && intent.type === 'task' && options.visualTasks ? 'visual' : 'task';
    }
    case 'fix':
      return intent.at === player.place ? 'fixing' : 'lurking';
    case 'watch': {
      const at = intent.what === 'cameras' ? map.cameras?.at : map.adminTable;
      return at === player.place && !isJammed(draft.world) ? 'watching' : 'lurking';
    }
    default:
      return 'lurking';
  }
}

/** One round of what a player is doing; what is done with it is finished. */
function continueIntent(draft: Draft, seat: Colour, intent: Intent, hasWalked: boolean): void {
  const player = playerOf(draft, seat);
  if (player === undefined) return;
  switch (intent.type) {
    case 'wait':
      countDown(draft, seat, intent);
      break;
    case 'go':
      if (player.place === intent.to) draft.finished.add(seat);
      break;
    case 'follow':
      if (isOverWith(draft, seat, intent.whom)) draft.finished.add(seat);
      else countDown(draft, seat, intent);
      break;
    case 'task':
    case 'fake':
      if (!hasWalked) workOnTask(draft, seat, intent);
      break;
    case 'fix':
      // Fixed meanwhile, by somebody else or by a meeting.
      if (draft.world.crisis === null) draft.finished.add(seat);
      break;
    case 'watch':
      if (isJammed(draft.world)) draft.finished.add(seat);
      else if (draft.deeds[seat] === 'watching') countDown(draft, seat, intent);
      break;
    default:
  }
}

/** One round less of what is done for a number of rounds. */
function countDown(
  draft: Draft,
  seat: Colour,
  intent: Extract<Intent, { readonly rounds: number }>,
): void {
  if (intent.rounds <= 1) draft.finished.add(seat);
  else changePlayer(draft, seat, { intent: { ...intent, rounds: intent.rounds - 1 } });
}

/** They are out of sight, or both stand in one place: time to think of something else. */
function isOverWith(draft: Draft, seat: Colour, whom: Colour): boolean {
  const { players } = draft.world;
  const haveStood = draft.paths[seat] === undefined && draft.paths[whom] === undefined;
  if (haveStood && players[seat]?.place === players[whom]?.place) return true;
  return placeToFollow(draft.world, seat, whom) === null;
}

function workOnTask(
  draft: Draft,
  seat: Colour,
  intent: Extract<Intent, { type: 'task' | 'fake' }>,
): void {
  const player = playerOf(draft, seat);
  const index = taskIndex(draft.world, seat, intent.task);
  const step = nextTaskStep(draft.world, seat, index);
  if (player === undefined || step === null || step.place !== player.place) return;
  const before = player.progress[index] ?? { steps: 0, worked: 0 };
  const worked = before.worked + 1;
  const isStepDone = worked >= step.rounds;
  const after = isStepDone
    ? { steps: before.steps + 1, worked: 0 }
    : { steps: before.steps, worked };
  const progress = player.progress.map((one, place) => (place === index ? after : one));
  changePlayer(draft, seat, { progress });
  if (!isStepDone) return;
  const done = nextTaskStep(draft.world, seat, index) === null;
  if (done) draft.finished.add(seat);
  if (intent.type === 'fake') return;
  draft.events.push({ type: 'task.stepped', seat, task: intent.task, steps: after.steps, done });
}

/** Who holds which console: a reactor needs both hands at once, oxygen each keypad, lights and comms some time. */
function holdConsoles(
  draft: Draft,
  fixers: readonly { readonly seat: Colour; readonly at: Room }[],
): void {
  const { crisis, ship } = draft.world;
  if (crisis === null || fixers.length === 0) return;
  const consoles = ship.map.consoles[crisis.system];
  if (crisis.system === 'reactor') {
    if (consoles.every((room) => isHeld(room, consoles, fixers)))
      mend(
        draft,
        fixers.map(({ seat }) => seat),
      );
    return;
  }
  if (crisis.system === 'o2') {
    enterKeypads(draft, crisis, fixers);
    return;
  }
  const held = crisis.held + 1;
  if (held >= ROUNDS_TO_FIX)
    mend(
      draft,
      fixers.map(({ seat }) => seat),
    );
  else draft.world = { ...draft.world, crisis: { ...crisis, held } };
}

/** Whether there is a hand for every console of a room. */
function isHeld(
  room: Room,
  consoles: readonly Room[],
  fixers: readonly { readonly at: Room }[],
): boolean {
  const hands = fixers.filter(({ at }) => at === room).length;
  return hands >= consoles.filter((one) => one === room).length;
}

function enterKeypads(
  draft: Draft,
  crisis: Crisis,
  fixers: readonly { readonly seat: Colour; readonly at: Room }[],
): void {
  const { consoles } = draft.world.ship.map;
  const done = consoles.o2.filter(
    (room) => crisis.done.includes(room) || fixers.some(({ at }) => at === room),
  );
  for (const { seat } of fixers) draft.finished.add(seat);
  for (const at of done) {
    if (crisis.done.includes(at)) continue;
    const seat = pickByDraw(
      draft,
      fixers.filter((fixer) => fixer.at === at).map((fixer) => fixer.seat),
    );
    if (seat !== null) draft.events.push({ type: 'keypad.entered', seat, at });
  }
  if (done.length === consoles.o2.length)
    mend(
      draft,
      fixers.map(({ seat }) => seat),
    );
  else draft.world = { ...draft.world, crisis: { ...crisis, done } };
}

function mend(draft: Draft, by: readonly Colour[]): void {
  const { crisis } = draft.world;
  if (crisis === null) return;
  draft.world = { ...draft.world, crisis: null };
  draft.events.push({ type: 'sabotage.fixed', by, system: crisis.system });
  for (const seat of COLOURS) {
    if (draft.world.players[seat]?.intent?.type === 'fix') draft.finished.add(seat);
  }
}
