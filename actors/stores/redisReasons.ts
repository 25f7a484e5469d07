/** Why a Redis does not answer, in words for people: what systems and libraries say of it is long, or a code. */

import { StoreLost } from './store.ts';

/** By what the message has in it. */
const REASONS = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'it hung up',
  EPIPE: 'it hung up',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  NOAUTH: 'it wants a user and a password',
  WRONGPASS: 'wrong user or password',
  'Unknown RESP type': 'what answers there is no Redis',
  'wrong version number': 'it does not speak TLS: is it redis:// instead of rediss://?',
  'self-signed': 'its certificate is not trusted: name it in NODE_EXTRA_CA_CERTS',
};

export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error);
  const known = Object.entries(REASONS).find(([word]) => message.includes(word));
  return known?.[1] ?? message;
}

/** What a server says no to, or why it says nothing, in a sentence with what to look at. */
export function storeLost(error: unknown, shown: string): StoreLost {
  const reason = reasonOf(error);
  if (isRefusal(error)) {
    const advice = 'may this user write, and has the server memory and disk left?';
    return new StoreLost(`Redis at ${shown} refuses: ${reason}; ${advice}`, 'store/refused');
  }
  return new StoreLost(`Redis at ${shown} does not answer: ${reason}; is it still running?`);
}

/** Whether the server has answered, and the answer is no. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}
