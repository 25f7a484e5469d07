/** What actors do, as XState reports it: the moves of the machines, and the messages between all actors. */
import {
  Actor,
  type AnyActor,
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type EventObject,
  type InspectionEvent,
  StateMachine,
} from 'xstate';
import { readField } from '../../machines/text.ts';
import { COLOURS } from '../../machines/types.ts';
import { findEdgeIds } from './chart.ts';
import { evaluateGuards, listRefusals } from './guards.ts';
import { type ActorMessage, packMessages } from './messages.ts';
import type { GuardValues, MachineMove, MoveStep } from './moves.ts';

/** A line of fifteen players has about eighty. */
const MOST_MESSAGES = 400;

/** XState starts and stops actors by such events. Nobody says them. */
const UNSAID = /^xstate\.(?!after|done)/;
/** "xstate.after.beat.meeting.reveal" is a timer, and "xstate.done.actor.meeting" an end. */
const INTERNAL = /^xstate\.(after|done)\.(?:actor|(\w+)).*/;

export class ActorTrace {
  readonly #edges = new Map<AnyStateMachine, ReturnType<typeof findEdgeIds>>();
  readonly #steps = new Map<AnyActorRef, MoveStep[]>();
  readonly #guards = new Map<string, GuardValues>();
  /** In the order in which their events were sent; null until the actor has taken the event. */
  #moves: { readonly ref: AnyActorRef; readonly cause: object; move: MachineMove | null }[] = [];
  #messages: ActorMessage[] = [];

  takeMoves(): readonly MachineMove[] {
    return this.#moves.splice(0).flatMap(({ move }) => move ?? []);
  }

  takeMessages(): string {
    return packMessages(this.#messages.splice(0));
  }

  /** Notes a message that no actor of XState sends. */
  note(from: string, to: AnyActorRef, message: AnyEventObject): void {
    if (UNSAID.test(message.type) || this.#messages.length >= MOST_MESSAGES) return;
    const type = message.type.replace(INTERNAL, '$1 $2').trim();
    // The arbiter counts the ticks, so the meeting does not say which one it opens.
    const { pending, floor } = type === 'tick.opened' ? to.getSnapshot().context : {};
    const place = findPlace({ ...(pending ?? floor), ...message });
    const last = this.#messages.at(-1);
    const isSame = last?.type === type && last.from === from && last.place === place;
    if (isSame) this.#messages.pop();
    this.#messages.push({ from, to: isSame ? [...last.to, to.id] : [to.id], type, place });
  }

  readonly inspect = (inspected: InspectionEvent): void => {
    const { actorRef: ref } = inspected;
    if (!(ref instanceof Actor)) return;
    if (inspected.type === '@xstate.event' && inspected.sourceRef instanceof Actor)
      this.note(inspected.sourceRef.id, ref, inspected.event);
    if (!(ref.logic instanceof StateMachine)) return;
    if (inspected.type === '@xstate.event')
      this.#moves.push({ ref, cause: inspected.event, move: null });
    if (inspected.type !== '@xstate.microstep' && inspected.type !== '@xstate.snapshot') return;
    const snapshot = inspected.snapshot as AnyMachineSnapshot; // of a state machine, as asked above
    if (inspected.type === '@xstate.snapshot') this.#addMove(ref, inspected.event, snapshot);
    else {
      const ids = this.#edges.get(ref.logic) ?? findEdgeIds(ref.logic);
      this.#edges.set(ref.logic, ids);
      const edges = inspected._transitions.flatMap((transition) => ids.get(transition) ?? []);
      const step = { edges, states: listLeaves(snapshot) };
      if (edges.length > 0) this.#steps.set(ref, [...(this.#steps.get(ref) ?? []), step]);
    }
  };

  #addMove(ref: AnyActor, event: EventObject, snapshot: AnyMachineSnapshot): void {
    const fired = this.#steps.get(ref) ?? [];
    this.#steps.delete(ref);
    const isStart = event.type === 'xstate.init';
    const isRefused = fired.length === 0 && !isStart;
    if (isRefused && event.type.startsWith('xstate.')) return;
    const steps = fired.length > 0 ? fired : [{ edges: [], states: listLeaves(snapshot) }];
    const start = isStart ? [{ edges: [], states: listInitialLeaves(ref.logic.root) }] : [];
    const move = {
      ...{ actor: ref.id, event: event.type, steps: [...start, ...steps] },
      // No sentence about a player needs them, and most moves are theirs.
      ...(ref.logic.id !== 'player' && readEvent(event)),
      ...this.#findChangedGuards(ref.id, snapshot),
      ...(isRefused && { refusedBy: listRefusals(snapshot, event.type) }),
    };
    const slot = this.#moves.find(
      (each) => each.move === null && each.ref === ref && each.cause === event,
    );
    if (slot === undefined) this.#moves.push({ ref, cause: event, move });
    else slot.move = move;
  }

  #findChangedGuards(actor: string, snapshot: AnyMachineSnapshot): Pick<MachineMove, 'guards'> {
    const before = this.#guards.get(actor) ?? {};
    const changed = Object.entries(evaluateGuards(snapshot)).filter(([name, now]) => {
      const { value = null, detail = '' } = before[name] ?? {};
      return now.value !== value || now.detail !== detail;
    });
    if (changed.length === 0) return {};
    const guards = Object.fromEntries(changed);
    this.#guards.set(actor, { ...before, ...guards });
    return { guards };
  }
}

function readEvent(event: EventObject): Pick<MachineMove, 'number' | 'seat' | 'floor'> {
  const { tick, round, turn, seat, decision }: Readonly<Record<string, unknown>> = { ...event };
  const number = tick ?? round ?? turn;
  const named = COLOURS.find((colour) => colour === seat);
  const floor = readField(decision, 'floor');
  return {
    ...(typeof number === 'number' && { number }),
    ...(named !== undefined && { seat: named }),
    ...(floor !== undefined && { floor: COLOURS.find((colour) => colour === floor) ?? null }),
  };
}

/** "tick 3": what a message, or the view in a request, counts. */
function findPlace(message: AnyEventObject): string {
  const { to, index, table, seen } = message;
  if (index !== undefined) return `${to === 'table' ? 'tick' : 'turn'} ${index}`;
  const told: Readonly<Record<string, unknown>> = { ...table, ...seen, ...message };
  const unit = ['tick', 'turn', 'round'].find((each) => typeof told[each] === 'number');
  return unit === undefined ? '' : `${unit} ${told[unit]}`;
}

/** Where a machine begins, before its eventless transitions. */
function listInitialLeaves(node: AnyStateNode): readonly string[] {
  const inner =
    node.type === 'parallel' ? Object.values(node.states) : (node.initial?.target ?? []);
  return inner.length === 0 ? [node.id] : inner.flatMap(listInitialLeaves);
}

export function listLeaves({ _nodes: nodes }: AnyMachineSnapshot): readonly string[] {
  return nodes.filter(({ type }) => type === 'atomic' || type === 'final').map(({ id }) => id);
}
