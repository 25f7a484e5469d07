/** A question to an endpoint on this machine: through the client, and through a bare `fetch` to the same server. */

import { CapabilityCache } from '../../actors/minds/openai/capabilities.ts';
import { Conversation } from '../../actors/minds/openai/conversation.ts';
import type { Question } from '../../actors/minds/openai/request.ts';
import { openTransport } from '../../actors/minds/openai/transport.ts';
import { buildTalkSchema } from '../../prompts/block.ts';
import { always } from '../support/endpoint/case.ts';
import { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { said } from '../support/endpoint/sent.ts';
import { type Timing, timed, type Variant } from './rounds.ts';

const QUESTIONS = 200;
const SEATS = ['red', 'blue', 'green', 'pink', 'yellow'];
const ANSWER = {
  internal_thought: 'Red is deflecting',
  desire_to_speak: 7,
  message: 'Red, where were you?',
  target: 'red',
  vote_action: null,
  scratchpad_updates: { meeting_scratch: 'Red vague' },
};

/** About as long as the prompt of a tick. */
const QUESTION: Question = {
  system: 'This is Among Us. Answer with one JSON object. '.repeat(60),
  user: ['{"speaker": "red", "message": "I was in electrical doing wires", "t": 0}\n'.repeat(40)],
  schema: { ...buildTalkSchema(SEATS) },
  schemaName: 'meeting_reply',
  maxTokens: 700,
};

export async function endpointBench(rounds: number): Promise<readonly Timing[]> {
  const fake = await FakeEndpoint.open({ steps: [always(said(JSON.stringify(ANSWER)))] });
  try {
    return await timed([bare(fake), client(fake)], rounds);
  } finally {
    await fake.close();
  }
}

/** What is sent and read is the same as the client sends and reads. */
function bare({ baseUrl }: FakeEndpoint): Variant {
  const { system, user, schema, schemaName, maxTokens } = QUESTION;
  const body = {
    model: 'fake',
    messages: [
      { role: 'system', content: system },
      ...user.map((content) => ({ role: 'user', content })),
    ],
    max_tokens: maxTokens,
    response_format: {
      type: 'json_schema',
      json_schema: { name: schemaName, strict: true, schema },
    },
  };
  return {
    name: 'a bare fetch',
    run: async () => {
      for (let count = 0; count < QUESTIONS; count++) {
        const response = await fetch(`${baseUrl}/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        const { choices } = Object(await response.json());
        JSON.parse(choices[0].message.content);
      }
      return QUESTIONS;
    },
  };
}

function client({ baseUrl }: FakeEndpoint): Variant {
  const now = () => performance.now();
  const transport = openTransport({ baseUrl, model: 'fake', apiKey: null }, now);
  const capabilities = new CapabilityCache();
  const params = { model: 'fake', temperature: null, seed: null, extra: {} };
  const { signal } = new AbortController();
  return {
    name: 'the client: forms, verdict, extraction, deadline',
    run: async () => {
      for (let count = 0; count < QUESTIONS; count++) {
        const conversation = new Conversation(QUESTION, params, capabilities, {
          patience: { attemptMs: 30_000, waitMs: 30_000 },
          fits: (value) => 'desire_to_speak' in value,
          ports: {
            transport,
            now,
            sleep: async () => {},
            refuse: () => null,
            onCall: () => {},
          },
        });
        const reply = await conversation.run(signal);
        if (!reply.ok) throw new Error(`expected an answer, found ${reply.code}: ${reply.text}`);
      }
      return QUESTIONS;
    },
  };
}
