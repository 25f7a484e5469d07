/** Language models behind endpoints, as minds. Games of a process share learned capabilities and request limits. */
import { LATE, OUTAGE } from '../../../machines/rules/tick.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';
import { joinBlocks } from '../../../prompts/block.ts';
import { PartialReader, type PartialWords } from '../../../prompts/partialReply.ts';
import type { Identity } from '../../../prompts/personas.ts';
import { buildPrompt, type PromptRequest } from '../../../prompts/prompt.ts';
import type { TimePort } from '../../ports/ports.ts';
import type { WriteAhead } from '../ahead.ts';
import type { AnswerTimes } from '../kinds.ts';
import { type Answer, type MindRequest, type SlowMind, TIME_UP } from '../port.ts';
import { remember } from '../remember.ts';
import { isAnswerTo } from './answer.ts';
import type { Budget, TokenEstimate } from './budget.ts';
import { CapabilityCache, presumeCapabilities } from './capabilities.ts';
import type { TokenUsage } from './content.ts';
import { type ContextWatch, watchContext } from './contextWatch.ts';
import {
  Conversation,
  type ConversationPorts,
  type ModelCall,
  type ModelReply,
  type Patience,
  wasAccepted,
} from './conversation.ts';
import {
  type AskedModel,
  type DeadlineLimits,
  GameDeadlines,
  type LoadingModel,
  ModelStart,
  type SeatDeadline,
} from './deadlines.ts';
import { type FailureClass, PAUSING_FAILURES } from './failures.ts';
import { isSameModel } from './inquiry.ts';
import {
  nestGates,
  type RequestGate,
  RequestLimiter,
  type RequestLimits,
  type RequestRank,
} from './limiter.ts';
import type { ModelMemory } from './memory.ts';
import { OutageWatch } from './outages.ts';
import { EndpointPace, GateWidth, ModelRest } from './pace.ts';
import { findPrice, type Prices } from './prices.ts';
import { findKeyVariable } from './providers.ts';
import type { Question } from './request.ts';
import { type Endpoint, openTransport, type Transport } from './transport.ts';

export type ModelSeat = {
  readonly colour: Colour;
  readonly endpoint: Endpoint;
  readonly temperature: number | null;
  readonly seed: number | null;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly identity: Identity;
  readonly times?: AnswerTimes;
};

type ModelClientsOptions = {
  readonly time: TimePort;
  readonly open?: ((endpoint: Endpoint) => Transport) | undefined;
  readonly limits: RequestLimits;
  /** The gate for requests to a model. Default: one gate for this process. */
  readonly gateTo?: ((endpoint: Endpoint) => RequestGate) | undefined;
  readonly patience?: Patience | undefined;
  readonly prices: Prices;
  /** Capabilities learned by earlier processes. Without it, everything is discovered anew and nothing is kept. */
  readonly memory?:
    | (Pick<ModelMemory, 'recall' | 'keeperFor'> & Partial<Pick<ModelMemory, 'warn'>>)
    | null;
};

export type SentRequest = {
  readonly seat: Colour;
  readonly requestKind: MindRequest['kind'] | 'belief' | 'reflection';
  readonly index: number;
  readonly mode: ModelCall['mode'];
  readonly estimate: TokenEstimate;
};

export type SeatCall = Omit<ModelCall, 'written'> &
  Pick<SentRequest, 'seat' | 'requestKind' | 'index'> & {
    readonly id: number;
    /** Estimated tokens; present only if the endpoint has not counted them. */
    readonly estimate?: TokenEstimate;
  };

export type GameAccount = {
  readonly budget: Budget;
  readonly onSend: (request: SentRequest) => number;
  readonly onCall: (call: SeatCall, asked: MindRequest, received: object | null) => void;
  /** Called for a failure that no further request can repair. The game pauses and can be resumed. */
  readonly onPause: (code: FailureClass, text: string) => void;
  readonly limits: DeadlineLimits;
  /** Replies of an earlier attempt, and where new ones are kept. */
  readonly ahead?: Pick<WriteAhead, 'takeReply' | 'noteAnswer' | 'askAgain'>;
  /** Models that gave usable answers before the game was resumed. */
  readonly known?: ReadonlySet<string>;
  readonly onLoading: (loading: LoadingModel) => void;
  readonly streams?: () => boolean;
  /** Called with the text that a model has written so far; null discards it. Left out where nobody watches live. */
  readonly onWriting?: (asked: WriterRequest, words: PartialWords | null) => void;
};

export type WriterRequest = { readonly seat: Colour; readonly kind: MindRequest['kind'] };

type PaidQuestion = {
  readonly question: Question;
  readonly requestKind: SentRequest['requestKind'];
  readonly index: number;
  readonly rank: RequestRank;
  readonly budget: Budget;
  readonly streams?: boolean;
  readonly fits: (value: object) => boolean;
  readonly onSend: (request: SentRequest) => number;
  /** Called after each request with the tokens that the budget was charged for, as far as they are known. */
  readonly onCall: (call: SeatCall, received: object | null, charged: TokenUsage) => void;
  readonly capabilities?: CapabilityCache;
  readonly ports?: Partial<ConversationPorts>;
};

const OUTAGES: readonly FailureClass[] = ['upstream', 'timeout'];

export type ModelClient = {
  /** The names under which it is asked and has answered. */
  readonly names: string[];
  readonly transport: Transport;
  readonly capabilities: CapabilityCache;
  readonly gate: RequestGate;
  readonly width: GateWidth;
  readonly rest: ModelRest;
  readonly context: ContextWatch;
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

  openGame(account: GameAccount): (seat: ModelSeat) => SlowMind {
    const { limits, onPause, onLoading, ahead, known } = account;
    const { time } = this.#options;
    const deadlines = new GameDeadlines({ time, limits, onPause, onLoading });
    const outages = new OutageWatch(onPause, known);
    const lineUp = new LineUp();
    return (seat) => {
      const client = this.clientFor(seat.endpoint);
      return {
        pace: 'in-time',
        answer: async (request, given, keepTime) => {
          keepTime();
          const own = request.kind === 'action' ? seat.times?.ship : seat.times?.table;
          const deadline = deadlines.open(client.asked, request, own ?? DEADLINE_MS);
          const end = outages.open(seat.colour, client.asked, request);
          const signal = AbortSignal.any([given, deadline.missed.signal]);
          await lineUp.join(seat.colour, request.index);
          const ask = () => this.#askOnce(seat, account, { request, signal, deadline });
          const kept = ahead?.takeReply(seat.colour, request) ?? null;
          const reply = kept ?? (await client.capabilities.call(ask, wasAccepted, signal));
          deadline.close(wasAccepted(reply), !reply.ok && OUTAGES.includes(reply.code));
          const isGone = given.aborted && given.reason !== TIME_UP;
          const isPausing = !reply.ok && PAUSING_FAILURES.includes(reply.code);
          if (isPausing) onPause(reply.code, reply.text);
          const answer: Answer = reply.ok
            ? reply
            : { ok: false, code: `endpoint/${reply.code}`, text: reply.text };
          if (kept === null) ahead?.noteAnswer(seat.colour, request, answer);
          const isExcused = await end(reply.ok ? null : isGone || isPausing ? undefined : reply);
          if (reply.ok) return reply;
          if (isExcused) {
            if (outages.hasPaused) ahead?.askAgain(seat.colour, request);
            return { ok: false, code: `${OUTAGE}${reply.code}`, text: reply.text };
          }
          if (!deadline.missed.signal.aborted || given.aborted) return answer;
          return { ok: false, code: LATE, text: deadline.text };
        },
      };
    };
  }

  async #askOnce(
    seat: ModelSeat,
    { budget, streams = () => false, onSend, onCall, onWriting = () => {} }: GameAccount,
    { request, signal, deadline }: PendingRequest,
  ): Promise<ModelReply> {
    if (deadline.knownFailure !== null) return deadline.knownFailure;
    const { time } = this.#options;
    const { width, rest } = this.clientFor(seat.endpoint);
    const { kind, index } = request;
    const question = buildQuestion(request, seat.identity);
    const asked = {
      question,
      requestKind: kind,
      index,
      rank: kind === 'ghost' ? 'ghost' : 'living',
      budget,
      streams: streams(),
      fits: (value) => isAnswerTo(value, request, question),
      onSend,
      onCall: (call, received) => onCall(call, request, received),
      ports: {
        watch: (lose) => {
          const sentAt = time.now();
          width.noteSent(sentAt);
          const end = deadline.send(lose);
          return (isAnswered) => {
            end(isAnswered);
            width.noteEnded(time.now(), time.now() - sentAt, isAnswered);
          };
        },
        ...listenToWriter(question, deadline, (words) =>
          onWriting({ seat: seat.colour, kind }, words),
        ),
        mayLoad: (says) => deadline.mayLoad(says),
        isOneTooMany: () => width.noteCrowded(),
        rest: {
          note: (wantedMs, says) => deadline.noteRest(rest, wantedMs, says),
          noteAnswered: (sentAt) => rest.noteAnswered(sentAt),
        },
      },
    } satisfies PaidQuestion;
    const reply = await this.#ask(seat, asked, signal);
    if (!reply.ok && OUTAGES.includes(reply.code)) deadline.noteDown(reply);
    return reply;
  }

  /** Asks a question beside the games, within ten minutes: only the end of a match or a league waits for it. */
  async askBeside(
    seat: ModelSeat,
    asked: PaidQuestion,
    given: AbortSignal | null = null,
  ): Promise<ModelReply> {
    const { time } = this.#options;
    const late = new AbortController();
    const timer = time.setTimeout(() => late.abort(), MOST_BESIDE_MS);
    const signal = AbortSignal.any([late.signal, ...(given === null ? [] : [given])]);
    const { capabilities = this.clientFor(seat.endpoint).capabilities } = asked;
    const ask = () => this.#ask(seat, asked, signal);
    return await capabilities
      .call(ask, wasAccepted, signal)
      .finally(() => time.clearTimeout(timer));
  }

  #ask(seat: ModelSeat, asked: PaidQuestion, signal: AbortSignal): Promise<ModelReply> {
    const { time, patience, prices, memory } = this.#options;
    const { endpoint, temperature, seed, extra } = seat;
    const { transport, gate, rest, ...client } = this.clientFor(endpoint);
    const { requestKind, index, budget, capabilities = client.capabilities } = asked;
    const keepsSchema = findKeyVariable(endpoint.baseUrl) !== null;
    const question = { ...asked.question, keepsSchema };
    const place = { seat: seat.colour, requestKind, index };
    const { streams = false } = asked;
    const params = { model: endpoint.model, temperature, seed, extra, streams };
    const price = findPrice(prices, endpoint.model);
    const prompt = estimateTokens(question);
    let sent = { id: 0, estimate: { prompt, completion: question.maxTokens } };
    const conversation = new Conversation({
      question,
      params,
      known: capabilities,
      patience,
      fits: asked.fits,
      ports: {
        transport,
        time,
        rest: {
          note: (wantedMs) => rest.note(wantedMs, MOST_BESIDE_MS)?.ms ?? null,
          noteAnswered: (sentAt) => rest.noteAnswered(sentAt),
        },
        turn: (work) => gate.run(asked.rank, signal, work),
        ...asked.ports,
        refuse: ({ mode, maxTokens }) => {
          const estimate = { prompt, completion: maxTokens };
          const refusal = budget.reserve(estimate, price);
          if (refusal === null) sent = { id: asked.onSend({ ...place, mode, estimate }), estimate };
          return refusal;
        },
        onCall: ({ written, ...call }, received) => {
          const { id, estimate } = sent;
          // The endpoint has not counted a truncated answer: its text so far is charged.
          const completion = written ?? estimate.completion;
          budget.note(call.usage, estimate, price, { prompt, completion });
          const cut = call.failure === null ? client.context(prompt, call.usage) : null;
          if (cut !== null) memory?.warn?.(`${endpoint.model} at ${endpoint.baseUrl}: ${cut}`);
          const { model: name = '' } = call;
          if (name !== '' && !client.names.some((known) => isSameModel(known, name))) {
            client.names.push(name);
            memory?.warn?.(`${endpoint.model} was asked, and ${name} answered`);
          }
          const { promptTokens, completionTokens } = call.usage;
          const isCounted = promptTokens !== null && completionTokens !== null;
          const guess = isCounted ? {} : { estimate: { prompt, completion } };
          const charged = { ...call.usage, completionTokens: completionTokens ?? written ?? null };
          asked.onCall({ ...call, ...guess, id, ...place }, received, charged);
        },
      },
    });
    return conversation.run(signal);
  }

  clientFor(endpoint: Endpoint): ModelClient {
    return remember(this.#clients, JSON.stringify(endpoint), () => this.#openClient(endpoint));
  }

  #openClient(endpoint: Endpoint): ModelClient {
    const { time, limits, gateTo, memory = null } = this.#options;
    const { open = (at) => openTransport(at, () => time.date()) } = this.#options;
    const { baseUrl, model } = endpoint;
    const pace = remember(this.#paces, baseUrl, () => new EndpointPace());
    const width = new GateWidth(limits.concurrency);
    // A shared gate does not know the pace, so the width is decided before it.
    const shared = gateTo?.(endpoint) ?? null;
    const own = shared === null ? limits : { ...limits, perMinute: null };
    const narrow = new RequestLimiter(own, time, () => width.width);
    const rest = new ModelRest(time);
    const remembered = memory?.recall(endpoint) ?? null;
    return {
      transport: open(endpoint),
      capabilities: new CapabilityCache(
        remembered?.capabilities ?? null,
        presumeCapabilities(baseUrl),
        memory?.keeperFor(endpoint, remembered) ?? null,
      ),
      gate: nestGates(shared === null ? narrow : nestGates(narrow, shared), rest),
      width,
      rest,
      context: watchContext(remembered?.contextLength ?? undefined),
      names: [model],
      asked: { baseUrl, model, pace, start: new ModelStart() },
    };
  }
}

/** Milliseconds for a question beside the games, waiting included. */
export const MOST_BESIDE_MS = 600_000;

type PendingRequest = {
  readonly request: MindRequest;
  readonly signal: AbortSignal;
  readonly deadline: SeatDeadline;
};

const DEADLINE_MS = 60_000;

/** The sending order of seats. It rotates by tick, so that a slow server keeps other players waiting. */
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
  const { system, user, ...prompt } = buildPrompt(request, identity);
  const { you } = request.view;
  return {
    ...prompt,
    system: joinBlocks(system),
    user: [joinBlocks(user)],
    seat: you.colour,
    ballot: 'ballot' in you ? you.ballot : null,
  };
}

const NO_WORDS: PartialWords = { thought: '', message: '' };

function listenToWriter(
  { schema, seat }: Question,
  deadline: SeatDeadline,
  report: (words: PartialWords | null) => void,
) {
  const names = Object.keys(Object(schema['properties']));
  let reader = new PartialReader(names, seat);
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
        reader = new PartialReader(names, seat);
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

function estimateTokens({ system, user }: Question): number {
  const bytes = [system, ...user].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
