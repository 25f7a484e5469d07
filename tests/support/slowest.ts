/**
 * Prints the slowest tests of a run, and how many wait for their turn: what `npm test` costs is seen by the person who
 * makes it cost more.
 */
import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase } from 'vitest/node';
import { listTurns, nameTurn, TURNS, WAITS } from './turnsList.ts';

const MOST = 20;

export class Slowest implements Reporter {
  readonly #tests: { readonly name: string; readonly ms: number }[] = [];
  #waiting = 0;

  onTestCaseResult(test: TestCase): void {
    const result = test.result();
    if (result.state === 'skipped' && result.note === WAITS) this.#waiting += 1;
    const ms = test.diagnostic()?.duration ?? 0;
    this.#tests.push({ name: nameTurn(test.module.relativeModuleId, test.fullName), ms });
  }

  onTestRunEnd(): void {
    if (process.env['TURNS'] === 'write') writeFileSync(TURNS, listTurns(this.#tests));
    if (this.#tests.length <= MOST) return;
    const slowest = this.#tests.toSorted((one, other) => other.ms - one.ms).slice(0, MOST);
    const lines = slowest.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
    console.log(`\nthe ${MOST} slowest tests:\n${lines.join('\n')}\n`);
    if (this.#waiting > 0) console.log(`${this.#waiting} long tests: ${WAITS}\n`);
  }
}
