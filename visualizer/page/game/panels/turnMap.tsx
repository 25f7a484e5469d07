/** The map of the person who plays. It is one Tab stop: arrow keys and letters move on, Enter gives the order. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { ShipState } from '../../../../machines/journal/projection.ts';
import { SECONDS_PER_ROUND } from '../../../../machines/rules/options.ts';
import type { TurnScene } from '../../../../machines/turnPrompt.ts';
import type { Colour } from '../../../../machines/types.ts';
import type { MapPlan } from '../../../charts/mapLayout.ts';
import { moveFocusInList } from '../../frame/keyboard.tsx';
import { useMeasure } from '../../frame/panel.tsx';
import { chosenOrder, currentTurn, giveOrder, shipTurn } from '../state/seat.ts';
import { moment } from '../state/session.ts';
import { listVisible } from '../story/ship.ts';
import {
  ARROWS,
  findNext,
  fitMap,
  frameMap,
  type LaidTurnMap,
  layOutTurnMap,
  type MapFrame,
  type TouchedTarget,
  type TurnOrder,
} from '../story/turnMap.ts';
import { FloorPlan, measureNames, TokenShape } from './shipPicture.tsx';

/** A finger hides its target, so the choice is confirmed elsewhere. */
function isTouched(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}

const LEAST = { mouse: 28, finger: 42 } as const;

type TurnMapProps = { readonly ship: ShipState; readonly plan: MapPlan; readonly you: Colour };

function sceneFrom({ places, lastSeen, ...ship }: ShipState, you: Colour): TurnScene {
  const seen = ship.seats.flatMap(({ colour: seat }) => {
    const last = lastSeen[seat];
    if (last === undefined || seat === you) return [];
    const ago = Math.max(0, ship.round - 1 - last.round) * SECONDS_PER_ROUND;
    return [{ seat, place: last.place, isDead: last.did === 'dead', ago }];
  });
  const { start, shutDoors: shut, sabotage } = ship;
  const left = sabotage?.left ?? null;
  return {
    place: places[you] ?? start,
    vent: null,
    seen,
    sabotage: sabotage && {
      system: sabotage.system,
      seconds: left === null ? null : left * SECONDS_PER_ROUND,
    },
    shut,
    heads: null,
  };
}

export function TurnMap({ ship, plan, you }: TurnMapProps) {
  const turn = shipTurn.value;
  const [box, frame] = useMapFrame();
  const scene = turn?.scene ?? sceneFrom(ship, you);
  const laid = useMemo(
    () =>
      layOutTurnMap({
        you,
        scene,
        actions: turn?.actions ?? [],
        goesOn: turn?.goesOn ?? null,
        plan,
        frame,
        least: isTouched() ? LEAST.finger : LEAST.mouse,
      }),
    [turn, ship, plan, frame],
  );
  const { unit, isUpright, width, height } = frame;
  const role = moment.value?.players.find(({ seat }) => seat === you)?.role ?? null;
  const known = { ...ship, places: { [you]: scene.place }, shutDoors: scene.shut };
  const view = turn?.you.isDead === true ? [] : listVisible(known, plan, { seat: you, role });
  return (
    <div
      class="map turn-map"
      ref={box}
      data-names={measureNames(unit, isUpright)}
      style={`--unit: ${unit.toFixed(3)}`}
    >
      <div class="stage-map" style={`width: ${width}px; height: ${height}px`}>
        <FloorPlan
          plan={plan}
          view={view.join('|')}
          shut={scene.shut.join('|')}
          isUpright={isUpright}
        />
        <Tokens laid={laid} you={you} isUpright={isUpright} />
        <Targets targets={laid.targets} frame={frame} />
      </div>
    </div>
  );
}

function useMapFrame() {
  const frame = useSignal<MapFrame>({ isUpright: false, unit: 1, width: 0, height: 0 });
  const box = useMeasure<HTMLDivElement>(({ clientWidth: width, clientHeight: height }) => {
    if (width > 0 && height > 0) frame.value = fitMap(width, height);
  });
  return [box, frame.value] as const;
}

type TokensProps = Readonly<{ laid: LaidTurnMap; you: Colour; isUpright: boolean }>;

function Tokens({ laid: { tokens, heads }, you, isUpright }: TokensProps) {
  return (
    <svg
      class="tokens"
      viewBox={frameMap({ isUpright }).viewBox}
      role="img"
      aria-label={tokens.map(({ words }) => words).join(' ')}
    >
      {tokens.map((token) => (
        <TokenShape key={token.seat} {...token} isFocus={token.seat === you} />
      ))}
      {heads.map(({ x, y, text }) => (
        <text key={`${x} ${y}`} class="heads" x={x} y={y}>
          {text}
        </text>
      ))}
    </svg>
  );
}

const NONE: TurnOrder = { label: '', hint: '', action: null };

type TargetsProps = { readonly targets: readonly TouchedTarget[]; readonly frame: MapFrame };

const SIGNS: Readonly<Partial<Record<TouchedTarget['kind'], string>>> = {
  task: 'M0-8 8 0 0 8-8 0Z',
  console: 'M2-9-6 1H-1L-2 9 6-1H1Z',
  screen: 'M-9-7H9V5H-9ZM-5 9H5M0 5V9',
  button: 'M-7 0a7 7 0 0 1 14 0 7 7 0 0 1-14 0',
};

function Targets({ targets, frame }: TargetsProps) {
  const group = useRef<HTMLDivElement>(null);
  const opened = useSignal<string | null>(null);
  const current = useSignal('');
  const own = findOwn(targets);
  const stop = targets.find(({ key }) => key === current.value) ?? own;
  const focusTarget = (key = '') => {
    current.value = key;
    const found = group.current?.querySelector<HTMLElement>(`[data-key="${key}"]`);
    found?.focus({ preventScroll: true });
  };
  // Before painting, so that a key pressed at once is not lost.
  useLayoutEffect(() => {
    opened.value = null;
    current.value = '';
    const { activeElement: at, body } = document;
    if (at === body || at?.closest('.targets, .turn') != null) focusTarget(own?.key);
  }, [currentTurn.value?.id, frame.width > 0]);
  if (stop === undefined) return null;
  const touch = ({ key, orders }: TouchedTarget) => {
    const [only, ...more] = orders;
    current.value = key;
    if (more.length > 0) opened.value = opened.value === key ? null : key;
    else if (only !== undefined && !isTouched()) giveOrder(only);
    else chosenOrder.value = only ?? null;
  };
  const menu = targets.find(({ key }) => key === opened.value);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is sent together. */}
      <div
        class="targets"
        role="group"
        aria-label="What you can do. Arrow keys go from one to the next."
        ref={group}
        onKeyDown={(event) => moveByKey(event, targets, stop, focusTarget)}
      >
        {targets.map((target) => (
          <TargetButton
            key={target.key}
            target={target}
            frame={frame}
            isStop={target === stop}
            isOpen={target === menu}
            onTouch={() => touch(target)}
          />
        ))}
      </div>
      {menu === undefined ? null : (
        <OrderMenu
          key={menu.key}
          target={menu}
          position={placeMenu(menu, frame)}
          onClose={(isBack) => {
            opened.value = null;
            if (isBack) focusTarget(menu.key);
          }}
        />
      )}
    </>
  );
}

function findOwn(targets: readonly TouchedTarget[]): TouchedTarget | undefined {
  const place = `place ${shipTurn.value?.scene.place}`;
  return (
    targets.find(({ kind }) => kind === 'self') ??
    targets.find(({ key }) => key === place) ??
    targets[0]
  );
}

function moveByKey(
  event: KeyboardEvent,
  targets: readonly TouchedTarget[],
  from: TouchedTarget,
  go: (key: string) => void,
): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return;
  const way = ARROWS[key];
  const next = way === undefined ? findNamed(targets, from, key) : findNext(targets, from, way);
  if (way !== undefined || next !== null) event.preventDefault();
  if (next !== null) go(next.key);
}

type TargetButtonProps = {
  readonly target: TouchedTarget;
  readonly frame: MapFrame;
  readonly isStop: boolean;
  readonly isOpen: boolean;
  readonly onTouch: () => void;
};

const DEADLY: readonly unknown[] = ['kill', 'report'];

function TargetButton({ target, frame, isStop, isOpen, onTouch }: TargetButtonProps) {
  const { key, kind, box, orders } = target;
  const { unit, width } = frame;
  const sign = SIGNS[kind];
  const [only = NONE, ...more] = orders;
  const hasMenu = more.length > 0;
  return (
    <button
      type="button"
      class="target"
      data-key={key}
      data-kind={kind}
      data-count={hasMenu ? orders.length : undefined}
      data-deadly={orders.some(({ action }) => DEADLY.includes(action?.['type'])) || undefined}
      data-side={box.x / unit > width * FAR_SIDE ? 'right' : 'left'}
      tabIndex={isStop ? 0 : -1}
      aria-label={describeTarget(target)}
      aria-haspopup={hasMenu ? 'menu' : undefined}
      aria-expanded={hasMenu ? isOpen : undefined}
      aria-pressed={hasMenu || !isTouched() ? undefined : only === chosenOrder.value}
      style={`left: ${box.x / unit}px; top: ${box.y / unit}px; width: ${box.width / unit}px; height: ${box.height / unit}px`}
      onClick={onTouch}
    >
      {sign === undefined ? null : (
        <svg viewBox="-12 -12 24 24" aria-hidden="true">
          <path d={sign} />
        </svg>
      )}
    </button>
  );
}

/** From here on across the map, words and menus open to the left. */
const FAR_SIDE = 0.55;
const MOST_READ = 4;

function describeTarget({ name, orders }: TouchedTarget): string {
  const [only, ...more] = orders;
  if (more.length === 0) return only?.label ?? name;
  const read = orders.slice(0, MOST_READ).map(({ label }) => label);
  const rest = orders.length - read.length;
  return `${name}: ${read.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function findNamed(targets: readonly TouchedTarget[], from: TouchedTarget, letter: string) {
  if (!/^[a-z]$/i.test(letter)) return null;
  const at = targets.indexOf(from) + 1;
  const round = [...targets.slice(at), ...targets.slice(0, at)];
  return round.find(({ name }) => name.toLowerCase().startsWith(letter.toLowerCase())) ?? null;
}

function placeMenu({ box }: TouchedTarget, { unit, width }: MapFrame): string {
  const left = (box.x + box.width / 2) / unit;
  const across = left > width * FAR_SIDE ? `${width - left}px auto auto` : `auto auto ${left}px`;
  return `--at: ${(box.y + box.height / 2) / unit}px ${across}`;
}

type OrderMenuProps = {
  readonly target: TouchedTarget;
  readonly position: string;
  readonly onClose: (isBack: boolean) => void;
};

function OrderMenu({ target: { name, orders }, position, onClose }: OrderMenuProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
    list.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div
      class="order-menu"
      role="menu"
      tabIndex={-1}
      aria-label={name}
      ref={list}
      style={position}
      onKeyDown={(event) => {
        moveFocusInList(event);
        if (event.key !== 'Escape' && event.key !== 'Tab') return;
        event.preventDefault();
        onClose(true);
      }}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node) || !list.current?.contains(relatedTarget))
          onClose(false);
      }}
    >
      {orders.map((order) => (
        <button
          key={order.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => giveOrder(order)}
        >
          {order.label}
        </button>
      ))}
    </div>
  );
}
