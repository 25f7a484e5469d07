/** The scene: what is so around a player on the ship, in few words. */
import type { ActionView, Scene } from '../machines/rules/ship/views.ts';
import type { Trigger } from '../machines/rules/ship/world.ts';
import { listed, section } from './block.ts';

const WHY: Readonly<Record<Trigger, string>> = {
  begun: 'a stretch of the game begins',
  arrived: 'you have arrived',
  done: 'you have nothing left to do',
  refused: 'what you set out to do was not possible',
  company: 'somebody came or went',
  body: 'you see a body',
  alarm: 'a sabotage began or ended',
  ready: 'you can kill again',
  witness: 'you saw a crime',
};

export function sceneText(view: ActionView): string {
  return section(`The engine, round ${view.round}`, sceneLines(view));
}

/** How things stand around the player, a sentence each. */
export function sceneLines({ you, scene }: Pick<ActionView, 'you' | 'scene'>): readonly string[] {
  const { why, place, vent, seats, bar } = scene;
  return [
    ...(why.length === 0 ? [] : [`You are asked because ${listed(why.map((one) => WHY[one]))}.`]),
    vent === null ? `You are in ${place}.` : `You are inside vent ${vent}, in ${place}.`,
    ...(you.isGhost ? [] : [peopleText(scene)]),
    ...scene.bodies.map(
      ({ victim, place: where }) => `There is the body of ${victim} in ${where}.`,
    ),
    ...crisisLines(scene),
    ...(scene.shut.length === 0 ? [] : [`Doors shut: ${scene.shut.join(', ')}`]),
    ...(bar === null ? [] : [`Tasks of the whole crew: ${bar.done} of ${bar.all} steps`]),
    ...headLines(scene),
    `Living at the last meeting: ${seats.join(', ')}`,
    ...(scene.killWait === null
      ? []
      : [
          `You can kill ${soon(scene.killWait)}${vent === null ? '' : ', once you are out of the vent'}.`,
        ]),
    ...(scene.sabotageWait === null || scene.crisis !== null
      ? []
      : [`You can sabotage ${soon(scene.sabotageWait)}.`]),
  ];
}

/** "now", "in 12.5 s" */
export function soon(seconds: number): string {
  return seconds <= 0 ? 'now' : `in ${seconds} s`;
}

function peopleText({ here, company, place }: Scene): string {
  const elsewhere = here.filter((seen) => seen.place !== place);
  const near = company.length === 0 ? 'Nobody is with you.' : `With you: ${company.join(', ')}.`;
  if (elsewhere.length === 0) return near;
  return `${near} In sight: ${elsewhere.map((seen) => `${seen.who} in ${seen.place}`).join(', ')}.`;
}

function crisisLines({ crisis }: Scene): readonly string[] {
  if (crisis === null) return [];
  const { system, seconds, consoles, done } = crisis;
  const time = seconds === null ? '' : `, ${seconds} s left`;
  const entered = done.length === 0 ? '' : `; done in ${listed(done)}`;
  return [`Sabotaged: ${system}${time}. Fixed in ${listed([...new Set(consoles)])}${entered}.`];
}

function headLines({ heads }: Scene): readonly string[] {
  if (heads === null) return [];
  const rooms: readonly [string, number | undefined][] = Object.entries(heads);
  const counted = rooms.map(([room, count]) => `${room} ${count ?? 0}`);
  return [`The Admin table shows: ${counted.length === 0 ? 'nobody' : counted.join(', ')}`];
}

/** What the player is about, in words. */
export function intentText(intent: NonNullable<Scene['intent']>): string {
  switch (intent.type) {
    case 'wait':
      return 'waiting';
    case 'go':
      return `going to ${intent.to}`;
    case 'follow':
      return `following ${intent.whom}`;
    case 'task':
      return `doing ${intent.task}`;
    case 'fake':
      return `faking ${intent.task}`;
    case 'kill':
      return `killing ${intent.whom}`;
    case 'vent':
      return `moving to vent ${intent.to}`;
    case 'surface':
      return 'climbing out';
    case 'sabotage':
      return `sabotaging ${intent.system}`;
    case 'shut':
      return `shutting the doors of ${intent.room}`;
    case 'fix':
      return `fixing in ${intent.at}`;
    case 'report':
      return `reporting ${intent.body}`;
    case 'button':
      return 'going to press the button';
    case 'watch':
      return `watching ${placeOf(intent.what)}`;
  }
}

function placeOf(what: 'cameras' | 'admin'): string {
  return what === 'cameras' ? 'the cameras' : 'the Admin table';
}
