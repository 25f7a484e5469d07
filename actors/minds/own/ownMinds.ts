/** The operator's own minds of one game: created for its seats and released when it is over. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { BeliefQuestion } from '../../../machines/rules/beliefs.ts';
import { isOwn } from '../../../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../../../machines/setup/match.ts';
import { readField } from '../../../machines/text.ts';
import type { Colour, Note } from '../../../machines/types.ts';
import type { Identity } from '../../../prompts/personas.ts';
import { type ReflectionView, readReflection } from '../../../prompts/reflection.ts';
import { copyJson } from '../../../prompts/reply.ts';
import { realModules } from '../../ports/modules.ts';
import type { Commands, Modules } from '../../ports/ports.ts';
import type { Believer } from '../believer.ts';
import type { AnswerTimes } from '../kinds.ts';
import { ABORTED, type Answer, orAbort, type TimedMind, TOO_LATE } from '../port.ts';
import { CommandMind } from './commandMind.ts';
import { createHttpMind } from './httpMind.ts';
import {
  type EngineHello,
  fault,
  LONGEST_LINE,
  type MindFault,
  type MindLink,
  PROTOCOL,
  quote,
} from './protocol.ts';
import {
  FIRST_BELIEF_ID,
  type RequestFrame,
  writeBeliefRequest,
  writeReflection,
  writeRequest,
} from './requestMessage.ts';

export type OwnMindsOptions = {
  readonly commands?: Commands;
  readonly modules?: Modules;
  readonly onErrorLine?: (seat: Colour, line: string) => void;
};

/** Timeout of reflections and belief questions: no other player waits for them. */
const BESIDE_MS = 60_000;

/** Asks a mind for its player's beliefs; null if it does not answer such questions. */
type AskBelief = (question: BeliefQuestion, signal: AbortSignal) => Promise<Answer | null>;

type LinkedSeat = {
  readonly link: MindLink;
  readonly frame: RequestFrame;
  /** Resolves after the first request: before that the hello is unknown. */
  readonly greeted: PromiseWithResolvers<void>;
  lastId: number;
  lastBeliefId: number;
};

export class OwnMinds {
  readonly #options: OwnMindsOptions;
  readonly #seats = new Map<Colour, LinkedSeat>();
  readonly #askBelief = new Map<Colour, AskBelief>();
  /** All links: in a fork a seat may have had another mind before. */
  readonly #links: MindLink[] = [];
  /** Not derived from the seed, because it is sent to players. */
  readonly #game = randomUUID();
  #closing: Promise<unknown> | null = null;

  constructor(options: OwnMindsOptions = {}) {
    this.#options = options;
  }

  /** The mind of a seat. Nothing starts before the first request. */
  createMind(seat: MatchSeat, times: AnswerTimes, identity: Identity): TimedMind {
    if (seat.mind === 'module') return this.#createModuleMind(seat, times, identity);
    const hello: EngineHello = {
      type: 'hello',
      protocol: PROTOCOL,
      game: this.#game,
      seat: seat.colour,
      longest_line: LONGEST_LINE,
    };
    const frame = { game: this.#game, identity, times };
    const own: LinkedSeat = {
      link: this.#createLink(seat, hello),
      frame,
      greeted: Promise.withResolvers(),
      lastId: 0,
      lastBeliefId: FIRST_BELIEF_ID - 1,
    };
    this.#seats.set(seat.colour, own);
    this.#askBelief.set(seat.colour, (question, signal) => askLinkedBelief(own, question, signal));
    this.#links.push(own.link);
    return {
      pace: 'in-time',
      answer: (request, signal) => {
        own.lastId += 1;
        const answer = own.link.ask(writeRequest(request, own.lastId, frame), signal);
        void answer.finally(() => own.greeted.resolve());
        return answer;
      },
    };
  }

  /** The believer of a seat: its mind, if its hello says that it answers belief questions. */
  createBeliever({ colour }: MatchSeat): Believer {
    return {
      pace: 'in-time',
      source: 'own',
      believe: async (question, given) => {
        const signal = AbortSignal.any([given, AbortSignal.timeout(BESIDE_MS)]);
        const answer = (await this.#askBelief.get(colour)?.(question, signal)) ?? null;
        return answer === null ? null : { source: 'own', answer };
      },
    };
  }

  nameOf(seat: Colour): string {
    return this.#seats.get(seat)?.link.said?.name ?? '';
  }

  /** Asks the mind of a seat for its lessons, if its hello says that it reflects; null: it keeps the old ones. */
  async reflect(seat: Colour, view: ReflectionView): Promise<readonly string[] | null> {
    const own = this.#seats.get(seat);
    if (own === undefined || own.link.said?.reflects !== true) return null;
    own.lastId += 1;
    const frame = { ...own.frame, times: { table: BESIDE_MS, ship: null } };
    const message = writeReflection(view, own.lastId, frame);
    const answer = await own.link.ask(message, AbortSignal.timeout(BESIDE_MS));
    const reading = answer.ok ? readReflection(answer.received) : answer;
    return reading.ok ? reading.learned : null;
  }

  async close(): Promise<void> {
    this.#closing ??= Promise.all(this.#links.map((link) => link.close()));
    await this.#closing;
  }

  #createLink(seat: MatchSeat, hello: EngineHello): MindLink {
    const { commands, onErrorLine } = this.#options;
    if (seat.mind === 'http') return createHttpMind(seat.url ?? '', hello);
    return new CommandMind({
      words: listWords(seat.command),
      folder: seat.folder ?? '.',
      hello,
      ...(commands === undefined ? {} : { commands }),
      onErrorLine: (line) => onErrorLine?.(seat.colour, line),
    });
  }

  #createModuleMind(seat: MatchSeat, times: AnswerTimes, identity: Identity): TimedMind {
    const { modules = realModules } = this.#options;
    const frame = { game: this.#game, identity, times };
    const path = resolve(seat.folder ?? '.', seat.module ?? '');
    let loading: Promise<unknown> | null = null;
    let lastId = 0;
    let lastBeliefId = FIRST_BELIEF_ID - 1;
    this.#askBelief.set(seat.colour, async (question, signal) => {
      loading ??= modules.load(path);
      const decide = await loading.catch(() => null);
      if (typeof decide !== 'function' || Reflect.get(decide, 'believes') !== true) return null;
      lastBeliefId += 1;
      const message = writeBeliefRequest(question, lastBeliefId, frame);
      const received: unknown = await orAbort(decide(message, signal), signal);
      return received === ABORTED ? TOO_LATE : readModuleAnswer(seat, received);
    });
    return {
      pace: 'in-time',
      answer: async (request, signal) => {
        loading ??= modules.load(path);
        let decide: unknown;
        try {
          decide = await loading;
        } catch (error) {
          return fault('module', `${quote(seat.module)} can't be loaded: ${describeThrown(error)}`);
        }
        if (isPort(decide)) {
          const answer = await decide.answer(request, signal);
          return answer?.ok === true ? readModuleAnswer(seat, answer.received) : answer;
        }
        if (typeof decide !== 'function') return describeExport(seat, decide);
        lastId += 1;
        const received: unknown = await decide(writeRequest(request, lastId, frame), signal);
        if (received !== undefined) return readModuleAnswer(seat, received);
        return fault('no-answer', `expected an answer from ${quote(seat.module)}, found none`);
      },
    };
  }
}

async function askLinkedBelief(
  own: LinkedSeat,
  question: BeliefQuestion,
  signal: AbortSignal,
): Promise<Answer | null> {
  if ((await orAbort(own.greeted.promise, signal)) === ABORTED) return null;
  if (own.link.said?.believes !== true) return null;
  own.lastBeliefId += 1;
  const frame = { ...own.frame, times: { table: BESIDE_MS, ship: null } };
  return await own.link.ask(writeBeliefRequest(question, own.lastBeliefId, frame), signal);
}

/** The default export of a module is a function that gets the message and returns the answer, or has the port. */
function describeExport({ module }: MatchSeat, value: unknown): MindFault {
  const found = value === undefined ? 'none' : quote(value);
  const expected = 'expected a default export that is a function or has one named "answer"';
  return fault('module', `${quote(module)}: ${expected}, found ${found}`);
}

/** The answer of a module, if JSON can hold it: it goes into the journal. */
function readModuleAnswer({ module }: MatchSeat, value: unknown): Answer {
  const received = copyJson(value);
  if (received !== undefined) return { ok: true, received };
  return fault(
    'module',
    `expected an answer from ${quote(module)} that JSON can hold, found ${quote(value)}`,
  );
}

function isPort(value: unknown): value is TimedMind {
  return typeof value !== 'function' && typeof readField(value, 'answer') === 'function';
}

/** The error without the path of the loading file. */
function describeThrown(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split(' imported from ')[0] ?? text;
}

export function listWords(command: MatchSeat['command'] = []): readonly string[] {
  if (typeof command !== 'string') return command;
  return command.split(/\s+/).filter((word) => word !== '');
}

const WANTED = {
  command: { key: 'command', example: 'command: [python3, my_mind.py]' },
  http: { key: 'url', example: 'url: http://localhost:8000/' },
  module: { key: 'module', example: 'module: ./my_mind.ts' },
} as const;

export function findOwnMindProblem(
  who: string,
  seat: Pick<MatchSeat, 'mind' | 'command' | 'url' | 'module'>,
): Note | null {
  if (!isOwn(seat)) return null;
  const { key, example } = WANTED[seat.mind];
  const given = key === 'command' ? listWords(seat.command).length > 0 : seat[key] !== undefined;
  if (given) return null;
  return {
    code: 'mind/incomplete',
    text: `${who}: mind ${seat.mind} wants ${key} (such as ${example}), found none`,
  };
}
