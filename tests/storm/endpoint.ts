/** The models of a storm. They answer by the schema of a request, or misbehave as a fault says. Equal requests get equal answers. */
import { hash } from 'node:crypto';
import type { Delivery, Endpoint, Transport } from '../../actors/minds/openai/transport.ts';
import { readField } from '../../machines/text.ts';
import { Chance } from '../support/chance.ts';
import type { EndpointFault } from './faults.ts';
import type { Ground } from './ground.ts';
import type { SimulatedProcess } from './process.ts';

const LONGEST_ANSWER_MS = 2500;
const FLOOD = 200_000;
const CHARACTERS_PER_TOKEN = 4;

export type GamePlace = { readonly slot: number; readonly seat: number };

export class ModelServer {
  readonly #ground: Ground;
  readonly #places: ReadonlyMap<number, GamePlace>;
  #awayUntil = 0;
  #isSilent = false;
  asked = 0;
  paid = 0;
  /** Thoughts that only their own model may read. */
  readonly #secrets = new Map<string, string>();

  constructor(ground: Ground, places: ReadonlyMap<number, GamePlace>) {
    this.#ground = ground;
    this.#places = places;
  }

  goAway({ forMs, isSilent }: { readonly forMs: number; readonly isSilent: boolean }): void {
    this.#awayUntil = this.#ground.timeline.now + forMs;
    this.#isSilent = isSilent;
  }

  comeBack(): void {
    this.#awayUntil = 0;
  }

  open(process: SimulatedProcess): (endpoint: Endpoint) => Transport {
    return (endpoint) => ({
      send: (body, signal) =>
        new Promise((resolve) => {
          let isOver = false;
          const end = (delivery: Delivery) => {
            if (!isOver) resolve(delivery);
            isOver = true;
          };
          const abort = () => end(lose('aborted', true));
          if (signal.aborted) return end(lose('aborted', false));
          signal.addEventListener('abort', abort, { once: true });
          this.#receive({ process, endpoint, body, isWanted: () => !isOver, end });
        }),
    });
  }

  #receive(request: Received): void {
    const { process, body, endpoint } = request;
    if (!process.isAlive) return;
    const { faults, promises, timeline } = this.#ground;
    this.asked += 1;
    const nth = this.asked;
    const text = JSON.stringify(body['messages']);
    this.#checkSecrets(endpoint, text);
    const digest = hash('sha256', `${endpoint.model} ${text}`, 'hex').slice(0, DIGEST);
    const place = this.#places.get(Number(body['seed'])) ?? null;
    const question = `${place?.slot ?? 'none'} ${digest}`;
    const seat = `game ${place?.slot ?? '?'} seat ${place?.seat ?? '?'}`;
    if (place !== null) promises.noteAsked(process, question, seat, place.slot);
    const fault = this.#findFault(faults.take('endpoint', nth)?.how ?? null);
    const asks = `asks ${endpoint.model} for ${seat}`;
    timeline.note(process.name, fault === null ? asks : `${asks}: ${fault}`);
    const ms = process.chance.between(5, LONGEST_ANSWER_MS);
    const isRefusal = fault === 'refuses';
    const wrong = fault === null || isRefusal ? null : FAILURES[fault];
    if (wrong === 'never') return;
    if (wrong !== null) {
      if (wrong.type === 'body' && wrong.status === 200) this.#pay();
      process.after(ms, () => request.end(wrong));
      return;
    }
    const ending = faults.take('kill-at-answer', nth);
    if (ending !== null)
      process.after(ms + ending.afterMs, () => {
        timeline.note(process.name, `is killed after the answer for ${seat}`);
        process.onKilled(ending.forMs);
      });
    this.#pay();
    const token = `token-${nth}.`;
    process.after(ms, () => {
      if (!request.isWanted()) return;
      if (place !== null) promises.noteAnswered(process, question, token);
      const refusal = `${token} I can not help with that.`;
      request.end(
        isRefusal ? say(null, [1, 1], refusal) : this.#answer(request, { digest, token }),
      );
      if (place !== null)
        process.after(1, () => promises.noteReplyUsed(process, place.slot, token, isRefusal));
    });
  }

  #findFault(how: EndpointFault | null): EndpointFault | null {
    if (this.#ground.timeline.now >= this.#awayUntil) return how;
    return this.#isSilent ? 'hangs' : 'refused';
  }

  #pay(): void {
    this.paid += 1;
    this.#ground.promises.notePaid(this.paid);
  }

  #answer(
    { body, endpoint }: Received,
    { digest, token }: { digest: string; token: string },
  ): Delivery {
    const secret = `secret-of-${endpoint.model}-${hash('sha256', endpoint.model, 'hex').slice(0, DIGEST)}`;
    this.#secrets.set(endpoint.model, secret);
    const format = readField(readField(body, 'response_format'), 'json_schema');
    const value = fill(readField(format, 'schema'), new Chance(digest), `${token} ${secret}`);
    const answer = JSON.stringify(value);
    // The client does not believe a server that counts fewer tokens.
    const count = (text: string) => Math.ceil(text.length / CHARACTERS_PER_TOKEN);
    return say(answer, [count(JSON.stringify(body['messages'])), count(answer)]);
  }

  #checkSecrets({ model, apiKey }: Endpoint, text: string): void {
    for (const [owner, secret] of this.#secrets) {
      if (owner !== model && text.includes(secret))
        this.#ground.promises.report('secrets', `${model} is sent a thought of ${owner}`);
    }
    const keys = Object.values(this.#ground.environment);
    if (keys.some((key) => text.includes(key)))
      this.#ground.promises.report('secrets', `${model} is sent a key`);
    if (apiKey !== null && apiKey !== this.#ground.environment[keyOf(model)])
      this.#ground.promises.report('secrets', `${model} is sent the key of another one`);
  }
}

export function keyOf(model: string): string {
  return `KEY_OF_${model.toUpperCase().replaceAll('-', '_')}`;
}

type Received = {
  readonly process: SimulatedProcess;
  readonly endpoint: Endpoint;
  readonly body: Readonly<Record<string, unknown>>;
  readonly isWanted: () => boolean;
  readonly end: (delivery: Delivery) => void;
};

const DIGEST = 16;

function refuse(status: number, message: string, retryAfterMs: number | null): Delivery {
  return { type: 'body', status, body: { error: { message } }, retryAfterMs };
}

function lose(text: string, wasSent: boolean): Delivery {
  return { type: 'lost', isLate: false, wasSent, text };
}

/** `tokens`: prompt tokens and answer tokens. Without it there is no usage. */
function say(
  content: string | null,
  tokens?: readonly [number, number],
  refusal?: string,
): Delivery {
  const [prompt_tokens, completion_tokens] = tokens ?? [];
  const usage = tokens === undefined ? {} : { usage: { prompt_tokens, completion_tokens } };
  const body = { choices: [{ message: { content, refusal }, finish_reason: 'stop' }], ...usage };
  return { type: 'body', status: 200, body, retryAfterMs: null };
}

const FAILURES: Readonly<Record<Exclude<EndpointFault, 'refuses'>, Delivery | 'never'>> = {
  hangs: 'never',
  refused: lose('connect ECONNREFUSED 10.0.0.1:443', false),
  lost: lose('socket hang up', true),
  limited: refuse(429, 'slow down', 3000),
  overloaded: refuse(503, 'overloaded', null),
  garbage: say('I am sorry, but { "desire_to'),
  empty: say(''),
  flood: say('and so on '.repeat(FLOOD / 10), [100, 50_000]),
  lies: say(
    '{"desire_to_speak": "NaN", "vote_action": "vote_everybody", "action": {"type": "win"}}',
    [-5, 1e12],
  ),
};

/** A value that fits a schema, with `thought` as its thought. */
function fill(schema: unknown, chance: Chance, thought: string): unknown {
  const choices = readField(schema, 'anyOf');
  if (Array.isArray(choices))
    return fill(choices[chance.between(0, choices.length - 1)], chance, thought);
  const list = readField(schema, 'enum');
  if (Array.isArray(list)) return list[chance.between(0, list.length - 1)];
  const type = readField(schema, 'type');
  const one: unknown = Array.isArray(type) ? type[chance.between(0, type.length - 1)] : type;
  switch (one) {
    case 'object': {
      const properties = Object.entries(Object(readField(schema, 'properties')));
      const fillPart = (name: string, part: unknown) =>
        name === 'internal_thought' ? thought : fill(part, chance, 'I saw nothing');
      return Object.fromEntries(properties.map(([name, part]) => [name, fillPart(name, part)]));
    }
    case 'array':
      return [fill(readField(schema, 'items'), chance, thought)];
    case 'number':
    case 'integer':
      return chance.between(0, 9);
    case 'boolean':
      return chance.is(1 / 2);
    case 'null':
      return null;
    default:
      return thought;
  }
}
