/** A mind behind a URL: one POST per message of the protocol. */
import { realWeb } from '../../ports/web.ts';
import { type Answer, TOO_LATE } from '../port.ts';
import {
  type EngineHello,
  fault,
  LONGEST_LINE,
  type MessageReading,
  type MindFault,
  type MindHello,
  type MindLink,
  quote,
  type RequestMessage,
  readAnswerMessage,
  readHello,
  readMessage,
} from './protocol.ts';

export class HttpMind implements MindLink {
  said: MindHello | null = null;
  readonly #url: string;
  readonly #hello: EngineHello;
  #broken: MindFault | null = null;
  readonly #closed = new AbortController();

  constructor(url: string, hello: EngineHello) {
    this.#url = url;
    this.#hello = hello;
  }

  async ask(message: RequestMessage, signal: AbortSignal): Promise<Answer> {
    const until = AbortSignal.any([signal, this.#closed.signal]);
    const fails = this.#broken ?? (this.said === null ? await this.#greet(until) : null);
    if (until.aborted) return TOO_LATE;
    if (fails !== null) return fails;
    const reply = await this.#post(message, until);
    if (until.aborted) return TOO_LATE;
    const answer = reply.ok ? readAnswerMessage(reply.value) : reply;
    if (!answer.ok) return answer;
    const { id, received } = answer;
    if (id === message.id) return { ok: true, received };
    return fault('wrong-id', `expected the answer to request ${message.id}, found one to ${id}`);
  }

  async close(): Promise<void> {
    this.#closed.abort();
  }

  /** Says hello; returns the fault, or null. A server that is not up yet is tried again. */
  async #greet(signal: AbortSignal): Promise<MindFault | null> {
    const message = await this.#post(this.#hello, signal);
    if (!message.ok) return message;
    const hello = readHello(message.value);
    if (hello.ok) this.said = hello;
    else this.#broken = hello;
    return this.#broken;
  }

  async #post(
    message: object,
    signal: AbortSignal,
  ): Promise<MessageReading<{ readonly value: unknown }>> {
    const limits = { signal, mostBytes: LONGEST_LINE };
    const answer = await realWeb.post(this.#url, JSON.stringify(message), limits);
    const from = quote(this.#url);
    if (answer.type === 'lost')
      return fault('unreachable', `no answer from ${from}: ${answer.reason}`);
    if (answer.type === 'too-long')
      return fault('flood', `expected at most ${LONGEST_LINE} bytes from ${from}, found more`);
    const { status } = answer;
    if (answer.type === 'redirect') {
      const text = `expected an answer, found a redirect (${status}) to ${quote(answer.to)}: write that address into url`;
      return fault('redirect', text);
    }
    if (status === OK) return readMessage(answer.text, ADVICE);
    const found = `found ${status} with ${quote(answer.text)}`;
    return fault('status', `expected status 200 from ${from}, ${found}`);
  }
}

const OK = 200;
const ADVICE = 'send nothing else in the body';
