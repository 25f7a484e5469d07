/**
 * Outages (ruling 54): all players of a model or endpoint, at least two, fail in one tick. Such faults do not count. The
 * second such tick in a row pauses the game, as do three failed first questions. An endpoint that is down does so at once.
 */
import type { Colour } from '../../../machines/types.ts';
import { reach } from '../../ports/reach.ts';
import type { MindRequest } from '../port.ts';
import { remember } from '../remember.ts';
import type { FailedReply } from './conversation.ts';
import type { AskedModel } from './deadlines.ts';
import type { FailureClass } from './failures.ts';

const MOST_TICKS = 2;
const FIRST_QUESTIONS = 3;
/** Failures of the endpoint. They do not show that a model cannot play. */
const PASSING: readonly FailureClass[] = ['upstream', 'timeout', 'aborted'];

type EndedQuestion = {
  readonly seat: Colour;
  readonly baseUrl: string;
  /** The model, and its endpoint. */
  readonly groups: readonly string[];
  readonly failure: FailedReply | null;
};

/** The questions of one tick or round. The last one that ends judges it. */
type QuestionMoment = PromiseWithResolvers<void> & { open: number; ended: EndedQuestion[] };

/** Questions whose faults cost a player nothing (rulings 26, 27 and 36). */
const FREE_KINDS: readonly MindRequest['kind'][] = ['reaction', 'consolidation', 'ghost'];

export class OutageWatch {
  readonly #onPause: (code: FailureClass, text: string) => void;
  readonly #moments = new Map<string, QuestionMoment>();
  /** By group, ticks in a row without a usable answer. By player, failed questions before the first usable answer. */
  readonly #failed = new Map<string, number>();
  readonly #heard = new Set<string>();
  readonly #known: ReadonlySet<string>;
  hasPaused = false;

  constructor(
    onPause: (code: FailureClass, text: string) => void,
    known: ReadonlySet<string> = new Set(),
  ) {
    this.#onPause = onPause;
    this.#known = known;
  }

  /** A player is asked. Call the returned function at the end: null for a usable answer, undefined for no verdict. */
  open(seat: Colour, { baseUrl, model }: AskedModel, { kind, index }: MindRequest) {
    const key = `${kind} ${index}`;
    const isFree = FREE_KINDS.includes(kind);
    const moment = remember(this.#moments, key, () => {
      return { ...Promise.withResolvers<void>(), open: 0, ended: [] };
    });
    moment.open += 1;
    const groups = [`${model} at ${baseUrl}`, `the models at ${baseUrl}`];
    if (this.#known.has(model)) for (const group of groups) this.#heard.add(group);
    return async (failure: FailedReply | null | undefined): Promise<boolean> => {
      if (failure !== undefined) moment.ended.push({ seat, baseUrl, groups, failure });
      moment.open -= 1;
      if (moment.open === 0) {
        this.#moments.delete(key);
        this.#judgeEndpoints(moment.ended);
        if (!isFree) this.#judge(moment.ended);
        moment.resolve();
      }
      if (failure == null || isFree) return false;
      await moment.promise;
      const isFirst = this.#count(seat) >= FIRST_QUESTIONS;
      return isFirst || groups.some((group) => this.#count(group) > 0);
    };
  }

  #count(key: string): number {
    return this.#failed.get(key) ?? 0;
  }

  #judgeEndpoints(ended: readonly EndedQuestion[]): void {
    for (const [endpoint, asked] of Map.groupBy(ended, ({ baseUrl }) => baseUrl)) {
      const faults = asked.flatMap(({ failure }) => failure ?? []);
      const isPlain = asked.length > 1 || faults[0]?.isOutage === true;
      const isDown = faults.length === asked.length && faults.every(isPassing) && isPlain;
      const down = faults.find(({ isUnreachable }) => isUnreachable) ?? (isDown && faults.at(-1));
      if (!down) continue;
      reach('endpoint-down');
      if (down.code === 'aborted') this.#onPause('timeout', endpoint);
      else this.#onPause(down.code, down.text);
    }
  }

  #judge(ended: readonly EndedQuestion[]): void {
    for (const group of new Set(ended.flatMap(({ groups }) => groups))) {
      const asked = ended.filter(({ groups }) => groups.includes(group));
      const failed = asked.filter(({ failure }) => failure !== null);
      if (failed.length < asked.length) this.#heard.add(group);
      const isOut = failed.length === asked.length && asked.length + this.#count(group) > 1;
      this.#failed.set(group, isOut ? this.#count(group) + 1 : 0);
      if (this.#count(group) >= MOST_TICKS)
        this.#pause(group, failed, `${MOST_TICKS} ticks in a row`);
    }
    for (const one of ended) {
      const { seat, groups, failure } = one;
      this.#failed.set(seat, failure === null ? -Infinity : this.#count(seat) + 1);
      if (this.#count(seat) === FIRST_QUESTIONS)
        this.#pause(groups[0] ?? '', [one], `the first ${FIRST_QUESTIONS} questions`);
    }
  }

  #pause(group: string, failed: readonly EndedQuestion[], when: string): void {
    const failures = failed.flatMap(({ failure }) => failure ?? []);
    const { code, text } = failures.at(-1) ?? {};
    const isUnusable = !this.#heard.has(group) && !failures.some(isPassing);
    const seats = failed.map(({ seat }) => seat).join(', ');
    const words = `${seats}: ${group} gave no usable answer in ${when}; ${code}: ${text}`;
    this.hasPaused = true;
    this.#onPause(isUnusable ? 'unusable' : 'outage', words);
  }
}

function isPassing({ code }: FailedReply): boolean {
  return PASSING.includes(code);
}
