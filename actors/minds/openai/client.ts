/**
 * Language models behind endpoints, as minds.
 *
 * What is learned of a model, and how many requests it takes at once, is shared by all games of the process. The budget
 * and the listeners of calls belong to one game.
 */
import type { Colour } from '../../../machines/types.ts';
import { joinBlocks } from '../../../prompts/block.ts';
import { readOrder } from '../../../prompts/order.ts';
import type { Identity } from '../../../prompts/personas.ts';
import { buildPrompt } from '../../../prompts/prompt.ts';
import { readReply } from '../../../prompts/reply.ts';
import { type MindRequest, type SlowMind, TIME_UP } from '../port.ts';
import type { Budget, TokenEstimate } from './budget.ts';
import { CapabilityCache, presumeCapabilities } from './capabilities.ts';
import {
  Conversation,
  type ModelCall,
  type ModelReply,
  type Patience,
  wasAccepted,
} from './conversation.ts';
import { type FailureClass, PAUSING_FAILURES } from './failures.ts';
import { type RequestGate, RequestLimiter, type RequestLimits } from './limiter.ts';
import { findPrice, type Prices } from './prices.ts';
import type { Question, RequestParams } from './request.ts';
import { type Endpoint, openTransport, type Transport } from './transport.ts';

/** A model that thinks for a seat. */
export type ModelSeat = {
  readonly colour: Colour;
  readonly endpoint: Endpoint;
  readonly temperature: number | null;
  readonly seed: number | null;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly identity: Identity;
};

type ModelClientsOptions = {
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly limits: RequestLimits;
  /** The gate through which requests to a model go. Default: one gate for this process. */
  readonly gateTo?: (endpoint: Endpoint) => RequestGate;
  readonly patience: Patience;
  readonly prices: Prices;
};

/** One request that was made for a seat. */
export type SeatCall = ModelCall & {
  readonly seat: Colour;
  readonly requestKind: MindRequest['kind'];
  readonly index: number;
  /** Estimated tokens; only present when the endpoint has not counted them. */
  readonly estimate?: TokenEstimate;
};

/** The budget and the listeners of one game. */
type GameAccount = {
  readonly budget: Budget;
  readonly onCall: (call: SeatCall) => void;
  /** Called for a failure that no further request can repair: the game pauses and can be resumed. */
  readonly onPause: (code: FailureClass, text: string) => void;
  readonly health: EndpointHealth;
};

/** Failures of the endpoint rather than of one request. */
const OUTAGES: readonly FailureClass[] = ['upstream', 'timeout'];

type PendingRequest = { readonly request: MindRequest; readonly signal: AbortSignal };

type FailedReply = Extract<ModelReply, { ok: false }>;

/** Whether a failure is the endpoint's: it failed by itself, or did not answer before the deadline. */
function isEndpointFailure({ code }: FailedReply, { aborted, reason }: AbortSignal): boolean {
  return aborted ? reason === TIME_UP : OUTAGES.includes(code);
}

/** The failure class and the text of an endpoint that has failed every player. */
function describeOutage(
  { code, text }: FailedReply,
  baseUrl: string,
): readonly [FailureClass, string] {
  return code === 'aborted' ? ['timeout', baseUrl] : [code, text];
}

/** What all requests to one model share. */
export type ModelClient = {
  readonly transport: Transport;
  readonly capabilities: CapabilityCache;
  readonly gate: RequestGate;
};

export class ModelClients {
  readonly #options: ModelClientsOptions;
  readonly #clients = new Map<string, ModelClient>();

  constructor(options: ModelClientsOptions) {
    this.#options = options;
  }

  /** A mind for a seat of a game. */
  createMind(seat: ModelSeat, account: GameAccount): SlowMind {
    const client = this.clientFor(seat.endpoint);
    return {
      pace: 'in-time',
      answer: async (request, signal) => {
        const { health, onPause } = account;
        const { baseUrl } = seat.endpoint;
        health.noteAsked(baseUrl, request);
        const ask = () => this.#askOnce(client, seat, account, { request, signal });
        const reply = await client.capabilities.call(ask, wasAccepted, signal);
        if (reply.ok) {
          health.noteAnswered(baseUrl, request);
          return { ok: true, received: reply.received };
        }
        if (PAUSING_FAILURES.includes(reply.code)) onPause(reply.code, reply.text);
        else if (isEndpointFailure(reply, signal) && health.isLastToFail(baseUrl, request)) {
          onPause(...describeOutage(reply, baseUrl));
        }
        return { ok: false, code: `endpoint/${reply.code}`, text: reply.text };
      },
    };
  }

  /** Asks, unless an earlier request of this moment has already found the model down. */
  async #askOnce(
    client: ModelClient,
    seat: ModelSeat,
    account: GameAccount,
    asked: PendingRequest,
  ): Promise<ModelReply> {
    const { baseUrl, model } = seat.endpoint;
    // Another model at the same endpoint may be well.
    const one = `${baseUrl} ${model}`;
    const known = account.health.knownFailure(one, asked.request);
    if (known !== null) return known;
    const reply = await this.#ask(client, seat, account, asked);
    if (!reply.ok && OUTAGES.includes(reply.code))
      account.health.noteFailure(one, asked.request, reply);
    return reply;
  }

  #ask(
    { transport, capabilities, gate }: ModelClient,
    seat: ModelSeat,
    account: GameAccount,
    { request, signal }: PendingRequest,
  ): Promise<ModelReply> {
    const { now, sleep, patience, prices } = this.#options;
    const { kind, index } = request;
    const rank = kind === 'ghost' ? 'ghost' : 'living';
    const question = buildQuestion(request, seat.identity);
    const estimate = { prompt: estimateTokens(question), completion: question.maxTokens };
    const price = findPrice(prices, seat.endpoint.model);
    const params: RequestParams = {
      model: seat.endpoint.model,
      temperature: seat.temperature,
      seed: seat.seed,
      extra: seat.extra,
    };
    const conversation = new Conversation(question, params, capabilities, {
      patience,
      fits: (value) => isAnswerTo(value, request, question),
      ports: {
        transport,
        now,
        sleep,
        turn: (work) => gate.run(rank, signal, work),
        refuse: () => account.budget.reserve(estimate, price),
        onCall: (call) => {
          account.budget.note(call.usage, estimate, price);
          const { promptTokens, completionTokens } = call.usage;
          const isCounted = promptTokens !== null && completionTokens !== null;
          const guess = isCounted ? {} : { estimate };
          account.onCall({ ...call, ...guess, seat: seat.colour, requestKind: kind, index });
        },
      },
    });
    return conversation.run(signal);
  }

  /** The client of an endpoint; also for requests that are no move, such as the reflection after a game. */
  clientFor(endpoint: Endpoint): ModelClient {
    const key = JSON.stringify([endpoint.baseUrl, endpoint.model, endpoint.apiKey]);
    const known = this.#clients.get(key);
    if (known !== undefined) return known;
    const { now, sleep, limits, gateTo } = this.#options;
    const client = {
      transport: openTransport(endpoint, now),
      capabilities: new CapabilityCache(null, presumeCapabilities(endpoint.baseUrl)),
      gate: gateTo?.(endpoint) ?? new RequestLimiter(limits, now, sleep),
    };
    this.#clients.set(key, client);
    return client;
  }
}

/** The prompt as a question. What everybody shares stands first in it, so that a provider can cache it. */
function buildQuestion(request: MindRequest, identity: Identity): Question {
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

/** Whether an object is meant as an answer: it has a field of one, and can be read. */
function isAnswerTo(value: object, { kind }: MindRequest, { schema }: Question): boolean {
  const fields = Object.keys(Object(schema['properties']));
  if (!fields.some((name) => name in value)) return false;
  return kind === 'action' ? readOrder(value).ok : readReply(value).ok;
}

const BYTES_PER_TOKEN = 4;

/** A rough count, until the endpoint gives its own. */
function estimateTokens({ system, user }: Question): number {
  const bytes = [system, ...user].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** When a player is asked. */
type RequestMoment = Pick<MindRequest, 'kind' | 'index'>;

type MomentCounts = { asked: number; failed: number };

/** Fewer than this many players are no crowd: each may fail on its own. */
const CROWD = 2;

/**
 * Tells an outage from one player's failure: an endpoint is down when every request to it in one moment has failed
 * (ruling 2). One failing player is silent for a tick; an outage pauses the game.
 */
export class EndpointHealth {
  readonly #moments = new Map<string, MomentCounts>();
  readonly #found = new Map<string, ModelReply>();

  /** A player asks an endpoint. */
  noteAsked(endpoint: string, request: RequestMoment): void {
    const key = momentKey(endpoint, request);
    const moment = this.#moments.get(key) ?? { asked: 0, failed: 0 };
    moment.asked += 1;
    this.#moments.set(key, moment);
  }

  /** A model did not answer. Requests that waited meanwhile get the same reply and need not find out again. */
  noteFailure(model: string, request: RequestMoment, reply: ModelReply): void {
    this.#found.set(momentKey(model, request), reply);
  }

  /** The failure of a model that is known in this moment; null when none is. */
  knownFailure(model: string, request: RequestMoment): ModelReply | null {
    return this.#found.get(momentKey(model, request)) ?? null;
  }

  /** Counts a request that failed or came too late by no fault of the player. True when it was the last, and all failed. */
  isLastToFail(endpoint: string, request: RequestMoment): boolean {
    const moment = this.#moments.get(momentKey(endpoint, request));
    if (moment === undefined) return false;
    moment.failed += 1;
    return moment.failed === moment.asked && moment.asked >= CROWD;
  }

  /** A request was answered: the endpoint is up, and the count starts anew. */
  noteAnswered(endpoint: string, request: RequestMoment): void {
    this.#moments.delete(momentKey(endpoint, request));
  }
}

function momentKey(endpoint: string, { kind, index }: RequestMoment): string {
  return `${endpoint} ${kind} ${index}`;
}
