/** A worker: a thread that builds the model itself and expands the portions of states that it is handed. */
import { parentPort, workerData } from 'node:worker_threads';
import type { EventObject } from 'xstate';
import { compiledStepper } from './compiled.ts';
import { xstateStepper } from './engine.ts';
import type { Promised } from './model.ts';
import type { Message, Orders, Portion } from './portion.ts';
import { Replica } from './replica.ts';
import { modelFrom } from './source.ts';
import { Watch, wantedOf } from './watch.ts';

async function replicaFor(orders: Orders): Promise<Replica<unknown, EventObject>> {
  const { source, engine, only, isSymmetric } = orders;
  const model = await modelFrom<unknown, EventObject>(source);
  const stepper = engine === 'compiled' ? compiledStepper : xstateStepper;
  const promises: readonly Promised<unknown, EventObject>[] = wantedOf(model, only);
  const watch = new Watch({ promises, isSymmetric });
  return new Replica(model, stepper(model.machine, model.input), watch, orders);
}

const replica = await replicaFor(workerData as Orders); // said by the search that started this thread
const tell = (message: Message) => parentPort?.postMessage(message);
parentPort?.on('message', (portion: Portion) => {
  tell({ type: 'found', findings: replica.expand(portion) });
});
tell({ type: 'ready' });
