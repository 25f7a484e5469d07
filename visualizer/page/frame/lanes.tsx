/** A sequence diagram: a lane for each actor, and their messages as arrows, one below the other. It knows no game. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { capitalize, listWords } from '../../../machines/text.ts';
import type { ActorMessage } from '../../charts/messages.ts';
import { moveFocusInList } from './keyboard.tsx';
import { Scroll } from './panel.tsx';

/** A chip in the colour of a seat may stand for the name. */
export type Lane = Readonly<{ id: string; name: string; seat?: string; code?: string }>;

export type LaneStep = Readonly<{ step: number; title: string; messages: readonly ActorMessage[] }>;

type ActorLanesProps = {
  readonly lanes: readonly Lane[];
  /** The steps around the cursor that have messages, in order. */
  readonly steps: readonly LaneStep[];
  readonly cursor: number;
  readonly onGo: (step: number) => void;
};

/** All in pixels. */
const LETTER = 7;
const SIDES = 10;
const CHIP = 28;
const ROW = 20;
const MIDDLE = 9;
const HEAD = 6;
/** How far left of its receiver a message begins whose sender has no lane. */
const STUB = 14;

export function ActorLanes({ lanes, steps, cursor, onGo }: ActorLanesProps) {
  const box = useRef<HTMLElement>(null);
  const anchor = steps.findLast(({ step }) => step <= cursor)?.step;
  useEffect(() => box.current?.focus(), []);
  // The step of the cursor stays at one height, and the messages pass by.
  useLayoutEffect(() => {
    const now = box.current?.querySelector<HTMLElement>('[data-anchor]');
    if (now != null) box.current?.scrollTo({ top: now.offsetTop - box.current.clientHeight / 4 });
  });
  let width = 0;
  const middles = lanes.map(({ id, name, code }) => {
    const own = code === undefined ? name.length * LETTER + SIDES : CHIP;
    width += own;
    return [id, width - own / 2] as const;
  });
  const at = new Map(middles);
  const nameOf = (id: string) => lanes.find((lane) => lane.id === id)?.name ?? capitalize(id);
  return (
    <Scroll label="Messages between the actors" box={box}>
      <div class="lanes" style={`--lanes: ${width}px`}>
        {lanes.map(({ id, name, seat, code = name }) => (
          <i key={id} data-seat={seat} style={`--at: ${at.get(id)}px`} aria-hidden="true">
            <b class={seat === undefined ? '' : 'chip'} title={name}>
              {code}
            </b>
          </i>
        ))}
        <ol onKeyDown={moveFocusInList}>
          {steps.map(({ step, title, messages }) => (
            <li
              key={step}
              aria-current={step === cursor ? 'step' : undefined}
              data-anchor={step === anchor || undefined}
            >
              <h3>{title}</h3>
              <ol>
                {messages.map(({ from, to, type, place }, index) => (
                  <li key={index}>
                    <button
                      type="button"
                      tabIndex={step === anchor && index === 0 ? 0 : -1}
                      onClick={() => onGo(step)}
                    >
                      <span class="vh">
                        {nameOf(from)} to {to[0] === from ? 'itself' : listWords(to.map(nameOf))}:{' '}
                      </span>
                      <span class="event">{type}</span>
                      {place === '' ? null : <span class="vh">, </span>}
                      <span class="when">{place}</span>
                      <svg width={width} height={ROW} aria-hidden="true">
                        <path d={drawMessage(at, from, to)} />
                      </svg>
                    </button>
                  </li>
                ))}
              </ol>
            </li>
          ))}
        </ol>
      </div>
    </Scroll>
  );
}

function drawMessage(at: ReadonlyMap<string, number>, from: string, to: readonly string[]): string {
  const ends = to.flatMap((id) => at.get(id) ?? []);
  if (ends.length === 0) return '';
  const start = at.get(from) ?? Math.min(...ends) - STUB;
  const dot = `M${start - 2} ${MIDDLE}a2 2 0 1 0 4 0a2 2 0 1 0 -4 0`;
  if (to[0] === from) return `${dot}m4 0h12v6h-12${drawHead(start + 4, MIDDLE + 6, HEAD)}`;
  const heads = ends.map((end) => drawHead(end, MIDDLE, end < start ? HEAD : -HEAD));
  return `${dot}M${Math.min(start, ...ends)} ${MIDDLE}H${Math.max(start, ...ends)}${heads.join('')}`;
}

function drawHead(x: number, y: number, way: number): string {
  return `M${x + way} ${y - 4}L${x} ${y}l${way} 4`;
}
