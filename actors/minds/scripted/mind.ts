/**
 * The scripted mind: a seeded offline player that argues from its brief and the talk.
 *
 * An answer depends only on (seed, colour, temperament, lessons, request). Only caches persist between requests, so
 * replay and order do not matter. It knows its own view alone.
 */
import type { LivingView } from '../../../machines/rules/views.ts';
import { COLOURS, type Colour, type Temperament } from '../../../machines/types.ts';
import type { WireReply } from '../../../prompts/reply.ts';
import type { Believer } from '../believer.ts';
import type { LightMind, MindRequest } from '../port.ts';
import { toProbabilities } from './belief.ts';
import type { MindChance } from './chance.ts';
import { replyAsGhost } from './ghost.ts';
import { decideAction } from './ship/action.ts';
import { assessSituation, type MeetingGrounds, prepareGrounds } from './situation.ts';
import { consolidate, react, talk } from './talk.ts';
import { applyLessons } from './traits.ts';

/** Moments of one meeting: more ticks than any meeting has. */
const MEETING_SPAN = 2 ** 16;

/** `learned` holds lessons of earlier games. The mind follows the ones it understands. */
export function createScriptedMind(
  seed: number,
  colour: Colour,
  temperament: Temperament,
  learned: readonly string[] = [],
): LightMind {
  const settled = cacheGrounds(seed, colour);
  const as = {
    crewmate: applyLessons(temperament, 'crewmate', learned),
    impostor: applyLessons(temperament, 'impostor', learned),
  };
  const living = ({ kind, index, view }: Extract<MindRequest, { view: LivingView }>): WireReply => {
    const dead = countDead(view);
    const meeting = numberMeeting(view, dead) * MEETING_SPAN;
    const chance: MindChance = { seed, colour, moment: meeting + index + 1 };
    const { traits } = as[view.you.role];
    const at = assessSituation(view, settled(view, meeting, dead), { temperament, traits, chance });
    if (kind === 'reaction') return react(at);
    return kind === 'consolidation' ? consolidate(at) : talk(at);
  };
  return {
    pace: 'at-once',
    answer(request) {
      if (request.kind === 'action') {
        return {
          ok: true,
          received: decideAction(
            request.view,
            { seed, colour },
            { traits: as[request.view.you.role].shipTraits },
          ),
        };
      }
      if (request.kind !== 'ghost') return { ok: true, received: living(request) };
      const chance = { seed, colour, moment: MEETING_SPAN - 1 - request.index };
      return { ok: true, received: replyAsGhost(request.view, temperament, chance) };
    },
  };
}

/** States the beliefs of such a player. It has its own notes of the meeting, so the playing mind is unaffected. */
export function createScriptedBeliever(
  seed: number,
  colour: Colour,
  temperament: Temperament,
  learned: readonly string[] = [],
): Believer {
  const settled = cacheGrounds(seed, colour);
  return {
    pace: 'at-once',
    believe({ view }) {
      const dead = countDead(view);
      const moment = numberMeeting(view, dead) * MEETING_SPAN;
      const { traits } = applyLessons(temperament, view.you.role, learned);
      const at = assessSituation(view, settled(view, moment, dead), {
        ...{ temperament, traits, chance: { seed, colour, moment } },
      });
      return {
        source: 'scripted',
        answer: { ok: true, received: { probabilities: toProbabilities(view, at.suspects) } },
      };
    },
  };
}

function cacheGrounds(
  seed: number,
  colour: Colour,
): (view: LivingView, meeting: number, dead: number) => MeetingGrounds {
  let last: {
    readonly of: LivingView;
    readonly dead: number;
    readonly made: MeetingGrounds;
  } | null = null;
  return (view, meeting, dead) => {
    if (last === null || last.dead !== dead || !isSameMeeting(last.of, view)) {
      last = { of: view, dead, made: prepareGrounds(view, { seed, colour, moment: meeting }) };
    }
    return last.made;
  };
}

/** Whether everything that grounds depend on is the same, apart from the number of dead. */
function isSameMeeting(one: LivingView, other: LivingView): boolean {
  return (
    one.you.brief === other.you.brief &&
    one.you.pads.main === other.you.pads.main &&
    one.you.role === other.you.role &&
    isSameTeam(one.you.partners, other.you.partners) &&
    isSameCall(one.table.call, other.table.call) &&
    one.table.record === other.table.record &&
    one.table.seats.length === other.table.seats.length
  );
}

function isSameTeam(one: readonly Colour[], other: readonly Colour[]): boolean {
  return one === other || one.join() === other.join();
}

function isSameCall(one: LivingView['table']['call'], other: LivingView['table']['call']): boolean {
  return (
    one === other ||
    (one.by === other.by &&
      one.kind === other.kind &&
      one.body === other.body &&
      one.place === other.place)
  );
}

/** Tells the meetings of a game apart: who called it, over which body, and how many are dead. Below 2^16. */
function numberMeeting(view: LivingView, dead: number): number {
  const { by, body } = view.table.call;
  const called = COLOURS.indexOf(by) * 19 + (body === null ? 18 : COLOURS.indexOf(body));
  return called * 16 + (dead % 16);
}

function countDead({ table }: LivingView): number {
  let dead = 0;
  for (const { standing } of table.seats) if (standing === 'dead') dead += 1;
  return dead;
}
