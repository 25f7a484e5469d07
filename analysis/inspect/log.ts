/**
 * A journal as an eval log of Inspect AI: the door of this folder.
 *
 * The log is one match, and each player a sample of it: players are what is scored, they have models, roles and answers of
 * their own, and they see different things. A match as a sample would have one score for two sides. Players of one match
 * are not independent, so results have means and no standard errors: those are for many matches.
 */
import type { Journal } from '../../actors/engine/journal/reader.ts';
import type { Prices } from '../../actors/minds/openai/prices.ts';
import { DEFAULT_URL, findProviderName } from '../../actors/minds/openai/providers.ts';
import { listSeats } from '../../actors/minds/openai/seats.ts';
import { formatMoment } from '../../actors/ports/time.ts';
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import { isRemote } from '../../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import type { Colour } from '../../machines/types.ts';
import type { Pricing } from '../accounts.ts';
import { makePricing } from '../pricing.ts';
import { type Conversation, readConversations, readTimes } from './conversation.ts';
import {
  INSPECT_FORMAT,
  type InspectLog,
  type InspectOutput,
  type InspectSample,
} from './format.ts';
import { type ScoredMatch, type ScoredSeat, scoreMatch, summarizeScores } from './scores.ts';
import { sumUsage } from './usage.ts';

export type InspectOptions = {
  /** What the journal is called in the log. */
  readonly name: string;
  /** The version of this program. */
  readonly version: string;
  readonly prices: Prices;
  /** When the match began that has come to so many milliseconds, in milliseconds since 1970. */
  readonly startedAt: (lengthMs: number) => number;
};

/** What Inspect calls it where there is no model. */
const NO_MODEL = 'none/none';

const MS = 1000;

/** The log of a journal; null for what has no first line. */
export function createInspectLog(journal: Journal, options: InspectOptions): InspectLog | null {
  const { lines } = journal;
  const [header] = lines;
  const scored = scoreMatch(journal);
  if (header?.type !== 'match.opened' || scored === null) return null;
  return new LogWriter(lines, scored, options).write(header);
}

type LoggedMatch = LineOf<'match.opened'>;

/** What the match was opened with, apart from its players, who are models and samples. */
function listArguments({ match, seed }: LoggedMatch): Record<string, unknown> {
  const { name: _, seats: __, ...setup } = match;
  return { seed, ...setup };
}

class LogWriter {
  readonly #lines: readonly Line[];
  readonly #scored: ScoredMatch;
  readonly #options: InspectOptions;
  readonly #models: ReadonlyMap<Colour, string>;
  readonly #pricing: Pricing;
  readonly #lengthMs: number;
  readonly #startMs: number;

  constructor(lines: readonly Line[], scored: ScoredMatch, options: InspectOptions) {
    this.#lines = lines;
    this.#scored = scored;
    this.#options = options;
    this.#models = new Map(listSeats(lines[0]).map((seat) => [seat.colour, nameModel(seat)]));
    this.#pricing = makePricing(lines, options.prices);
    this.#lengthMs = readTimes(lines).at(-1) ?? 0;
    this.#startMs = options.startedAt(this.#lengthMs);
  }

  write(header: LoggedMatch): InspectLog {
    const { seats } = this.#scored;
    const samples = this.#createSamples();
    const args = listArguments(header);
    const isOver = this.#status !== 'started';
    return {
      version: INSPECT_FORMAT.version,
      status: this.#status,
      eval: this.#createSpec(header),
      plan: {
        name: 'plan',
        steps: [{ solver: 'glassbox', params: args, params_passed: args }],
        config: {},
      },
      results: isOver
        ? {
            total_samples: samples.length,
            completed_samples: samples.length,
            scores: summarizeScores(seats),
          }
        : null,
      stats: {
        started_at: this.#momentAt(0),
        completed_at: this.#completedAt ?? '',
        model_usage: sumUsage(this.#lines, (seat) => this.#modelOf(seat), this.#pricing),
        role_usage: sumUsage(this.#lines, (seat) => seat, this.#pricing),
        connection_limit_history: [],
      },
      invalidated: false,
      tags: [],
      metadata: {},
      samples,
    };
  }

  #createSpec(header: LoggedMatch): InspectLog['eval'] {
    const { name, version } = this.#options;
    const { game, seats } = this.#scored;
    const args = listArguments(header);
    // A match is named by its last line: the fork of a game begins as the game does.
    const last = this.#lines.findLast(({ channel }) => channel === 'living') ?? header;
    const id = last.hash.slice(0, ID_LENGTH);
    return {
      eval_id: id,
      run_id: id,
      created: this.#momentAt(0),
      task: `glassbox_${game.kind}`,
      task_id: header.hash.slice(0, ID_LENGTH),
      task_version: 0,
      task_attribs: {},
      task_args: args,
      task_args_passed: args,
      dataset: {
        name: header.match.name,
        samples: seats.length,
        sample_ids: seats.map(({ colour }) => colour),
        shuffled: false,
      },
      model: this.#mainModel,
      model_generate_config: {},
      model_args: {},
      model_roles: this.#roles,
      config: { epochs: 1 },
      packages: { glassbox: version },
      metadata: {
        journal: name,
        living_hash: game.living_hash,
        ghosts_hash: game.ghosts_hash,
        winner: game.winner,
        reason: game.reason,
        rounds: game.rounds,
        meetings: game.meetings,
        time: this.#isTimed ? 'measured' : 'logical',
      },
    };
  }

  get #isTimed(): boolean {
    return this.#lines.some(({ clock }) => typeof clock?.['ms'] === 'number');
  }

  #momentAt(ms: number): string {
    return formatMoment(this.#startMs + ms);
  }

  #modelOf(seat: Colour): string {
    return this.#models.get(seat) ?? NO_MODEL;
  }

  get #status(): InspectLog['status'] {
    if (this.#scored.game.ended !== true) return 'started';
    const end = this.#lines.findLast(
      ({ type }) => type === 'game.closed' || type === 'meeting.closed',
    );
    const how =
      end?.type === 'game.closed'
        ? end.reason
        : end?.type === 'meeting.closed'
          ? end.outcome
          : null;
    return how === 'interrupted' ? 'cancelled' : 'success';
  }

  get #completedAt(): string | null {
    return this.#status === 'started' ? null : this.#momentAt(this.#lengthMs);
  }

  /** The language model of the match where there is one and no other. */
  get #mainModel(): string {
    const models = new Set(listSeats(this.#lines[0]).filter(isRemote).map(nameModel));
    const [model, ...others] = models;
    return model !== undefined && others.length === 0 ? model : NO_MODEL;
  }

  get #roles(): InspectLog['eval']['model_roles'] {
    const roles = listSeats(this.#lines[0]).map((seat) => {
      const { colour, temperature, base_url } = seat;
      const isModel = isRemote(seat);
      const config = isModel && temperature !== undefined ? { temperature } : {};
      const base = isModel ? (base_url ?? DEFAULT_URL) : null;
      return [colour, { model: nameModel(seat), config, base_url: base, args: {} }] as const;
    });
    return Object.fromEntries(roles);
  }

  #createSamples(): InspectSample[] {
    const pricing = this.#pricing;
    const conversations = readConversations(this.#lines, {
      momentAt: (ms) => this.#momentAt(ms),
      modelOf: (seat) => this.#modelOf(seat),
      pricing,
    });
    return this.#scored.seats.map((seat) => {
      const { colour } = seat;
      const own = (nameOf: (seat: Colour) => string) =>
        sumUsage(this.#lines, (one) => (one === colour ? nameOf(one) : null), pricing);
      return {
        ...this.#createSample(seat, conversations.get(colour) ?? { messages: [], events: [] }),
        model_usage: own((one) => this.#modelOf(one)),
        role_usage: own((one) => one),
      };
    });
  }

  #createSample(
    seat: ScoredSeat,
    { messages, events }: Conversation,
  ): Omit<InspectSample, 'model_usage' | 'role_usage'> {
    const { colour, scores, place, role, persona, mind, model } = seat;
    const { game } = this.#scored;
    const target = role === 'impostor' ? 'impostors' : 'crew';
    const timestamp = this.#momentAt(this.#lengthMs);
    const scoreEvents = Object.entries(scores).map(([scorer, score]) => ({
      event: 'score' as const,
      timestamp,
      working_start: this.#lengthMs / MS,
      scorer,
      score,
      target,
      intermediate: false as const,
    }));
    const { fate, fate_round, fate_meeting } = seat;
    return {
      id: colour,
      epoch: 1,
      input: `${colour} is ${role === 'impostor' ? 'an impostor' : 'a crewmate'} in "${game.name}": ${game.players} players, ${game.impostors} of them impostors, ${game.rules} rules.`,
      target,
      messages,
      output: findOutput(messages, this.#modelOf(colour)),
      scores: { ...scores },
      metadata: { place, role, persona, mind, model, fate, fate_round, fate_meeting },
      store: {},
      events: [...events, ...scoreEvents],
      started_at: this.#momentAt(0),
      completed_at: this.#completedAt,
      attachments: {},
    };
  }
}

const ID_LENGTH = 22;

/** The last answer of a player. */
function findOutput(messages: Conversation['messages'], model: string): InspectOutput {
  const message = messages.findLast((one) => one.role === 'assistant');
  return {
    model,
    choices: message === undefined ? [] : [{ message, stop_reason: 'stop' }],
    completion: message?.content ?? '',
    usage: null,
    time: null,
    error: null,
  };
}

/** Endpoints that have another name in Inspect. */
const INSPECT_PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['gemini', 'google'],
  ['xai', 'grok'],
]);

/** What decides for a player: the model with its endpoint, or the kind of mind. */
function nameModel(seat: MatchSeat): string {
  const { mind = 'scripted', model = 'unknown', base_url: baseUrl = DEFAULT_URL } = seat;
  if (!isRemote(seat)) return `glassbox/${mind}`;
  const provider = findProviderName(baseUrl);
  if (provider !== null) return `${INSPECT_PROVIDERS.get(provider) ?? provider}/${model}`;
  return `${URL.canParse(baseUrl) ? new URL(baseUrl).host : 'unknown'}/${model}`;
}
