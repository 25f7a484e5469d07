/** Attention: who is being waited for while a game is on, told to those who watch it live. */
import type { Mind, SlowMind } from '../../actors/minds/port.ts';
import { type BySeat, COLOURS, type Colour } from '../../machines/types.ts';
import {
  filterStatus,
  type RequestFailure,
  type StatusForLens,
  type Thinker,
  type WaitKind,
} from '../../visualizer/server/broadcast.ts';

export class Attention {
  readonly #now: () => number;
  readonly #tell: (news: StatusForLens) => void;
  readonly #thinkers = new Set<Thinker>();
  readonly #troubles = new Map<Colour, RequestFailure>();

  /** `now` in milliseconds; `tell` is called with every change. */
  constructor(now: () => number, tell: (news: StatusForLens) => void) {
    this.#now = now;
    this.#tell = tell;
  }

  /** The minds, watched while they think. Nobody waits for one that answers at once. */
  heeded(minds: BySeat<Mind>): BySeat<Mind> {
    const heeded: Partial<Record<Colour, Mind>> = {};
    for (const seat of COLOURS) {
      const mind = minds[seat];
      if (mind !== undefined)
        heeded[seat] = mind.pace === 'in-time' ? this.#heed(seat, mind) : mind;
    }
    return heeded;
  }

  /** A request has failed; whether it is made again is seen by itself. */
  failed(seat: Colour, code: string): void {
    this.#troubles.set(seat, { seat, code });
    this.#change();
  }

  #heed(seat: Colour, mind: SlowMind): SlowMind {
    return {
      pace: 'in-time',
      answer: async (request, signal) => {
        const thinker = this.#begun(seat, request.occasion);
        try {
          const answer = await mind.answer(request, signal);
          if (answer.ok) this.#troubles.delete(seat);
          else this.#troubles.set(seat, { seat, code: answer.code });
          return answer;
        } finally {
          this.#thinkers.delete(thinker);
          this.#change();
        }
      },
    };
  }

  #begun(seat: Colour, occasion: WaitKind): Thinker {
    const thinker = { seat, occasion, since: this.#now() };
    this.#thinkers.add(thinker);
    this.#troubles.delete(seat);
    this.#change();
    return thinker;
  }

  #change(): void {
    const [thinkers, troubles] = [[...this.#thinkers], [...this.#troubles.values()]];
    this.#tell((lens) => filterStatus(lens, { ms: this.#now(), thinkers, troubles }));
  }
}
