/** Who a machine is that runs nowhere: a self without a mailbox, under a parent that is nobody. */
import { createEmptyActor } from 'xstate';
import { SELF } from './step.ts';

const PARENT = createEmptyActor();

export function createExternalRecipient() {
  return Object.assign(createEmptyActor(), { _parent: PARENT });
}

/** Nobody in particular, for functions of a chart that want to know who they are. */
export const EXTERNAL_RECIPIENT = createExternalRecipient();

/** An actor by its name, since references are no values: children by their ids. */
export function nameRecipient(target: unknown, self: unknown): unknown {
  if (target === self) return SELF;
  if (target === PARENT) return '(parent)';
  if (typeof target !== 'object' || target === null) return target;
  const id: unknown = Reflect.get(target, 'id');
  return id === '' || id === undefined ? '(somebody)' : id;
}
