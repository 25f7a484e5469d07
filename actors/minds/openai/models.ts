/**
 * Models: language models behind endpoints, as minds.
 *
 * What is learned of a model and how many requests it takes at once is shared by all games of the process; what may be
 * spent, and who is told of a call, belongs to one game.
 */

import type { Colour } from '../../../machines/types.ts';
import { textOf } from '../../../prompts/block.ts';
import type { Identity } from '../../../prompts/identity.ts';
import { readOrder } from '../../../prompts/order.ts';
import { promptFor } from '../../../prompts/prompt.ts';
import { readReply } from '../../../prompts/reply.ts';
import { type Request, type SlowMind, TIME_UP } from '../port.ts';
import { type Call, Conversation, gotThrough, type Patience, type Reply } from './conversation.ts';
import { type Gate, Limiter, type Limits } from './limiter.ts';
import type { Manner, Question } from './messages.ts';
import type { Outages } from './outage.ts';
import { type Prices, priceOf } from './prices.ts';
import type { Estimate, Purse } from './purse.ts';
import { Acquaintance } from './traits.ts';
import { wireTo } from './transport.ts';
import { type Failure, PAUSING } from './verdict.ts';
import type { Endpoint, Wire } from './wire.ts';

/** A model that thinks for a seat. */
export type ModelSeat = {
  readonly colour: Colour;
  readonly endpoint: Endpoint;
  readonly temperature: number | null;
  readonly seed: number | null;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly identity: Identity;
};

export type ModelsOptions = {
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly limits: Limits;
  /** Where requests to a model begin when there is room; left out, it is shared by this process alone. */
  readonly gateTo?: (endpoint: Endpoint) => Gate;
  readonly patience: Patience;
  readonly prices: Prices;
};

/** One request that was made for a seat. */
export type SeatCall = Call & {
  readonly seat: Colour;
  readonly occasion: Request['occasion'];
  readonly stamp: number;
  /** Tokens that were reckoned with; only there when the endpoint has not counted them. */
  readonly estimate?: Estimate;
};

/** What one game has to do with its models. */
export type Account = {
  readonly purse: Purse;
  readonly onCall: (call: SeatCall) => void;
  /** Something that no further request can mend: the game is broken off, so that it can be gone on with. */
  readonly onPause: (code: Failure, text: string) => void;
  readonly outages: Outages;
};

/** Failures that are no player's own. */
const PASSING: readonly Failure[] = ['upstream', 'timeout'];

/** What a mind is asked, and who tells it that nobody waits any more. */
type Asked = { readonly request: Request; readonly signal: AbortSignal };

type Failed = Extract<Reply, { ok: false }>;

/** Whether it says something of the endpoint: it failed by itself, or everybody waited for it in vain. */
function isIll({ code }: Failed, { aborted, reason }: AbortSignal): boolean {
  return aborted ? reason === TIME_UP : PASSING.includes(code);
}

/** What is said of an endpoint that has failed everybody. */
function outageOf({ code, text }: Failed, baseUrl: string): readonly [Failure, string] {
  return code === 'aborted' ? ['timeout', baseUrl] : [code, text];
}

/** What is shared by all who ask one model. */
export type House = {
  readonly wire: Wire;
  readonly known: Acquaintance;
  readonly gate: Gate;
};

export class Models {
  readonly #options: ModelsOptions;
  readonly #houses = new Map<string, House>();

  constructor(options: ModelsOptions) {
    this.#options = options;
  }

  /** A mind for a seat of a game. */
  mind(seat: ModelSeat, account: Account): SlowMind {
    const house = this.house(seat.endpoint);
    return {
      pace: 'in-time',
      answer: async (request, signal) => {
        const { outages, onPause } = account;
        const { baseUrl } = seat.endpoint;
        outages.asked(baseUrl, request);
        const ask = () => this.#askOnce(house, seat, account, { request, signal });
        const reply = await house.known.call(ask, gotThrough, signal);
        if (reply.ok) {
          outages.answered(baseUrl, request);
          return { ok: true, received: reply.received };
        }
        if (PAUSING.includes(reply.code)) onPause(reply.code, reply.text);
        else if (isIll(reply, signal) && outages.failed(baseUrl, request)) {
          onPause(...outageOf(reply, baseUrl));
        }
        return { ok: false, code: `endpoint/${reply.code}`, text: reply.text };
      },
    };
  }

  /** Asks, unless somebody who was waited for has found the model ill. */
  async #askOnce(house: House, seat: ModelSeat, account: Account, asked: Asked): Promise<Reply> {
    const { baseUrl, model } = seat.endpoint;
    // Another model at the same endpoint may be well.
    const one = `${baseUrl} ${model}`;
    const known = account.outages.illness(one, asked.request);
    if (known !== null) return known;
    const reply = await this.#ask(house, seat, account, asked);
    if (!reply.ok && PASSING.includes(reply.code)) account.outages.found(one, asked.request, reply);
    return reply;
  }

  #ask(
    { wire, known, gate }: House,
    seat: ModelSeat,
    account: Account,
    { request, signal }: Asked,
  ): Promise<Reply> {
    const { now, sleep, patience, prices } = this.#options;
    const { occasion, stamp } = request;
    const rank = occasion === 'ghost' ? 'ghost' : 'living';
    const question = questionOf(request, seat.identity);
    const estimate = { prompt: tokensIn(question), completion: question.maxTokens };
    const price = priceOf(prices, seat.endpoint.model);
    const manner: Manner = {
      model: seat.endpoint.model,
      temperature: seat.temperature,
      seed: seat.seed,
      extra: seat.extra,
    };
    const conversation = new Conversation(question, manner, known, {
      patience,
      fits: (value) => isAnswer(value, request, question),
      ports: {
        wire,
        now,
        sleep,
        turn: (work) => gate.run(rank, signal, work),
        refusal: () => account.purse.reserve(estimate, price),
        onCall: (call) => {
          account.purse.note(call.usage, estimate, price);
          const { promptTokens, completionTokens } = call.usage;
          const isCounted = promptTokens !== null && completionTokens !== null;
          const guess = isCounted ? {} : { estimate };
          account.onCall({ ...call, ...guess, seat: seat.colour, occasion, stamp });
        },
      },
    });
    return conversation.run(signal);
  }

  /** For who asks a model something else than a move. */
  house(endpoint: Endpoint): House {
    const key = JSON.stringify([endpoint.baseUrl, endpoint.model, endpoint.apiKey]);
    const known = this.#houses.get(key);
    if (known !== undefined) return known;
    const { now, sleep, limits, gateTo } = this.#options;
    const house = {
      wire: wireTo(endpoint, now),
      known: new Acquaintance(),
      gate: gateTo?.(endpoint) ?? new Limiter(limits, now, sleep),
    };
    this.#houses.set(key, house);
    return house;
  }
}

/** The prompt as a question. What everybody shares stands first in it, so that a provider can cache it. */
function questionOf(request: Request, identity: Identity): Question {
  const { system, user, schema, schemaName, maxTokens } = promptFor(request, identity);
  return {
    system: textOf(system),
    user: [textOf(user)],
    schema: { ...schema },
    schemaName,
    maxTokens,
  };
}

/** Whether an object is meant as an answer: it has a field of one, and can be read. */
function isAnswer(value: object, { occasion }: Request, { schema }: Question): boolean {
  const fields = Object.keys(Object(schema['properties']));
  if (!fields.some((name) => name in value)) return false;
  return occasion === 'action' ? readOrder(value).ok : readReply(value).ok;
}

const BYTES_PER_TOKEN = 4;

/** About so many tokens: the endpoint's own count is believed once it comes. */
function tokensIn({ system, user }: Question): number {
  const bytes = [system, ...user].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
