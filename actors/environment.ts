/**
 * An environment: a match whose outside seats are played by the caller, one turn at a time. A turn is over when every
 * outside seat that is asked has replied. Time stands still meanwhile, so the order and the speed of the replies decide
 * nothing: the same seed and the same replies give the same journal, byte for byte.
 */
import type { Line } from '../machines/journal/lines.ts';
import { mapSeats } from '../machines/rules/seats.ts';
import type { Match, MatchSeat } from '../machines/setup/match.ts';
import { plainGame } from '../machines/setup/prepare.ts';
import { type BySeat, COLOURS, type Colour, type Note, type Role } from '../machines/types.ts';
import { readOrder } from '../prompts/order.ts';
import type { Identity } from '../prompts/personas.ts';
import { copyJson, readReply } from '../prompts/reply.ts';
import { SimulatedClock } from './engine/clock.ts';
import { beginJournal } from './engine/journal/recorder.ts';
import { MemorySink, noSink, type Sink } from './engine/journal/sink.ts';
import { createMatch, type RunningMatch, startMatch } from './engine/match.ts';
import {
  createModels,
  DEFAULT_PLAYERS,
  findStrangers,
  identify,
  type MatchInput,
  MatchPaused,
  MatchRefused,
  type MatchResult,
  type ModelOptions,
  openMatch,
  refuseNumbers,
  refuseSeats,
  refuseUnknownKeys,
  showAll,
} from './library.ts';
import {
  type Choices,
  type LightObservingMind,
  type Observation,
  type ObservingMind,
  observe,
} from './minds/observation.ts';
import { type Answer, type Mind, type MindRequest, type SlowMind, TOO_LATE } from './minds/port.ts';
import { nextTurn, realTime } from './ports/time.ts';

export type EnvironmentOptions = {
  /** A match as for `startMatch`; without it a plain game of `players`. */
  readonly config?: MatchInput;
  /** 4 to 15; 8 without it. Of no effect with `config`. */
  readonly players?: number;
  /** The outside seats. Without it the seats of `config` with `mind: outside`, else the first living one. */
  readonly seats?: readonly Colour[];
  /** A whole number from 0; 1 without it. */
  readonly seed?: number;
  /** Minds of other seats. The match defines the rest. */
  readonly opponents?: BySeat<ObservingMind>;
  readonly models?: ModelOptions;
  /** Turns after which the match is truncated; 2,000 without it. */
  readonly turnLimit?: number;
  /** Milliseconds for a turn; ten minutes without it. A seat that has not replied by then has a fault. */
  readonly timeSliceMs?: number;
  /** Breaks the match off and closes the environment. */
  readonly signal?: AbortSignal;
  /** Called with each line of the journal as it is written. */
  readonly onLine?: (line: Line) => void;
  /** Opens a second place for the journal, called at each reset. */
  readonly openSink?: (seed: number) => Sink;
  /** Whether `journal()` has the journal; true without it. A turn is cheaper if no place has it. */
  readonly keepsJournal?: boolean;
  /** The door of each outside seat, recorded in the clock of the header. */
  readonly door?: string;
};

export type EnvironmentState = {
  /** Turns that have been played since the reset. */
  readonly turn: number;
  /** Outside seats that have not replied in the open turn, in the order of the colours. */
  readonly asked: readonly Colour[];
  /** The match has ended by its rules. */
  readonly terminated: boolean;
  /** The match was ended by the turn limit, the signal, or `close`. */
  readonly truncated: boolean;
  /** By outside seat, at the end: 1 if its side has won, -1 if the other has, otherwise 0. */
  readonly rewards: BySeat<number>;
  readonly result: MatchResult | null;
};

export type Step = Pick<EnvironmentState, 'asked' | 'terminated' | 'truncated'> & {
  /** The next question to the seat; null if it is not asked in this turn. */
  readonly observation: Observation | null;
  readonly reward: number;
  /** Why the reply was unreadable, which cost the seat its turn; null if it was read. */
  readonly note: Note | null;
};

export type Environment = {
  /** Starts the match anew, with this seed or the one before. Resolves at the first turn. */
  reset(options?: { readonly seed?: number }): Promise<EnvironmentState>;
  /**
   * Replies for a seat, with the reply of the design as an object or as text. Resolves at once if others have not
   * replied yet, otherwise at the next turn or the end.
   *
   * @throws StepRefused if the seat is not asked
   */
  step(seat: Colour, reply: unknown): Promise<Step>;
  /** The question to a seat in this turn; null if there is none, or if it has replied. */
  observe(seat: Colour): Observation | null;
  legalChoices(seat: Colour): Choices | null;
  state(): EnvironmentState;
  /** Empty if none is kept. */
  journal(): string;
  close(): void;
};

/** A reply that no seat was asked for. The match goes on unchanged. */
export class StepRefused extends Error {
  readonly code = 'environment/not-asked';

  constructor(text: string) {
    super(`${text} [environment/not-asked]`);
    this.name = 'StepRefused';
  }
}

const TURN_LIMIT = 2000;
const TIME_SLICE_MS = 600_000;

/** @throws MatchRefused when the match or an option makes no sense, with every reason */
export function openEnvironment(options: EnvironmentOptions = {}): Environment {
  const plan = preparePlan(options);
  const { signal } = options;
  let episode: Episode | null = null;
  let { seed } = plan;
  const opened = () => {
    if (episode === null) throw new StepRefused('expected reset before anything else');
    return episode;
  };
  const close = () => episode?.close();
  signal?.addEventListener('abort', close, { once: true });
  return {
    reset: async (again = {}) => {
      signal?.throwIfAborted();
      seed = again.seed ?? seed;
      refuseNumbers(seed, DEFAULT_PLAYERS);
      episode?.close();
      episode = new Episode(plan, seed);
      await episode.next();
      return episode.state;
    },
    step: async (seat, reply) => await opened().step(seat, reply),
    observe: (seat) => opened().observe(seat),
    legalChoices: (seat) => opened().observe(seat)?.choices ?? null,
    state: () => opened().state,
    journal: () => opened().journal,
    close,
  };
}

type Plan = EnvironmentOptions & {
  readonly match: Match;
  readonly outside: readonly Colour[];
  readonly seed: number;
};

const KEYS =
  'config players seats seed opponents models turnLimit timeSliceMs signal onLine openSink keepsJournal door'.split(
    ' ',
  );

function preparePlan(options: EnvironmentOptions): Plan {
  const { config, players = DEFAULT_PLAYERS, seed = 1, opponents = {}, models } = options;
  const refuse = (code: string, text: string) => new MatchRefused([{ code, text }]);
  refuseUnknownKeys(options, KEYS);
  refuseNumbers(seed, players);
  for (const key of ['turnLimit', 'timeSliceMs'] as const) {
    const { [key]: value = 1 } = options;
    if (!(value > 0)) throw refuse('match/limit', `${key}: expected more than 0, found ${value}`);
  }
  const written = config === undefined ? plainGame(players) : openMatch(config);
  const outside = options.seats ?? chooseOutside(written);
  const silent = Object.fromEntries(outside.map((seat) => [seat, SILENT]));
  const strangers = findStrangers(written.seats, silent, 'seats');
  if (strangers.length > 0) throw new MatchRefused(strangers);
  const twice = outside.find((seat) => opponents[seat] !== undefined);
  if (twice !== undefined) throw refuse('match/two-minds', `${twice} is an outside seat, too`);
  refuseSeats(written.seats, { ...opponents, ...silent }, models, 'opponents');
  const match = seatOutside(written, outside);
  const creation = createMatch(match, seed);
  if (!creation.ok) throw new MatchRefused(creation.refusals);
  return { ...options, match, outside, seed };
}

export function chooseOutside({ seats }: Pick<Match, 'seats'>): readonly Colour[] {
  const named = seats.filter(({ mind }) => mind === 'outside');
  const free = seats.filter((seat) => !('dead' in seat && seat.dead === true));
  return (named.length > 0 ? named : free.slice(0, 1)).map(({ colour }) => colour);
}

export function seatOutside<M extends Match>(match: M, outside: readonly Colour[]): M {
  const place = (seat: MatchSeat) =>
    outside.includes(seat.colour) ? { ...seat, mind: 'outside' } : seat;
  return { ...match, seats: match.seats.map(place) };
}

class StillClock extends SimulatedClock {
  #thinking = 0;
  #quiet = Promise.withResolvers<void>();

  override async settle(): Promise<void> {
    await nextTurn();
    while (this.#thinking > 0) {
      await this.#quiet.promise;
      await nextTurn();
    }
  }

  async hold<T>(thought: Promise<T>): Promise<T> {
    if (this.#thinking === 0) this.#quiet = Promise.withResolvers();
    this.#thinking += 1;
    try {
      return await thought;
    } finally {
      this.#thinking -= 1;
      if (this.#thinking === 0) this.#quiet.resolve();
    }
  }
}

type SeatQuestion = {
  readonly observation: Observation;
  readonly settle: (answer: Answer) => void;
  reply: Answer | null;
};

function readAnswer(asked: Observation, received: unknown) {
  if (received === undefined) return NOT_JSON;
  return asked.kind === 'action' ? readOrder(received, asked.view) : readReply(received);
}

const NOT_JSON = {
  ok: false,
  code: 'reply/not-json',
  text: 'expected JSON, found something else',
} as const;

/** The answer of a seat that does nothing, at the table and on the ship. */
const PASS: Answer = { ok: true, received: { action: null } };
const SILENT: LightObservingMind = { pace: 'at-once', answer: () => PASS };
/** The longest time that a timer of Node.js can have. */
const LONGEST_MS = 2 ** 31 - 1;

class Episode {
  readonly #plan: Plan;
  readonly #clock = new StillClock();
  readonly #memory = new MemorySink();
  readonly #roles: ReadonlyMap<Colour, Role>;
  readonly #match: RunningMatch;
  readonly #ended = new AbortController();
  readonly #open = new Map<Colour, SeatQuestion>();
  #turn = 0;
  /** When the open turn began, in milliseconds. */
  #since = 0;
  #isGathering = false;
  #news = Promise.withResolvers<void>();
  #result: MatchResult | null = null;
  #isCut = false;

  constructor(plan: Plan, seed: number) {
    this.#plan = plan;
    const { match, outside, opponents = {}, onLine, door, openSink, keepsJournal = true } = plan;
    const models = createModels(plan.models, seed);
    const creation = createMatch(match, seed, models.minds);
    if (!creation.ok) throw new MatchRefused(creation.refusals);
    const { ready } = creation;
    const { seats } = ready.match;
    this.#roles = new Map(ready.players.map(({ colour, role }) => [colour, role]));
    const others = { ...ready.minds, ...showAll(opponents, seats, seed) };
    const minds = mapSeats(others, (mind, seat): Mind => {
      if (outside.includes(seat)) return this.#askOutside(identify(seats, seat, seed));
      return mind.pace === 'at-once' ? mind : this.#hold(mind);
    });
    const sink = openSink?.(seed) ?? noSink;
    this.#ended.signal.addEventListener('abort', () => sink.close());
    const recorder = beginJournal(ready.headers, {
      sink: {
        ...noSink,
        write: (text) => {
          if (keepsJournal) this.#memory.write(text);
          sink.write(text);
        },
      },
      onLine: onLine === undefined ? null : ({ line }) => onLine(line),
      doors: door === undefined ? null : Object.fromEntries(outside.map((seat) => [seat, door])),
    });
    const isRead = keepsJournal || openSink !== undefined || onLine !== undefined;
    const engine = { clock: this.#clock, recorder: isRead ? recorder : null };
    this.#match = startMatch({ ...ready, minds, ...engine });
    models.attach(this.#match, recorder);
    this.#news.promise.catch(() => {});
    this.#match.result.then((found) => {
      if (models.paused !== null) this.#news.reject(new MatchPaused(models.paused));
      else
        this.#result =
          'outcome' in found ? { type: 'meeting', ...found } : { type: 'game', ...found };
      this.#end();
    }, this.#news.reject);
    void this.#watchTime();
  }

  get #isOver(): boolean {
    return this.#ended.signal.aborted;
  }

  get journal(): string {
    return this.#memory.text;
  }

  get state(): EnvironmentState {
    const { outside } = this.#plan;
    return {
      ...this.#place,
      turn: this.#turn,
      rewards: Object.fromEntries(outside.map((seat) => [seat, this.#rewardOf(seat)])),
      result: this.#result,
    };
  }

  get #asked(): readonly Colour[] {
    return COLOURS.filter((seat) => this.observe(seat) !== null);
  }

  get #isAnswered(): boolean {
    return [...this.#open.values()].every(({ reply }) => reply !== null);
  }

  get #place() {
    const terminated = this.#isOver && !this.#isCut;
    return { asked: this.#asked, terminated, truncated: this.#isOver && this.#isCut };
  }

  /** Resolves when outside seats are asked, or the match is over. */
  next(): Promise<void> {
    return this.#news.promise;
  }

  observe(seat: Colour): Observation | null {
    const question = this.#open.get(seat);
    return question === undefined || question.reply !== null ? null : question.observation;
  }

  async step(seat: Colour, reply: unknown): Promise<Step> {
    const question = this.#open.get(seat);
    if (question === undefined || question.reply !== null) {
      const asked = this.#asked.join(', ') || 'nobody';
      const when = this.#isOver ? 'the match is over' : `asked: ${asked}`;
      throw new StepRefused(`expected a seat that is asked, found ${seat} (${when})`);
    }
    const received = copyJson(reply);
    const reading = readAnswer(question.observation, received);
    question.reply = { ok: true, received };
    if (this.#isAnswered) {
      this.#closeTurn();
      await this.next();
    }
    const note = reading.ok ? null : { code: reading.code, text: reading.text };
    return { ...this.#place, observation: this.observe(seat), reward: this.#rewardOf(seat), note };
  }

  close(): void {
    if (this.#isOver) return;
    this.#isCut = true;
    this.#match.pause();
    this.#end();
    this.#release(TOO_LATE);
  }

  #end(): void {
    this.#ended.abort();
    this.#news.resolve();
  }

  #askOutside(identity: Identity): SlowMind {
    const ask = (request: MindRequest, signal: AbortSignal) => {
      const observation = observe(request, identity);
      const { seat } = observation;
      const { promise, resolve } = Promise.withResolvers<Answer>();
      const question: SeatQuestion = { observation, settle: resolve, reply: null };
      if (this.#isCut) return Promise.resolve(PASS);
      this.#open.set(seat, question);
      const drop = () => {
        if (this.#open.get(seat) === question) this.#open.delete(seat);
        resolve(TOO_LATE);
        if (this.#open.size > 0 && this.#isAnswered) this.#closeTurn();
      };
      signal.addEventListener('abort', drop, { once: true });
      void this.#gather();
      return promise;
    };
    return {
      pace: 'in-time',
      answer: (request, signal) => this.#clock.hold(ask(request, signal)),
    };
  }

  /** Announces a turn when all its questions have been asked. */
  async #gather(): Promise<void> {
    if (this.#isGathering) return;
    this.#isGathering = true;
    await nextTurn();
    this.#isGathering = false;
    if (this.#turn < (this.#plan.turnLimit ?? TURN_LIMIT)) {
      this.#since = realTime.now();
      this.#news.resolve();
      return;
    }
    this.#isCut = true;
    this.#match.end();
    this.#release(PASS);
  }

  #closeTurn(): void {
    this.#turn += 1;
    this.#news = Promise.withResolvers();
    this.#news.promise.catch(() => {});
    this.#release(TOO_LATE);
  }

  /** The replies arrive in the order of the questions, whatever their own order was. */
  #release(missing: Answer): void {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { settle, reply } of open) settle(reply ?? missing);
  }

  async #watchTime(): Promise<void> {
    const { timeSliceMs = TIME_SLICE_MS } = this.#plan;
    while (!this.#isOver) {
      const isOpen = this.#open.size > 0 && !this.#isGathering;
      const left = isOpen ? this.#since + timeSliceMs - realTime.now() : timeSliceMs;
      if (left <= 0) this.#closeTurn();
      else await realTime.idle(Math.min(left, LONGEST_MS), this.#ended.signal);
    }
  }

  /** A slow mind of another seat. One that keeps no time of its own has the time slice. */
  #hold(mind: SlowMind): SlowMind {
    const { timeSliceMs = TIME_SLICE_MS } = this.#plan;
    return {
      pace: 'in-time',
      answer: (request, signal, keepTime) => {
        let keepsTime = false;
        const thought = mind.answer(request, signal, () => {
          keepsTime = true;
          keepTime();
        });
        const late = realTime
          .idle(Math.min(timeSliceMs, LONGEST_MS), signal)
          .then(() => (keepsTime ? thought : TOO_LATE));
        return this.#clock.hold(Promise.race([thought, late]));
      },
    };
  }

  #rewardOf(seat: Colour): number {
    const loser = this.#isCut || this.#result === null ? null : this.#loserOf(this.#result);
    if (loser === null) return 0;
    return this.#roles.get(seat) === loser ? -1 : 1;
  }

  /** In a meeting on its own the side of the ejected player loses. */
  #loserOf(result: MatchResult): Role | null {
    if (result.type === 'meeting')
      return result.ejected === null ? null : (this.#roles.get(result.ejected) ?? null);
    if (result.winner === null) return null;
    return result.winner === 'crew' ? 'impostor' : 'crewmate';
  }
}
