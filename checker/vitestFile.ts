/** Writes a run as a vitest test that replays it on plain XState. */
import type { EventObject } from 'xstate';
import type { TraceStep } from './steps.ts';
import { writeValue } from './writeValue.ts';

export type ReplayedRun = {
  readonly title: string;
  readonly steps: readonly TraceStep<EventObject>[];
};

/** `machine` is the name under which the module exports the machine. */
export function writeVitest(
  runs: readonly ReplayedRun[],
  {
    module,
    machine,
    input,
  }: { readonly module: string; readonly machine: string; readonly input?: unknown },
): string {
  const name = machine === 'default' ? 'machine' : machine;
  const imported = machine === 'default' ? name : `{ ${name} }`;
  const first = input === undefined ? name : `${name}, ${writeValue(input)}`;
  const tests = runs.map(({ title, steps: [start, ...steps] }) =>
    [
      `test(${JSON.stringify(title)}, () => {`,
      `  let [snapshot] = initialTransition(${first});`,
      `  expect(snapshot.value).toEqual(${writeValue(start?.value)});`,
      ...steps.flatMap(({ event, value, status }) => [
        `  [snapshot] = transition(${name}, snapshot, ${writeValue(event)} as never);`,
        `  expect([snapshot.status, snapshot.value]).toEqual(${writeValue([status, value])});`,
      ]),
      '});',
    ].join('\n'),
  );
  return [
    "import { expect, test } from 'vitest';",
    "import { initialTransition, transition } from 'xstate';",
    `import ${imported} from ${JSON.stringify(module)};`,
    '',
    tests.join('\n\n'),
    '',
  ].join('\n');
}
