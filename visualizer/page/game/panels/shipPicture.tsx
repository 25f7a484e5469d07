import { useEffect, useRef } from 'preact/hooks';
import type { Place } from '../../../../machines/types.ts';
import { type MapPlan, placeRooms } from '../../../charts/mapLayout.ts';
import { drawMap } from '../../../charts/mapSvg.ts';
import { badgeOf } from '../../../text.ts';
import { frameMap, type SeenToken } from '../story/turnMap.ts';

/** Maximum picture units per pixel that leave all names, or the names of rooms, legible. */
const MOST_UNITS = { whole: 1.6, rooms: 2.1 } as const;

export function measureNames(unit: number, isUpright = false): 'whole' | 'rooms' | 'brief' {
  if (isUpright || unit > MOST_UNITS.rooms) return 'brief';
  return unit <= MOST_UNITS.whole ? 'whole' : 'rooms';
}

type FloorPlanProps = Readonly<{ plan: MapPlan; view: string; shut: string; isUpright?: boolean }>;

/** The picture is drawn once. Visible places and shut doors are attributes in it. */
export function FloorPlan({ plan, view, shut, isUpright = false }: FloorPlanProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const picture = new DOMParser().parseFromString(drawMap(plan), 'image/svg+xml').documentElement;
    styleRoomNames(picture, plan);
    const { matrix, viewBox } = frameMap({ isUpright });
    const turned = document.createElementNS(picture.namespaceURI, 'g');
    turned.setAttribute('class', 'turned');
    turned.setAttribute('transform', matrix);
    turned.append(...picture.childNodes);
    picture.append(turned);
    picture.setAttribute('viewBox', viewBox);
    picture.toggleAttribute('data-upright', isUpright);
    picture.removeAttribute('width');
    picture.removeAttribute('height');
    box.current?.replaceChildren(picture);
  }, [plan, isUpright]);
  useEffect(() => {
    const seen = view.split('|');
    const doors = shut.split('|');
    for (const place of box.current?.querySelectorAll('[data-place]') ?? [])
      place.toggleAttribute('data-active', seen.includes(place.getAttribute('data-place') ?? ''));
    for (const door of box.current?.querySelectorAll('[data-door]') ?? [])
      door.toggleAttribute('data-shut', doors.includes(door.getAttribute('data-door') ?? ''));
  }, [plan, view, shut, isUpright]);
  return <div class="floor-plan" ref={box} />;
}

const NAME_FOOT = 7;
const LONG_NAME = 12;

/** Five letters fit into any room at a size that can be read, on any screen. */
const BRIEF_NAMES: Readonly<Partial<Record<Place, string>>> = {
  Cafeteria: 'Cafe',
  Weapons: 'Weap.',
  Navigation: 'Nav',
  Shields: 'Shld.',
  Communications: 'Comms',
  Storage: 'Stor.',
  Electrical: 'Elec.',
  'Lower Engine': 'L.Eng',
  'Upper Engine': 'U.Eng',
  Security: 'Sec.',
  Reactor: 'React',
  MedBay: 'Med',
};

function styleRoomNames(picture: Element, plan: MapPlan): void {
  for (const { place, main, isHallway } of placeRooms(plan)) {
    const name = picture.querySelector(`[data-furniture="${place}"] .name`);
    const isFree = !isHallway && place !== plan.button;
    if (isFree) name?.setAttribute('y', `${main.y + main.height / 2 + NAME_FOOT}`);
    name?.toggleAttribute('data-long', place.length > LONG_NAME);
    if (name == null || isHallway) continue;
    const brief = name.cloneNode();
    if (!(brief instanceof Element)) continue;
    brief.classList.add('brief');
    brief.textContent = BRIEF_NAMES[place] ?? place;
    name.after(brief);
  }
}

type TokenProps = Omit<SeenToken, 'place'> & {
  readonly isFocus: boolean;
  readonly mark?: { readonly 'data-place': string; readonly onClick: () => void };
};

export function TokenShape({ seat, kind, x, y, words, isFocus, mark }: TokenProps) {
  return (
    <g
      class="token"
      data-seat={seat}
      data-kind={kind}
      data-focus={isFocus || undefined}
      style={`transform: translate(${x}px, ${y}px) scale(var(--life))`}
      {...mark}
    >
      <title>{words}</title>
      {kind === 'body' ? (
        <>
          <path class="suit" d="M-14 2a14 11 0 0 1 28 0v6h-28Z" />
          <path class="bone" d="M-5-8 5 0M5-8-5 0" />
        </>
      ) : (
        <>
          <path
            class="suit"
            d="M-12 13v-14a12 12.5 0 0 1 24 0v14a3 3 0 0 1-3 3h-4v-4h-10v4h-4a3 3 0 0 1-3-3Z"
          />
          <rect class="visor" x="-3" y="-9" width="13" height="7" rx="3.5" />
        </>
      )}
      <text y="9">{badgeOf(seat).code}</text>
    </g>
  );
}
