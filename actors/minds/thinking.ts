/** Tracks which minds are thinking while a match is played. */
import { mapSeats } from '../../machines/rules/seats.ts';
import type { GameStatus, RequestFailure, SeatWords, Thinker } from '../../machines/turnPrompt.ts';
import type { BySeat, Colour } from '../../machines/types.ts';
import type { Mind, SlowMind } from './port.ts';

export type ThinkingWatch = ReturnType<typeof watchThinking>;

/** `now` in milliseconds; `report` is called with every change. */
export function watchThinking(now: () => number, report: (status: GameStatus) => void) {
  const thinking = new Set<Thinker>();
  const failed = new Map<Colour, RequestFailure>();
  let writing: readonly SeatWords[] = [];
  const change = () => {
    const [thinkers, failures] = [[...thinking], [...failed.values()]];
    report({ ms: now(), thinkers, failures, writing });
  };
  const watch = (seat: Colour, mind: SlowMind): SlowMind => ({
    pace: 'in-time',
    answer: async (request, signal, keepTime) => {
      const thinker = { seat, requestKind: request.kind, since: now() };
      thinking.add(thinker);
      failed.delete(seat);
      change();
      try {
        const answer = await mind.answer(request, signal, keepTime);
        if (answer.ok) failed.delete(seat);
        else failed.set(seat, { seat, code: answer.code });
        return answer;
      } finally {
        thinking.delete(thinker);
        change();
      }
    },
  });
  return {
    watchMinds: (minds: BySeat<Mind>): BySeat<Mind> =>
      mapSeats(minds, (mind, seat): Mind => (mind.pace === 'in-time' ? watch(seat, mind) : mind)),
    reportFailure(seat: Colour, code: string): void {
      failed.set(seat, { seat, code });
      change();
    },
    reportWriting(written: readonly SeatWords[]): void {
      writing = written;
      change();
    },
  };
}
