import { useMemo } from 'preact/hooks';
import { gameIn } from '../../../../machines/journal/opening.ts';
import type { ShipState } from '../../../../machines/journal/projection.ts';
import { SECONDS_PER_ROUND } from '../../../../machines/rules/options.ts';
import { capitalize, SYSTEM_NAMES } from '../../../../machines/text.ts';
import type { MapPlan } from '../../../charts/mapLayout.ts';
import { useMeasure } from '../../frame/panel.tsx';
import { formatMeter } from '../players.tsx';
import { toggleFocus } from '../state/navigation.ts';
import { seatStatus, shipTurn } from '../state/seat.ts';
import { focus, lens, moment, readBuildFacts, story } from '../state/session.ts';
import { layOutTokens, listVisible, readPlan, readTaskBar, type Token } from '../story/ship.ts';
import { FloorPlan, measureNames, TokenShape } from './shipPicture.tsx';
import { TurnMap } from './turnMap.tsx';

/** The table sees nobody on the map, and during a meeting nothing. */
export function isMapShown(): boolean {
  const ship = moment.value?.ship ?? null;
  if (ship === null) return false;
  return shipTurn.value !== null || lens.value.type !== 'table' || ship.lastRound !== null;
}

export function Ship() {
  const ship = moment.value?.ship ?? null;
  if (ship === null) return null;
  return (
    <>
      <Alarms ship={ship} />
      <ShipOfLens ship={ship} />
    </>
  );
}

function ShipOfLens({ ship }: { readonly ship: ShipState }) {
  const game = gameIn(story.value.moments[0]?.line);
  const { skeld } = readBuildFacts();
  const plan = useMemo(() => (game === null ? skeld : readPlan(game.map, skeld)), [game, skeld]);
  if (import.meta.env.MODE === 'play') {
    const held = seatStatus.value;
    const isOwn = lens.value.type === 'player' && lens.value.seat === held?.seat;
    if (held !== null && !held.isOver && (isOwn || shipTurn.value !== null))
      return <TurnMap ship={ship} plan={plan} you={held.seat} />;
  }
  return <ShipMap ship={ship} plan={plan} />;
}

function ShipMap({ ship, plan }: { readonly ship: ShipState; readonly plan: MapPlan }) {
  const tokens = layOutTokens(ship, plan);
  const role = moment.value?.players.find(({ seat }) => seat === focus.value)?.role ?? null;
  const view = focus.value === null ? [] : listVisible(ship, plan, { seat: focus.value, role });
  const hiding = lens.value.type === 'table' ? ' The table does not see where players are.' : '';
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
          <TokenShape
            key={`${token.kind} ${token.seat}`}
            {...token}
            words={describeToken(token)}
            isFocus={focus.value === token.seat}
            mark={{ 'data-place': token.place, onClick: () => toggleFocus(token.seat) }}
          />
        ))}
      </svg>
    </div>
  );
}

const [VIEW_WIDTH, VIEW_HEIGHT] = [1226, 712];
const VIEW_BOX = `12 18 ${VIEW_WIDTH} ${VIEW_HEIGHT}`;

/** Tells the style the picture units per pixel, so that words keep their height on a small map. */
function useScale() {
  return useMeasure<HTMLDivElement>((box) => {
    const { clientWidth: width, clientHeight: height } = box;
    if (width === 0 || height === 0) return;
    const unit = Math.max(VIEW_WIDTH / width, VIEW_HEIGHT / height);
    box.style.setProperty('--unit', unit.toFixed(3));
    box.dataset['names'] = measureNames(unit);
  });
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

function SightLines({ ship, tokens }: Readonly<{ ship: ShipState; tokens: readonly Token[] }>) {
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

const GONE_TASKS = 'Unfinished tasks of dead players no longer count, unless ghosts do tasks.';

function Alarms({ ship }: { readonly ship: ShipState }) {
  const { sabotage } = ship;
  const bar = readTaskBar(ship);
  return (
    <div class="alarms">
      {bar === null ? null : (
        <span class="tasks" title={lens.value.type === 'glass' ? GONE_TASKS : undefined}>
          {bar.all === 0 ? null : (
            <span class="meter" aria-hidden="true" style={formatMeter(bar.done / bar.all)} />
          )}
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
        <span class="shut">doors shut: {ship.shutDoors.join(', ')}</span>
      )}
    </div>
  );
}
