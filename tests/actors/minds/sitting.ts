import { createScriptedMind } from '../../../actors/minds/scripted/mind.ts';
import { NO_PAST, startRecord } from '../../../machines/rules/record.ts';
import type { LivingView, PublicSeat } from '../../../machines/rules/views.ts';
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
  const answer = createScriptedMind(seed, view.you.colour, temperament).answer({
    kind: 'discussion',
    index: view.table.tick,
    view,
  });
  const reading = answer.ok ? readReply(answer.received) : null;
  if (reading === null || !reading.ok)
    throw new Error(`expected a reply that can be read, found ${JSON.stringify(answer)}`);
  return reading.reply;
}
