/** Calls: bodies that are reported and the button. A report goes before a button, and chance settles the rest. */
import { type Call, COLOURS, type Colour, type Note } from '../../types.ts';
import { SECONDS_PER_ROUND } from '../gameOptions.ts';
import { type Draft, drawn, playerOf, refuse } from './draft.ts';
import type { Intent } from './intent.ts';
import { isLiving, type World } from './world.ts';

type Calling = Extract<Intent, { type: 'report' | 'button' }>;

/** The call that interrupts the round; null when nobody called. */
export function called(draft: Draft): Call | null {
  const tried = COLOURS.flatMap((by) => {
    const intent = playerOf(draft, by)?.intent;
    const isCalling = intent?.type === 'report' || intent?.type === 'button';
    return isCalling && isLiving(draft.world, by) ? [{ by, intent }] : [];
  });
  const able: typeof tried = [];
  for (const { by, intent } of tried) {
    if (intent.type === 'button' && isOnTheWay(draft, by)) continue;
    const note = callRefusal(draft, by, intent);
    draft.finished.add(by);
    if (note === null) able.push({ by, intent });
    else refuse(draft, by, intent, note);
  }
  const reports = able.filter(({ intent }) => intent.type === 'report');
  const candidates = reports.length > 0 ? reports : able;
  const by = drawn(
    draft,
    candidates.map((candidate) => candidate.by),
  );
  const chosen = candidates.find((candidate) => candidate.by === by);
  return chosen === undefined ? null : callOf(draft.world, chosen.by, chosen.intent);
}

function isOnTheWay(draft: Draft, by: Colour): boolean {
  const player = playerOf(draft, by);
  return draft.paths[by] !== undefined || player?.place !== draft.world.ship.map.button;
}

function callRefusal(draft: Draft, by: Colour, intent: Calling): Note | null {
  const { before, world } = draft;
  if (intent.type === 'report') {
    const body = before.bodies.find(({ victim }) => victim === intent.body);
    if (body === undefined || body.place !== playerOf(draft, by)?.place) {
      return note('no-body', `there is no body of ${intent.body} where ${by} is`);
    }
    return null;
  }
  const buttons = world.players[by]?.buttons ?? 0;
  if (buttons <= 0) return note('no-button', `${by} has no emergency meeting left`);
  if (world.buttonWait > 0) {
    const seconds = world.buttonWait * SECONDS_PER_ROUND;
    return note('cooldown', `crewmates must wait ${seconds} s before an emergency`);
  }
  return world.crisis === null
    ? null
    : note('crisis', `the button does not work during a crisis (${world.crisis.system})`);
}

function callOf(world: World, by: Colour, intent: Calling): Call {
  const buttonsLeft = world.players[by]?.buttons ?? 0;
  const cooldown = world.buttonWait * SECONDS_PER_ROUND;
  const crisis = world.crisis?.system ?? null;
  const common = { by, buttonsLeft, cooldown, crisis };
  if (intent.type === 'button') return { ...common, kind: 'button', body: null, place: null };
  const place = world.bodies.find(({ victim }) => victim === intent.body)?.place ?? null;
  return { ...common, kind: 'body', body: intent.body, place };
}

function note(code: string, text: string): Note {
  return { code: `call/${code}`, text };
}
