/**
 * The scripted mind: a seeded offline player that argues from its brief and from what it hears.
 *
 * An answer is a value of (seed, colour, temperament, request): nothing is remembered between requests but what saves
 * work, so replay and order do not matter. It knows its own view and nothing else.
 */
import type { LivingView } from '../../../machines/rules/views.ts';
import { COLOURS, type Colour, type Temperament } from '../../../machines/types.ts';
import type { WireReply } from '../../../prompts/reply.ts';
import type { LightMind, Request } from '../port.ts';
import { consolidation, reaction } from './afterwards.ts';
import type { Chance } from './chance.ts';
import { ghostReply } from './ghost.ts';
import { type Grounds, grounds, situation } from './situation.ts';
import { talk } from './talk.ts';
import { TRAITS } from './temperament.ts';

/** Moments of one meeting: more ticks than any meeting has. */
const MEETING_SPAN = 2 ** 16;

export function scriptedMind(seed: number, colour: Colour, temperament: Temperament): LightMind {
  const settled = groundsOf(seed, colour);
  const living = (
    occasion: Exclude<Request['occasion'], 'ghost'>,
    stamp: number,
    view: LivingView,
  ): WireReply => {
    const chance: Chance = { seed, colour, moment: meetingOf(view) * MEETING_SPAN + stamp + 1 };
    const at = situation(view, settled(view), { traits: TRAITS[temperament], chance });
    if (occasion === 'reaction') return reaction(at);
    return occasion === 'consolidation' ? consolidation(at) : talk(at, temperament);
  };
  return {
    pace: 'at-once',
    answer(request) {
      if (request.occasion !== 'ghost') {
        return { ok: true, received: living(request.occasion, request.stamp, request.view) };
      }
      const chance = { seed, colour, moment: MEETING_SPAN - 1 - request.stamp };
      return { ok: true, received: ghostReply(request.view, temperament, chance) };
    },
  };
}

/** What a meeting rests on, worked out once for each meeting; the key is all that it depends on. */
function groundsOf(seed: number, colour: Colour): (view: LivingView) => Grounds {
  let last: { readonly key: string; readonly brief: unknown; readonly made: Grounds } | null = null;
  return (view) => {
    const { you, table } = view;
    const { by, kind, body, place } = table.call;
    const key = `${by} ${kind} ${body} ${place} ${you.role} ${you.partners.join()} ${table.seats.length}`;
    if (last === null || last.key !== key || last.brief !== you.brief) {
      const chance = { seed, colour, moment: meetingOf(view) * MEETING_SPAN };
      last = { key, brief: you.brief, made: grounds(view, chance) };
    }
    return last.made;
  };
}

/** Tells the meetings of a game apart: who called it, over which body, and how many are seated. Below 2^16. */
function meetingOf({ table }: LivingView): number {
  const { by, body } = table.call;
  const called = COLOURS.indexOf(by) * 19 + (body === null ? 18 : COLOURS.indexOf(body));
  return called * 16 + (table.seats.length % 16);
}
