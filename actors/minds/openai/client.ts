/**
 * Language models behind endpoints, as minds.
 *
 * All games of the process share learned capabilities and request limits. The budget and the call listeners belong to
 * one game.
 */
import { LATE } from '../../../machines/rules/tick.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';
import { joinBlocks } from '../../../prompts/block.ts';
import { readOrder } from '../../../prompts/order.ts';
import { PartialReader, type PartialWords } from '../../../prompts/partialReply.ts';
import type { Identity } from '../../../prompts/personas.ts';
import { buildPrompt, type PromptRequest } from '../../../prompts/prompt.ts';
import { readReply } from '../../../prompts/reply.ts';
import type { TimePort } from '../../ports/ports.ts';
import { reach } from '../../ports/reach.ts';
import type { AnswerTimes } from '../kinds.ts';
import { type MindRequest, type SlowMind, TIME_UP } from '../port.ts';
import type { Budget, TokenEstimate } from './budget.ts';
import { CapabilityCache, presumeCapabilities } from './capabilities.ts';
import type { TokenUsage } from './content.ts';
import {
  Conversation,
  type ModelCall,
  type ModelReply,
  type Patience,
  wasAccepted,
} from './conversation.ts';
import { type AskedModel, type GameDeadlines, ModelStart, type SeatDeadline } from './deadlines.ts';
import { type FailureClass, PAUSING_FAILURES } from './failures.ts';
import {
  nestGates,
  type RequestGate,
  RequestLimiter,
  type RequestLimits,
  type RequestRank,
} from './limiter.ts';
import type { ModelMemory } from './memory.ts';
import { EndpointPace, GateWidth, ModelRest } from './pace.ts';
import { findPrice, type Prices } from './prices.ts';
import type { Question, RequestParams } from './request.ts';
import { type Endpoint, openTransport, type Transport } from './transport.ts';

export type ModelSeat = {
  readonly colour: Colour;
  readonly endpoint: Endpoint;
  readonly temperature: number | null;
  readonly seed: number | null;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly identity: Identity;
  /** Milliseconds for an answer, if the match sets them. */
  readonly times?: AnswerTimes;
};

type ModelClientsOptions = {
  readonly time: TimePort;
  /** The transport to an endpoint. Default: the network. */
  readonly open?: (endpoint: Endpoint) => Transport;
  readonly limits: RequestLimits;
  /** The gate for requests to a model. Default: one gate for this process. */
  readonly gateTo?: (endpoint: Endpoint) => RequestGate;
  readonly patience: Patience;
  readonly prices: Prices;
  /** Capabilities learned by earlier processes. Without it, everything is discovered anew and nothing is kept. */
  readonly memory?: Pick<ModelMemory, 'recall' | 'keeperFor'> | null;
};

export type SentRequest = {
  readonly seat: Colour;
  readonly requestKind: MindRequest['kind'] | 'belief' | 'reflection';
  readonly index: number;
  readonly mode: ModelCall['mode'];
  readonly estimate: TokenEstimate;
};

export type SeatCall = ModelCall & {
  readonly id: number;
  readonly seat: Colour;
  readonly requestKind: SentRequest['requestKind'];
  readonly index: number;
  /** Estimated tokens; present only if the endpoint has not counted them. */
  readonly estimate?: TokenEstimate;
};

type GameAccount = {
  readonly budget: Budget;
  /** Called before each request; returns its number. */
  readonly onSend: (request: SentRequest) => number;
  /** Called after each request. `received` is the answer to the question, or null. */
  readonly onCall: (call: SeatCall, asked: MindRequest, received: object | null) => void;
  /** Called for a failure that no further request can repair. The game pauses and can be resumed. */
  readonly onPause: (code: FailureClass, text: string) => void;
  readonly health: EndpointHealth;
  readonly deadlines: GameDeadlines;
  readonly lineUp: LineUp;
  /** Whether to ask for streams. Default: no. */
  readonly streams?: () => boolean;
  /** Called with the text that a model has written so far; null discards it. Left out where nobody watches live. */
  readonly onWriting?: (asked: WriterRequest, words: PartialWords | null) => void;
};

export type WriterRequest = { readonly seat: Colour; readonly kind: MindRequest['kind'] };

const OUTAGES: readonly FailureClass[] = ['upstream', 'timeout'];

type PendingRequest = {
  readonly request: MindRequest;
  readonly signal: AbortSignal;
  readonly deadline: SeatDeadline;
};

type FailedReply = Extract<ModelReply, { ok: false }>;

/** Whether the endpoint is at fault: it failed by itself, or did not answer before the deadline. */
function isEndpointFailure({ code }: FailedReply, { aborted, reason }: AbortSignal): boolean {
  return aborted ? reason === TIME_UP : OUTAGES.includes(code);
}

function describeOutage(
  { code, text }: FailedReply,
  baseUrl: string,
): readonly [FailureClass, string] {
  return code === 'aborted' ? ['timeout', baseUrl] : [code, text];
}

export type ModelClient = {
  readonly transport: Transport;
  readonly capabilities: CapabilityCache;
  readonly gate: RequestGate;
  readonly width: GateWidth;
  readonly rest: ModelRest;
  readonly asked: AskedModel;
};

export class ModelClients {
  readonly #options: ModelClientsOptions;
  readonly #clients = new Map<string, ModelClient>();
  /** By endpoint: models of one server share its pace. */
  readonly #paces = new Map<string, EndpointPace>();

  constructor(options: ModelClientsOptions) {
    this.#options = options;
  }

  createMind(seat: ModelSeat, account: GameAccount): SlowMind {
    const client = this.clientFor(seat.endpoint);
    return {
      pace: 'in-time',
      answer: async (request, given, keepTime) => {
        const { health, onPause, deadlines, lineUp } = account;
        const { baseUrl, model } = seat.endpoint;
        keepTime();
        health.noteAsked(baseUrl, request);
        const deadline = deadlines.open(client.asked, request, deadlineMs(seat, request));
        const signal = AbortSignal.any([given, deadline.signal]);
        await lineUp.join(seat.colour, request.index);
        const ask = () => this.#askOnce(client, seat, account, { request, signal, deadline });
        const reply = await client.capabilities.call(ask, wasAccepted, signal);
        deadline.close(wasAccepted(reply));
        const isLate = deadline.signal.aborted && !given.aborted;
        if (!reply.ok && isEndpointFailure(reply, given)) {
          const isOutage = health.noteFailed(baseUrl, request, reply.isOutage === true);
          if (isOutage) {
            reach('endpoint-down');
            onPause(...describeOutage(reply, baseUrl));
          }
        } else health.noteReached(baseUrl, model, request);
        if (isLate) return { ok: false, code: LATE, text: deadline.text };
        if (reply.ok) return { ok: true, received: reply.received };
        if (PAUSING_FAILURES.includes(reply.code)) onPause(reply.code, reply.text);
        return { ok: false, code: `endpoint/${reply.code}`, text: reply.text };
      },
    };
  }

  /** Asks, unless an earlier request of this moment has found the model down. */
  async #askOnce(
    client: ModelClient,
    seat: ModelSeat,
    account: GameAccount,
    asked: PendingRequest,
  ): Promise<ModelReply> {
    const { baseUrl, model } = seat.endpoint;
    const known = account.health.knownFailure(baseUrl, model, asked.request);
    if (known !== null) return known;
    const reply = await this.#ask(client, seat, account, asked);
    if (!reply.ok && OUTAGES.includes(reply.code))
      account.health.noteDown(baseUrl, model, asked.request, reply);
    return reply;
  }

  #ask(
    { transport, capabilities, gate, width, rest }: ModelClient,
    seat: ModelSeat,
    account: GameAccount,
    { request, signal, deadline }: PendingRequest,
  ): Promise<ModelReply> {
    const { time, patience, prices } = this.#options;
    const { kind, index } = request;
    const question = buildQuestion(request, seat.identity);
    const prompt = estimateTokens(question);
    /** The request in flight: a conversation sends one at a time. */
    let sent = { id: 0, estimate: { prompt, completion: question.maxTokens } };
    const price = findPrice(prices, seat.endpoint.model);
    const conversation = new Conversation(question, buildParams(seat, account), capabilities, {
      patience,
      fits: (value) => isAnswerTo(value, request, question),
      ports: {
        transport,
        now: () => time.date(),
        sleep: (ms, aborted) => time.sleep(ms, aborted),
        turn: (work) => gate.run(rankOf(kind), signal, work),
        rest,
        watch: (lose) => {
          const sentAt = time.now();
          width.noteSent(sentAt);
          const end = deadline.send(lose);
          return (isAnswered) => {
            end(isAnswered);
            if (isAnswered) rest.noteAnswered();
            width.noteEnded(time.now(), time.now() - sentAt, isAnswered);
          };
        },
        ...listenToWriter(question, deadline, (words) =>
          account.onWriting?.({ seat: seat.colour, kind }, words),
        ),
        mayLoad: (says) => deadline.mayLoad(says),
        refuse: ({ mode, maxTokens }) => {
          const estimate = { prompt, completion: maxTokens };
          const refusal = account.budget.reserve(estimate, price);
          if (refusal !== null) return refusal;
          const id = account.onSend({
            seat: seat.colour,
            requestKind: kind,
            index,
            mode,
            estimate,
          });
          sent = { id, estimate };
          return null;
        },
        onCall: ({ written, ...call }, received) => {
          const { id, estimate } = sent;
          account.budget.note(assumeWritten(call.usage, written), estimate, price);
          const guess = guessUncounted(call, estimate, written);
          const noted = { ...call, ...guess, id, seat: seat.colour, requestKind: kind, index };
          account.onCall(noted, request, received);
        },
      },
    });
    return conversation.run(signal);
  }

  /** The client of an endpoint. Reflections after a game use it too. */
  clientFor(endpoint: Endpoint): ModelClient {
    const key = JSON.stringify([endpoint.baseUrl, endpoint.model, endpoint.apiKey]);
    const known = this.#clients.get(key);
    if (known !== undefined) return known;
    const { time, open = overNetwork(time), limits, gateTo, memory = null } = this.#options;
    const { baseUrl, model } = endpoint;
    const pace = this.#paces.get(baseUrl) ?? new EndpointPace();
    this.#paces.set(baseUrl, pace);
    const width = new GateWidth(limits.concurrency);
    const now = () => time.now();
    const sleep = (ms: number, signal: AbortSignal) => time.sleep(ms, signal);
    // A shared gate does not know the pace, so the width is decided before it.
    const shared = gateTo?.(endpoint) ?? null;
    const own = shared === null ? limits : { ...limits, perMinute: null };
    const narrow = new RequestLimiter(own, now, sleep, () => width.width);
    const rest = new ModelRest(now, sleep);
    const remembered = memory?.recall(endpoint) ?? null;
    const client = {
      transport: open(endpoint),
      capabilities: new CapabilityCache(
        remembered?.capabilities ?? null,
        presumeCapabilities(baseUrl),
        memory?.keeperFor(endpoint, remembered) ?? null,
      ),
      gate: nestGates(shared === null ? narrow : nestGates(narrow, shared), rest),
      width,
      rest,
      asked: { baseUrl, model, pace, start: new ModelStart() },
    };
    this.#clients.set(key, client);
    return client;
  }
}

function overNetwork(time: TimePort): (endpoint: Endpoint) => Transport {
  return (endpoint) => openTransport(endpoint, () => time.date());
}

function rankOf(kind: MindRequest['kind']): RequestRank {
  return kind === 'ghost' ? 'ghost' : 'living';
}

function deadlineMs({ times }: ModelSeat, { kind }: MindRequest): number {
  return (kind === 'action' ? times?.ship : times?.table) ?? DEADLINE_MS;
}

/** For a match that sets no deadline. */
const DEADLINE_MS = 60_000;

/**
 * The sending order of the seats of one moment. It rotates by tick, so that a slow server doesn't always keep
 * the same players waiting.
 */
export class LineUp {
  #waiting: { readonly seat: number; readonly go: () => void }[] = [];

  /** Resolves when it is this seat's turn, after all seats that are asked at the same time have joined. */
  join(colour: Colour, index: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ seat: COLOURS.indexOf(colour), go: resolve });
    if (this.#waiting.length === 1) queueMicrotask(() => this.#release(index));
    return promise;
  }

  #release(index: number): void {
    const waiting = this.#waiting.toSorted((one, other) => one.seat - other.seat);
    this.#waiting = [];
    const first = index % waiting.length;
    for (const { go } of [...waiting.slice(first), ...waiting.slice(0, first)]) go();
  }
}

/** Turns a prompt into a question. The shared part comes first, so a provider can cache it. */
export function buildQuestion(request: PromptRequest, identity: Identity): Question {
  const prompt = buildPrompt(request, identity);
  const { system, user, schema, schemaName, maxTokens, cacheKey } = prompt;
  return {
    system: joinBlocks(system),
    user: [joinBlocks(user)],
    schema: { ...schema },
    schemaName,
    maxTokens,
    cacheKey,
  };
}

/** Whether an object is meant as an answer: it has one of the fields and is readable. */
function isAnswerTo(value: object, { kind }: MindRequest, { schema }: Question): boolean {
  const fields = Object.keys(Object(schema['properties']));
  if (!fields.some((name) => name in value)) return false;
  return kind === 'action' ? readOrder(value).ok : readReply(value).ok;
}

/** The usage of a truncated answer that the endpoint has not counted: the text received so far. */
export function assumeWritten(usage: TokenUsage, written: number | undefined): TokenUsage {
  return { ...usage, completionTokens: usage.completionTokens ?? written ?? null };
}

/** The estimate for a request that the endpoint has not counted; nothing if it has. */
export function guessUncounted(
  { usage }: Pick<ModelCall, 'usage'>,
  estimate: TokenEstimate,
  written: number | undefined,
): { readonly estimate?: TokenEstimate } {
  if (usage.promptTokens !== null && usage.completionTokens !== null) return {};
  return { estimate: { ...estimate, completion: written ?? estimate.completion } };
}

function buildParams(
  { endpoint, temperature, seed, extra }: ModelSeat,
  { streams = () => false }: GameAccount,
): RequestParams {
  return { model: endpoint.model, temperature, seed, extra, streams: streams() };
}

const NO_WORDS: PartialWords = { thought: '', message: '' };

/** Follows an answer while it is written, for the player's deadline and for viewers. */
function listenToWriter(
  { schema }: Question,
  deadline: SeatDeadline,
  report: (words: PartialWords | null) => void,
) {
  const names = Object.keys(Object(schema['properties']));
  let reader = new PartialReader(names);
  let shown: PartialWords = NO_WORDS;
  const show = (words: PartialWords) => {
    const isNew = words.thought !== shown.thought || words.message !== shown.message;
    shown = words;
    if (isNew) report(words);
  };
  return {
    onBytes: () => deadline.noteBytes(),
    onThought: (piece: string) => show(reader.addThought(piece)),
    onText: (piece: string | null) => {
      if (piece === null) {
        reader = new PartialReader(names);
        if (shown !== NO_WORDS) report(null);
        shown = NO_WORDS;
        return;
      }
      deadline.noteWords();
      show(reader.add(piece));
    },
  };
}

const BYTES_PER_TOKEN = 4;

/** A rough count, until the endpoint gives its own. */
export function estimateTokens({ system, user }: Question): number {
  const bytes = [system, ...user].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

type RequestMoment = Pick<MindRequest, 'kind' | 'index'>;

type MomentCounts = {
  asked: number;
  ended: number;
  failed: number;
  readonly down: Map<string, ModelReply>;
};

/** With fewer players, each may fail on its own, unless the endpoint is plainly at fault. */
const CROWD = 2;

/**
 * Tells an outage from one player's failure: an endpoint is down when every request to it in one moment has failed
 * (ruling 2). One failing player is silent for a tick; an outage pauses the game.
 *
 * Findings belong to one moment. The same tick of a later meeting is another moment: when all requests of a moment have
 * ended, the next request begins a new one.
 */
export class EndpointHealth {
  readonly #moments = new Map<string, MomentCounts>();

  noteAsked(endpoint: string, request: RequestMoment): void {
    const key = momentKey(endpoint, request);
    const known = this.#moments.get(key);
    const isOver = known === undefined || known.ended === known.asked;
    const moment = isOver ? { asked: 0, ended: 0, failed: 0, down: new Map() } : known;
    moment.asked += 1;
    this.#moments.set(key, moment);
  }

  /** Requests that were waiting get the same reply and need not find out again. */
  noteDown(endpoint: string, model: string, request: RequestMoment, reply: ModelReply): void {
    this.#moments.get(momentKey(endpoint, request))?.down.set(model, reply);
  }

  /** A model's known failure in this moment; null if there is none. */
  knownFailure(endpoint: string, model: string, request: RequestMoment): ModelReply | null {
    return this.#moments.get(momentKey(endpoint, request))?.down.get(model) ?? null;
  }

  /**
   * A request failed, or came too late, through no fault of the player. Returns true if it was the last one and all
   * failed.
   */
  noteFailed(endpoint: string, request: RequestMoment, isPlain = false): boolean {
    const moment = this.#moments.get(momentKey(endpoint, request));
    if (moment === undefined) return false;
    moment.ended += 1;
    moment.failed += 1;
    return moment.failed === moment.asked && (isPlain || moment.asked >= CROWD);
  }

  /** The endpoint answered, whatever the model made of it. Findings about that model are cleared. */
  noteReached(endpoint: string, model: string, request: RequestMoment): void {
    const moment = this.#moments.get(momentKey(endpoint, request));
    if (moment === undefined) return;
    moment.ended += 1;
    moment.down.delete(model);
  }
}

function momentKey(endpoint: string, { kind, index }: RequestMoment): string {
  return `${endpoint} ${kind} ${index}`;
}
