/** `enqueue` of enqueueActions: collects what is to be done afterwards. */
import { cancel, emit, log, raise, sendTo } from 'xstate';
import { EXTERNAL_RECIPIENT } from './nobody.ts';
import { Uncompilable } from './uncompilable.ts';

/** What `enqueue.assign` asked for. XState would build a function for it every time. */
export class QueuedAssignment {
  readonly assignment: unknown;

  constructor(assignment: unknown) {
    this.assignment = assignment;
  }
}

export type ActionQueue = { readonly queued: unknown[]; readonly enqueue: unknown };

/** A queue that can be emptied and used again, with the function that fills it. */
export function createQueue(): ActionQueue {
  const queued: unknown[] = [];
  const push = (action: unknown) => void queued.push(action);
  const built =
    (make: (...args: never[]) => unknown) =>
    (...args: unknown[]) =>
      push(Reflect.apply(make, undefined, args));
  const refused = (what: string) => () => {
    throw new Uncompilable(`enqueue.${what}`, 'enqueueActions');
  };
  const enqueue = Object.assign(push, {
    assign: (assignment: unknown) => push(new QueuedAssignment(assignment)),
    cancel: built(cancel),
    emit: built(emit),
    log: built(log),
    raise: built(raise),
    sendTo: built(sendTo),
    sendParent: (event: never, options: never) =>
      push(sendTo(EXTERNAL_RECIPIENT._parent, event, options)),
    spawnChild: refused('spawnChild'),
    stopChild: refused('stopChild'),
  });
  return { queued, enqueue };
}
