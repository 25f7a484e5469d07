import { expect } from 'vitest';
import { SEED } from './seeds.ts';
import { shrinkList } from './shrink.ts';

/** Fails with as few of the operations as still show a difference, if there is one. */
export async function expectNoDifference<T>(
  where: string,
  operations: readonly T[],
  find: (some: readonly T[]) => Promise<string | null>,
): Promise<void> {
  if ((await find(operations)) === null) return;
  const fewer = await shrinkList(operations, async (some) => (await find(some)) !== null);
  const list = fewer.map((operation) => JSON.stringify(operation)).join('\n');
  const last = await find(fewer);
  expect.fail(`FC_SEED=${SEED}, ${where}, made as short as can be:\n${list}\n${last}`);
}
