import { defaultGameOptions } from '../../machines/rules/options.ts';
import type { AnnouncedResult } from '../../machines/rules/record.ts';
import { NO_PAST, startRecord } from '../../machines/rules/record.ts';
import { SKELD } from '../../machines/rules/ship/map.ts';
import type { ActionView, ShipScene, TaskCard } from '../../machines/rules/ship/views.ts';
import type { GhostView, LivingView, Self, TableView } from '../../machines/rules/views.ts';
import { NUDGE, SYSTEM, type Utterance } from '../../machines/types.ts';
import { type Identity, pickIdentity } from '../../prompts/personas.ts';
import type { ReflectionView } from '../../prompts/reflection.ts';

export const SAID: readonly Utterance[] = [
  { tick: 0, speaker: 'red', target: null, message: 'I was in electrical doing wires' },
  { tick: 1, speaker: 'blue', target: null, message: 'I saw Red near the body' },
  { tick: 2, speaker: 'red', target: 'blue', message: "That's a lie!" },
];
export const NUDGED: readonly Utterance[] = [
  ...SAID,
  { tick: 19, speaker: SYSTEM, target: null, message: NUDGE },
];

export const TOLD: AnnouncedResult = {
  outcome: 'ejected',
  ejected: 'red',
  role: 'impostor',
  remaining: 1,
  sentence: 'Red was An Impostor. 1 Impostor remains.',
  ballots: [
    { voter: 'red', ballot: 'blue', void: false },
    { voter: 'blue', ballot: 'red', void: false },
    { voter: 'green', ballot: 'red', void: false },
    { voter: 'pink', ballot: 'skip', void: false },
  ],
};

const CREW: Self = {
  colour: 'blue',
  role: 'crewmate',
  partners: [],
  persona: { name: 'quiet_observer', temperament: 'observer', notes: '' },
  brief: {
    sightings: [
      { ago: 5, who: 'blue', place: 'Lower Engine', did: 'task' },
      { ago: 5, who: 'black', place: 'Lower Engine', did: 'passing' },
      { ago: 30, who: 'blue', place: 'Electrical', did: 'passing' },
      { ago: 30, who: 'red', place: 'Electrical', did: 'lurking' },
      { ago: 30, who: 'white', place: 'Electrical', did: 'task' },
      { ago: 45, who: 'blue', place: 'Storage', did: 'passing' },
    ],
    notes: '',
  },
  pads: { main: '', meeting: 'Red avoiding questions. Green quiet.' },
  past: NO_PAST,
  stretches: [],
  ballot: null,
  notices: [],
};
const IMPOSTOR: Self = {
  ...CREW,
  colour: 'red',
  role: 'impostor',
  partners: ['pink'],
  persona: { name: 'smooth_diplomat', temperament: 'diplomat', notes: '' },
  brief: {
    sightings: [
      { ago: 20, who: 'red', place: 'Electrical', did: 'kill' },
      { ago: 30, who: 'red', place: 'Electrical', did: 'lurking' },
      { ago: 30, who: 'blue', place: 'Electrical', did: 'passing' },
      { ago: 30, who: 'white', place: 'Electrical', did: 'task' },
    ],
    notes: 'White looked round at the last moment. Nobody else did.',
  },
  pads: { main: 'Pink covers for me.', meeting: '' },
};

export function aTableView(table: Partial<TableView> = {}): TableView {
  return {
    requestKind: 'discussion',
    rules: 'house',
    seats: [
      { colour: 'red', standing: 'living', voted: false },
      { colour: 'blue', standing: 'living', voted: false },
      { colour: 'green', standing: 'living', voted: true },
      { colour: 'pink', standing: 'living', voted: false },
      { colour: 'black', standing: 'living', voted: false },
      { colour: 'white', standing: 'dead', voted: false },
    ],
    call: { by: 'green', kind: 'body', body: 'white', place: 'Electrical' },
    votesOpen: true,
    clock: { openAfter: 0, closeAfter: null },
    confirmEjects: true,
    anonymousVotes: false,
    announced: null,
    record: startRecord(2),
    ship: null,
    tick: 3,
    transcript: SAID,
    ...table,
  };
}

type Changed = Partial<Omit<LivingView, 'you' | 'table'>> & {
  readonly you?: Partial<Self>;
  readonly table?: Partial<TableView>;
};

export function crewView({ you, table, ...view }: Changed = {}): LivingView {
  return {
    you: { ...CREW, ...you },
    table: aTableView(table),
    calledOn: false,
    reminder: null,
    ...view,
  };
}

export function impostorView({ you, ...view }: Changed = {}): LivingView {
  return crewView({ ...view, you: { ...IMPOSTOR, ...you } });
}

export function ghostView(view: Partial<GhostView> = {}): GhostView {
  const { ballot: _ballot, notices: _notices, ...you } = CREW;
  const { call, seats } = aTableView();
  return {
    you: { ...you, colour: 'white', pads: { main: '', meeting: '' } },
    requestKind: 'ghost',
    turn: 4,
    truth: {
      seats: seats.map(({ colour, standing }) => ({
        colour,
        role: colour === 'red' || colour === 'pink' ? 'impostor' : 'crewmate',
        standing,
      })),
      ballots: { green: 'red' },
      call: { ...call, buttonsLeft: 1, cooldown: 0, crisis: null },
      announced: null,
      rules: 'house',
      record: startRecord(2),
      ship: null,
      world: null,
      kills: [],
    },
    transcript: SAID,
    chat: [{ speaker: 'white', message: 'It was Red. I was there.', heard: 1 }],
    ...view,
  };
}

function aCard(
  id: TaskCard['id'],
  name: string,
  kind: TaskCard['kind'],
  card: Partial<TaskCard> = {},
): TaskCard {
  return { id, name, kind, visual: false, next: null, rounds: 0, steps: 1, of: 1, ...card };
}

const TASKS = [
  aCard('fix-wiring', 'Fix Wiring', 'common', { next: 'Storage', rounds: 2, of: 3 }),
  aCard('submit-scan', 'Submit Scan', 'long', {
    visual: true,
    next: 'MedBay',
    rounds: 4,
    steps: 0,
  }),
  aCard('chart-course', 'Chart Course', 'short'),
];

const SCENE: ShipScene = {
  why: ['company'],
  place: 'Storage',
  vent: null,
  intent: { type: 'task', task: 'fix-wiring' },
  here: [
    { who: 'green', place: 'Storage' },
    { who: 'black', place: 'Electrical hallway' },
  ],
  company: ['green'],
  bodies: [],
  tasks: TASKS,
  killWait: null,
  sabotageWait: null,
  buttons: 1,
  buttonWait: 5,
  crisis: null,
  shut: [],
  closable: null,
  bar: { done: 9, all: 28 },
  heads: null,
  cameraLight: false,
  seats: ['red', 'blue', 'green', 'pink', 'black', 'white'],
};

type Moment = Partial<Omit<ActionView, 'you' | 'scene'>> & {
  readonly you?: Partial<ActionView['you']>;
  readonly scene?: Partial<ShipScene>;
};

export function crewMoment({ you, scene, ...view }: Moment = {}): ActionView {
  const { colour, role, partners, persona, notices } = CREW;
  return {
    you: {
      colour,
      role,
      partners,
      persona,
      notices,
      pads: { main: 'Black followed me around.', meeting: '' },
      isGhost: false,
      memory: [
        { who: 'blue', place: 'Admin hallway', did: 'passing', from: 8, until: 8 },
        { who: 'pink', place: 'Admin hallway', did: 'passing', from: 8, until: 8 },
        { who: 'blue', place: 'Storage', did: 'task', from: 9, until: 11 },
        { who: 'green', place: 'Storage', did: 'passing', from: 11, until: 11 },
      ],
      faded: [],
      deeds: [],
      past: NO_PAST,
      ...you,
    },
    record: startRecord(2),
    round: 12,
    rules: 'house',
    map: SKELD,
    options: defaultGameOptions(6),
    scene: { ...SCENE, ...scene },
    truth: null,
    ...view,
  };
}

export function impostorMoment({ you, scene, ...view }: Moment = {}): ActionView {
  const { colour, role, partners, persona, pads } = IMPOSTOR;
  return crewMoment({
    ...view,
    you: { colour, role, partners, persona, pads, memory: [], ...you },
    scene: {
      why: ['ready'],
      place: 'Electrical',
      intent: null,
      here: [
        { who: 'white', place: 'Electrical' },
        { who: 'pink', place: 'Electrical' },
      ],
      company: ['pink', 'white'],
      killWait: 0,
      sabotageWait: 12.5,
      closable: ['Electrical', 'Storage'],
      ...scene,
    },
  });
}

export function aReflection(role: 'crewmate' | 'impostor'): ReflectionView {
  const { persona, pads } = IMPOSTOR;
  const isImpostor = role === 'impostor';
  return {
    you: {
      colour: isImpostor ? 'red' : 'blue',
      role,
      partners: isImpostor ? ['pink'] : [],
      persona,
      pads,
      past: {
        ...NO_PAST,
        deeds: [{ type: 'vent', how: 'in', place: 'Admin', meeting: 1, ago: 30 }],
        votes: [{ meeting: 1, ballot: 'red' }],
      },
      isGhost: isImpostor,
    },
    record: { ...startRecord(2), meetings: [{ call: aTableView().call, result: TOLD }] },
    ending: { winner: 'crew', reason: 'vote' },
    seats: [
      { colour: 'red', role: 'impostor', standing: 'dead' },
      { colour: 'blue', role: 'crewmate', standing: 'living' },
      { colour: 'pink', role: 'impostor', standing: 'dead' },
      { colour: 'white', role: 'crewmate', standing: 'dead' },
    ],
  };
}

export function anIdentity(identity: Partial<Identity> = {}): Identity {
  return { ...pickIdentity({ temperament: 'observer' }, 'game-1', 'basic'), ...identity };
}
