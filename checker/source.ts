/** Sources: where a model comes from, so that another thread can build it as well. */
import type { EventObject } from 'xstate';
import type { Model } from './model.ts';

/** A model by its module: a function of it that is called with the argument, which must be one that can be cloned. */
export type ModelSource = {
  /** The address of the module, such as `import.meta.url`. */
  readonly module: string;
  /** The name of the function. */
  readonly export: string;
  readonly argument?: unknown;
};

export async function loadModel<C, E extends EventObject>(
  source: ModelSource,
): Promise<Model<C, E>> {
  const found: Readonly<Record<string, unknown>> = await import(source.module);
  const build = found[source.export];
  if (typeof build !== 'function') {
    const names = Object.keys(found).join(', ');
    throw new Error(
      `expected a function ${source.export} in ${source.module}, which exports ${names}`,
    );
  }
  return Reflect.apply(build, undefined, [source.argument]); // what it builds is the caller's word
}
