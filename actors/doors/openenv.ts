/**
 * The door of OpenEnv clients: frames of JSON in, frames out, one session a connection. Its HTTP routes answer
 * `openenv validate`; a game needs the socket, because each of their requests gets a fresh environment.
 */
import { z } from 'zod';
import { FEWEST_SEATS, MOST_SEATS } from '../../machines/rules/optionRows.ts';
import { isRecord, parseJson, wordOf } from '../../machines/text.ts';
import { type BySeat, COLOURS, type Colour, type Note } from '../../machines/types.ts';
import { type Environment, StepRefused } from '../environment.ts';
import { MatchPaused, MatchRefused } from '../library.ts';
import type { Observation } from '../minds/observation.ts';
import { readSaid } from '../minds/openai/answer.ts';
import { NO_CHOICES } from '../minds/own/requestMessage.ts';
import { realTime } from '../ports/time.ts';

/** The parts of an observation. `view` has everything as data, and is long. */
const PARTS = ['prompt', 'schema', 'choices', 'view'] as const;
/** A client drops the session after 60 s without an answer. */
const ANSWER_MS = 18_000;

const resetSchema = z.object({
  seed: z.int().nonnegative().optional().describe('The same seed and replies, the same game'),
  seats: z.array(z.enum(COLOURS)).min(1).optional().describe('The seats that this client plays'),
  players: z.int().min(FEWEST_SEATS).max(MOST_SEATS).optional(),
  parts: z.array(z.enum(PARTS)).default(['prompt', 'schema', 'choices']),
  credit: z.boolean().optional().describe('Whether the last observation has causal credits'),
  whole: z.boolean().optional().describe('Whether one step plays a turn of all seats'),
  episode_id: z.string().max(200).optional(),
});
type ResetTerms = z.infer<typeof resetSchema>;

const actionSchema = z
  .looseObject({
    text: z.string().describe('The reply: JSON as the prompt asks for, or text with it'),
    seat: z.enum(COLOURS).optional().describe('Whose reply it is; default: the seat that is asked'),
    replies: z.object({}).optional().describe('Replies of several seats, instead of the others'),
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
    questions: z.object({}).optional().describe('With `whole`, what each seat is asked'),
    notes: z.object({}).optional().describe('With `whole`, the notes by seat'),
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

export type OpenEnvHost = {
  open(terms: Pick<ResetTerms, 'seats' | 'players' | 'credit'>): Environment;
  credit(journal: string, seat: Colour, signal: AbortSignal): Promise<readonly object[]>;
  drawSeed(): number;
};

type Notes = BySeat<Note>;

const NOT_YET: Note = {
  code: 'environment/not-yet',
  text: 'the other players are still thinking: step again, with any text, to wait on',
};

const fail = (code: string, message: string, more: object = {}) =>
  JSON.stringify({ type: 'error', data: { message, code, ...more } });

export type OpenEnvTalker = Pick<OpenEnvSession, 'answer' | 'close'>;

export function createOpenEnvDoor(openSession: () => OpenEnvTalker, most: number) {
  const sessions = new Set<OpenEnvTalker>();
  const open = () => {
    const { size: active } = sessions;
    if (active >= most) {
      const text = `expected at most ${most} sessions, found ${active}`;
      return fail('CAPACITY_REACHED', text, { active_sessions: active, max_sessions: most });
    }
    const session = openSession();
    sessions.add(session);
    const close = () => {
      sessions.delete(session);
      session.close();
    };
    return { answer: (frame: string) => session.answer(frame), close };
  };
  return { path: '/ws', sessions, open };
}

type OpenEnvGame = {
  readonly environment: Environment;
  readonly terms: ResetTerms;
  steps: number;
  credits: readonly object[] | null;
};

export class OpenEnvSession {
  readonly #host: OpenEnvHost;
  readonly #closed = new AbortController();
  #game: OpenEnvGame | null = null;
  /** A step or a reset that has not answered in time. */
  #pending: Promise<Notes> | null = null;

  constructor(host: OpenEnvHost) {
    this.#host = host;
  }

  close(): void {
    this.#closed.abort();
    this.#game?.environment.close();
  }

  /** The answer to a frame; null if the session is to be closed. It never rejects. */
  async answer(frame: string): Promise<string | null> {
    const message = parseJson(frame);
    if (message === undefined) return fail('INVALID_JSON', 'expected a frame of JSON');
    return await this.ask(isRecord(message) ? message : {});
  }

  async ask({ type, data = {} }: { type?: unknown; data?: unknown }): Promise<string | null> {
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
    const found = wordOf(type).slice(0, 40);
    return fail('UNKNOWN_TYPE', `expected reset, step, state or close, found ${found}`);
  }

  async #reset(data: unknown): Promise<string> {
    const reading = resetSchema.safeParse(data);
    if (!reading.success) return refuseData(reading.error.issues);
    const terms = reading.data;
    const environment = this.#host.open(terms);
    this.#game?.environment.close();
    this.#game = { environment, terms, steps: 0, credits: null };
    const { seed = this.#host.drawSeed() } = terms;
    return await this.#wait(
      this.#game,
      environment.reset({ seed }).then(() => ({})),
    );
  }

  async #step(data: unknown): Promise<string> {
    if (!isRecord(data)) return refuseData([{ path: [], message: 'expected an object' }]);
    const game = this.#game;
    if (game === null) throw new StepRefused('expected reset before step');
    if (this.#pending !== null) return await this.#wait(game, this.#pending);
    const { environment } = game;
    const { asked } = environment.state();
    const { metadata: _, seat: named = asked[0], replies, text, ...fields } = data;
    const one = [named, text === undefined ? fields : text] as const;
    const said = isRecord(replies) ? Object.entries(replies) : [one];
    const answers = said.map(([name, reply]) => {
      const seat = asked.find((one) => one === name);
      if (seat !== undefined) return { seat, reply: this.#read(environment, seat, reply) };
      throw new StepRefused(`seat: expected ${asked.join(', ') || 'reset, the match is over'}`);
    });
    game.steps += 1;
    const steps = answers.map(async ({ seat, reply }) => {
      const { note } = await environment.step(seat, reply);
      return note === null ? [] : [[seat, note] as const];
    });
    return await this.#wait(
      game,
      Promise.all(steps).then((notes) => Object.fromEntries(notes.flat())),
    );
  }

  #read(environment: Environment, seat: Colour, reply: unknown): unknown {
    if (typeof reply !== 'string' || parseJson(reply) !== undefined) return reply;
    const shown = environment.observe(seat);
    return shown === null ? reply : readSaid(reply, shown, { ...shown.prompt, seat });
  }

  async #wait(game: OpenEnvGame, work: Promise<Notes>): Promise<string> {
    this.#pending = work;
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const timer = realTime.setTimeout(() => resolve(null), ANSWER_MS);
    try {
      const notes = await Promise.race([work, late]);
      if (notes === null) return this.#show(game, null);
      this.#pending = null;
      const needsCredit = game.terms.credit === true && game.credits === null;
      if (needsCredit && game.environment.state().terminated)
        return await this.#wait(game, this.#findCredits(game, notes));
      return this.#show(game, notes);
    } catch (error) {
      this.#pending = null;
      throw error;
    } finally {
      realTime.clearTimeout(timer);
    }
  }

  async #findCredits(game: OpenEnvGame, notes: Notes): Promise<Notes> {
    const { rewards } = game.environment.state();
    const journal = game.environment.journal();
    const credits: object[] = [];
    for (const seat of COLOURS.filter((one) => rewards[one] !== undefined))
      credits.push(...(await this.#host.credit(journal, seat, this.#closed.signal)));
    game.credits = credits;
    return notes;
  }

  /** `notes` is null where the step is not done yet. */
  #show({ environment, terms, steps, credits }: OpenEnvGame, notes: Notes | null): string {
    const { terminated, truncated, rewards, result, ...state } = environment.state();
    const isWaiting = notes === null;
    const [note = null] = isWaiting ? [NOT_YET] : Object.values(notes);
    const show = (one: Colour) => showQuestion(environment.observe(one), terms);
    const asked = isWaiting ? [] : state.asked;
    const [seat = null] = asked;
    const done = !isWaiting && (terminated || truncated);
    const all = Object.values(rewards);
    const mean = all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length);
    const observation = {
      ...{ seat, asked, note },
      ...(terms.whole === true
        ? {
            notes: notes ?? {},
            questions: Object.fromEntries(asked.map((one) => [one, show(one)])),
          }
        : seat !== null && show(seat)),
      ...(isWaiting && { prompt: NOT_YET.text, schema: {}, choices: NO_CHOICES }),
      ...(done && { rewards, result, ...(credits !== null && { credits }) }),
      metadata: {},
    };
    const data = { observation, reward: steps === 0 ? null : done ? mean : 0, done, metadata: {} };
    return JSON.stringify({ type: 'observation', data });
  }

  get #state() {
    const { environment, terms, steps = 0 } = this.#game ?? {};
    const { result, asked = [], terminated, truncated } = environment?.state() ?? {};
    const winner = result?.type === 'game' ? result.winner : null;
    const done = terminated === true || truncated === true;
    return { episode_id: terms?.episode_id ?? null, step_count: steps, asked, done, winner };
  }
}

function showQuestion(shown: Observation | null, { parts }: ResetTerms): object {
  if (shown === null) return {};
  const { kind, index } = shown;
  return {
    ...{ kind, index },
    ...(parts.includes('prompt') && { prompt: `${shown.prompt.system}\n\n${shown.prompt.user}` }),
    ...(parts.includes('schema') && { schema: shown.prompt.schema }),
    ...(parts.includes('choices') && { choices: shown.choices }),
    ...(parts.includes('view') && { view: shown.view }),
  };
}

type DataIssue = { readonly path: PropertyKey[]; readonly message: string; readonly code?: string };

function refuseData(issues: readonly DataIssue[]): string {
  const errors = issues.map(({ path, message, code = 'type' }) => {
    return { loc: path, msg: message, type: code };
  });
  const text = errors.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
  return fail('VALIDATION_ERROR', text, { errors });
}

export const NO_METHOD = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32601, message: 'No tools here: use reset and step, or glassbox serve --mcp.' },
};
