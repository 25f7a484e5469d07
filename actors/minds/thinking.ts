/** Tracks which minds are thinking while a match is played. */
import { mapSeats } from '../../machines/rules/seats.ts';
import type { GameStatus, RequestFailure, SeatWords, Thinker } from '../../machines/turnPrompt.ts';
import type { BySeat, Colour } from '../../machines/types.ts';
import type { Mind, SlowMind } from './port.ts';

export class ThinkingWatch {
  readonly #now: () => number;
  readonly #report: (status: GameStatus) => void;
  readonly #thinkers = new Set<Thinker>();
  readonly #failures = new Map<Colour, RequestFailure>();
  #writing: readonly SeatWords[] = [];

  /** `now` in milliseconds; `report` is called with every change. */
  constructor(now: () => number, report: (status: GameStatus) => void) {
    this.#now = now;
    this.#report = report;
  }

  /** The minds, watched while they think. Nobody waits for one that answers at once. */
  watchMinds(minds: BySeat<Mind>): BySeat<Mind> {
    return mapSeats(
      minds,
      (mind, seat): Mind => (mind.pace === 'in-time' ? this.#watch(seat, mind) : mind),
    );
  }

  reportFailure(seat: Colour, code: string): void {
    this.#failures.set(seat, { seat, code });
    this.#change();
  }

  reportWriting(writing: readonly SeatWords[]): void {
    this.#writing = writing;
    this.#change();
  }

  #watch(seat: Colour, mind: SlowMind): SlowMind {
    return {
      pace: 'in-time',
      answer: async (request, signal, keepTime) => {
        const thinker = { seat, requestKind: request.kind, since: this.#now() };
        this.#thinkers.add(thinker);
        this.#failures.delete(seat);
        this.#change();
        try {
          const answer = await mind.answer(request, signal, keepTime);
          if (answer.ok) this.#failures.delete(seat);
          else this.#failures.set(seat, { seat, code: answer.code });
          return answer;
        } finally {
          this.#thinkers.delete(thinker);
          this.#change();
        }
      },
    };
  }

  #change(): void {
    const [thinkers, failures] = [[...this.#thinkers], [...this.#failures.values()]];
    this.#report({ ms: this.#now(), thinkers, failures, writing: this.#writing });
  }
}
