/** The scripted mind: an offline player. Its answer depends only on seed, colour, temperament, lessons and request. */
import type { LivingView } from '../../../machines/rules/views.ts';
import {
  type Brief,
  COLOURS,
  type Colour,
  type Role,
  type Temperament,
} from '../../../machines/types.ts';
import type { WireOrder } from '../../../prompts/order.ts';
import type { WireReply } from '../../../prompts/reply.ts';
import type { Believer } from '../believer.ts';
import type { LightMind, MindRequest } from '../port.ts';
import { toProbabilities } from './belief.ts';
import { replyAsGhost } from './ghost.ts';
import { decideAction } from './ship/action.ts';
import {
  assessSituation,
  type MeetingGrounds,
  prepareGrounds,
  type TalkSituation,
} from './situation.ts';
import { consolidate, react, talk } from './talk.ts';
import { applyLessons, type PlayStyle } from './traits.ts';

/** Moments of one meeting: more ticks than any meeting has. */
const MEETING_SPAN = 2 ** 16;

/** `learned` holds lessons of earlier games. The mind follows the ones it understands. */
export function createScriptedMind(
  seed: number,
  colour: Colour,
  temperament: Temperament,
  learned: readonly string[] = [],
): LightMind {
  const style = applyLessons(temperament, learned);
  const assess = createAssessor(seed, colour, temperament, style);
  const decide = (request: MindRequest): WireReply | WireOrder => {
    const { kind, index, view } = request;
    if (kind === 'action') return decideAction(view, seed, style[view.you.role].shipTraits);
    if (kind === 'ghost')
      return replyAsGhost(view, temperament, { seed, colour, moment: MEETING_SPAN - 1 - index });
    const at = assess(view, index + 1);
    if (kind === 'reaction') return react(at);
    return kind === 'consolidation' ? consolidate(at) : talk(at);
  };
  return { pace: 'at-once', answer: (request) => ({ ok: true, received: decide(request) }) };
}

/** States the beliefs of such a player. It has its own notes of the meeting, so the playing mind is unaffected. */
export function createScriptedBeliever(
  seed: number,
  colour: Colour,
  temperament: Temperament,
  learned: readonly string[] = [],
): Believer {
  const style = applyLessons(temperament, learned);
  const assess = createAssessor(seed, colour, temperament, style);
  return {
    pace: 'at-once',
    believe({ view }) {
      const received = { probabilities: toProbabilities(view, assess(view, 0).suspects) };
      return { source: 'scripted', answer: { ok: true, received } };
    },
  };
}

function createAssessor(
  seed: number,
  colour: Colour,
  temperament: Temperament,
  style: Readonly<Record<Role, PlayStyle>>,
): (view: LivingView, moment: number) => TalkSituation {
  const known = new WeakMap<
    Brief,
    { readonly view: LivingView; readonly dead: number; readonly grounds: MeetingGrounds }
  >();
  return (view, moment) => {
    const dead = view.table.seats.filter(({ standing }) => standing === 'dead').length;
    const start = numberMeeting(view, dead) * MEETING_SPAN;
    let meeting = known.get(view.you.brief);
    if (meeting === undefined || meeting.dead !== dead || !isSameMeeting(meeting.view, view)) {
      meeting = { view, dead, grounds: prepareGrounds(view, { seed, colour, moment: start }) };
      known.set(view.you.brief, meeting);
    }
    const chance = { seed, colour, moment: start + moment };
    const { traits } = style[view.you.role];
    return assessSituation(view, meeting.grounds, { temperament, traits, chance });
  };
}

/** Whether all that grounds depend on is the same, apart from the brief and the number of dead. */
function isSameMeeting(one: LivingView, other: LivingView): boolean {
  return (
    one.you.pads.main === other.you.pads.main &&
    one.you.role === other.you.role &&
    one.you.partners.join() === other.you.partners.join() &&
    CALL_PARTS.every((part) => one.table.call[part] === other.table.call[part]) &&
    one.table.record === other.table.record &&
    one.table.seats.length === other.table.seats.length
  );
}

const CALL_PARTS = ['by', 'kind', 'body', 'place'] as const;

/** Tells the meetings of a game apart: who called it, over which body, and how many are dead. Below 2^16. */
function numberMeeting(view: LivingView, dead: number): number {
  const { by, body } = view.table.call;
  const called = COLOURS.indexOf(by) * 19 + (body === null ? 18 : COLOURS.indexOf(body));
  return called * 16 + (dead % 16);
}
