/**
 * The door of OpenEnv clients: frames of JSON in, frames out, one session a connection. Its HTTP routes answer
 * `openenv validate`; a game needs the socket, because each of their requests gets a fresh environment.
 */
import { z } from 'zod';
import { FEWEST_SEATS, MOST_SEATS } from '../../machines/rules/optionRows.ts';
import { isRecord, parseJson } from '../../machines/text.ts';
import { COLOURS, type Colour, type Note } from '../../machines/types.ts';
import { type Environment, type EnvironmentOptions, StepRefused } from '../environment.ts';
import { MatchPaused, MatchRefused } from '../library.ts';
import { realTime } from '../ports/time.ts';

/** The parts of an observation. `view` has everything as data, and is long. */
const PARTS = ['prompt', 'schema', 'choices', 'view'] as const;
/** A client drops the session after 60 s without an answer. */
const ANSWER_MS = 18_000;

const resetSchema = z.object({
  seed: z.int().nonnegative().optional().describe('The same seed and replies, the same game'),
  seats: z.array(z.enum(COLOURS)).min(1).optional().describe('The seats that this client plays'),
  players: z.int().min(FEWEST_SEATS).max(MOST_SEATS).optional(),
  parts: z.array(z.enum(PARTS)).optional().describe('What observations carry beside the seat'),
  credit: z.boolean().optional().describe('Whether the last observation has causal credits'),
  episode_id: z.string().max(200).optional(),
});
type ResetTerms = z.infer<typeof resetSchema>;

const actionSchema = z
  .looseObject({
    text: z.string().describe('The reply: JSON as the prompt asks for, or text with it'),
    seat: z.enum(COLOURS).optional().describe('Whose reply it is; default: the seat that is asked'),
  })
  .meta({ title: 'Reply' });

const observationSchema = z
  .object({
    seat: z.enum(COLOURS).nullable().describe('The seat that is asked; null if none'),
    kind: z.string().optional(),
    asked: z.array(z.enum(COLOURS)).describe('All seats that have not replied in this turn'),
    note: z.object({ code: z.string(), text: z.string() }).nullable(),
    prompt: z.string().optional().describe('What the player knows and is asked'),
    schema: z.object({}).optional().describe('JSON schema of the reply'),
    choices: z.object({}).optional().describe('The legal choices'),
    view: z.object({}).optional(),
    rewards: z.object({}).optional().describe('By seat, at the end'),
    credits: z.array(z.object({})).optional().describe('Causal credits, if asked for at the reset'),
  })
  .meta({ title: 'Question' });

const stateSchema = z
  .object({
    episode_id: z.string().nullable(),
    step_count: z.int(),
    asked: z.array(z.enum(COLOURS)),
    done: z.boolean(),
    winner: z.string().nullable(),
  })
  .meta({ title: 'Match' });

export const OPENENV_SCHEMAS = {
  action: z.toJSONSchema(actionSchema),
  observation: z.toJSONSchema(observationSchema),
  state: z.toJSONSchema(stateSchema),
};

type OpenTerms = Pick<EnvironmentOptions, 'seats' | 'players'>;

export type OpenEnvHost = {
  open(terms: OpenTerms): Environment;
  /** The credits of a seat's acts in a journal that is over. */
  credit(journal: string, seat: Colour, signal: AbortSignal): Promise<readonly object[]>;
  drawSeed(): number;
};

const NOT_YET: Note = {
  code: 'environment/not-yet',
  text: 'the other players are still thinking: step again, with any text, to wait on',
};

const fail = (code: string, message: string, more: object = {}) =>
  JSON.stringify({ type: 'error', data: { message, code, ...more } });

export const CAPACITY = (active: number, most: number) =>
  fail('CAPACITY_REACHED', `expected at most ${most} sessions, found ${active}`, {
    active_sessions: active,
    max_sessions: most,
  });

export class OpenEnvSession {
  readonly #host: OpenEnvHost;
  readonly #closed = new AbortController();
  #environment: Environment | null = null;
  #terms: ResetTerms = {};
  #steps = 0;
  /** A step or a reset that has not answered in time. */
  #pending: Promise<Note | null> | null = null;
  #credits: readonly object[] | null = null;

  constructor(host: OpenEnvHost) {
    this.#host = host;
  }

  close(): void {
    this.#closed.abort();
    this.#environment?.close();
  }

  /** The answer to a frame; null if the session is to be closed. It never rejects. */
  async answer(frame: string): Promise<string | null> {
    const message = parseJson(frame);
    if (message === undefined) return fail('INVALID_JSON', 'expected a frame of JSON');
    const { type, data = {} } = isRecord(message) ? message : {};
    try {
      if (type === 'reset') return await this.#reset(data);
      if (type === 'step') return await this.#step(data);
      if (type === 'state') return JSON.stringify({ type, data: this.#state });
      if (type === 'close') return null;
      if (type === 'mcp') return JSON.stringify({ type, data: NO_METHOD });
    } catch (error) {
      if (error instanceof MatchPaused) this.close();
      const isKnown = [StepRefused, MatchRefused, MatchPaused].some((one) => error instanceof one);
      const text = isKnown && error instanceof Error ? error.message : 'this cannot be played';
      return fail('EXECUTION_ERROR', text);
    }
    return fail(
      'UNKNOWN_TYPE',
      `expected reset, step, state or close, found ${String(type).slice(0, 40)}`,
    );
  }

  async #reset(data: unknown): Promise<string> {
    const terms = resetSchema.safeParse(data);
    if (!terms.success) return refuseData(terms.error);
    const { seed = this.#host.drawSeed(), seats, players } = terms.data;
    const environment = this.#host.open({
      ...(seats === undefined ? {} : { seats }),
      ...(players === undefined ? {} : { players }),
    });
    this.#environment?.close();
    this.#environment = environment;
    this.#terms = terms.data;
    this.#steps = 0;
    this.#credits = null;
    this.#pending = null;
    return await this.#wait(environment.reset({ seed }).then(() => null));
  }

  async #step(data: unknown): Promise<string> {
    if (!isRecord(data))
      return refuseData({ issues: [{ path: [], message: 'expected an object', code: 'type' }] });
    if (this.#environment === null) throw new StepRefused('expected reset before step');
    if (this.#pending !== null) return await this.#wait(this.#pending);
    const { metadata: _, seat: named, ...fields } = data;
    const seat = COLOURS.find((one) => one === named) ?? this.#environment.state().asked[0];
    if (seat === undefined) throw new StepRefused('the match is over: expected reset');
    const reply = 'text' in fields ? fields['text'] : fields;
    const step = this.#environment.step(seat, reply);
    this.#steps += 1;
    return await this.#wait(step.then(({ note }) => note));
  }

  /** Answers when the work is done, and otherwise in time that it is not. */
  async #wait(work: Promise<Note | null>): Promise<string> {
    this.#pending = work;
    const { promise: late, resolve } = Promise.withResolvers<Note>();
    const timer = realTime.setTimeout(() => resolve(NOT_YET), ANSWER_MS);
    try {
      const note = await Promise.race([work, late]);
      if (note === NOT_YET) return this.#show(NOT_YET);
      this.#pending = null;
      if (this.#needsCredit()) return await this.#wait(this.#findCredits(note));
      return this.#show(note);
    } catch (error) {
      this.#pending = null;
      throw error;
    } finally {
      realTime.clearTimeout(timer);
    }
  }

  #needsCredit(): boolean {
    const isAsked = this.#terms.credit === true && this.#credits === null;
    return isAsked && this.#environment?.state().terminated === true;
  }

  async #findCredits(note: Note | null): Promise<Note | null> {
    const environment = this.#environment;
    if (environment === null) return note;
    const credits: object[] = [];
    for (const seat of Object.keys(environment.state().rewards)) {
      const colour = COLOURS.find((one) => one === seat);
      if (colour === undefined) continue;
      credits.push(
        ...(await this.#host.credit(environment.journal(), colour, this.#closed.signal)),
      );
    }
    this.#credits = credits;
    return note;
  }

  #show(note: Note | null): string {
    const isWaiting = note === NOT_YET;
    const state = this.#environment?.state();
    const asked = isWaiting || state === undefined ? [] : state.asked;
    const [seat = null] = asked;
    const done = !isWaiting && (state?.terminated === true || state?.truncated === true);
    const rewards = Object.values(state?.rewards ?? {});
    const mean = rewards.reduce((sum, one) => sum + one, 0) / Math.max(1, rewards.length);
    const observation = {
      seat,
      asked,
      note,
      ...(seat === null ? {} : this.#question(seat)),
      ...(done ? { rewards: state?.rewards, result: state?.result } : {}),
      ...(done && this.#credits !== null ? { credits: this.#credits } : {}),
      metadata: {},
    };
    const reward = this.#steps === 0 ? null : done ? mean : 0;
    return JSON.stringify({
      type: 'observation',
      data: { observation, reward, done, metadata: {} },
    });
  }

  #question(seat: Colour): object {
    const shown = this.#environment?.observe(seat);
    if (shown == null) return {};
    const { parts = ['prompt', 'schema', 'choices'] } = this.#terms;
    const { kind, index } = shown;
    return {
      kind,
      index,
      ...(parts.includes('prompt') && { prompt: `${shown.prompt.system}\n\n${shown.prompt.user}` }),
      ...(parts.includes('schema') && { schema: shown.prompt.schema }),
      ...(parts.includes('choices') && { choices: shown.choices }),
      ...(parts.includes('view') && { view: shown.view }),
    };
  }

  get #state() {
    const state = this.#environment?.state();
    const { result = null, asked = [], terminated = false, truncated = false } = state ?? {};
    const winner = result !== null && 'winner' in result ? result.winner : null;
    const { episode_id = null } = this.#terms;
    return { episode_id, step_count: this.#steps, asked, done: terminated || truncated, winner };
  }
}

type Issues = {
  readonly issues: readonly { path: PropertyKey[]; message: string; code?: string | undefined }[];
};

function refuseData({ issues }: Issues): string {
  const errors = issues.map(({ path, message, code }) => ({ loc: path, msg: message, type: code }));
  return fail(
    'VALIDATION_ERROR',
    errors.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; '),
    { errors },
  );
}

export const NO_METHOD = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32601, message: 'No tools here: use reset and step, or glassbox serve --mcp.' },
};
