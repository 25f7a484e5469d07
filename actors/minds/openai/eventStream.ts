/** Streamed answers. One is whole if it states why it ended, or counts tokens after the last word. */
import { isRecord, parseJson, readField } from '../../../machines/text.ts';
import { isThoughtName } from '../../../prompts/marks.ts';
import { remember } from '../remember.ts';
import { joinParts, readThought } from './content.ts';

export type StreamOutcome =
  | { readonly type: 'whole'; readonly body: unknown }
  /** Truncated: the part received. */
  | { readonly type: 'broken'; readonly body: unknown }
  | { readonly type: 'none' };

type Fields = Record<string, unknown>;

export class StreamedAnswer {
  hasBegun = false;
  /** The end mark has come. Nothing relevant follows. */
  isDone = false;
  readonly #joiner = new CompletionJoiner();
  #line: string[] = [];
  #endedByReturn = false;
  #isFirst = true;
  /** The name of the event, and data lines that are no JSON by themselves. */
  #event = '';
  #pending: string[] = [];
  #isTorn = false;

  feed(piece: string): { readonly written: string; readonly thoughts: string } {
    const { written, thoughts } = this.#joiner;
    if (piece !== '') this.#read(piece);
    return {
      written: written.splice(0).join(''),
      thoughts: thoughts.splice(0).join(''),
    };
  }

  #read(piece: string): void {
    let text = piece;
    if (this.#isFirst && text.startsWith('\uFEFF')) text = text.slice(1);
    this.#isFirst = false;
    if (this.#endedByReturn && text.startsWith('\n')) text = text.slice(1);
    const lines = text.split(/\r\n|\r|\n/);
    this.#endedByReturn = text.endsWith('\r');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      this.#line.push(line);
      this.#takeLine(this.#line.join(''));
      this.#line = [];
    }
    if (rest !== '') this.#line.push(rest);
  }

  get length(): number {
    return this.#joiner.length;
  }

  /** The model has finished. Only the count of tokens and the end mark may follow. */
  get isFinished(): boolean {
    return this.#joiner.isFinished;
  }

  end(): StreamOutcome {
    this.#takeLine(this.#line.join(''));
    this.#line = [];
    this.#dispatch();
    if (!this.hasBegun) return { type: 'none' };
    const body = this.#joiner.body;
    if (this.#joiner.hasFailed) return { type: 'whole', body };
    const { endsInCount, hasChoice } = this.#joiner;
    const isOver = this.isFinished || endsInCount || (this.isDone && !hasChoice);
    return { type: isOver && !this.#isTorn ? 'whole' : 'broken', body };
  }

  #takeLine(line: string): void {
    if (line === '') {
      this.#dispatch();
      return;
    }
    const [, name = '', value = ''] = /^([a-z]+): ?([\s\S]*)$/.exec(line) ?? [];
    if (name === 'event') this.#event = value.trim();
    // Older llama.cpp servers name the field after its content.
    else if (name === 'error' && parseChunk(value) !== null) this.#takeData(value, 'error');
    else if (name === 'data') this.#takeData(value, this.#event);
  }

  #takeData(value: string, event: string): void {
    if (value.trim() === '[DONE]') {
      this.isDone = true;
      this.hasBegun = true;
      return;
    }
    // Some servers omit the empty line between events, so a complete line counts as an event.
    const chunk = this.#pending.length === 0 ? parseChunk(value) : null;
    if (chunk !== null) this.#add(chunk, event);
    else if (this.#pending.length > 0 || /^\s*[{[]/.test(value)) this.#pending.push(value);
    // Anything else is a keep-alive, or the text of a failure.
    else if (event === 'error') this.#add({ message: value }, event);
  }

  #dispatch(): void {
    const event = this.#event;
    this.#event = '';
    if (this.#pending.length === 0) return;
    const chunk = parseChunk(this.#pending.join('\n'));
    this.#pending = [];
    if (chunk === null) this.#isTorn = true;
    else this.#add(chunk, event);
  }

  #add(chunk: object, event: string): void {
    this.hasBegun = true;
    for (const one of Array.isArray(chunk) ? chunk : [chunk]) this.#joiner.add(one, event);
  }
}

function parseChunk(text: string): object | null {
  const value = parseJson(text);
  return typeof value === 'object' ? value : null;
}

const TEXT_FIELDS = [
  'content',
  'refusal',
  'arguments',
  'text',
  'output_text',
  'generated_text',
  'response',
];

const isTextField = (name: string) => TEXT_FIELDS.includes(name) || isThoughtName(name);

type JoinedChoice = {
  /** Fields of the choice itself: the finish reason, and the text of old completions. */
  readonly own: Fields;
  readonly delta: Fields;
  message: Fields | null;
};

class CompletionJoiner {
  readonly #root: Fields = {};
  readonly #choices = new Map<number, JoinedChoice>();
  /** The lowest index of a choice: only the first choice is read. */
  #first = Number.POSITIVE_INFINITY;
  readonly written: string[] = [];
  readonly thoughts: string[] = [];
  length = 0;
  /** The last piece was the count of tokens, without words. */
  endsInCount = false;

  add(chunk: unknown, event: string): void {
    const failure = findStreamError(chunk, event);
    if (failure !== null) this.#root['error'] ??= failure;
    const { choices, error, usage, ...rest } = Object(chunk);
    mergeFields(this.#root, rest);
    if (typeof usage === 'object' && usage !== null) this.#root['usage'] = usage;
    this.endsInCount = this.#choices.size > 0 && Boolean(usage) && choices?.length === 0;
    if (!Array.isArray(choices)) {
      this.#note(readField(rest, 'message'));
      return;
    }
    for (const [place, choice] of choices.entries()) this.#addChoice(choice, place);
  }

  get hasFailed(): boolean {
    return 'error' in this.#root;
  }

  get hasChoice(): boolean {
    return this.#choices.size > 0 || 'message' in this.#root;
  }

  get isFinished(): boolean {
    const own = this.#choices.get(this.#first)?.own ?? this.#root;
    const reason = own['finish_reason'] ?? own['stop_reason'];
    return (typeof reason === 'string' && reason !== '') || own['done'] === true;
  }

  get body(): unknown {
    if (this.#choices.size === 0 && 'message' in this.#root) return this.#root;
    const inOrder = [...this.#choices].toSorted(([one], [other]) => one - other);
    const choices = inOrder.map(([, { own, delta, message }]) => ({
      ...own,
      ...(hasWords(delta) || message === null ? { message: delta } : { message }),
    }));
    return { ...this.#root, choices };
  }

  #addChoice(choice: unknown, place: number): void {
    const { delta, message, ...own } = Object(choice);
    const index = typeof own.index === 'number' ? own.index : place;
    const known = remember(this.#choices, index, () => ({ own: {}, delta: {}, message: null }));
    mergeFields(known.own, own);
    mergeFields(known.delta, delta);
    if (delta === undefined || delta === null)
      known.message = followMessage(known.message, message);
    this.#first = Math.min(this.#first, index);
    if (index !== this.#first) return;
    this.#note(delta);
    this.#keep(own.text);
  }

  #note(delta: unknown): void {
    const thought = readThought(delta);
    this.thoughts.push(thought);
    this.#count(thought);
    this.#keep(readField(delta, 'content'));
    this.#count(readField(delta, 'refusal'));
    const calls = readField(delta, 'tool_calls');
    const list: readonly unknown[] = Array.isArray(calls) ? calls : [];
    const call =
      list.find((one) => [undefined, 0].some((index) => index === readField(one, 'index'))) ??
      readField(delta, 'function_call');
    this.#keep(readField(readField(call, 'function') ?? call, 'arguments'));
  }

  #keep(said: unknown): void {
    const text = joinParts(said);
    this.written.push(text);
    this.#count(text);
  }

  #count(text: unknown): void {
    if (typeof text === 'string') this.length += text.length;
  }
}

function findStreamError(chunk: unknown, event: string): unknown {
  const error = readField(chunk, 'error');
  if (error !== undefined && error !== null && error !== false && error !== '') return error;
  const isError = event === 'error' || readField(chunk, 'object') === 'error';
  return isError ? chunk : null;
}

function hasWords(message: Fields): boolean {
  return Object.entries(message).some(
    ([name, value]) =>
      (isTextField(name) || name.endsWith('_calls') || name === 'function_call') &&
      value !== null &&
      value !== '',
  );
}

/** A whole message in place of a piece is either the next piece or everything so far. */
function followMessage(known: Fields | null, next: unknown): Fields | null {
  if (typeof next !== 'object' || next === null) return known;
  const [before, after] = [known?.['content'], readField(next, 'content')];
  const isAll = typeof before === 'string' && typeof after === 'string' && after.startsWith(before);
  const joined = isAll || known === null ? {} : known;
  mergeFields(joined, next);
  return joined;
}

/** Nested objects are joined piece by piece down to this depth. Deeper ones are taken as they come. */
const DEEPEST = 8;
const MOST_CALLS = 128;

function mergeFields(draft: Fields, piece: unknown, depth = 0): void {
  if (typeof piece !== 'object' || piece === null) return;
  for (const [name, value] of Object.entries(piece)) {
    // Assigning it would set the prototype.
    if (name === '__proto__') continue;
    draft[name] = mergeField(name, draft[name], value, depth);
  }
}

function mergeField(name: string, before: unknown, value: unknown, depth: number): unknown {
  if (value === null) return before ?? value;
  if (Array.isArray(value)) {
    if (name === 'tool_calls') return mergeCalls(Array.isArray(before) ? before : [], value);
    return addParts(before, value);
  }
  if (typeof value === 'object') {
    if (depth >= DEEPEST) return value;
    const merged: Fields = isRecord(before) ? before : {};
    mergeFields(merged, value, depth + 1);
    return merged;
  }
  if (typeof value !== 'string' || !isTextField(name))
    return value === '' ? (before ?? value) : value;
  if (typeof before === 'string') return before + value;
  return Array.isArray(before) ? addParts(before, [{ type: 'text', text: value }]) : value;
}

/** Appends parts. An existing list is changed, because there may be many pieces. */
function addParts(before: unknown, parts: readonly unknown[]): readonly unknown[] {
  const text = typeof before === 'string' && before !== '' ? [{ type: 'text', text: before }] : [];
  const draft: unknown[] = Array.isArray(before) ? before : text;
  for (const part of parts) draft.push(part);
  return draft;
}

/** Calls are told apart by index, or by a new id or name: some servers use one index for all, or none. */
function mergeCalls(known: readonly unknown[], pieces: readonly unknown[]): readonly unknown[] {
  const calls = [...known];
  for (const piece of pieces.slice(0, MOST_CALLS)) {
    const index = readField(piece, 'index');
    const id = readField(piece, 'id');
    const same =
      typeof index === 'number'
        ? calls.findLast((call) => readField(call, 'index') === index)
        : calls.at(-1);
    const isOther =
      !isRecord(same) ||
      (typeof id === 'string' && id !== '' && same['id'] !== id) ||
      (typeof index !== 'number' && hasName(piece) && same['id'] !== id);
    const call: Fields = isOther ? {} : same;
    mergeFields(call, piece);
    if (call !== same && calls.length < MOST_CALLS) calls.push(call);
  }
  return calls;
}

function hasName(piece: unknown): boolean {
  const name = readField(readField(piece, 'function'), 'name');
  return typeof name === 'string' && name !== '';
}
