/** One question to a fake endpoint, in simulated time: waits are written down and take none. */
import {
  type Call,
  Conversation,
  type Patience,
  type Reply,
} from '../../../../actors/minds/openai/conversation.ts';
import type { Manner, Question } from '../../../../actors/minds/openai/messages.ts';
import { Acquaintance } from '../../../../actors/minds/openai/traits.ts';
import { wireTo } from '../../../../actors/minds/openai/transport.ts';
import type { Wire } from '../../../../actors/minds/openai/wire.ts';
import { talkSchema } from '../../../../prompts/schema.ts';
import type { Step } from '../../../support/endpoint/case.ts';
import { FakeEndpoint } from '../../../support/endpoint/fakeEndpoint.ts';

const SEATS = ['red', 'blue', 'green', 'pink', 'yellow'];

export const QUESTION: Question = {
  system: 'This is Among Us. Answer with one JSON object.',
  user: ['{"transcript": []}', 'You are red, a crewmate.'],
  schema: { ...talkSchema(SEATS, SEATS) },
  schemaName: 'meeting_reply',
  maxTokens: 400,
};

export const MANNER: Manner = { model: 'fake', temperature: 0.3, seed: 7, extra: {} };

export const KEY = 'sk-test-0123456789abcdef';
export const NOW = Date.UTC(2026, 10, 21, 12);

/** As a table of five would have it. */
export const GOOD = {
  internal_thought: 'Red is deflecting',
  desire_to_speak: 7,
  message: 'Red, where were you?',
  target: 'red',
  vote_action: null,
  scratchpad_updates: { meeting_scratch: 'Red vague' },
};
export const GOOD_TEXT = JSON.stringify(GOOD);

export type Asking = {
  readonly question?: Question;
  readonly manner?: Manner;
  readonly known?: Acquaintance;
  readonly patience?: Partial<Patience>;
  readonly signal?: AbortSignal;
  readonly refusal?: () => string | null;
  /** Told of every wait; the wait takes as long as it does. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
};

export type Outcome = {
  readonly reply: Reply;
  readonly calls: readonly Call[];
  readonly slept: readonly number[];
};

export async function asked(wire: Wire, asking: Asking = {}): Promise<Outcome> {
  const calls: Call[] = [];
  const slept: number[] = [];
  const conversation = new Conversation(
    asking.question ?? QUESTION,
    asking.manner ?? MANNER,
    asking.known ?? new Acquaintance(),
    {
      patience: { attemptMs: 5_000, waitMs: 30_000, ...asking.patience },
      fits: (value) => 'desire_to_speak' in value,
      ports: {
        wire,
        now: () => NOW,
        refusal: asking.refusal ?? (() => null),
        onCall: (call) => calls.push(call),
        sleep: async (ms, signal) => {
          slept.push(ms);
          await asking.sleep?.(ms, signal);
        },
      },
    },
  );
  const reply = await conversation.run(asking.signal ?? new AbortController().signal);
  return { reply, calls, slept };
}

export type Held = Outcome & { readonly fake: FakeEndpoint; readonly known: Acquaintance };

/** Asks an endpoint that misbehaves in these ways; it is closed afterwards. */
export async function ask(steps: readonly Step[], asking: Asking = {}): Promise<Held> {
  const known = asking.known ?? new Acquaintance();
  return atEndpoint(steps, async (fake) => ({
    ...(await asked(wireOf(fake), { ...asking, known })),
    fake,
    known,
  }));
}

export async function atEndpoint<T>(
  steps: readonly Step[],
  during: (fake: FakeEndpoint) => Promise<T>,
): Promise<T> {
  const fake = await FakeEndpoint.open({ steps });
  try {
    return await during(fake);
  } finally {
    await fake.close();
  }
}

export function wireOf(fake: FakeEndpoint, model = 'fake'): Wire {
  return wireTo({ baseUrl: fake.baseUrl, model, apiKey: KEY }, () => NOW);
}

/** What became of a question, in one line: "answer in text, 5 calls" or "refusal, 1 call". */
export function summary({ reply }: Outcome): string {
  const calls = `${reply.calls} ${reply.calls === 1 ? 'call' : 'calls'}`;
  return reply.ok ? `answer in ${reply.mode}, ${calls}` : `${reply.code}, ${calls}`;
}
