/** Moves and zooms a picture by drag, pinch, wheel and keys. The picture decides the effect. */
import { useMemo, useRef } from 'preact/hooks';
import type { Spot } from '../game/story/pageData.ts';

export type GestureActions = {
  readonly onPan: (by: Spot) => void;
  readonly onZoom: (factor: number, at?: Spot) => void;
  readonly keys: Readonly<Record<string, () => void>>;
};

export const ZOOM_STEP = 1.25;
/** Pixels: a pointer that has moved less than this has clicked. */
const CLICK_REACH = 4;
const KEY_STEP = 48;
const PER_WHEEL_PIXEL = 0.0016;
/** A pinch on a touchpad comes as a wheel with small steps. */
const PER_PINCH_PIXEL = 0.01;

const ARROWS: Readonly<Record<string, Spot>> = {
  ArrowLeft: [KEY_STEP, 0],
  ArrowRight: [-KEY_STEP, 0],
  ArrowUp: [0, KEY_STEP],
  ArrowDown: [0, -KEY_STEP],
};
const ZOOMS: Readonly<Record<string, number>> = {
  '+': ZOOM_STEP,
  '=': ZOOM_STEP,
  '-': 1 / ZOOM_STEP,
};

export function useGestures(actions: GestureActions) {
  const latest = useRef(actions);
  latest.current = actions;
  return useMemo(() => {
    const now = () => latest.current;
    return { ...listenToPointers(now), onWheel: listenToWheel(now), onKeyDown: listenToKeys(now) };
  }, []);
}

function listenToPointers(actions: () => GestureActions) {
  const fingers = new Map<number, Spot>();
  let isDragged = false;
  const release = ({ pointerId }: PointerEvent) => fingers.delete(pointerId);
  return {
    onPointerDown({ pointerId, clientX, clientY, button }: PointerEvent) {
      if (button !== 0) return;
      if (fingers.size === 0) isDragged = false;
      fingers.set(pointerId, [clientX, clientY]);
    },
    onPointerMove({ pointerId, clientX, clientY, currentTarget }: PointerEvent) {
      const before = fingers.get(pointerId);
      if (before === undefined || !(currentTarget instanceof Element)) return;
      const [dx, dy] = [clientX - before[0], clientY - before[1]];
      if (!isDragged && Math.hypot(dx, dy) < CLICK_REACH) return;
      if (!isDragged) currentTarget.setPointerCapture(pointerId);
      isDragged = true;
      fingers.set(pointerId, [clientX, clientY]);
      const other = [...fingers].find(([id]) => id !== pointerId)?.[1];
      if (other === undefined) return actions().onPan([dx, dy]);
      const [x, y] = other;
      const spread = Math.hypot(before[0] - x, before[1] - y);
      const { left, top } = currentTarget.getBoundingClientRect();
      const factor = Math.hypot(clientX - x, clientY - y) / spread;
      if (spread > 0) actions().onZoom(factor, [x - left, y - top]);
    },
    onPointerUp: release,
    onPointerCancel: release,
    /** The end of a drag is not a click. */
    onClickCapture(event: Event) {
      if (!isDragged) return;
      isDragged = false;
      event.stopPropagation();
    },
  };
}

function listenToWheel(actions: () => GestureActions) {
  return (event: WheelEvent) => {
    const { currentTarget, ctrlKey, clientX, clientY, deltaY } = event;
    if (!(currentTarget instanceof HTMLElement)) return;
    // A picture does not stop a scrolling page.
    const { scrollHeight, clientHeight } = document.documentElement;
    const isInTheWay = scrollHeight > clientHeight && !currentTarget.matches(':focus-within');
    if (isInTheWay && !ctrlKey) return;
    event.preventDefault();
    const { left, top } = currentTarget.getBoundingClientRect();
    const factor = Math.exp(-deltaY * (ctrlKey ? PER_PINCH_PIXEL : PER_WHEEL_PIXEL));
    actions().onZoom(factor, [clientX - left, clientY - top]);
  };
}

function listenToKeys(actions: () => GestureActions) {
  return (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const { onPan, onZoom, keys } = actions();
    const [by, factor, other] = [ARROWS[key], ZOOMS[key], keys[key]];
    if (by === undefined && factor === undefined && other === undefined) return;
    event.preventDefault();
    if (by !== undefined) onPan(by);
    if (factor !== undefined) onZoom(factor);
    other?.();
  };
}
