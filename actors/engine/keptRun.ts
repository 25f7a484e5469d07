/**
 * A run of minds that answer at once, kept when all answers of a tick or round are there and not yet handed on. No timer
 * is set and no message is under way then, so other runs can go on from it, as often as one likes.
 */
import {
  type Actor,
  type AnyActorRef,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
} from 'xstate';
import { ARBITER } from '../../machines/messages.ts';
import { Announcer } from '../../machines/outgoing.ts';
import type { Clock } from '../ports/ports.ts';
import type { BeliefInquiry } from './beliefs.ts';
import type { GatheredAnswers } from './runContext.ts';

export type KeptRun = {
  readonly root: KeptActor;
  readonly announcer: Announcer;
  /** A copy, for this run alone. */
  readonly inquiry: BeliefInquiry | null;
  readonly gathered: GatheredAnswers;
};

type KeptActor = {
  readonly snapshot: object;
  /** Apart, because XState would walk all of it when it restores a snapshot. */
  readonly context: unknown;
  readonly children: Readonly<Record<string, KeptActor>>;
  readonly src: unknown;
  readonly systemId: unknown;
};

export function keepRun(
  root: AnyActorRef,
  announcer: Announcer,
  inquiry: BeliefInquiry | null,
  gathered: GatheredAnswers,
): KeptRun {
  const kept = new Announcer(() => ({ ghostsWatch: false, round: null }), announcer);
  return { root: keepActor(root), announcer: kept, inquiry, gathered };
}

function keepActor(actor: AnyActorRef): KeptActor {
  const { context, children: actors = {}, ...snapshot } = actor.getSnapshot();
  const entries = Object.entries<AnyActorRef>(actors);
  const children = Object.fromEntries(entries.map(([id, child]) => [id, keepActor(child)]));
  const { status, value, historyValue, output, error, input } = snapshot;
  const own = { status, value, historyValue, output, error, input, context: {}, children };
  const systemId: unknown = Reflect.get(actor, 'systemId');
  return { snapshot: own, context, children, src: actor.src, systemId };
}

export function restoreRun<M extends AnyStateMachine>(
  machine: M,
  clock: Clock,
  { root }: KeptRun,
): Actor<M> {
  const actor = createActor(machine, { clock, snapshot: root.snapshot } as never); // its input is in its context
  fillIn(actor, root);
  return actor;
}

function fillIn(actor: AnyActorRef, { context, children }: KeptActor): void {
  const snapshot: AnyMachineSnapshot = actor.getSnapshot();
  snapshot.context = context;
  for (const [id, child] of Object.entries(children)) {
    const restored: AnyActorRef | undefined = snapshot.children[id];
    if (restored !== undefined) fillIn(restored, child);
  }
}

/** Sends the kept answers on. The restored run must have started. */
export function goOn(root: AnyActorRef, { gathered }: KeptRun): void {
  const to: AnyActorRef | undefined =
    gathered.type === 'orders.gathered' ? root : root.system.get(ARBITER);
  to?.send(gathered);
}
