/** The ship: the map with everyone who is seen on it, bodies, alarms, and the field of view of one player. */

import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { gameIn } from '../../../../machines/journal/opening.ts';
import type { ShipState } from '../../../../machines/journal/projection.ts';
import { SECONDS_PER_ROUND } from '../../../../machines/rules/options.ts';
import type { Place } from '../../../../machines/types.ts';
import { type MapPlan, placeRooms } from '../../../charts/mapLayout.ts';
import { drawMap } from '../../../charts/mapSvg.ts';
import { CODES, capitalize, formatClock, SYSTEM_NAMES } from '../../../text.ts';
import { toggleFocus } from '../state/navigation.ts';
import { focus, lens, moment, readBuildFacts, story } from '../state/session.ts';
import { layOutTokens, listVisible, readPlan, readTaskBar, type Token } from '../story/ship.ts';

export function hasShip(): boolean {
  return moment.value?.ship != null;
}

/** The table sees nobody on the map, and during a meeting nothing. */
export function isMapShown(): boolean {
  const ship = moment.value?.ship ?? null;
  return ship !== null && (lens.value.type !== 'table' || ship.lastRound !== null);
}

export function ShipClock() {
  return <>{formatClock(moment.value?.ship?.round ?? 0)}</>;
}

export function Ship() {
  const ship = moment.value?.ship ?? null;
  if (ship === null) return null;
  return (
    <>
      <Alarms ship={ship} />
      <ShipMap ship={ship} />
    </>
  );
}

function ShipMap({ ship }: { readonly ship: ShipState }) {
  const game = gameIn(story.value.moments[0]?.line);
  const { skeld } = readBuildFacts();
  const plan = useMemo(() => (game === null ? skeld : readPlan(game.map, skeld)), [game, skeld]);
  const tokens = layOutTokens(ship, plan);
  const role = moment.value?.players.find(({ seat }) => seat === focus.value)?.role ?? null;
  const view = focus.value === null ? [] : listVisible(ship, plan, { seat: focus.value, role });
  const hiding = lens.value.type === 'table' ? ' Where players are is not seen at the table.' : '';
  const box = useScale();
  return (
    <div class="map" ref={box}>
      <FloorPlan plan={plan} view={view.join('|')} shut={ship.shutDoors.join('|')} />
      <svg
        class="tokens"
        viewBox={VIEW_BOX}
        role="img"
        aria-label={`${tokens.map(describeToken).join(' ')}${hiding}`}
      >
        <SightLines ship={ship} tokens={tokens} />
        {tokens.map((token) => (
          <MapToken key={`${token.kind} ${token.seat}`} token={token} />
        ))}
      </svg>
    </div>
  );
}

const [VIEW_WIDTH, VIEW_HEIGHT] = [1226, 712];
const VIEW_BOX = `12 18 ${VIEW_WIDTH} ${VIEW_HEIGHT}`;

/** Units of the picture to a pixel up to which every name fits into its place at a size that can be read, or those of rooms. */
const MOST_UNITS = { whole: 1.6, rooms: 2.1 } as const;

/** Tells the style how many units of the picture make a pixel, so that words are as high however small the map is. */
function useScale() {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = current;
      if (width === 0 || height === 0) return;
      const unit = Math.max(VIEW_WIDTH / width, VIEW_HEIGHT / height);
      current.style.setProperty('--unit', unit.toFixed(3));
      const isWhole = unit <= MOST_UNITS.whole;
      current.dataset['names'] = isWhole ? 'whole' : unit <= MOST_UNITS.rooms ? 'rooms' : 'brief';
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return box;
}

type FloorPlanProps = { readonly plan: MapPlan; readonly view: string; readonly shut: string };

/** The picture does not change; what is seen and what is shut is marked in it. */
function FloorPlan({ plan, view, shut }: FloorPlanProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const picture = new DOMParser().parseFromString(drawMap(plan), 'image/svg+xml').documentElement;
    picture.setAttribute('viewBox', VIEW_BOX);
    styleRoomNames(picture, plan);
    picture.removeAttribute('width');
    picture.removeAttribute('height');
    box.current?.replaceChildren(picture);
  }, [plan]);
  useEffect(() => {
    const seen = view.split('|');
    const doors = shut.split('|');
    for (const place of box.current?.querySelectorAll('[data-place]') ?? [])
      place.toggleAttribute('data-active', seen.includes(place.getAttribute('data-place') ?? ''));
    for (const door of box.current?.querySelectorAll('[data-door]') ?? [])
      door.toggleAttribute('data-shut', doors.includes(door.getAttribute('data-door') ?? ''));
  }, [plan, view, shut]);
  return <div class="floor-plan" ref={box} />;
}

/** From the middle line of the letters of a name down to their foot. */
const NAME_FOOT = 7;
/** Letters that fit into a small room. */
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

const TOKEN_TEXTS = {
  living: 'is in',
  vent: 'is in a vent in',
  body: 'lies dead in',
  glimpse: 'was seen last in',
} as const;

function describeToken({ seat, kind, place }: Token): string {
  return `${capitalize(seat)} ${TOKEN_TEXTS[kind]} ${place}.`;
}

function MapToken({ token }: { readonly token: Token }) {
  const { seat, kind, place, x, y } = token;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the same is done with the buttons of the seats.
    <g
      class="token"
      data-seat={seat}
      data-kind={kind}
      data-place={place}
      data-focus={focus.value === seat || undefined}
      style={`transform: translate(${x}px, ${y}px) scale(var(--life))`}
      onClick={() => toggleFocus(seat)}
    >
      <title>{describeToken(token)}</title>
      {kind === 'body' ? (
        <path class="suit" d="M-14 2a14 11 0 0 1 28 0v6h-28Z" />
      ) : (
        <>
          <path
            class="suit"
            d="M-12 13v-14a12 12.5 0 0 1 24 0v14a3 3 0 0 1-3 3h-4v-4h-10v4h-4a3 3 0 0 1-3-3Z"
          />
          <rect class="visor" x="-3" y="-9" width="13" height="7" rx="3.5" />
        </>
      )}
      {kind === 'body' ? <path class="bone" d="M-5-8 5 0M5-8-5 0" /> : null}
      <text y="9">{CODES[seat]}</text>
    </g>
  );
}

/** Lines of sight of the chosen player in the last round. */
function SightLines({
  ship,
  tokens,
}: {
  readonly ship: ShipState;
  readonly tokens: readonly Token[];
}) {
  const seat = focus.value;
  const from = tokens.find((token) => token.seat === seat && token.kind !== 'body');
  if (seat === null || from === undefined) return null;
  const seen = (ship.lastRound?.seen?.[seat] ?? []).map(([who]) => who);
  return (
    <>
      {tokens
        .filter((token) => token !== from && seen.includes(token.seat))
        .map(({ seat: who, x, y }) => (
          <line key={who} class="sight" x1={from.x} y1={from.y} x2={x} y2={y} />
        ))}
    </>
  );
}

function Alarms({ ship }: { readonly ship: ShipState }) {
  const { sabotage } = ship;
  const bar = readTaskBar(ship);
  return (
    <div class="alarms">
      {bar === null ? null : (
        <span class="tasks">
          <span
            class="meter"
            aria-hidden="true"
            style={`--share: ${(bar.done / Math.max(1, bar.all)).toFixed(3)}`}
          />
          {bar.words}
        </span>
      )}
      {sabotage === null ? null : (
        <strong class="alarm">
          ⚠ {SYSTEM_NAMES[sabotage.system]}
          {sabotage.left === null
            ? ''
            : `: ${Math.floor(Math.max(0, sabotage.left) * SECONDS_PER_ROUND)} s`}
        </strong>
      )}
      {ship.shutDoors.length === 0 ? null : (
        <span class="shut">⛒ doors of {ship.shutDoors.join(', ')}</span>
      )}
    </div>
  );
}
