/** A small game for the terminal: seven players, two of them impostors. */
import type { LightMind, MindRequest } from '../../actors/minds/port.ts';
import type { Line } from '../../machines/journal/lines.ts';
import type { ActionView } from '../../machines/rules/ship/views.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';
import { playGame } from '../actors/laws/journeys.ts';

export type Texts = { readonly thought: (about: string) => string; readonly message: string };
const PLAIN: Texts = { thought: (about) => about, message: 'Where was everybody?' };

const SEATS = ['red', 'blue', 'green', 'pink', 'orange', 'yellow', 'black'] as const;
const IMPOSTORS: readonly Colour[] = ['blue', 'black'];

/** The lines of the game. What players think and say may be replaced: it moves nothing. */
export async function toyGame(texts = PLAIN): Promise<readonly Line[]> {
  const lobby = {
    name: 'A night on The Skeld',
    options: {
      kill_cooldown: 20,
      sabotage_cooldown: 25,
      task_bar: 'always' as const,
      max_rounds: 120,
      max_ticks: 5,
    },
    ghosts: { present: false },
    seats: SEATS.map((colour) => ({
      colour,
      role: IMPOSTORS.includes(colour) ? ('impostor' as const) : ('crewmate' as const),
      persona: { name: colour, temperament: 'observer' as const, notes: '' },
    })),
  };
  const { lines } = await playGame(lobby, SEED, { recast: (_, seat) => toyMind(seat, texts) });
  return lines;
}

const SEED = 5;

function toyMind(seat: Colour, texts: Texts): LightMind {
  return {
    pace: 'at-once',
    answer: (request) => ({
      ok: true,
      received:
        request.kind === 'action'
          ? decision(request.view, request.index, texts)
          : reply(seat, request, texts),
    }),
  };
}

/** Everybody has one thing to say, and then every other crewmate votes for Black. */
function reply(seat: Colour, request: MindRequest, { thought, message }: Texts): object {
  const at = COLOURS.indexOf(seat);
  const { index } = request;
  const isCrew = !IMPOSTORS.includes(seat);
  return {
    internal_thought: thought('I have my own idea.'),
    desire_to_speak: index === 0 ? 5 : 0,
    message: index === 0 ? message : '',
    target: null,
    vote_action: index < 1 ? null : isCrew && at % 2 === 0 ? 'black' : 'skip',
    scratchpad_updates: {},
  };
}

function decision({ you, scene }: ActionView, round: number, { thought }: Texts): object {
  const act = (about: string, action: object | null) => ({
    internal_thought: thought(about),
    action,
    scratchpad_updates: {},
  });
  const body = scene.bodies.find(({ place }) => place === scene.place);
  if (you.role === 'crewmate' && body !== undefined) {
    return act('Who did this?', { type: 'report', body: body.victim });
  }
  if (scene.vent !== null) return act('Nobody is here. Out.', { type: 'surface' });
  const [prey] = scene.company;
  const isPrey = prey !== undefined && !you.partners.includes(prey);
  if (scene.killWait === 0 && isPrey && scene.company.length === 1) {
    return act(`Nobody sees me and ${prey}.`, { type: 'kill', whom: prey });
  }
  const crime = crimeOf(you.role, scene, round);
  if (crime !== null) return act('They will run about.', crime);
  if (scene.crisis !== null && you.role === 'crewmate') {
    return act('That is mine to mend.', { type: 'fix', at: scene.crisis.consoles.at(-1) });
  }
  const open = scene.tasks.filter(({ next }) => next !== null);
  const task = open[round % Math.max(1, open.length)];
  if (task === undefined) return act('Done. A walk.', { type: 'go', to: 'Admin' });
  const about = prey === undefined ? 'To work.' : `I do not trust ${prey}.`;
  return act(about, { type: you.role === 'impostor' ? 'fake' : 'task', task: task.id });
}

function crimeOf(
  role: ActionView['you']['role'],
  scene: ActionView['scene'],
  round: number,
): object | null {
  if (role === 'crewmate') return null;
  const vent = VENTS[scene.place];
  if (scene.bodies.length > 0 && vent !== undefined) return { type: 'vent', to: vent };
  if (scene.sabotageWait !== 0 || scene.crisis !== null) return null;
  return { type: 'sabotage', system: round % 2 === 0 ? 'reactor' : 'lights' };
}

/** A vent of each room that has one, by the numbers of The Skeld. */
const VENTS: Readonly<Record<string, number>> = {
  Admin: 0,
  Cafeteria: 2,
  Electrical: 3,
  Security: 5,
  MedBay: 6,
  Reactor: 8,
  Weapons: 7,
};
