/** Prints the slowest tests of a run, so that whoever adds a slow test sees it. */
import type { Reporter, TestCase } from 'vitest/node';

const MOST = 20;

export class Slowest implements Reporter {
  readonly #tests: { readonly name: string; readonly ms: number }[] = [];

  onTestCaseResult(test: TestCase): void {
    const ms = test.diagnostic()?.duration ?? 0;
    this.#tests.push({ name: `${test.module.relativeModuleId} > ${test.fullName}`, ms });
  }

  onTestRunEnd(): void {
    if (this.#tests.length <= MOST) return;
    const slowest = this.#tests.toSorted((one, other) => other.ms - one.ms).slice(0, MOST);
    const lines = slowest.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
    console.log(`\nthe ${MOST} slowest tests:\n${lines.join('\n')}\n`);
  }
}
