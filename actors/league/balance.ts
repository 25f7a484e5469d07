/** The balance of a schedule: what everybody has had so far, so that the next table evens it out. */
import type { Colour, Role } from '../../machines/types.ts';

/** Somebody at a table, by their number in the list of personas. */
export type Place = { readonly colour: Colour; readonly role: Role; readonly persona: number };
export type Table = readonly Place[];

export class Balance {
  readonly #games: number[];
  readonly #impostor: number[];
  readonly #colours: Map<Colour, number>[];
  /** How often two have met, and how often as partners in crime. */
  readonly #met: number[][];
  readonly #partners: number[][];

  constructor(personas: number) {
    const zeros = () => Array.from({ length: personas }, () => 0);
    this.#games = zeros();
    this.#impostor = zeros();
    this.#colours = zeros().map(() => new Map());
    this.#met = zeros().map(zeros);
    this.#partners = zeros().map(zeros);
  }

  games(persona: number): number {
    return this.#games[persona] ?? 0;
  }

  impostor(persona: number): number {
    return this.#impostor[persona] ?? 0;
  }

  /** Share of games as impostor, the next one counted. */
  share(persona: number): number {
    return this.impostor(persona) / (this.games(persona) + 1);
  }

  colour(persona: number, colour: Colour): number {
    return this.#colours[persona]?.get(colour) ?? 0;
  }

  met(persona: number, others: readonly number[]): number {
    return others.reduce((sum, other) => sum + (this.#met[persona]?.[other] ?? 0), 0);
  }

  partners(persona: number, others: readonly number[]): number {
    return others.reduce((sum, other) => sum + (this.#partners[persona]?.[other] ?? 0), 0);
  }

  /** Counts a table that is going to be played. */
  count(table: Table): void {
    for (const { persona, role, colour } of table) {
      this.#games[persona] = this.games(persona) + 1;
      if (role === 'impostor') this.#impostor[persona] = this.impostor(persona) + 1;
      this.#colours[persona]?.set(colour, this.colour(persona, colour) + 1);
    }
    for (const [index, one] of table.entries()) {
      for (const other of table.slice(index + 1)) {
        add(this.#met, one.persona, other.persona);
        const areImpostors = one.role === 'impostor' && other.role === 'impostor';
        if (areImpostors) add(this.#partners, one.persona, other.persona);
      }
    }
  }
}

function add(counts: readonly number[][], one: number, other: number): void {
  for (const [from, to] of one === other
    ? [[one, one]]
    : [
        [one, other],
        [other, one],
      ]) {
    const row = counts[from ?? 0];
    if (row !== undefined) row[to ?? 0] = (row[to ?? 0] ?? 0) + 1;
  }
}
