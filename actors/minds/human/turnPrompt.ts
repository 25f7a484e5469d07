/** The prompt of a person's turn: a form with the choices that the rules leave open now. */

import { findNames } from '../../../machines/rules/mentions.ts';
import { SECONDS_PER_ROUND } from '../../../machines/rules/options.ts';
import { findVent } from '../../../machines/rules/ship/map.ts';
import type { IntentType } from '../../../machines/rules/ship/orders.ts';
import { TASKS } from '../../../machines/rules/ship/tasks.ts';
import type { ActionView } from '../../../machines/rules/ship/views.ts';
import type { GhostView, LivingView } from '../../../machines/rules/views.ts';
import { capitalize } from '../../../machines/text.ts';
import type {
  MapTarget,
  OfferedAction,
  TurnPrompt,
  TurnScene,
} from '../../../machines/turnPrompt.ts';
import {
  COLOURS,
  type Colour,
  type Pads,
  type Place,
  SYSTEM,
  SYSTEMS,
  type System,
  type Utterance,
} from '../../../machines/types.ts';
import { listSceneLines, writeIntent, writeKnownLiving } from '../../../prompts/action.ts';
import { remember } from '../../../prompts/block.ts';
import { type ActionChoice, listChoices } from '../../../prompts/choices.ts';
import { dateBrief, dateMemory, listSightings } from '../../../prompts/viewText.ts';
import type { MindRequest } from '../port.ts';

const DOES: Readonly<Record<IntentType, string>> = {
  kill: 'Kill',
  report: 'Report the body of',
  fix: 'Repair',
  task: 'Do a task',
  vent: 'Use the vent',
  surface: 'Climb out',
  sabotage: 'Sabotage',
  shut: 'Shut the doors of',
  fake: 'Pretend a task',
  go: 'Go to',
  follow: 'Follow',
  watch: 'Watch',
  button: 'Emergency button',
  wait: 'Wait',
};

const WAITS: ActionChoice['actions'] = [
  Object.freeze({ type: 'wait', rounds: 2 }),
  Object.freeze({ type: 'wait', rounds: 8 }),
];

export function listOpenActions(view: ActionView) {
  return listChoices(view).flatMap(listActionsOf);
}

function listOffered(view: ActionView): readonly OfferedAction[] {
  return listChoices(view).flatMap((choice) =>
    listActionsOf(choice).map((action, index) => {
      const { type } = action;
      const [, target = ''] = Object.values(action);
      const named = { hint: '', ...nameAction(action, choice, index, view) };
      return { does: DOES[type], ...named, action, ...describeOnMap(type, String(target), view) };
    }),
  );
}

function listActionsOf({ actions }: ActionChoice): ActionChoice['actions'] {
  if (actions[0]?.type === 'wait') return WAITS;
  return actions[0]?.type === 'go' ? putRoomsFirst(actions) : actions;
}

function nameAction(
  action: ActionChoice['actions'][number],
  { names, meaning }: ActionChoice,
  index: number,
  { scene }: ActionView,
): Pick<OfferedAction, 'what'> & { readonly hint?: string } {
  switch (action.type) {
    case 'go':
      return { what: String(action['to']) };
    case 'wait':
      return { what: writeWork(action['rounds']) };
    case 'task':
    case 'fake':
    case 'vent':
      return { what: meaning.replace(WORK, (_, rounds) => `${writeWork(rounds)} of work`) };
    case 'fix':
      return { what: `${scene.crisis?.system ?? 'it'} in ${action['to']}` };
    case 'watch':
      return {
        what: action['what'] === 'admin' ? 'the Admin table' : 'the cameras',
        hint: meaning,
      };
    case 'button':
      return { what: '', hint: meaning };
    default:
      return { what: capitalizeNames(String(action['whom'] ?? names[index] ?? '')) };
  }
}

const writeWork = (rounds: unknown) => `${Number(rounds) * SECONDS_PER_ROUND} s`;

const WORK = /(\d+) rounds? of work/;

const SYSTEM_WORDS: Readonly<Record<System, string>> = {
  reactor: 'the reactor',
  o2: 'the oxygen',
  lights: 'the lights',
  comms: 'the communications',
};

/** Describes an action in words, and the map elements that it touches. `of` is the value of its field. */
function describeOnMap(
  type: IntentType,
  of: string,
  view: ActionView,
): Pick<OfferedAction, 'label' | 'target'> {
  const { scene, map } = view;
  const here = scene.place;
  const at = (kind: MapTarget['kind'], place: Place, label: string, name = of) => ({
    label,
    target: { kind, of: name, place },
  });
  const placeNamed = () => map.places.find((place) => place === of) ?? here;
  switch (type) {
    case 'go':
      return at('place', placeNamed(), `Walk to ${of}`);
    case 'shut':
      return at('place', placeNamed(), `Shut the doors of ${of}`);
    case 'follow':
    case 'kill': {
      const place = scene.here.find(({ who }) => who === of)?.place ?? here;
      return at('player', place, `${DOES[type]} ${capitalize(of)}`);
    }
    case 'report':
      return at('body', here, `Report ${capitalize(of)}’s body`);
    case 'task':
    case 'fake': {
      const card = scene.tasks.find(({ id }) => id === of);
      const does = type === 'task' ? 'Do' : 'Pretend';
      return at('task', card?.next ?? here, `${does} task: ${card?.name ?? of}`);
    }
    case 'vent': {
      const place = findVent(map, Number(of))?.place ?? here;
      return at('vent', place, scene.vent === null ? 'Climb into the vent' : `Vent to ${place}`);
    }
    case 'surface':
      return at('self', here, 'Climb out of the vent', '');
    case 'fix': {
      const system = scene.crisis?.system ?? 'lights';
      return at('console', placeNamed(), `Repair ${SYSTEM_WORDS[system]} in ${of}`, system);
    }
    case 'sabotage': {
      const system = SYSTEMS.find((each) => each === of) ?? 'lights';
      const place = map.consoles[system][0] ?? here;
      return at('console', place, `Sabotage ${SYSTEM_WORDS[system]}`);
    }
    case 'watch':
      return of === 'admin'
        ? at('screen', map.adminTable ?? here, 'Read the Admin table')
        : at('screen', map.cameras?.at ?? here, 'Watch the cameras');
    case 'button':
      return at('button', map.button, 'Press the emergency button');
    case 'wait':
      return at('self', here, `Wait ${Number(of) * SECONDS_PER_ROUND} s`, '');
  }
}

/** Everything that this turn's map may show: current sightings, and the last known places of others. */
function describeScene({ you, round, scene }: ActionView): TurnScene {
  const seen = new Map<Colour, TurnScene['seen'][number]>();
  for (const { who: seat, place, did, until } of you.memory) {
    const ago = Math.max(1, round - until) * SECONDS_PER_ROUND;
    const known = seen.get(seat);
    const isDead = did === 'dead';
    if (known?.isDead === true && !isDead) continue;
    if (known === undefined || ago <= known.ago || isDead)
      seen.set(seat, { seat, place, isDead, ago });
  }
  for (const { who: seat, place } of scene.here)
    seen.set(seat, { seat, place, isDead: false, ago: 0 });
  for (const { victim: seat, place } of scene.bodies)
    seen.set(seat, { seat, place, isDead: true, ago: 0 });
  seen.delete(you.colour);
  const { place, vent, crisis, shut, heads } = scene;
  const sabotage = crisis === null ? null : { system: crisis.system, seconds: crisis.seconds };
  return { place, vent, seen: [...seen.values()], sabotage, shut, heads };
}

const putRoomsFirst = remember((ways: ActionChoice['actions']): ActionChoice['actions'] => {
  const isHall = ({ to }: (typeof ways)[number]) => String(to).endsWith('hallway');
  return [...ways.filter((way) => !isHall(way)), ...ways.filter(isHall)];
});

export function buildTurnPrompt(request: MindRequest): TurnPrompt {
  if (request.kind === 'action') return promptOnShip(request.view);
  return request.kind === 'ghost' ? promptGhost(request.view) : promptAtTable(request.view);
}

const NOTHING = {
  talk: null,
  ballots: [],
  ballot: null,
  isNamed: false,
  actions: [],
  scene: null,
  goesOn: null,
} satisfies Partial<TurnPrompt>;

/** Whom a player can speak to, null where nobody speaks, and the ballots that count. */
export function listTalk({ you, table }: LivingView): Pick<TurnPrompt, 'talk' | 'ballots'> {
  const { requestKind, seats, votesOpen } = table;
  if (requestKind !== 'discussion' && requestKind !== 'voting') return { talk: null, ballots: [] };
  // Not by the rules' own function: with it every command that serves a page would load the rules of meetings.
  const talk = seats.flatMap((seat) =>
    seat.standing === 'living' && seat.colour !== you.colour ? [seat.colour] : [],
  );
  return { talk, ballots: votesOpen && you.ballot === null ? [...talk, 'skip'] : [] };
}

function promptAtTable(view: LivingView): TurnPrompt {
  const { you, table, reminder } = view;
  const { requestKind, tick } = table;
  const { colour, role, partners, brief, ballot, pads } = you;
  return {
    ...NOTHING,
    kind: requestKind,
    index: tick,
    you: { colour, role, partners, isDead: false },
    wanted: WANTED[requestKind],
    news: [...you.notices.map(({ text }) => text), ...(reminder === null ? [] : [reminder])],
    seen: listSeen(brief, colour),
    ...listTalk(view),
    ballot,
    isNamed: isNamed(table.transcript, colour),
    notes: openPage(pads, requestKind),
  };
}

const WANTED = {
  discussion: 'Do you want the floor?',
  voting: 'Vote before the time is up. A missed vote is not a skip.',
  reaction: 'The result is known. Nobody speaks; you may note what you make of it.',
  consolidation: 'The meeting is over and its notes are erased. Keep what matters.',
  ghost: 'You are dead. The other ghosts hear you, the living don’t.',
} as const;

function isNamed(transcript: readonly Utterance[], you: Colour): boolean {
  const last = transcript.at(-1);
  if (last === undefined || last.speaker === you) return false;
  const names = findNames(last.message).map(({ seat }) => seat);
  return last.speaker === SYSTEM || last.target === you || names.includes(you);
}

function promptGhost({ you, requestKind, turn, truth }: GhostView): TurnPrompt {
  const { colour, role, partners, brief, pads } = you;
  const impostors = truth.seats.filter((seat) => seat.role === 'impostor');
  return {
    ...NOTHING,
    kind: requestKind,
    index: turn,
    you: { colour, role, partners, isDead: true },
    wanted: WANTED[requestKind],
    news: [`Impostors: ${impostors.map((seat) => capitalize(seat.colour)).join(', ')}.`],
    seen: listSeen(brief, colour),
    talk: requestKind === 'ghost' ? [] : null,
    notes: openPage(pads, requestKind),
  };
}

function promptOnShip(view: ActionView): TurnPrompt {
  const { you, round, scene } = view;
  const { colour, role, partners, isGhost, pads, memory, notices } = you;
  const goesOn =
    scene.intent &&
    TASKS.reduce((text, { id, name }) => text.replace(id, name), writeIntent(scene.intent));
  return {
    ...NOTHING,
    kind: 'action',
    index: round,
    you: { colour, role, partners, isDead: isGhost },
    wanted: 'What do you do next?',
    news: [...notices.map(({ text }) => text), ...listSceneLines(view), writeKnownLiving(view)].map(
      capitalizeNames,
    ),
    seen: dateForPeople(listSightings(dateMemory(memory, round), colour), 'ago'),
    actions: listOffered(view),
    scene: describeScene(view),
    goesOn: goesOn && capitalizeNames(goesOn),
    notes: openPage(pads, 'action'),
  };
}

function listSeen({ sightings, notes }: LivingView['you']['brief'], you: Colour) {
  const lines = dateForPeople(listSightings(dateBrief(sightings), you), 'before the call');
  return notes === '' ? lines : [...lines, notes];
}

/** "32.5 s ago, Admin: Red at a task", and "Your way: 35 s Admin". */
function dateForPeople(lines: readonly string[], since: string): readonly string[] {
  return lines.map((line) => {
    const unit = line.startsWith('Your way') ? 's' : `s ${since},`;
    return capitalizeNames(line.replace(TIMES, `$& ${unit}`));
  });
}

const TIMES = /(?<=^|: |; )[\d.]+(?: to [\d.]+)?(?= )/g;

const NAMES = new RegExp(`\\b(?:${COLOURS.join('|')})\\b`, 'g');

/** Prompts write colours in small letters, sentences for people in capital ones. */
function capitalizeNames(text: string): string {
  return text.replace(NAMES, (name) => capitalize(name));
}

export function openPage({ main, meeting }: Pads, kind: TurnPrompt['kind']): TurnPrompt['notes'] {
  return kind === 'action' || kind === 'consolidation'
    ? { page: 'main_scratch', text: main }
    : { page: 'meeting_scratch', text: meeting };
}
