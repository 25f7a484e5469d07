/**
 * Components: the sets of states that can go round for ever (Tarjan, without recursion).
 *
 * A component is a maximal set of states each of which can be reached from each other one. Only those in which a loop
 * is possible are told: more than one state, or one that leads to itself.
 */

/** The components of the states in `inside`, by the moves between them. */
export function loopingComponents(
  inside: readonly number[],
  successors: (state: number) => readonly number[],
): readonly (readonly number[])[] {
  const search = new Tarjan(new Set(inside), successors);
  for (const state of inside) search.from(state);
  return search.found;
}

type Frame = { readonly state: number; readonly next: readonly number[]; at: number };

class Tarjan {
  readonly found: number[][] = [];
  readonly #inside: ReadonlySet<number>;
  readonly #successors: (state: number) => readonly number[];
  readonly #index = new Map<number, number>();
  readonly #low = new Map<number, number>();
  readonly #stack: number[] = [];
  readonly #onStack = new Set<number>();

  constructor(inside: ReadonlySet<number>, successors: (state: number) => readonly number[]) {
    this.#inside = inside;
    this.#successors = successors;
  }

  from(start: number): void {
    if (this.#index.has(start)) return;
    const frames: Frame[] = [this.#open(start)];
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const next = frame.next[frame.at++];
      if (next === undefined) {
        frames.pop();
        this.#close(frame.state, frames.at(-1)?.state);
      } else if (!this.#index.has(next)) frames.push(this.#open(next));
      else if (this.#onStack.has(next)) this.#lower(frame.state, this.#index.get(next) ?? 0);
    }
  }

  #open(state: number): Frame {
    const index = this.#index.size;
    this.#index.set(state, index);
    this.#low.set(state, index);
    this.#stack.push(state);
    this.#onStack.add(state);
    return { state, next: this.#successors(state).filter((to) => this.#inside.has(to)), at: 0 };
  }

  #close(state: number, parent: number | undefined): void {
    const low = this.#low.get(state) ?? 0;
    if (parent !== undefined) this.#lower(parent, low);
    if (low !== this.#index.get(state)) return;
    const component = this.#stack.splice(this.#stack.lastIndexOf(state));
    for (const member of component) this.#onStack.delete(member);
    if (component.length > 1 || this.#successors(state).includes(state)) this.found.push(component);
  }

  #lower(state: number, low: number): void {
    this.#low.set(state, Math.min(this.#low.get(state) ?? low, low));
  }
}
