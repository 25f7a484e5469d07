/** The moves of the machines as plain data, and what of them a lens may show. */
import type { JudgedClaim } from '../../analysis/claims/whereabouts.ts';
import { type Lens, lensFor, type SeenLine } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { MEETING, playerId } from '../../machines/messages.ts';
import type { MeetingPromise } from '../../machines/rules/promises.ts';
import type { Colour } from '../../machines/types.ts';
import { carryMessages } from './messages.ts';

/** What an actor did with one event, microstep by microstep. It rests in the states of the last one. */
export type MachineMove = {
  readonly actor: string;
  readonly event: string;
  readonly steps: readonly MoveStep[];
  /** The tick, round or turn that the event names, and the seat. A closed tick names who has the floor. */
  readonly number?: number;
  readonly seat?: Colour;
  readonly floor?: Colour | null;
  /** The guards of the transitions that leave the new states, as far as their values have changed. */
  readonly guards?: GuardValues;
  /** The guards that refused an event. Empty if no transition of these states takes it. */
  readonly refusedBy?: readonly string[];
};

/** By the guard's name in the chart. */
export type GuardValues = Readonly<Record<string, GuardValue>>;

export type GuardValue = {
  /** Null if it depends on the event. */
  readonly value: boolean | null;
  /** Numbers behind it, such as "4 of 6", or ''. */
  readonly detail: string;
};

/** The edges that fired, as `readChart` names them, and the innermost states afterwards. */
export type MoveStep = { readonly edges: readonly string[]; readonly states: readonly string[] };

/** The moves that led to a line and on from it, what goes with them, or why the machines refuse the line. */
export type Stepped = {
  readonly moves?: readonly MachineMove[] | undefined;
  /** Packed by `packMessages`. */
  readonly messages?: string | undefined;
  readonly accused?: readonly Colour[] | undefined;
  /** What the message of a tick says of places, and whether it is true. For the glass alone. */
  readonly claims?: readonly JudgedClaim[] | undefined;
  /** What holds from here on, where that has changed. */
  readonly promises?: readonly MeetingPromise[] | undefined;
  readonly refusal?: string | undefined;
};

export type SteppedLine = SeenLine & Stepped;

const STEPPED: Readonly<Record<keyof Stepped, true>> = {
  ...{ moves: true, messages: true, accused: true, claims: true, promises: true, refusal: true },
};

/** A line of a journal without fields that only stepping adds. A forged journal may bring its own. */
export function dropSteps<L extends object>(line: L): L {
  const own = Object.entries(line).filter(([name]) => !Object.hasOwn(STEPPED, name));
  return Object.fromEntries(own) as L; // none of the fields of a line
}

/** What happened between two lines. */
export type MovesAlone = { readonly type: 'moves'; readonly moves: readonly MachineMove[] };

type MovesPlace = Pick<Line | MovesAlone, 'type'>;

/** Lines that say in the glass only whether a tick was open. */
const ARRIVALS: readonly string[] = ['seat.departed', 'stop.requested'];

/**
 * Cuts moves with a lens, line by line. Those of a hidden line come with the next line that is shown. The table knows the
 * meeting and the game, and a player their own state too. Who is asked on the ship is a secret, and so is who takes time
 * to think. The guards of a meeting say what everybody at the table knows. Those of the game would say who lives.
 */
function carryMoves(lens: Lens) {
  const own = lens.type === 'player' ? playerId(lens.seat) : null;
  let waiting: readonly MachineMove[] = [];
  let changed: GuardValues = {};
  const see = ({ type }: MovesPlace, move: MachineMove): readonly MachineMove[] => {
    const { guards, ...rest } = move;
    if (lens.type === 'glass' || rest.actor === own) return [move];
    if (rest.actor === 'game') return rest.event === 'orders.outstanding' ? [] : [rest];
    if (rest.actor !== MEETING) return [];
    const all = { ...changed, ...guards };
    changed = ARRIVALS.includes(type) ? all : {};
    if (ARRIVALS.includes(type)) return [];
    return [Object.keys(all).length === 0 ? rest : { ...rest, guards: all }];
  };
  return (line: MovesPlace, moves: readonly MachineMove[], isShown: boolean) => {
    const fresh = moves.flatMap((move) => see(line, move));
    const carried = [...waiting, ...fresh];
    // Between lines, moves would tell that somebody hidden has moved.
    const isOut = line.type === 'moves' ? fresh.length > 0 : isShown;
    waiting = isOut ? [] : carried;
    return line.type === 'moves' && !isOut ? [] : carried;
  };
}

export function carryPromises(lens: Lens) {
  let current: readonly MeetingPromise[] = [];
  let shown = '[]';
  return (
    { type }: Pick<Line, 'type'>,
    promises: readonly MeetingPromise[] | undefined,
    isShown: boolean,
  ): readonly MeetingPromise[] | undefined => {
    current = promises ?? current;
    const isHeld = lens.type !== 'glass' && ARRIVALS.includes(type);
    if (!isShown || isHeld) return undefined;
    const seen = current.filter((promise) => isSeen(promise, lens));
    const text = JSON.stringify(seen);
    if (text === shown) return undefined;
    shown = text;
    return seen;
  };
}

/** Waits for the floor depend on the weights, which only the glass shows. Others know the ballots that were turned. */
function isSeen(promise: MeetingPromise, lens: Lens): boolean {
  if (lens.type === 'glass') return true;
  return promise.type === 'ejection' ? promise.from === 'turned' : promise.type !== 'floor';
}

/** Cuts lines with a lens, and what the machines did at each. Give it every line in order. */
export function lensOverSteps(lens: Lens) {
  const [see, carry, hear] = [lensFor(lens), carryMoves(lens), carryMessages(lens)];
  const promise = carryPromises(lens);
  let reason: string | undefined;
  let isRefused = false;
  const cut = (line: Line & Stepped, stepped: Stepped = line): SteppedLine | null => {
    const seen = see(line);
    const isShown = seen !== null;
    const { accused, claims } = stepped;
    const moves = carry(line, stepped.moves ?? [], isShown);
    const messages = hear(line, stepped.messages ?? '', isShown);
    const promises = promise(line, stepped.promises, isShown);
    reason ??= stepped.refusal;
    if (!isShown) return null;
    // The reason may name what a lens hides.
    const refusal = lens.type === 'glass' ? reason : 'this lens does not show why';
    const isNew = reason !== undefined && !isRefused;
    isRefused ||= isNew;
    return {
      ...dropSteps(seen),
      ...(moves.length > 0 && { moves }),
      ...(messages !== '' && { messages }),
      ...(accused !== undefined && { accused }),
      ...(claims !== undefined && lens.type === 'glass' && { claims }),
      ...(promises !== undefined && { promises }),
      ...(isNew && { refusal }),
    };
  };
  const follow = (moves: readonly MachineMove[]): MovesAlone | null => {
    const type = 'moves';
    const shown = carry({ type }, moves, true);
    return shown.length === 0 ? null : { type, moves: shown };
  };
  return { cut, follow };
}
