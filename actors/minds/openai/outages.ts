/**
 * Outages (ruling 54): in one tick at least two living players of a model or endpoint are asked, and all of them fail,
 * whatever the failure. Such faults do not count. The second such tick in a row pauses the game, and so does a player
 * whose first three questions got no usable answer.
 */
import type { Colour } from '../../../machines/types.ts';
import type { MindRequest } from '../port.ts';
import type { FailedReply } from './conversation.ts';
import type { AskedModel } from './deadlines.ts';
import type { FailureClass } from './failures.ts';

const MOST_TICKS = 2;
const FIRST_QUESTIONS = 3;

/** Failures that are no sign of a model that cannot play. */
const PASSING: readonly FailureClass[] = ['upstream', 'timeout', 'aborted'];

/** The questions of one tick or round. The last one that ends judges it. */
type QuestionMoment = PromiseWithResolvers<void> & {
  open: number;
  readonly ended: EndedQuestion[];
};

type EndedQuestion = {
  readonly seat: Colour;
  /** The model, and its endpoint. */
  readonly groups: readonly string[];
  readonly failure: FailedReply | null;
};

export class OutageWatch {
  readonly #onPause: (code: FailureClass, text: string) => void;
  readonly #moments = new Map<string, QuestionMoment>();
  /** Ticks in a row without a usable answer, and whether there was one before, by group. */
  readonly #silent = new Map<string, number>();
  readonly #heard = new Set<string>();
  /** Failed questions of players who have not given a usable answer. */
  readonly #failed = new Map<Colour, number>();

  constructor(onPause: (code: FailureClass, text: string) => void) {
    this.#onPause = onPause;
  }

  /**
   * A living player is asked. Call the returned function at the end, with null for a usable answer, and undefined if
   * nothing follows from it. Once all questions of the moment are over, it returns whether the failure does not count.
   */
  open(seat: Colour, { baseUrl, model }: AskedModel, { kind, index }: MindRequest) {
    const key = `${kind} ${index}`;
    const fresh = () => ({ ...Promise.withResolvers<void>(), open: 0, ended: [] });
    const moment: QuestionMoment = this.#moments.get(key) ?? fresh();
    this.#moments.set(key, moment);
    moment.open += 1;
    const groups = [`${model} at ${baseUrl}`, `the models at ${baseUrl}`];
    return async (failure: FailedReply | null | undefined): Promise<boolean> => {
      if (failure !== undefined) moment.ended.push({ seat, groups, failure });
      moment.open -= 1;
      if (moment.open === 0) {
        this.#moments.delete(key);
        this.#judge(moment.ended);
        moment.resolve();
      }
      if (failure == null) return false;
      await moment.promise;
      const isFirst = (this.#failed.get(seat) ?? 0) >= FIRST_QUESTIONS;
      return isFirst || groups.some((group) => (this.#silent.get(group) ?? 0) > 0);
    };
  }

  #judge(ended: readonly EndedQuestion[]): void {
    for (const group of new Set(ended.flatMap(({ groups }) => groups))) {
      const asked = ended.filter(({ groups }) => groups.includes(group));
      const failed = asked.filter(({ failure }) => failure !== null);
      if (failed.length < asked.length) this.#heard.add(group);
      const before = this.#silent.get(group) ?? 0;
      const isOut = failed.length === asked.length && (before > 0 || asked.length > 1);
      this.#silent.set(group, isOut ? before + 1 : 0);
      if (isOut && before + 1 >= MOST_TICKS)
        this.#pause(group, failed, `${MOST_TICKS} ticks in a row`);
    }
    for (const one of ended) {
      const before = this.#failed.get(one.seat) ?? 0;
      const failed = one.failure === null ? Number.NEGATIVE_INFINITY : before + 1;
      this.#failed.set(one.seat, failed);
      if (failed === FIRST_QUESTIONS)
        this.#pause(one.groups[0] ?? '', [one], `the first ${FIRST_QUESTIONS} questions`);
    }
  }

  #pause(group: string, failed: readonly EndedQuestion[], when: string): void {
    const codes = failed.flatMap(({ failure }) => failure?.code ?? []);
    const isUnusable = !this.#heard.has(group) && !codes.some((code) => PASSING.includes(code));
    const seats = failed.map(({ seat }) => seat).join(', ');
    const why = `${codes.at(-1)}: ${failed.at(-1)?.failure?.text}`;
    const text = `${seats}: ${group} gave no usable answer in ${when}; ${why}`;
    this.#onPause(isUnusable ? 'unusable' : 'outage', text);
  }
}
