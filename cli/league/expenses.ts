/** Expenses: what a league has spent out of its budget, by what was asked here and what results and journals tell. */
import { readJournal } from '../../actors/engine/journal/reader.ts';
import type { Assignment, Terms } from '../../actors/league/assignment.ts';
import { Budget, type Expense } from '../../actors/minds/openai/budget.ts';
import { computeCost, findPrice, type Prices } from '../../actors/minds/openai/prices.ts';
import type { Counters } from '../../actors/stores/result.ts';
import type { Store } from '../../actors/stores/store.ts';
import { type PlayerCall, readCalls } from '../../analysis/accounts.ts';
import { listModels } from '../modelSeats.ts';
import { MICRO } from './tally.ts';

const SECONDS_PER_MINUTE = 60;

export class Expenses {
  readonly purse: Budget;
  readonly #store: Store;
  readonly #prices: Prices;
  /** Slots that are in the purse: because they were played here, or because their result was read. */
  readonly #counted = new Set<number>();

  constructor(store: Store, { calls, tokens, dollars, minutes }: Terms['budget'], prices: Prices) {
    this.#store = store;
    this.#prices = prices;
    const budget = {
      calls: calls ?? null,
      tokens: tokens ?? null,
      dollars: dollars ?? null,
      seconds: minutes === undefined ? null : minutes * SECONDS_PER_MINUTE,
    };
    this.purse = new Budget(budget, () => performance.now());
  }

  /**
   * Counts what others have spent by now, before a game begins or goes on here. What another machine spends at this
   * moment is known when its game is over.
   */
  async update({ league, slot: mine }: Assignment, past: string): Promise<void> {
    if (!this.#counted.has(mine)) this.#countCalls(past);
    this.#counted.add(mine);
    for (const slot of await this.#store.slots(league)) {
      if (this.#counted.has(slot)) continue;
      this.#counted.add(slot);
      for await (const { seats } of this.#store.results(league, slot, slot + 1)) {
        for (const { tally } of seats) this.purse.charge(expenseIn(tally));
      }
    }
  }

  /**
   * What an earlier attempt has spent, by the journal that it has left. What was under way when it was broken off is in
   * no journal: one more request of each model is reckoned with, so that no number of attempts wears a budget out.
   */
  #countCalls(past: string): void {
    const { lines } = readJournal(past);
    const models = listModels(lines);
    for (const { seat, usage } of readCalls(lines).concat(lastOfEach(readCalls(lines)))) {
      const [prompt, completion] = [usage.promptTokens ?? 0, usage.completionTokens ?? 0];
      const price = findPrice(this.#prices, models.get(seat) ?? '');
      const told = computeCost(price, { prompt, completion, cached: usage.cachedTokens ?? 0 });
      const dollars = usage.cost ?? told ?? 0;
      this.purse.charge({ calls: 1, promptTokens: prompt, completionTokens: completion, dollars });
    }
  }
}

/** The last request of each seat. */
function lastOfEach(calls: readonly PlayerCall[]): readonly PlayerCall[] {
  return [...new Map(calls.map((call) => [call.seat, call])).values()];
}

function expenseIn(tally: Counters): Expense {
  return {
    calls: tally['requests'] ?? 0,
    promptTokens: tally['prompt_tokens'] ?? 0,
    completionTokens: tally['completion_tokens'] ?? 0,
    dollars: (tally['microdollars'] ?? 0) / MICRO,
  };
}
