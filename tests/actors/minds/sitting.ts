import type { Answer } from '../../../actors/minds/port.ts';
import { createScriptedMind } from '../../../actors/minds/scripted/mind.ts';
import { WITHOUT_GAME } from '../../../machines/rules/meeting.ts';
import { NO_PAST, startRecord } from '../../../machines/rules/record.ts';
import type { GhostView, LivingView, PublicSeat } from '../../../machines/rules/views.ts';
import type {
  Colour,
  Deed,
  Place,
  Reply,
  Role,
  Sighting,
  Temperament,
  Utterance,
} from '../../../machines/types.ts';
import { readReply } from '../../../prompts/reply.ts';
import { QUIET_WORLD } from '../../machines/builders.ts';

const TABLE = ['red', 'blue', 'green', 'pink', 'yellow'] as const satisfies readonly Colour[];

export type Wanted = {
  readonly me?: Colour;
  readonly role?: Role;
  readonly partners?: readonly Colour[];
  readonly sightings?: readonly Sighting[];
  readonly ballot?: Colour | 'skip' | null;
  readonly tick?: number;
  readonly transcript?: readonly Utterance[];
  readonly votesOpen?: boolean;
  readonly calledOn?: boolean;
  readonly seats?: readonly PublicSeat[];
  readonly page?: string;
  readonly call?: LivingView['table']['call'];
  readonly told?: LivingView['table']['announced'];
};

export function seen(who: Colour, place: Place, did: Deed, ago = 20): Sighting {
  return { who, place, did, ago };
}

export function line(
  speaker: Colour,
  message: string,
  target: Colour | null = null,
  t = 0,
): Utterance {
  return { tick: t, speaker, target, message };
}

/** A view of a table of five with a body, white, in Electrical, reported by yellow. */
export function aView(wanted: Wanted = {}): LivingView {
  const me = wanted.me ?? 'red';
  const seats = wanted.seats ?? [
    ...TABLE.map((colour) => ({ colour, standing: 'living', voted: false }) as const),
    { colour: 'white', standing: 'dead', voted: false } as const,
  ];
  return {
    you: {
      colour: me,
      role: wanted.role ?? 'crewmate',
      partners: wanted.partners ?? [],
      persona: { name: me, temperament: 'leader', notes: '' },
      brief: {
        sightings: wanted.sightings ?? [
          seen(me, 'Admin', 'task', 5),
          seen(me, 'Cafeteria', 'passing', 30),
        ],
        notes: '',
      },
      pads: { main: wanted.page ?? '', meeting: '' },
      past: NO_PAST,
      stretches: [],
      ballot: wanted.ballot ?? null,
      notices: [],
    },
    table: {
      requestKind: 'discussion',
      rules: 'house',
      seats,
      call: wanted.call ?? { by: 'yellow', kind: 'body', body: 'white', place: 'Electrical' },
      votesOpen: wanted.votesOpen ?? true,
      clock: { openAfter: 0, closeAfter: null },
      record: startRecord(1),
      ship: null,
      confirmEjects: true,
      anonymousVotes: false,
      announced: wanted.told ?? null,
      tick: wanted.tick ?? wanted.transcript?.length ?? 0,
      transcript: wanted.transcript ?? [],
    },
    calledOn: wanted.calledOn ?? false,
    reminder: null,
  };
}

export function replyTo(view: LivingView, temperament: Temperament = 'leader', seed = 7): Reply {
  const mind = createScriptedMind(seed, view.you.colour, temperament);
  return readAnswer(mind.answer({ kind: 'discussion', index: view.table.tick, view }));
}

function readAnswer(answer: Answer): Reply {
  const reading = answer.ok ? readReply(answer.received) : null;
  if (reading === null || !reading.ok)
    throw new Error(`expected a reply that can be read, found ${JSON.stringify(answer)}`);
  return reading.reply;
}

const ALL: readonly Colour[] = ['red', 'blue', 'green', 'pink', 'yellow', 'white', 'black', 'cyan'];
export const DEAD: readonly Colour[] = ['green', 'yellow', 'white', 'black', 'cyan'];

/** What ghosts see of a table of eight, five of them dead; Blue, the impostor, has reported White. */
export function aGallery(
  me: Colour,
  truth: Partial<GhostView['truth']>,
  rest: Partial<GhostView> = {},
): GhostView {
  return {
    you: { ...aView().you, colour: me },
    requestKind: 'discussion',
    turn: 1,
    transcript: [],
    chat: [],
    ...rest,
    truth: {
      seats: ALL.map((colour) => ({
        colour,
        role: colour === 'blue' ? 'impostor' : 'crewmate',
        standing: DEAD.includes(colour) ? 'dead' : 'living',
      })),
      ballots: {},
      announced: null,
      rules: 'house',
      ...WITHOUT_GAME,
      record: startRecord(1),
      world: QUIET_WORLD,
      call: {
        ...({ by: 'blue', kind: 'body', body: 'white', place: 'Admin' } as const),
        ...{ buttonsLeft: 0, cooldown: 0, crisis: null },
      },
      ...truth,
    },
  };
}

export function haunt(view: GhostView, seed: number): Reply {
  const mind = createScriptedMind(seed, view.you.colour, 'joker');
  return readAnswer(mind.answer({ kind: 'ghost', index: view.turn, view }));
}
