/**
 * From journal to spans: the one encoder, for a match that is being played and for one that is over.
 *
 * It reads line after line and gives each span once, when it has ended: the match, its meetings, ticks, turns of ghosts,
 * rounds, and the requests to models in them. Everything is worked out of the lines. Ids are digests of hashes that stand in
 * the journal, so the same journal has the same ids, and a match that was killed and goes on stays in its trace: read what is
 * there again, and only what ends behind it is new.
 *
 * Times are those of `clock.ms`. Where the journal has none, as in simulated time, the clock is that of the game: a round
 * takes its 2.5 s, and a tick counts as a second. A journal says how long a request took and not when: a request begins
 * with its tick, and the next one of the same player where that has ended.
 */
import { hash } from 'node:crypto';
import { canonical } from '../../machines/journal/canonical.ts';
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import { meetingIn } from '../../machines/journal/opening.ts';
import { SECONDS_PER_ROUND } from '../../machines/rules/options.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import type { Colour } from '../../machines/types.ts';
import { type PlayerCall, readCalls } from '../minds/openai/calls.ts';
import { computeCost, findPrice, type Prices } from '../minds/openai/prices.ts';
import { DEFAULT_URL, findProviderName } from '../minds/openai/providers.ts';
import { listSeats } from '../minds/openai/seats.ts';
import { type OtlpSpan, SPAN_KIND, STATUS_ERROR, toAttributes, toNanoseconds } from './otlp.ts';

export type SpanOptions = {
  /** Milliseconds since 1970 at so many milliseconds of the match. */
  readonly timeAt: (ms: number) => number;
  /** What a request costs where the endpoint has not said. */
  readonly prices: Prices;
  /** Whether the answers of models are told, too. */
  readonly hasContent: boolean;
  /** The seats as they are asked, where they are others than in the header. */
  readonly seats?: readonly MatchSeat[];
};

const MS = 1000;
/** Milliseconds that pass in simulated time. */
const ROUND_MS = SECONDS_PER_ROUND * MS;
const TICK_MS = 1000;

type Attributes = Parameters<typeof toAttributes>[0];

type TraceIds = { readonly trace: string; readonly root: string };

/** A span that has not ended. */
type OpenSpan = {
  readonly id: string;
  readonly startMs: number;
  readonly attributes: Attributes;
  readonly usage: SpanUsage;
  /** It ends elsewhere, and is no span of ours. */
  readonly isLeft?: boolean;
};

/** What requests came to. */
class SpanUsage {
  #calls = 0n;
  #input = 0n;
  #output = 0n;
  #cost: number | null = null;

  add({ usage }: PlayerCall, cost: number | null): void {
    this.#calls += 1n;
    this.#input += BigInt(Math.round(usage.promptTokens ?? 0));
    this.#output += BigInt(Math.round(usage.completionTokens ?? 0));
    if (cost !== null) this.#cost = (this.#cost ?? 0) + cost;
  }

  /** Nothing where nobody was asked. */
  get attributes(): Attributes {
    if (this.#calls === 0n) return {};
    return {
      'glassbox.usage.calls': this.#calls,
      'glassbox.usage.input_tokens': this.#input,
      'glassbox.usage.output_tokens': this.#output,
      'glassbox.usage.cost': this.#cost,
    };
  }
}

/** What was asked in one tick, turn or round of one player: where its requests belong. */
type SpanPlace = { readonly parent: string; nextMs: number; readonly received: unknown };

/** A bid or an order. */
type SeatReply = {
  readonly seat: Colour;
  readonly received?: unknown;
  readonly fault?: string | undefined;
};

/** A request whose tick, turn or round is not over. */
type WaitingCall = { readonly call: PlayerCall; readonly id: string; readonly key: string };

/** Lines of the living at whose end a span can end; the first of them names the trace. */
const ENDING: readonly Line['type'][] = [
  'tick.closed',
  'round.closed',
  'meeting.closed',
  'game.closed',
];

/** What players are asked for on the ship. */
const ON_SHIP = 'action';

/** What would never be long, and is not let grow: requests that wait for the end of their tick. */
const MOST_WAITING = 10_000;

export class JournalSpans {
  readonly #options: SpanOptions;
  /** Lines before it is known which trace they belong to. */
  #unnamed: Line[] = [];
  #ids: TraceIds | null = null;
  #seats: ReadonlyMap<Colour, MatchSeat> = new Map();
  #match: OpenSpan | null = null;
  #isGame = false;
  #isOver = false;
  #meeting: OpenSpan | null = null;
  #meetings = 0n;
  /** The span of the meeting whose gallery it is; null where the match is that meeting. */
  #gallery: string | null = null;
  /** Milliseconds of the match at the last line, and where the last tick or round, and turn, ended. */
  #nowMs = 0;
  #tickMs = 0;
  #turnMs = 0;
  #isTimed = false;
  #places = new Map<string, SpanPlace>();
  #waiting: WaitingCall[] = [];

  constructor(options: SpanOptions) {
    this.#options = options;
  }

  /** The id of the trace; null before the first tick or round is over. */
  get traceId(): string | null {
    return this.#ids?.trace ?? null;
  }

  /** Spans that have begun and not ended: the match, and a meeting in it. */
  get openCount(): number {
    return [this.#match, this.#meeting].filter((span) => span !== null).length;
  }

  /** Milliseconds of the match at the last line. */
  get lengthMs(): number {
    return this.#nowMs;
  }

  /** Takes the next line; returns the spans that have ended with it. */
  read(line: Line): readonly OtlpSpan[] {
    if (this.#ids !== null) return this.#take(line, this.#ids);
    this.#unnamed.push(line);
    if (!ENDING.includes(line.type)) return [];
    const ids = nameTrace(this.#unnamed[0], line);
    this.#ids = ids;
    const lines = this.#unnamed;
    this.#unnamed = [];
    return lines.flatMap((one) => this.#take(one, ids));
  }

  /** Leaves what is open to whom it belongs to. What begins from now on stays in it. */
  leaveOpen(): void {
    if (this.#match !== null) this.#match = { ...this.#match, isLeft: true };
    if (this.#meeting !== null) this.#meeting = { ...this.#meeting, isLeft: true };
  }

  /** There are no more lines: gives the requests of which no line says in which tick they were made. */
  end(): readonly OtlpSpan[] {
    const ids = this.#ids;
    if (ids === null || !this.#isOver) return [];
    const left = this.#waiting;
    this.#waiting = [];
    const stray = { parent: ids.root, nextMs: this.#nowMs, received: undefined };
    return left.map((waiting) => this.#endCall(waiting, { ...stray }, ids));
  }

  #take(line: Line, ids: TraceIds): readonly OtlpSpan[] {
    this.#readClock(line);
    if (line.type === 'match.opened') this.#begin(line, ids);
    this.#takeCalls(line);
    return this.#close(line, ids);
  }

  #readClock({ clock, type }: Line): void {
    const ms = clock?.['ms'];
    if (typeof ms === 'number' && Number.isFinite(ms)) {
      this.#nowMs = Math.max(this.#nowMs, ms);
      this.#isTimed = true;
    } else if (!this.#isTimed) {
      if (type === 'round.closed') this.#nowMs += ROUND_MS;
      if (type === 'tick.closed') this.#nowMs += TICK_MS;
    }
  }

  #begin(line: LineOf<'match.opened'>, { root, trace }: TraceIds): void {
    const { match, seed } = line;
    const { seats = listSeats(line) } = this.#options;
    this.#seats = new Map(seats.map((seat) => [seat.colour, seat]));
    this.#isGame = meetingIn(line) === null;
    const workflow = this.#isGame ? 'game' : 'meeting';
    const attributes = {
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': workflow,
      'gen_ai.conversation.id': trace,
      'glassbox.match': match.name,
      'glassbox.seed': BigInt(seed),
      'glassbox.rules': match.options.rules,
      'glassbox.players': BigInt(match.seats.length),
      'glassbox.time': this.#isTimed ? 'measured' : 'logical',
    };
    this.#match = { id: root, startMs: this.#nowMs, attributes, usage: new SpanUsage() };
    this.#tickMs = this.#nowMs;
    this.#turnMs = this.#nowMs;
  }

  /** The requests that were noted with a line. */
  #takeCalls(line: Line): void {
    for (const [index, call] of readCalls([line]).entries()) {
      const id = spanId(line.hash, `call ${index}`);
      const cost = this.#costOf(call);
      this.#match?.usage.add(call, cost);
      // A request of a round may be noted when the meeting has been called that ended the round.
      if (call.requestKind !== ON_SHIP) this.#meeting?.usage.add(call, cost);
      const key = keyOf(call.requestKind, call.index ?? -1, call.seat);
      if (this.#waiting.length < MOST_WAITING) this.#waiting.push({ call, id, key });
    }
  }

  #close(line: Line, ids: TraceIds): readonly OtlpSpan[] {
    switch (line.type) {
      case 'round.closed':
        return this.#closeRound(line, ids);
      case 'meeting.called':
        this.#callMeeting(line);
        return [];
      case 'tick.closed':
        return this.#closeTick(line, ids);
      case 'turn.closed':
        return this.#closeTurn(line, ids);
      case 'meeting.closed':
        return this.#closeMeeting(line, ids);
      case 'game.closed': {
        const { winner, reason } = line;
        return this.#closeMatch(ids, {
          'glassbox.winner': winner,
          'glassbox.reason': reason,
          'glassbox.meetings': this.#meetings,
        });
      }
      default:
        return [];
    }
  }

  #closeRound(line: LineOf<'round.closed'>, ids: TraceIds): readonly OtlpSpan[] {
    const { round, orders, hash: digest } = line;
    return this.#closeAsked(ids, {
      name: 'round',
      id: spanId(digest, 'round'),
      parent: ids.root,
      startMs: this.#tickMs,
      requestKind: ON_SHIP,
      index: round,
      replies: orders,
      attributes: { 'glassbox.round': BigInt(round) },
    });
  }

  #closeTick(line: LineOf<'tick.closed'>, ids: TraceIds): readonly OtlpSpan[] {
    const { tick, requestKind, bids, floor, nudge, hash: digest } = line;
    return this.#closeAsked(ids, {
      name: `tick ${requestKind}`,
      id: spanId(digest, 'tick'),
      parent: this.#meeting?.id ?? ids.root,
      startMs: this.#tickMs,
      requestKind,
      index: tick,
      replies: bids,
      attributes: {
        'glassbox.tick': BigInt(tick),
        'glassbox.floor': floor,
        'glassbox.nudge': nudge,
      },
    });
  }

  #closeTurn(line: LineOf<'turn.closed'>, ids: TraceIds): readonly OtlpSpan[] {
    const { turn, requestKind, bids, hash: digest } = line;
    return this.#closeAsked(ids, {
      name: `turn ${requestKind}`,
      id: spanId(digest, 'turn'),
      // The gallery may be done after its meeting.
      parent: this.#gallery ?? ids.root,
      startMs: this.#turnMs,
      requestKind,
      // Whatever the table is at, ghosts are asked as ghosts.
      askedAs: 'ghost',
      index: turn,
      replies: bids,
      attributes: { 'glassbox.turn': BigInt(turn) },
    });
  }

  /** A tick, a turn or a round is over, and with it the requests that were made in it. */
  #closeAsked(
    ids: TraceIds,
    asked: {
      readonly name: string;
      readonly id: string;
      readonly parent: string;
      readonly startMs: number;
      readonly requestKind: string;
      /** The kind that its requests have, where that is another one. */
      readonly askedAs?: string;
      readonly index: number;
      readonly replies: readonly SeatReply[];
      readonly attributes: Attributes;
    },
  ): readonly OtlpSpan[] {
    const { name, id, parent, startMs, requestKind, index, replies, attributes } = asked;
    for (const { seat, received } of replies) {
      const key = keyOf(asked.askedAs ?? requestKind, index, seat);
      this.#places.set(key, { parent: id, nextMs: startMs, received });
    }
    const usage = new SpanUsage();
    const calls = this.#endCalls(ids, (call) => usage.add(call, this.#costOf(call)));
    if (name.startsWith('turn')) this.#turnMs = this.#nowMs;
    else this.#tickMs = this.#nowMs;
    const faults = replies.flatMap(({ seat, fault }) =>
      fault === undefined ? [] : [{ seat, fault }],
    );
    const span = this.#toSpan(ids, {
      name,
      id,
      parent,
      startMs,
      attributes: {
        'glassbox.request_kind': requestKind,
        ...attributes,
        'glassbox.asked': BigInt(replies.length),
        'glassbox.faults': BigInt(faults.length),
        ...usage.attributes,
      },
    });
    const events = faults.map(({ seat, fault }) => ({
      timeUnixNano: span.endTimeUnixNano,
      name: 'glassbox.fault',
      attributes: toAttributes({ 'glassbox.seat': seat, 'error.type': fault }),
    }));
    return [...calls, events.length === 0 ? span : { ...span, events }];
  }

  #callMeeting(line: LineOf<'meeting.called'>): void {
    const { by, kind, body, place, hash: digest } = line;
    // What was asked in an earlier meeting has the same names.
    this.#places = new Map();
    this.#meetings += 1n;
    this.#turnMs = this.#nowMs;
    const attributes = {
      'glassbox.meeting': this.#meetings,
      'glassbox.called_by': by,
      'glassbox.call': kind,
      'glassbox.body': body,
      'glassbox.place': place,
    };
    // A meeting on its own is the match.
    if (this.#isGame) {
      const id = spanId(digest, 'meeting');
      this.#meeting = { id, startMs: this.#nowMs, attributes, usage: new SpanUsage() };
      this.#gallery = id;
    } else if (this.#match !== null) {
      const { attributes: own } = this.#match;
      this.#match = { ...this.#match, attributes: { ...own, ...attributes } };
    }
  }

  #closeMeeting(line: LineOf<'meeting.closed'>, ids: TraceIds): readonly OtlpSpan[] {
    const { outcome, ejected } = line;
    const result = { 'glassbox.outcome': outcome, 'glassbox.ejected': ejected };
    if (!this.#isGame) return this.#closeMatch(ids, result);
    const meeting = this.#meeting;
    if (meeting === null) return [];
    const { id, startMs, attributes, usage, isLeft = false } = meeting;
    this.#meeting = null;
    this.#tickMs = this.#nowMs;
    if (isLeft) return [];
    const all = { ...attributes, ...result, ...usage.attributes };
    return [this.#toSpan(ids, { name: 'meeting', id, parent: ids.root, startMs, attributes: all })];
  }

  #closeMatch(ids: TraceIds, result: Attributes): readonly OtlpSpan[] {
    const [match, meeting] = [this.#match, this.#meeting];
    this.#match = null;
    this.#meeting = null;
    this.#isOver = true;
    const spans: OtlpSpan[] = [];
    // A game that is ended in a meeting ends that, too.
    if (meeting !== null && meeting.isLeft !== true) {
      const attributes = { ...meeting.attributes, ...meeting.usage.attributes };
      spans.push(this.#toSpan(ids, { ...meeting, name: 'meeting', parent: ids.root, attributes }));
    }
    if (match !== null && match.isLeft !== true) {
      const name = `invoke_workflow ${this.#isGame ? 'game' : 'meeting'}`;
      const attributes = { ...match.attributes, ...result, ...match.usage.attributes };
      spans.push(this.#toSpan(ids, { ...match, name, parent: null, attributes }));
    }
    return spans;
  }

  /** The requests whose tick, turn or round is known. */
  #endCalls(ids: TraceIds, onCall: (call: PlayerCall) => void): readonly OtlpSpan[] {
    const left: WaitingCall[] = [];
    const spans = this.#waiting.flatMap((waiting) => {
      const place = this.#places.get(waiting.key);
      if (place === undefined) {
        left.push(waiting);
        return [];
      }
      onCall(waiting.call);
      return [this.#endCall(waiting, place, ids)];
    });
    this.#waiting = left;
    return spans;
  }

  #endCall({ call, id }: WaitingCall, place: SpanPlace, ids: TraceIds): OtlpSpan {
    const { ms, failure } = call;
    const startMs = place.nextMs;
    place.nextMs = startMs + ms;
    const model = this.#seats.get(call.seat)?.model ?? '';
    const span = this.#toSpan(ids, {
      name: `chat ${model}`.trimEnd(),
      id,
      parent: place.parent,
      startMs,
      endMs: startMs + ms,
      kind: SPAN_KIND.client,
      attributes: this.#describeCall(call, place, ids),
    });
    return failure === null ? span : { ...span, status: { code: STATUS_ERROR, message: failure } };
  }

  #describeCall(call: PlayerCall, { received }: SpanPlace, { trace }: TraceIds): Attributes {
    const { id, seat, requestKind, index, mode, failure, usage, isRepaired } = call;
    const { model, base_url: baseUrl, persona } = this.#seats.get(seat) ?? {};
    // The header of a meeting does not say who thinks for the dead.
    const address = baseUrl ?? (model === undefined ? null : DEFAULT_URL);
    const count = (tokens: number | null) => (tokens === null ? null : BigInt(Math.round(tokens)));
    return {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': address === null ? '_OTHER' : nameProvider(address),
      'gen_ai.request.model': model,
      'gen_ai.output.type': mode === 'text' ? 'text' : 'json',
      'gen_ai.conversation.id': trace,
      'gen_ai.agent.name': seat,
      ...(address === null ? {} : describeServer(address)),
      'gen_ai.usage.input_tokens': count(usage.promptTokens),
      'gen_ai.usage.output_tokens': count(usage.completionTokens),
      'gen_ai.usage.cache_read.input_tokens': count(usage.cachedTokens),
      'gen_ai.usage.cost': this.#costOf(call),
      // The first word: what was unsupported is in the status.
      'error.type': failure?.split(' ')[0],
      'glassbox.call': id === null ? null : BigInt(id),
      'glassbox.persona': typeof persona === 'string' ? persona : persona?.name,
      'glassbox.request_kind': requestKind,
      'glassbox.index': index === null ? null : BigInt(index),
      'glassbox.mode': mode,
      'glassbox.repaired': isRepaired ? true : null,
      ...(this.#options.hasContent ? describeAnswer(call, received) : {}),
    };
  }

  #costOf({ seat, usage }: PlayerCall): number | null {
    const { promptTokens: prompt, completionTokens: completion, cachedTokens, cost } = usage;
    if (cost !== null || prompt === null || completion === null) return cost;
    const price = findPrice(this.#options.prices, this.#seats.get(seat)?.model ?? '');
    return computeCost(price, { prompt, cached: cachedTokens ?? 0, completion });
  }

  #toSpan(
    { trace }: TraceIds,
    span: {
      readonly name: string;
      readonly id: string;
      readonly parent: string | null;
      readonly startMs: number;
      readonly endMs?: number;
      readonly kind?: number;
      readonly attributes: Attributes;
    },
  ): OtlpSpan {
    const { name, id, parent, startMs, endMs = this.#nowMs } = span;
    const { kind = SPAN_KIND.internal, attributes } = span;
    const { timeAt } = this.#options;
    return {
      traceId: trace,
      spanId: id,
      ...(parent === null ? {} : { parentSpanId: parent }),
      name,
      kind,
      startTimeUnixNano: toNanoseconds(timeAt(startMs)),
      endTimeUnixNano: toNanoseconds(timeAt(endMs)),
      attributes: toAttributes(attributes),
    };
  }
}

const HEX_TRACE = 32;
const HEX_SPAN = 16;

function digest(...parts: readonly string[]): string {
  return hash('sha256', parts.join('\n'), 'hex');
}

/**
 * Names a trace by its first line and by the first one in which something was answered, with its clock: two matches of one
 * seed with models begin alike, and are two traces.
 */
function nameTrace(header: Line | undefined, first: Line): TraceIds {
  const clock = canonical(first.clock ?? null);
  const trace = digest('glassbox trace 1', header?.hash ?? '', first.hash, clock);
  return { trace: trace.slice(0, HEX_TRACE), root: spanId(trace, 'match') };
}

function spanId(lineHash: string, what: string): string {
  return digest('glassbox span 1', lineHash, what).slice(0, HEX_SPAN);
}

function keyOf(requestKind: string, index: number, seat: Colour): string {
  return `${requestKind} ${index} ${seat}`;
}

/** Names that the conventions have for endpoints with another short name here. */
const CONVENTIONAL: Readonly<Record<string, string>> = {
  gemini: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

/** The name of the conventions where they have one, else the short name of the endpoint, else its host. */
function nameProvider(baseUrl: string): string {
  const name = findProviderName(baseUrl);
  if (name === null) return parseAddress(baseUrl)?.hostname ?? '_OTHER';
  return Object.hasOwn(CONVENTIONAL, name) ? (CONVENTIONAL[name] ?? name) : name;
}

function describeServer(baseUrl: string): Attributes {
  const url = parseAddress(baseUrl);
  if (url === null) return {};
  const usual = url.protocol === 'https:' ? 443n : 80n;
  return {
    'server.address': url.hostname,
    'server.port': url.port === '' ? usual : BigInt(url.port),
  };
}

function parseAddress(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null;
}

/** The answer of a model, where the journal has one: its text, or the object that was read from it. */
function describeAnswer({ reply, failure }: PlayerCall, received: unknown): Attributes {
  const read = failure === null && received !== undefined ? canonical(received) : null;
  const content = reply ?? read;
  if (content === null) return {};
  return {
    'gen_ai.output.messages': [
      {
        role: 'assistant',
        parts: [{ type: 'text', content }],
        finish_reason: failure === null ? 'stop' : 'error',
      },
    ],
  };
}
