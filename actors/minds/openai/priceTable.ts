/** The built-in price table: dated list prices of common models. The operator's file overrides it. */
import type { MatchSeat } from '../../../machines/setup/match.ts';
import { readDay } from '../../ports/time.ts';
import { findPrice, type Prices } from './prices.ts';
import table from './priceTable.json' with { type: 'json' };

export function completePrices(own: Prices): Prices {
  return { ...table.prices, ...own };
}

const DAY_MS = 86_400_000;
const DAYS_PER_MONTH = 30;

/** A sentence that names the models priced by the table, and its age; null if there are none. */
export function describeTablePrices(
  seats: readonly Pick<MatchSeat, 'mind' | 'model'>[],
  own: Prices,
  now: number,
): string | null {
  const models = new Set(seats.flatMap(({ mind, model }) => (mind === 'openai' && model) || []));
  const listed = [...models].filter(
    (model) => findPrice(own, model) === null && findPrice(table.prices, model) !== null,
  );
  if (listed.length === 0) return null;
  const days = Math.max(0, Math.floor((now - readDay(table.date)) / DAY_MS));
  const months = Math.floor(days / DAYS_PER_MONTH);
  const age = months < 2 ? `${days} days` : `${months} months`;
  return `The price of ${listed.join(', ')} is the list price of ${table.date}, ${age} old; --prices sets another one.`;
}
