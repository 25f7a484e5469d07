/** Gives seats the colours of others, to test whether colours make a difference. */
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import { readField } from '../../machines/text.ts';
import { type BySeat, COLOURS, type Colour } from '../../machines/types.ts';

/** New names of colours. Colours that are missing stay the same. */
type ColourExchange = BySeat<Colour>;

/**
 * Exchanges the colours of a value everywhere: in field names, values and text. Lists of seats are
 * sorted again, because seat order is fixed.
 */
export function exchangeColours(value: unknown, exchange: ColourExchange): unknown {
  if (typeof value === 'string')
    return value.replace(COLOUR_WORDS, (word) => exchangeWord(word, exchange));
  if (Array.isArray(value))
    return inSeatOrder(value.map((item) => exchangeColours(item, exchange)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(
        ([name, part]) => [exchangeWord(name, exchange), exchangeColours(part, exchange)] as const,
      )
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

const COLOUR_WORDS = new RegExp(`\\b(${COLOURS.join('|')})\\b`, 'gi');

function exchangeWord(word: string, exchange: ColourExchange): string {
  const colour = COLOURS.find((known) => known === word.toLowerCase());
  const other = colour === undefined ? undefined : exchange[colour];
  if (other === undefined) return word;
  return word === colour ? other : other.charAt(0).toUpperCase() + other.slice(1);
}

const ORDER: readonly unknown[] = COLOURS;

/** Sorts items by their seat if each has one. */
function inSeatOrder(items: readonly unknown[]): readonly unknown[] {
  const ranks = items.map((item) => ORDER.indexOf(seatOf(item)));
  if (ranks.includes(-1)) return items;
  return [...items.keys()]
    .sort((one, other) => (ranks[one] ?? 0) - (ranks[other] ?? 0))
    .map((index) => items[index]);
}

function seatOf(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item;
  return Reflect.get(item, 'colour') ?? Reflect.get(item, 'seat') ?? Reflect.get(item, 'voter');
}

/** An exchange of all seats, to test whether they are alike. */
export function seatExchange({ seats }: MeetingSetup) {
  return {
    parts: seats.map(({ colour }) => colour),
    renamed: (value: unknown, to: Readonly<Record<string, string>>) =>
      exchangeColours(value, to as BySeat<Colour>), // parts are colours
    compared: withoutOrder,
  };
}

/** Sorts lists and omits texts, which list the living players in seat order, and the order of revealing. */
function withoutOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value
      .filter((item: unknown) => readField(item, 'type') !== 'ballot.revealed')
      .map((item: unknown) => JSON.stringify(withoutOrder(item)))
      .sort();
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'text')
      .map(([name, part]) => [name, withoutOrder(part)]),
  );
}
