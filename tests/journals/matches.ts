/** Matches for old journals that say everything that a match file can say. */
import type { GameMatchInput, Match } from '../../machines/setup/match.ts';
import { COLOURS } from '../../machines/types.ts';
import { aGame, aMeeting, play } from './offline.ts';

type MapInput = Exclude<NonNullable<GameMatchInput['map']>, 'skeld'>;

/** A ship of four rooms, with everything that a ship can have. */
const SMALL_SHIP: MapInput = {
  name: 'The Nutshell',
  openings: {
    Cafeteria: ['Storage', 'Admin', 'MedBay'],
    Storage: ['Electrical', 'Admin'],
    Electrical: ['MedBay'],
  },
  vents: [
    { id: 0, place: 'MedBay', links: [1] },
    { id: 1, place: 'Electrical', links: [0] },
  ],
  doors: ['Storage', 'MedBay'],
  cameras: { at: 'Admin', show: ['Cafeteria', 'Storage'] },
  admin_table: 'Admin',
  button: 'Cafeteria',
  consoles: {
    reactor: ['Electrical', 'MedBay'],
    o2: ['Admin', 'Storage'],
    lights: ['Electrical'],
    comms: ['Storage'],
  },
};

export const RAFT: MapInput = {
  name: 'The Raft',
  openings: {
    Weapons: ['Navigation', 'Upper Engine'],
    Navigation: ['Shields'],
    Shields: ['Communications'],
    Communications: ['Upper Engine'],
  },
  button: 'Weapons',
  doors: ['Navigation', 'Shields', 'Communications', 'Upper Engine'],
  consoles: { lights: ['Communications'] },
};

/** Every option of a meeting away from its default. */
export const ODD_MEETING = {
  rules: 'classic',
  confirm_ejects: false,
  anonymous_votes: true,
  discussion_time: 30,
  voting_time: 30,
  seconds_per_tick: 6,
  vote_after: 2,
  max_ticks: 30,
  patience: 4,
  nudge_after: 5,
  nudge_every: 3,
  token_target: 200,
  message_tokens: 40,
  deadline_ms: 5000,
  weights: {
    mention: 4,
    accusation: 5,
    recent_speaker: 2,
    voted: 3,
    silence: { slope: 6, grace: 1, cap: 100 },
  },
} as const;

/** Every option of a game away from its default. */
export const ODD_GAME = {
  impostors: 2,
  kill_cooldown: 20,
  first_kill_cooldown: 10,
  kill_distance: 'long',
  player_speed: 1.5,
  crew_vision: 0.5,
  impostor_vision: 2,
  buttons: 2,
  emergency_cooldown: 5,
  show_impostors: false,
  visual_tasks: false,
  task_bar: 'meetings',
  common_tasks: 2,
  long_tasks: 0,
  short_tasks: 3,
  ghosts_do_tasks: true,
  sabotage_cooldown: 10,
  reactor_seconds: 20,
  o2_seconds: 45,
  door_seconds: 15,
  door_cooldown: 20,
  attention: 'all',
  max_rounds: 120,
  round_deadline_ms: 5000,
} as const;

const NIGHT_WATCH = {
  name: 'Night watch',
  temperament: 'observer',
  notes: 'Ex-security; counts the doors.',
} as const;

/** A meeting in the middle of a game, with all that a match file can say. */
export function writtenMeeting(): Match {
  return aMeeting({
    name: 'Everything that can be written',
    about: 'A meeting taken from a game.',
    call: {
      by: 'red',
      report: 'tan',
      place: 'Storage',
      buttons_left: 0,
      cooldown: 10,
      crisis: 'reactor',
    },
    ghosts: { present: true, budget: 6 },
    options: { rules: 'house', vote_after: 3, nudge_after: 6, token_target: 300 },
    map: SMALL_SHIP,
    record: {
      impostors: 2,
      meetings: [
        { by: 'blue', result: 'skipped', ballots: { red: 'skip', blue: 'green' } },
        {
          by: 'red',
          report: 'coral',
          place: 'MedBay',
          result: 'ejected',
          ejected: 'rose',
          role: 'impostor',
          remaining: 1,
        },
        { by: 'green', result: 'tie' },
      ],
      losses: [
        { who: 'coral', how: 'killed', meeting: 2 },
        { who: 'rose', how: 'ejected', where: 'table', meeting: 2 },
        { who: 'brown', how: 'left', where: 'ship', meeting: 1 },
      ],
      bar: { done: 7, all: 20 },
    },
    seats: [
      { colour: 'red', persona: NIGHT_WATCH, saw: [{ ago: 5, who: 'red', place: 'Storage' }] },
      { colour: 'blue', persona: 'joker', votes: 'after-nudge', notes: 'Blue was with Gray.' },
      {
        colour: 'green',
        role: 'impostor',
        persona: 'diplomat',
        saw: [{ ago: 10, who: 'green', place: 'Storage', did: 'kill', victim: 'tan' }],
      },
      { colour: 'gray', persona: 'leader', leaves: 5 },
      { colour: 'maroon', mind: 'silent' },
      { colour: 'banana', persona: 'follower' },
      { colour: 'tan', dead: true, persona: 'sceptic' },
      { colour: 'coral', dead: true, persona: 'accuser', notes: 'It was Green.' },
      { colour: 'rose', role: 'impostor', dead: true },
    ],
  });
}

type Crisis = 'o2' | 'lights' | 'comms';

export function playCrisis(crisis: Crisis): Promise<string> {
  const saw = (['fixing', 'watching', 'vent', 'dead'] as const).map((did, index) => {
    return { ago: 5 + index, who: 'pink' as const, place: 'Security' as const, did };
  });
  const seats = (['red', 'blue', 'green', 'pink'] as const).map((colour, index) => ({
    colour,
    role: colour === 'pink' ? ('impostor' as const) : ('crewmate' as const),
    saw: index === 0 ? saw : [],
  }));
  return play(
    aMeeting({
      name: `Without ${crisis}`,
      call: { by: 'red', report: 'tan', place: 'Security', crisis },
      map: crisis === 'o2' ? 'skeld' : { ...SMALL_SHIP, cameras: null, admin_table: null },
      record:
        crisis === 'lights'
          ? { impostors: null, meetings: [] }
          : {
              meetings: [
                {
                  by: 'red',
                  report: 'coral',
                  place: 'MedBay',
                  result: 'ejected',
                  ejected: 'rose',
                  role: 'crewmate',
                  remaining: 1,
                },
              ],
              losses: [
                { who: 'rose', how: 'ejected', where: 'table', meeting: 1 },
                { who: 'coral', how: 'killed', meeting: 1 },
              ],
            },
      options: { max_ticks: 4 },
      seats: [
        ...seats,
        { colour: 'tan', dead: true },
        ...(crisis === 'lights'
          ? []
          : [
              { colour: 'coral' as const, dead: true },
              { colour: 'rose' as const, dead: true },
            ]),
      ],
    }),
    2,
  );
}

const KINDS: readonly Omit<GameMatchInput['seats'][number], 'colour'>[] = [
  {
    mind: 'openai',
    model: 'gemma',
    base_url: 'http://127.0.0.1:1/v1',
    key: 'OWN_KEY',
    level: 'none',
    temperature: 0.5,
    extra_body: { top_k: 3 },
  },
  { mind: 'openai', model: 'vendor/other:free', level: 'basic' },
  { mind: 'openai', model: 'third', level: 'intermediate' },
  { mind: 'openai', model: 'fourth', level: 'advanced' },
  { mind: 'command', command: 'python3 player.py', folder: 'minds' },
  { mind: 'command', command: ['node', 'player.js'] },
  { mind: 'http', url: 'http://127.0.0.1:1/' },
  { mind: 'module', module: './mind.ts' },
  { mind: 'silent' },
];

export function oddMeeting(): Match {
  return aMeeting({
    name: 'Odd options',
    call: { by: 'red' },
    options: ODD_MEETING,
    seats: KINDS.map((kind, index) => {
      const colour = COLOURS[index] ?? 'red';
      return {
        colour,
        role: index % 4 === 1 ? ('impostor' as const) : ('crewmate' as const),
        ...kind,
      };
    }),
  });
}

export function otherGame(): Match {
  return aGame({
    name: 'Another small ship',
    map: RAFT,
    options: {
      kill_distance: 'short',
      task_bar: 'never',
      attention: 'few',
      impostors: 1,
      common_tasks: 0,
      long_tasks: 0,
      max_rounds: 80,
    },
    seats: KINDS.map((kind, index) => {
      const colour = COLOURS[index + 4] ?? 'red';
      return { colour, ...kind };
    }),
  });
}

/** A game with all that a match file can say of seats. */
export function writtenGame(): Match {
  return aGame({
    name: 'A small ship',
    about: 'Options, a map and lessons of its own.',
    fault_rate: 0.05,
    map: SMALL_SHIP,
    ghosts: { present: false },
    options: { ...ODD_GAME, ...ODD_MEETING },
    seats: [
      {
        colour: 'purple',
        role: 'impostor',
        persona: NIGHT_WATCH,
        learned: ['Never follow Cyan.', 'Fix lights in pairs.'],
      },
      { colour: 'cyan', role: 'impostor', persona: 'leader' },
      {
        colour: 'lime',
        role: 'crewmate',
        persona: 'joker',
        votes: 'after-nudge',
        notes: 'Superstitious.',
      },
      ...(['white', 'black', 'pink', 'brown', 'rose'] as const).map((colour) => ({ colour })),
    ],
  });
}
