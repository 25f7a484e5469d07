export class Trace {
  readonly #now: () => number;
  readonly #lines: string[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  note(who: string, what: string): void {
    this.#lines.push(`${(this.#now() / 1000).toFixed(3).padStart(9)}  ${who}  ${what}`);
  }

  get text(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }
}
