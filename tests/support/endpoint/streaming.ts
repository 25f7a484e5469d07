/**
 * Streams: the same answer as server-sent events in the styles of different servers, cut into pieces of any size.
 *
 * A seed draws the style: line breaks, keep-alives, words per piece, and the bytes at which the stream is cut, even
 * within a character.
 */
import type { Asked } from './asked.ts';
import { uniform } from './pick.ts';
import type { Sent, SentStream } from './sent.ts';

export type StreamShape = {
  readonly seed: string;
  /** Without it, usage is sent if the request asks for it. */
  readonly hasUsage?: boolean;
  readonly hasDone?: boolean;
  /** Maximum bytes of a piece; drawn if missing. */
  readonly mostBytes?: number;
  readonly ending?: 'end' | 'cut' | 'silence';
  /** Share of the bytes sent; all if missing. */
  readonly share?: number;
  readonly contentType?: string;
  /** Whether signs of life may be events without JSON. Default: yes. */
  readonly isOdd?: boolean;
};

/** Completions are streamed if the request asks for it. Failures are not. */
export function streamed(sent: Sent, asked: Asked, seed: number, isOdd = true): Sent {
  if (sent.type !== 'body' || sent.status !== 200) return sent;
  const body = parseObject(sent.text);
  if (body === null || !('choices' in body)) return sent;
  const options = asked.body['stream_options'];
  const hasUsage =
    typeof options === 'object' &&
    options !== null &&
    Reflect.get(options, 'include_usage') === true;
  const draw = `${seed} ${asked.text}`;
  // Single bytes are for tests that look at them: a game has many.
  const mostBytes = [32, 200, 1000][Math.floor(uniform(draw) * 3)] ?? 32;
  return streamOf(body, { seed: draw, hasUsage, mostBytes, isOdd });
}

export function streamOf(body: Fields, shape: StreamShape): SentStream {
  const { seed, mostBytes, ending = 'end', share = 1, contentType = 'text/event-stream' } = shape;
  const draw = drawer(seed);
  const text = Buffer.from(eventText(body, shape, draw));
  return {
    type: 'stream',
    pieces: cut(text.subarray(0, Math.ceil(text.length * share)), draw, mostBytes),
    headers: { 'content-type': contentType },
    ending,
  };
}

function parseObject(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

/** A number from 0 up to a limit; another one with each call. */
type Draw = (below: number) => number;

function drawer(seed: string): Draw {
  let turn = 0;
  return (below) => Math.floor(uniform(`${seed} ${turn++}`) * below);
}

function cut(bytes: Buffer, draw: Draw, mostBytes = [1, 7, 64, 1000][draw(4)] ?? 1): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + draw(mostBytes);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

function eventText(
  body: Fields,
  { hasUsage = true, hasDone = true, isOdd = true }: StreamShape,
  draw: Draw,
) {
  const end = ['\n', '\r\n', '\r'][draw(3)] ?? '\n';
  const space = draw(2) === 0 ? '' : ' ';
  const name = draw(3) === 0 ? 'event: message\n' : '';
  const written = chunksOf(body, draw).map(
    (chunk) => `${name}data:${space}${JSON.stringify(chunk)}`,
  );
  const usage =
    hasUsage && 'usage' in body
      ? [`data:${space}${JSON.stringify({ ...headOf(body), choices: [], usage: body['usage'] })}`]
      : [];
  const signs = isOdd ? [...SIGNS, ...ODD_SIGNS] : SIGNS;
  const done = hasDone ? [`data:${space}[DONE]`] : [];
  const events = [...written, ...usage, ...done].flatMap((event) =>
    draw(5) === 0 ? [signs[draw(signs.length)] ?? ':', event] : [event],
  );
  return events.map((event) => `${event.replaceAll('\n', end)}${end}${end}`).join('');
}

const SIGNS = [': OPENROUTER PROCESSING', ':', 'id: 7\nretry: 1000'];
/** The `openai` package does not read them. */
const ODD_SIGNS = ['data: ping', 'event: ping'];

function headOf(body: Fields): Fields {
  const { choices, usage, error, object, ...head } = body;
  return 'id' in head ? { ...head, object: 'chat.completion.chunk' } : head;
}

/** The chunks of a completion: a role, the words piece by piece, and why it ended. */
function chunksOf(body: Fields, draw: Draw): readonly Fields[] {
  const head = headOf(body);
  const choices: readonly Fields[] = Array.isArray(body['choices']) ? body['choices'] : [];
  if (choices.length === 0) return [{ ...head, choices: [] }];
  const none = draw(3) === 0 ? { usage: null } : {};
  return choices.flatMap((choice, place) => {
    const { message, index = place, finish_reason: reason = 'stop', text, ...rest } = choice;
    const { role, ...said }: Fields = Object(message);
    const roled = role === undefined ? [] : [{ index, delta: { role }, finish_reason: null }];
    const pieces = [
      ...roled,
      ...deltasOf(said, draw).map((delta) => ({ index, delta, finish_reason: null })),
      ...wordsOf(text, draw).map((word) => ({ index, text: word, finish_reason: null })),
      { index, delta: {}, finish_reason: reason, ...rest },
    ];
    return pieces.map((piece) => ({ ...head, ...none, choices: [piece] }));
  });
}

function deltasOf(said: Fields, draw: Draw): readonly Fields[] {
  return Object.entries(said).flatMap(([name, value]) => {
    if (name === 'tool_calls' && Array.isArray(value)) return value.flatMap(callDeltas(draw));
    if (name === 'function_call') return argumentsOf(value, draw).map((call) => ({ [name]: call }));
    if (typeof value === 'string') return wordsOf(value, draw).map((word) => ({ [name]: word }));
    if (Array.isArray(value)) return value.map((part: unknown) => ({ [name]: [part] }));
    return [{ [name]: value }];
  });
}

function callDeltas(draw: Draw): (call: Fields, index: number) => readonly Fields[] {
  return ({ function: called, ...head }, index) =>
    argumentsOf(called, draw).map((piece, turn) => ({
      tool_calls: [{ index, ...(turn === 0 ? head : {}), function: piece }],
    }));
}

function argumentsOf(called: unknown, draw: Draw): readonly Fields[] {
  const { arguments: given, ...rest }: Fields = Object(called);
  if (typeof given !== 'string') return [{ ...rest, arguments: given }];
  return [{ ...rest, arguments: '' }, ...wordsOf(given, draw).map((word) => ({ arguments: word }))];
}

/** Splits a text between characters, because JSON cannot carry half of a surrogate pair. */
function wordsOf(text: unknown, draw: Draw): readonly string[] {
  if (typeof text !== 'string') return [];
  const letters = [...text];
  const pieces: string[] = text === '' ? [''] : [];
  for (let at = 0; at < letters.length; ) {
    const size = 1 + draw(12);
    pieces.push(letters.slice(at, at + size).join(''));
    at += size;
  }
  return pieces;
}
