/** One question to a fake endpoint, in simulated time: waits are written down and take none. */

import { CapabilityCache } from '../../../../actors/minds/openai/capabilities.ts';
import {
  Conversation,
  type ConversationPorts,
  type ModelCall,
  type ModelReply,
  type Patience,
  type PlannedAttempt,
} from '../../../../actors/minds/openai/conversation.ts';
import { ModelRest } from '../../../../actors/minds/openai/pace.ts';
import type { Question, RequestParams } from '../../../../actors/minds/openai/request.ts';
import { openTransport, type Transport } from '../../../../actors/minds/openai/transport.ts';
import { realTime } from '../../../../actors/ports/time.ts';
import { buildTalkSchema } from '../../../../prompts/block.ts';
import type { Step } from '../../../support/endpoint/case.ts';
import { FakeEndpoint } from '../../../support/endpoint/fakeEndpoint.ts';

const SEATS = ['red', 'blue', 'green', 'pink', 'yellow'];

export const QUESTION: Question = {
  system: 'This is Among Us. Answer with one JSON object.',
  user: ['{"transcript": []}', 'You are red, a crewmate.'],
  schema: { ...buildTalkSchema(SEATS) },
  schemaName: 'meeting_reply',
  maxTokens: 400,
};

export const PARAMS: RequestParams = { model: 'fake', temperature: 0.3, seed: 7, extra: {} };

export const KEY = 'sk-test-0123456789abcdef';
const NOW = Date.UTC(2026, 10, 21, 12);

export type Asking = {
  readonly question?: Question;
  readonly params?: RequestParams;
  readonly known?: CapabilityCache;
  readonly patience?: Partial<Patience>;
  readonly mostRestMs?: number;
  readonly signal?: AbortSignal;
  readonly seed?: number;
  readonly onText?: (piece: string | null) => void;
  readonly refusal?: (attempt: PlannedAttempt) => string | null;
  readonly time?: Omit<ConversationPorts['time'], 'sleep'>;
  /** Told of every wait; the wait takes as long as it does. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly ports?: Partial<ConversationPorts>;
};

/** The reply, with the number of requests that it took and the mode of the last one. */
export type Outcome = {
  readonly reply: ModelReply & { readonly calls: number; readonly mode?: ModelCall['mode'] };
  readonly calls: readonly ModelCall[];
  readonly slept: readonly number[];
};

export async function asked(transport: Transport, asking: Asking = {}): Promise<Outcome> {
  const calls: ModelCall[] = [];
  const slept: number[] = [];
  const { time = { ...realTime, now: () => NOW }, mostRestMs = 30_000 } = asking;
  const sleptMs = () => slept.reduce((sum, ms) => sum + ms, 0);
  const rest = new ModelRest({ ...realTime, now: () => time.now() + sleptMs() });
  const conversation = new Conversation({
    question: asking.question ?? QUESTION,
    params: asking.params ?? PARAMS,
    known: asking.known ?? new CapabilityCache(),
    patience: { attemptMs: 5_000, ...asking.patience },
    fits: (value) => 'desire_to_speak' in value,
    ports: {
      transport,
      time: {
        now: () => time.now(),
        setTimeout: (late, ms) => time.setTimeout(late, ms),
        clearTimeout: (timer) => time.clearTimeout(timer),
        sleep: async (ms, signal) => {
          slept.push(ms);
          await asking.sleep?.(ms, signal);
        },
      },
      rest: {
        note: (wantedMs) => rest.note(wantedMs, mostRestMs)?.ms ?? null,
        noteAnswered: (sentAt) => rest.noteAnswered(sentAt),
      },
      refuse: asking.refusal ?? (() => null),
      ...(asking.onText === undefined ? {} : { onText: asking.onText }),
      onCall: (call) => calls.push(call),
      ...asking.ports,
    },
  });
  const reply = await conversation.run(asking.signal ?? new AbortController().signal);
  const mode = calls.at(-1)?.mode;
  const more = reply.ok && mode !== undefined ? { mode } : {};
  return { reply: { ...reply, ...more, calls: calls.length }, calls, slept };
}

export type Held = Outcome & { readonly fake: FakeEndpoint; readonly known: CapabilityCache };

/** Asks an endpoint that misbehaves in these ways; it is closed afterwards. */
export async function ask(steps: readonly Step[], asking: Asking = {}): Promise<Held> {
  const known = asking.known ?? new CapabilityCache();
  const { seed = 1 } = asking;
  const during = async (fake: FakeEndpoint) => ({
    ...(await asked(transportOf(fake), { ...asking, known })),
    fake,
    known,
  });
  return atEndpoint(steps, during, seed);
}

export async function atEndpoint<T>(
  steps: readonly Step[],
  during: (fake: FakeEndpoint) => Promise<T>,
  seed = 1,
): Promise<T> {
  const fake = await FakeEndpoint.open({ steps, seed });
  try {
    return await during(fake);
  } finally {
    await fake.close();
  }
}

export function transportOf(fake: FakeEndpoint, model = 'fake'): Transport {
  return openTransport({ baseUrl: fake.baseUrl, model, apiKey: KEY }, () => NOW);
}

/** What became of a question, in one line: "answer in text, 5 calls" or "refusal, 1 call". */
export function summary({ reply }: Outcome): string {
  const calls = `${reply.calls} ${reply.calls === 1 ? 'call' : 'calls'}`;
  return reply.ok ? `answer in ${reply.mode}, ${calls}` : `${reply.code}, ${calls}`;
}
