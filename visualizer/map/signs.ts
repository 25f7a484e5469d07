/** Signs: what stands in a place, each a small drawing around its own middle, 24 pixels wide. */
import type { Place } from '../../machines/types.ts';
import type { Plan } from './plan.ts';

export interface Sign {
  readonly kind: 'vent' | 'console' | 'watch' | 'button';
  /** In words, for a tooltip. */
  readonly title: string;
  readonly drawing: string;
}

/** Between the middles of two signs, in pixels. */
export const SIGN_STEP = 30;

const PLATE = '<circle class="plate" r="11"/>';
const CONSOLES: Readonly<Record<string, string>> = {
  reactor: `${PLATE}<circle class="solid" r="1.8"/><ellipse rx="7.5" ry="3" transform="rotate(35)"/><ellipse rx="7.5" ry="3" transform="rotate(-35)"/>`,
  o2: `${PLATE}<text y="3.8">O₂</text>`,
  lights: `${PLATE}<path class="solid" d="M2-7.5-5 1H-.5L-2 7.5 5-1H.5Z"/>`,
  comms: `${PLATE}<path d="M0 7V0M-4 7H4M-3-3A4 4 0 0 1 3-3M-6-5.5A8 8 0 0 1 6-5.5"/><circle class="solid" r="1.6"/>`,
};
const MONITOR =
  '<rect class="plate" x="-11" y="-9" width="22" height="15" rx="2"/><path d="M0 6V9M-5 9H5"/><circle class="solid" cx="6" cy="-4" r="1.5"/><path d="M-7 2-3-3 0 0 3-2.5"/>';
const TABLE =
  '<rect class="plate" x="-11" y="-8" width="22" height="16" rx="2"/><path d="M-11 0H11M-3.7-8V8M3.7-8V8"/>';
const CAMERA =
  '<rect class="plate" x="-10" y="-6" width="13" height="11" rx="2"/><path class="solid" d="M4-.5 9-4.5V3.5Z"/><circle class="solid" cx="-3.5" cy="-.5" r="2"/>';
const BUTTON = '<circle class="plate" r="11"/><circle class="solid" r="7"/>';

/** The signs of a place but its vents, from left to right. */
export function signsIn(plan: Plan, place: Place): readonly Sign[] {
  const { cameras } = plan;
  return [
    ...(plan.button === place ? [sign('button', 'emergency button', BUTTON)] : []),
    ...Object.entries(plan.consoles).flatMap(([system, rooms]) =>
      rooms.filter((room) => room === place).map(() => consoleOf(system)),
    ),
    ...(cameras?.at === place ? [sign('watch', 'screens of the cameras', MONITOR)] : []),
    ...(plan.adminTable === place ? [sign('watch', 'Admin table', TABLE)] : []),
    ...(cameras?.show.includes(place) ? [sign('watch', 'seen by a camera', CAMERA)] : []),
  ];
}

/** One of each kind, for the legend. */
export function legend(): readonly (readonly [Sign, string])[] {
  return [
    [ventOf('n'), 'vent'],
    [consoleOf('reactor'), 'reactor'],
    [consoleOf('o2'), 'oxygen'],
    [consoleOf('lights'), 'lights'],
    [consoleOf('comms'), 'comms'],
    [sign('watch', 'seen by a camera', CAMERA), 'camera'],
    [sign('watch', 'screens of the cameras', MONITOR), 'screens'],
    [sign('watch', 'Admin table', TABLE), 'Admin table'],
    [sign('button', 'emergency button', BUTTON), 'button'],
  ];
}

function sign(kind: Sign['kind'], title: string, drawing: string): Sign {
  return { kind, title, drawing };
}

function consoleOf(system: string): Sign {
  return sign('console', `fix ${system}`, CONSOLES[system] ?? PLATE);
}

export function ventOf(id: number | 'n'): Sign {
  const slats =
    '<rect class="plate" x="-13" y="-9" width="26" height="18" rx="3"/><path d="M-9.5-5V5M9.5-5V5"/>';
  const drawing = `${slats}<text y="3.8">${id}</text>`;
  return sign('vent', `vent ${id}`, drawing);
}
