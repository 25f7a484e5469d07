/** Victims: who could be killed here, who would see it, and whose body it is that lies there. */
import { distance } from '../../../../machines/rules/ship/map.ts';
import { type Colour, HALLWAYS, type Place } from '../../../../machines/types.ts';
import { livingKnown, type Moment } from './moment.ts';

const SECONDS = 2.5;
const HALLS: readonly Place[] = HALLWAYS;
/** Vision from which the crew sees into the next place. */
const NEAR_VISION = 1.25;

/** Nobody of the crew sees what happens in a room. */
export function isDark({ scene }: Moment): boolean {
  return scene.crisis?.system === 'lights' && !HALLS.includes(scene.place);
}

/** Those of the crew who can see the own place from where they are. */
export function onlookers(at: Moment): readonly Colour[] {
  if (isDark(at)) return NOBODY;
  return at.view.options.crewVision >= NEAR_VISION ? [...at.others, ...near(at)] : at.others;
}

const NOBODY: readonly Colour[] = [];

/** Those of the crew who stand next door, as far as one sees. */
export function near({ scene, view }: Moment): readonly Colour[] {
  return scene.here
    .filter(
      ({ who, place }) =>
        !view.you.partners.includes(who) && distance(view.map, place, scene.place) === 1,
    )
    .map(({ who }) => who);
}

/** One more death and the impostors are as many as the crew. */
export function isLastNeeded(at: Moment): boolean {
  const { colour, partners } = at.view.you;
  const living = livingKnown(at);
  const ours = living.filter((seat) => seat === colour || partners.includes(seat)).length;
  return living.length - ours - 1 <= ours;
}

/** Rounds since the own last kill, when it was since the last meeting: the cooldown tells. */
function sinceKill({ scene, view }: Moment): number {
  return (view.options.killCooldown - (scene.killWait ?? 0)) / SECONDS;
}

/** Where the body lies that one has left behind since the last meeting; null when there is none. */
export function ownBody(at: Moment): Place | null {
  const { memory } = at.view.you;
  if ((at.scene.killWait ?? 0) <= 0) return null;
  const round = at.view.round - Math.ceil(sinceKill(at));
  const death = memory.find(({ did, from }) => did === 'dead' && from === round);
  return death?.place ?? null;
}
