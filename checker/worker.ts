/** A worker: a thread that builds the model itself and expands the chunks of states that it is handed. */
import { parentPort, workerData } from 'node:worker_threads';
import type { EventObject } from 'xstate';
import { compileStepper } from './compiled.ts';
import { createXstateStepper } from './engine.ts';
import type { Property } from './model.ts';
import type { StateChunk, WorkerMessage, WorkerSetup } from './portion.ts';
import { WorkerState } from './replica.ts';
import { loadModel } from './source.ts';
import { PropertyMonitors, selectProperties } from './watch.ts';

async function createState(setup: WorkerSetup): Promise<WorkerState<unknown, EventObject>> {
  const { source, engine, only, isSymmetric } = setup;
  const model = await loadModel<unknown, EventObject>(source);
  const stepper = engine === 'compiled' ? compileStepper : createXstateStepper;
  const properties: readonly Property<unknown, EventObject>[] = selectProperties(model, only);
  const monitors = new PropertyMonitors({ properties, isSymmetric });
  return new WorkerState(model, stepper(model.machine, model.input), monitors, setup);
}

const state = await createState(workerData as WorkerSetup); // said by the search that started this thread
const post = (message: WorkerMessage) => parentPort?.postMessage(message);
parentPort?.on('message', (chunk: StateChunk) => {
  post({ type: 'found', findings: state.expand(chunk) });
});
post({ type: 'ready' });
