/** Tries a model with questions of a real game: one by one until it is warm, then a whole table at once. */

import { createMatch } from '../../actors/engine/match.ts';
import { Budget, type BudgetLimits } from '../../actors/minds/openai/budget.ts';
import type { Capabilities } from '../../actors/minds/openai/capabilities.ts';
import { ModelClients, type ModelSeat } from '../../actors/minds/openai/client.ts';
import { hasThoughts, readContent, readUsage } from '../../actors/minds/openai/content.ts';
import type { DeadlineLimits, LoadingModel } from '../../actors/minds/openai/deadlines.ts';
import {
  isSameModel,
  readStatedContext,
  type ServerFacts,
  type StatedContext,
} from '../../actors/minds/openai/inquiry.ts';
import type { RequestLimits } from '../../actors/minds/openai/limiter.ts';
import type { EndpointPaceFigures, ModelMemory } from '../../actors/minds/openai/memory.ts';
import type { Prices } from '../../actors/minds/openai/prices.ts';
import { toModelSeat } from '../../actors/minds/openai/seats.ts';
import type { Endpoint, Transport } from '../../actors/minds/openai/transport.ts';
import type { Answer, SlowMind } from '../../actors/minds/port.ts';
import type { TimePort } from '../../actors/ports/ports.ts';
import { type MatchSeat, meetingMatchSchema } from '../../machines/setup/match.ts';
import { plainGame } from '../../machines/setup/prepare.ts';
import { listWords, readField, wordOf } from '../../machines/text.ts';
import { COLOURS, type Note } from '../../machines/types.ts';
import { joinBlocks } from '../../prompts/block.ts';
import { pickIdentity } from '../../prompts/personas.ts';
import { buildPrompt } from '../../prompts/prompt.ts';
import { BYTES_PER_TOKEN } from './caching.ts';
import { type AnsweredRequest, measurePace } from './modelPace.ts';
import { judgePlay, type ModelPlay, soundsLikeBase, type TrialAnswer } from './modelPlay.ts';
import { collectPrompts, groupByMoment, type Overheard } from './prompts.ts';

export type ModelProbeOptions = {
  readonly time: TimePort;
  readonly open: (endpoint: Endpoint) => Transport;
  readonly limits: RequestLimits;
  readonly deadlines: DeadlineLimits;
  readonly budget: BudgetLimits;
  readonly prices: Prices;
  readonly streams: boolean;
  /** Stores the findings. Earlier findings are ignored. */
  readonly memory: ModelMemory | null;
  readonly onLoading: (loading: LoadingModel) => void;
  readonly onRequest: (count: number) => void;
  /** Called with the system's message when a request got no answer and will be retried. */
  readonly onLost: (why: string) => void;
  /** Asks the server about the model, after the first answers. */
  readonly inquire: (endpoint: Endpoint) => Promise<ServerFacts>;
};

export const MOST_PROBE_REQUESTS = 32;

type ProbeOutcome = Awaited<ReturnType<typeof probeModel>>;
/** `failures` count the unusable answers by code. `loadMs` is the extra time of the first answer. */
export type ModelProbe = Extract<ProbeOutcome, { type: 'probed' }>['probe'];

export type FailedProbe = Note & {
  readonly type: 'failed';
  readonly context: StatedContext | null;
};

export async function probeModel(seat: MatchSeat, endpoint: Endpoint, options: ModelProbeOptions) {
  collected ??= collectQuestions();
  const questions = await collected;
  const trial = new ModelTrial(seat, endpoint, options);
  const answers: Answer[] = [];
  let began = 0;
  for (const question of questions.alone) {
    const { answer } = await trial.ask(question);
    // After a first answer, a later failure is tolerated.
    if (!answer.ok && (answers.length === 0 || trial.isStopped))
      return trial.describeFailure(answer);
    answers.push(answer);
    // The first question also finds the request mode and may load the model.
    if (answers.length === 1) began = trial.log.requests.length;
  }
  const warm = trial.log.answered.filter(({ number }) => number >= began);
  const facts = await options.inquire(endpoint);
  const before = trial.log.requests.length;
  const burst = await Promise.all(
    // A small budget allows only a small table.
    questions.together.slice(0, Math.max(1, trial.requestsLeft)).map(async (question, place) => {
      await new Promise((resolve) => options.time.setTimeout(resolve, place * STEP_MS));
      return (await trial.ask(question)).answer;
    }),
  );
  const together = trial.log.answered.filter(({ number }) => number >= before);
  const [first] = burst.filter((answer) => !answer.ok);
  if (warm.length === 0 || together.length === 0)
    return trial.describeFailure(first ?? { ok: false, code: 'endpoint/upstream', text: '' });
  answers.push(...burst);
  const failed = answers.filter((answer) => !answer.ok);
  const byCode = [...Map.groupBy(failed, ({ code }) => code)];
  const pace = roundFigures(measurePace(warm, together));
  const { capabilities, log } = trial;
  const play = judgePlay(trial.answers);
  return {
    type: 'probed' as const,
    probe: {
      capabilities,
      questions: answers.length,
      usable: answers.length - failed.length,
      failures: Object.fromEntries(byCode.map(([code, all]) => [code, all.length])),
      requests: log.requests.length,
      dollars: trial.budget.spent.dollars,
      coldMs: log.coldMs,
      loadMs: Math.max(0, log.coldMs - pace.aloneMs),
      pace,
      together: together.length,
      takenInMinute: log.takenInMinute,
      context: facts.context ?? log.context,
      neededContext: log.countContext(questions.sizes, capabilities.room),
      play,
      warnings: listWarnings(endpoint.model, log.models, facts, play),
    },
  };
}

function listWarnings(
  model: string,
  answered: ReadonlySet<string>,
  { listed, hasTemplate }: ServerFacts,
  play: ModelPlay,
): readonly string[] {
  const others = [...answered].filter((name) => name !== '' && !isSameModel(name, model));
  const isUnlisted = listed.length > 0 && !listed.some((name) => isSameModel(name, model));
  const why = hasTemplate === false ? NO_TEMPLATE : soundsLikeBase(play) ? PARROT : null;
  return [
    ...(others.length > 0 ? [`${model} was asked, and ${listWords(others)} answered`] : []),
    ...(isUnlisted
      ? [`the server lists no ${model}, but ${listed.slice(0, MOST_LISTED).join(', ')}`]
      : []),
    ...(why === null ? [] : [`${why}: it may be a base model, which is no chat model`]),
  ];
}

const NO_TEMPLATE = 'the server has no chat template for this model';
const PARROT = 'half of the messages are copies or repetitions';
const MOST_LISTED = 5;

function roundFigures(pace: EndpointPaceFigures): EndpointPaceFigures {
  const { tokensPerSecond: alone, tokensPerSecondTogether: together } = pace;
  const round = (figure: number) => Math.round(figure * 100) / 100;
  return {
    ...pace,
    aloneMs: Math.round(pace.aloneMs),
    medianMs: Math.round(pace.medianMs),
    slowestMs: Math.round(pace.slowestMs),
    tokensPerSecond: alone && round(alone),
    tokensPerSecondTogether: together && round(together),
    speedup: round(pace.speedup),
  };
}

/** Milliseconds between concurrent requests, so that they arrive in order. */
const STEP_MS = 10;

export class ModelTrial {
  readonly log: RequestLog;
  readonly budget: Budget;
  readonly answers: TrialAnswer[] = [];
  readonly #clients: ModelClients;
  readonly #openGame: () => (seat: ModelSeat) => SlowMind;
  readonly #table: (seat: ModelSeat) => SlowMind;
  readonly #seat: MatchSeat;
  readonly #endpoint: Endpoint;
  readonly #stop = new AbortController();
  readonly #most: number;
  #paused: Note | null = null;

  constructor(
    seat: MatchSeat,
    endpoint: Endpoint,
    options: ModelProbeOptions,
    most = MOST_PROBE_REQUESTS,
  ) {
    const { time, open, limits, deadlines, budget, prices, memory } = options;
    const { onLoading, onRequest, onLost } = options;
    this.#endpoint = endpoint;
    this.#seat = seat;
    const onPause = (code: string, text: string) => {
      // Requests in flight may finish when the budget is spent.
      if (code !== 'budget') this.stop(code, text);
    };
    this.log = new RequestLog({
      time,
      onRequest,
      onLost: (why) => {
        if (this.log.isReachable) onLost(why);
        else onPause('unreachable', why);
      },
    });
    this.#most = Math.min(most, budget.calls ?? Infinity);
    this.budget = new Budget({ ...budget, calls: this.#most }, () => time.now());
    this.#clients = new ModelClients({
      time,
      limits,
      prices,
      open: (at) => this.log.listenTo(open(at)),
      memory: memory && { recall: () => null, keeperFor: (at) => memory.keeperFor(at, null) },
    });
    const account = {
      budget: this.budget,
      limits: deadlines,
      onLoading,
      streams: () => options.streams,
      onSend: () => 0,
      onCall: () => {},
      onPause,
    };
    this.#openGame = () => this.#clients.openGame(account);
    this.#table = this.#openGame();
  }

  stop(code: string, text: string): void {
    this.#paused ??= { code, text };
    this.#stop.abort();
  }

  get requestsLeft(): number {
    return this.#most - this.log.requests.length;
  }

  get isStopped(): boolean {
    return this.#paused !== null;
  }

  get capabilities(): Capabilities {
    return this.#clients.clientFor(this.#endpoint).capabilities.capabilities;
  }

  /** Questions with a sample are of games of their own: they share neither deadlines nor outages. */
  async ask({ seat: colour, request }: Overheard, sample: number | null = null) {
    const seat = { ...this.#seat, colour };
    const identity = pickIdentity(request.view.you.persona, 'doctor', seat.level);
    const number = COLOURS.indexOf(colour) + (sample ?? 0) * COLOURS.length;
    const createMind = sample === null ? this.#table : this.#openGame();
    const mind = createMind(toModelSeat(seat, this.#endpoint, SEED + number, identity));
    const answer = await mind.answer(request, this.#stop.signal, () => {});
    const { system, user } = buildPrompt(request, identity);
    const prompt = joinBlocks(system) + joinBlocks(user);
    if (answer.ok) this.answers.push({ request, prompt, received: answer.received });
    return { answer, prompt };
  }

  describeFailure({ code, text }: Extract<Answer, { ok: false }>): FailedProbe {
    const reason = this.#paused ?? { code: code.replace(/^endpoint\//, ''), text };
    const found = this.log.onlyThinks ? { ...reason, code: 'only-thinks' } : reason;
    return { type: 'failed', ...found, context: this.log.context };
  }
}

const SEED = 1;
const PLAYERS = 8;

type LoggedRequest = {
  readonly number: number;
  readonly sentAt: number;
  endedAt: number;
  /** Null while in flight and after a failed connection. */
  status: number | null;
  tokens: number | null;
};

const FIRST_ERROR = 400;
const TOO_MANY = 429;
const MINUTE_MS = 60_000;

class RequestLog {
  readonly requests: LoggedRequest[] = [];
  context: StatedContext | null = null;
  /** Counted tokens per estimated token. */
  promptRatio = 1;
  /** The names under which models have answered; "" for none. */
  readonly models = new Set<string>();
  /** Whether models have answered, and always with thoughts and no whole answer. */
  onlyThinks = false;
  readonly #options: Pick<ModelProbeOptions, 'time' | 'onRequest' | 'onLost'>;
  /** Requests from the first on without a connection. */
  #unsent = 0;

  constructor(options: Pick<ModelProbeOptions, 'time' | 'onRequest' | 'onLost'>) {
    this.#options = options;
  }

  get isReachable(): boolean {
    return this.#unsent < MOST_UNSENT;
  }

  listenTo(transport: Transport): Transport {
    return {
      send: async (...sent) => {
        const { time, onRequest, onLost } = this.#options;
        const now = time.now();
        const number = this.requests.length;
        const times = { sentAt: now, endedAt: now };
        const request: LoggedRequest = { number, ...times, status: null, tokens: null };
        this.requests.push(request);
        onRequest(this.requests.length);
        const delivery = await transport.send(...sent);
        request.endedAt = time.now();
        if (delivery.type === 'lost') {
          if (!delivery.wasSent && this.#unsent === number) this.#unsent += 1;
          if (!sent[1].aborted) onLost(delivery.text);
          return delivery;
        }
        request.status = delivery.status;
        const { promptTokens, completionTokens } = readUsage(delivery.body);
        request.tokens = completionTokens;
        const bytes = Buffer.byteLength(JSON.stringify(sent[0]['messages'] ?? ''));
        if (promptTokens !== null && promptTokens > 0)
          this.promptRatio = (promptTokens * BYTES_PER_TOKEN) / bytes;
        if (delivery.status >= FIRST_ERROR || readField(delivery.body, 'error') !== undefined)
          this.context ??= readStatedContext(delivery.body);
        else this.#noteCompletion(delivery.body);
        return delivery;
      },
    };
  }

  countContext(sizes: readonly { bytes: number; maxTokens: number }[], room: number): number {
    const sums = sizes.map(
      ({ bytes, maxTokens }) => (bytes / BYTES_PER_TOKEN) * this.promptRatio + maxTokens * room,
    );
    return Math.ceil(Math.max(...sums));
  }

  #noteCompletion(body: unknown): void {
    const content = readContent(body);
    const isThought =
      hasThoughts(body) &&
      (content.type === 'nothing' || (content.type === 'said' && content.isCut));
    this.onlyThinks = isThought && (this.onlyThinks || this.models.size === 0);
    this.models.add(wordOf(readField(body, 'model') ?? ''));
  }

  get answered(): readonly (AnsweredRequest & Pick<LoggedRequest, 'number'>)[] {
    return this.requests.filter(({ status }) => status !== null && status < FIRST_ERROR);
  }

  get coldMs(): number {
    const [first] = this.answered;
    const [sent] = this.requests;
    return first === undefined || sent === undefined ? 0 : Math.round(first.endedAt - sent.sentAt);
  }

  get takenInMinute(): number | null {
    const refused = this.requests.find(({ status }) => status === TOO_MANY);
    if (refused === undefined) return null;
    const countBefore = ({ number, sentAt }: LoggedRequest) =>
      this.answered.filter((one) => one.number < number && one.sentAt > sentAt - MINUTE_MS).length;
    const taken = countBefore(refused);
    // A limit by the minute would have refused later ones too.
    return this.requests.some((one) => countBefore(one) > taken) ? null : taken;
  }
}

/** A server that is starting may accept the second connection. */
const MOST_UNSENT = 2;

/** They are the same for all models. */
let collected: ReturnType<typeof collectQuestions> | null = null;

/** Questions from a table of eight in the middle of a discussion, and one from the ship. */
async function collectQuestions() {
  const plain = plainGame(PLAYERS);
  const meeting = createMatch(
    meetingMatchSchema.parse({ name: 'a table of eight', seats: plain.seats, call: { by: 'red' } }),
    SEED,
  );
  const ship = createMatch(plain, SEED);
  if (!meeting.ok || !ship.ok) throw new Error('plain matches make sense');
  const table = groupByMoment(await collectPrompts(meeting.ready)).filter(
    (moment) => moment.length === PLAYERS && moment[0]?.request.kind === 'discussion',
  );
  const game = await collectPrompts(ship.ready);
  const action = game.filter(({ request }) => request.kind === 'action').slice(0, 1);
  const [first = [], second = [], third = []] = table.slice(TICKS_BEFORE);
  const identity = pickIdentity({ temperament: 'observer' }, 'doctor');
  return {
    alone: [...first.slice(0, 1), ...action, ...second.slice(0, 2)],
    together: third,
    sizes: game.map(({ request }) => {
      const { system, user, maxTokens } = buildPrompt(request, identity);
      return { bytes: Buffer.byteLength(joinBlocks(system) + joinBlocks(user)), maxTokens };
    }),
  };
}

/** Ticks before the first question. */
const TICKS_BEFORE = 2;
