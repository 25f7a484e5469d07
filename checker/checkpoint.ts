/**
 * Checkpoints: a search that was not finished, as bytes, so that another process goes on where it ended.
 *
 * Of a state no more is kept than how it was found: from which state, by the event at which place. A search that goes on
 * takes these steps again, one for each state, finds the states in the same order, and needs no other form of a context.
 * Steps that found nothing new are most of a search, and are not taken again: what they were is kept as numbers.
 *
 * The bytes: sixteen of a name, the order of bytes, the version, the length of the header; the header, which is JSON and
 * padded with blanks; lists of whole numbers, four bytes each; and a checksum of all before.
 */
import type { AnyStateMachine } from 'xstate';

/** What is said of a search beside its numbers: plain JSON. */
type Facts = Readonly<Record<string, unknown>>;

/** A search that was not finished. */
export type SearchImage = {
  readonly facts: Facts;
  readonly numbers: Readonly<Record<string, Int32Array>>;
};

/** What a checkpoint belongs to, field by field in words: the machine, what is asked, and whatever else decides. */
export type CheckpointBinding = Readonly<Record<string, string>>;

/** A checkpoint that can't be continued here: damaged, or of something else. */
export class CheckpointRefused extends Error {
  readonly code: `checkpoint/${'damaged' | 'other-version' | 'other-search'}`;

  constructor(code: CheckpointRefused['code'], text: string) {
    super(text);
    this.code = code;
  }
}

const NAME = 'glass-box-search';
/** Raised when anything in the bytes changes, and when a search begins to find states in another order. */
const VERSION = 1;
/** Reads as another number where bytes are in the other order. */
const BYTE_ORDER = 0x01020304;
const WORD = 4;
const HEAD = NAME.length + 3 * WORD;

type CheckpointHeader = {
  readonly binding: CheckpointBinding;
  readonly facts: Facts;
  readonly lengths: Readonly<Record<string, number>>;
};

/** The bytes of a checkpoint, piece by piece: the lists are not copied. */
export function* encodeCheckpoint(
  binding: CheckpointBinding,
  { facts, numbers }: SearchImage,
): Generator<Uint8Array> {
  const lists = Object.entries(numbers);
  const lengths = Object.fromEntries(lists.map(([name, { length }]) => [name, length]));
  const written = new TextEncoder().encode(JSON.stringify({ binding, facts, lengths }));
  const header = new Uint8Array(Math.ceil(written.length / WORD) * WORD).fill(BLANK);
  header.set(written);
  const head = new Uint8Array(HEAD);
  head.set(new TextEncoder().encode(NAME));
  head.set(toBytes(Int32Array.of(BYTE_ORDER, VERSION, header.length)), NAME.length);
  let sum = START;
  for (const piece of [head, header, ...lists.map(([, list]) => toBytes(list))]) {
    sum = addToChecksum(sum, piece);
    yield piece;
  }
  yield toBytes(Int32Array.of(sum));
}

/** The search in a checkpoint, if it is one of this search. Throws a `CheckpointRefused` where it is not. */
export function decodeCheckpoint(kept: Uint8Array, expected: CheckpointBinding): SearchImage {
  const bytes = toPlain(kept);
  const { header, from } = readHeader(bytes);
  refuseOther(header.binding, expected);
  let at = from;
  const numbers: Record<string, Int32Array> = {};
  for (const [name, length] of Object.entries(header.lengths)) {
    numbers[name] = toNumbers(bytes.slice(at, at + length * WORD));
    at += length * WORD;
  }
  return { facts: header.facts, numbers };
}

/** What a checkpoint says of itself, beside what it belongs to: which engine stepped the machine. */
export function readEngine(bytes: Uint8Array): string {
  return String(readHeader(toPlain(bytes)).header.facts['engine']);
}

/** Of a Buffer of Node.js, a slice would be no copy. */
function toPlain({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function readHeader(bytes: Uint8Array): {
  readonly header: CheckpointHeader;
  readonly from: number;
} {
  if (new TextDecoder().decode(bytes.slice(0, NAME.length)) !== NAME) {
    throw damaged('expected a search that was kept by a check, found something else');
  }
  const [order = 0, version = 0, length = 0] = toNumbers(bytes.slice(NAME.length, HEAD));
  if (bytes.length < HEAD || order !== BYTE_ORDER) throw damaged('its first bytes are not whole');
  if (version !== VERSION) {
    throw new CheckpointRefused(
      'checkpoint/other-version',
      `expected version ${VERSION} of a kept search, found version ${version}: it was kept by another version of this program`,
    );
  }
  const from = HEAD + length;
  const header = parseHeader(bytes.slice(HEAD, from));
  const size = Object.values(header?.lengths ?? {}).reduce((sum, one) => sum + one * WORD, from);
  if (header === null || bytes.length < size + WORD) throw damaged('its end is missing');
  if (bytes.length > size + WORD) throw damaged('there is more in it than was kept');
  const [sum] = toNumbers(bytes.slice(size));
  if (sum !== addToChecksum(START, bytes.subarray(0, size))) {
    throw damaged('its bytes are not those that were kept');
  }
  return { header, from };
}

function parseHeader(bytes: Uint8Array): CheckpointHeader | null {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

function damaged(why: string): CheckpointRefused {
  return new CheckpointRefused('checkpoint/damaged', why);
}

/** That the search goes on as it was: what was found before is found again. */
export function refuseElsewhere(what: string): never {
  throw new CheckpointRefused(
    'checkpoint/other-search',
    `${what} is not found again: the machine, its rules or its world have changed since the search was kept`,
  );
}

function refuseOther(found: CheckpointBinding, expected: CheckpointBinding): void {
  for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const [kept, wanted] = [found[name], expected[name]];
    if (kept === wanted) continue;
    throw new CheckpointRefused(
      'checkpoint/other-search',
      `expected a search with ${name} ${shorten(wanted)}, found one with ${shorten(kept)}`,
    );
  }
}

const MOST_LETTERS = 200;

function shorten(text = 'nothing'): string {
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text;
}

const BLANK = 0x20;

function toBytes({ buffer, byteOffset, byteLength }: Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The bytes are a copy of their own, so they stand where whole numbers may stand. */
function toNumbers(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / WORD));
}

/** CRC-32, by a table. */
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ ((sum & 1) === 0 ? 0 : 0xedb88320);
  return sum;
});
const START = -1;

function addToChecksum(sum: number, bytes: Uint8Array): number {
  let mixed = sum;
  for (const byte of bytes) mixed = (mixed >>> 8) ^ (TABLE[(mixed ^ byte) & 0xff] ?? 0);
  return mixed;
}

/**
 * A machine as it is written, in a few letters: what its chart says, and the text of every function in it. What these
 * functions call is not in it; that states are found in the same order is looked at as well when a search goes on.
 */
export function digestMachine({ id, config, implementations }: AnyStateMachine): string {
  return `${id} ${hashText(describeValue([config, implementations]))}`;
}

/** Any value as text. What contains itself is described once. */
export function describeValue(value: unknown, above = new Set<unknown>()): string {
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) {
    return JSON.stringify(value) ?? 'undefined';
  }
  if (above.has(value)) return '(above)';
  above.add(value);
  const text = typeof value === 'function' ? String(value) : '';
  const parts = Object.entries(value).map(
    ([name, part]) => `${name}:${describeValue(part, above)}`,
  );
  above.delete(value);
  return `${text}{${parts.join()}}`;
}

/** Two hashes of 32 bits side by side. */
function hashText(text: string): string {
  let [one, other] = [0x9dc5811c, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x85ebca6b);
    other = Math.imul(other ^ unit, 0x5f356495);
    one = (one << 13) | (one >>> 19);
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
