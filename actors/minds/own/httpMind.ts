/** A mind behind a URL: one POST per message of the protocol. */
import { realWeb } from '../../ports/web.ts';
import { TOO_LATE } from '../port.ts';
import {
  type EngineHello,
  fault,
  LONGEST_LINE,
  type MessageReading,
  type MindFault,
  type MindHello,
  type MindLink,
  quote,
  readAnswerMessage,
  readHello,
  readMessage,
} from './protocol.ts';

export function createHttpMind(url: string, hello: EngineHello): MindLink {
  const closed = new AbortController();
  let said: MindHello | null = null;
  let broken: MindFault | null = null;
  /** Says hello; returns the fault, or null. A server that is not up yet is tried again. */
  const greet = async (signal: AbortSignal): Promise<MindFault | null> => {
    const message = await post(url, hello, signal);
    if (!message.ok) return message;
    const reading = readHello(message.value);
    if (reading.ok) said = reading;
    else broken = reading;
    return broken;
  };
  return {
    get said() {
      return said;
    },
    ask: async (message, signal) => {
      const until = AbortSignal.any([signal, closed.signal]);
      const fails = broken ?? (said === null ? await greet(until) : null);
      if (until.aborted) return TOO_LATE;
      if (fails !== null) return fails;
      const reply = await post(url, message, until);
      if (until.aborted) return TOO_LATE;
      const answer = reply.ok ? readAnswerMessage(reply.value) : reply;
      if (!answer.ok) return answer;
      const { id, received } = answer;
      if (id === message.id) return { ok: true, received };
      return fault('wrong-id', `expected the answer to request ${message.id}, found one to ${id}`);
    },
    close: async () => closed.abort(),
  };
}

async function post(
  url: string,
  message: object,
  signal: AbortSignal,
): Promise<MessageReading<{ readonly value: unknown }>> {
  const answer = await realWeb.post(url, JSON.stringify(message), {
    signal,
    mostBytes: LONGEST_LINE,
  });
  const from = quote(url);
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

const OK = 200;
const ADVICE = 'send nothing else in the body';
