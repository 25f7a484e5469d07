import { expect, test } from 'vitest';
import {
  type Capabilities,
  CapabilityCache,
} from '../../../../actors/minds/openai/capabilities.ts';
import type { Step } from '../../../support/endpoint/case.ts';
import { TABLE } from '../../../support/endpoint/table.ts';
import { WHOLE } from '../../../support/endpoint/words.ts';
import { ask, asked, atEndpoint, type Outcome, PARAMS, summary, transportOf } from './asking.ts';

/** Row: number, title, verdict, note of each request, capabilities learned, text read. */
const ROWS = `
01 | plain strict JSON | answer in json_schema, 1 call | answer | - | an answer
02 | json_schema refused, json_object taken | answer in json_object, 2 calls | unsupported format, answer | asks in json_object | an answer
03 | json_schema not deserialised | answer in json_object, 2 calls | unsupported format, answer | asks in json_object | an answer
05 | no system message and no JSON mode, said in a list | answer in text, 5 calls | unsupported system, unsupported format, unsupported format, unsupported tools, answer | asks in text, merged | an answer
07 | roles must alternate | answer in json_schema, 2 calls | unsupported roles, answer | joined | an answer
08 | max_tokens renamed, then temperature refused | answer in json_schema, 3 calls | unsupported token-name, unsupported temperature, answer | max_completion_tokens, without temperature | an answer
10 | neither format nor tools | answer in text, 4 calls | unsupported format, unsupported format, unsupported tools, answer | asks in text | an answer
12 | invalid schema | answer in json_object, 2 calls | unsupported format, answer | asks in json_object | an answer
13 | JSON that the endpoint could not generate | answer in json_schema, 2 calls | malformed, answer | - | an answer
14 | fenced, with prose around it | answer in json_schema, 1 call | answer | - | an answer
15 | a decoy in the thoughts | answer in json_schema, 1 call | answer | room 4 | an answer
18 | channels | answer in json_schema, 1 call | answer | room 4 | an answer
19 | cut, and a bound in words helps | answer in json_schema, 2 calls | truncated, answer | bounded in words | an answer
21 | white space up to the limit | answer in json_object, 3 calls | truncated, truncated, answer | bounded in words | an answer
23 | reasoning and no content | answer in json_schema, 2 calls | empty, answer | room 4 | an answer
25 | content as an object | answer in json_schema, 1 call | answer | - | an answer
27 | arguments of a tool as an object | answer in json_schema, 1 call | answer | - | an answer
28 | wrong types | answer in json_schema, 1 call | answer | - | an answer
30 | JSON as Python writes it | answer in json_schema, 1 call | answer | - | an answer
32 | a refusal in its field | refusal, 1 call | refusal | - | I'm sorry, I can't help with that.
33 | a refusal in prose | refusal, 1 call | refusal | - | I'm sorry, but I can't help with deceiving peopl
35 | moderation of the prompt | moderation, 1 call | moderation | - | Input flagged by moderation
36 | 429 with Retry-After | answer in json_schema, 2 calls | rate-limit (3000 ms), answer | - | an answer
38 | the limit of the day | daily-limit, 1 call | daily-limit | - | Rate limit exceeded: free-models-per-day. Add 10
39 | no quota left | credits, 1 call | credits | - | You exceeded your current quota, please check yo
41 | no key | auth, 1 call | auth | - | No auth credentials found
42 | an error within 200 | answer in json_schema, 2 calls | upstream (500 ms), answer | - | an answer
44 | 429 within 200 | answer in json_schema, 2 calls | rate-limit (500 ms), answer | - | an answer
45 | no choices | answer in json_schema, 2 calls | empty, answer | - | an answer
47 | a web page with 200 | not-endpoint, 1 call | not-endpoint | - | a web page answers, not an endpoint: most base U
49 | overloaded | answer in json_schema, 2 calls | upstream (500 ms), answer | - | an answer
50 | the context is too short | context-overflow, 1 call | context-overflow | - | This model's maximum context length is 8192 toke
52 | the context is too short, within 200 | context-overflow, 1 call | context-overflow | - | the request exceeds the available context size.
54 | an unknown model | not-found, 1 call | not-found | - | model "gemma9" not found, try pulling it first
55 | the connection is cut | answer in json_schema, 2 calls | upstream (500 ms), answer | - | an answer
56 | no reply | answer in json_schema, 2 calls | timeout (500 ms), answer | - | an answer
60 | no usage | answer in json_schema, 1 call | answer | - | an answer
62 | prose, then what was asked for | answer in json_schema, 2 calls | malformed, answer | - | an answer
64 | a parameter that is forbidden | answer in json_schema, 2 calls | unsupported seed, answer | without seed | an answer
65 | llama.cpp: the context is too small | context-overflow, 1 call | context-overflow | - | request (4390 tokens) exceeds the available cont
66 | llama.cpp: the context ran full, with 500 | context-overflow, 1 call | context-overflow | - | Context size has been exceeded.
67 | llama.cpp: a template of Devstral that wants roles to alternate | answer in json_schema, 2 calls | unsupported roles, answer | joined | an answer
68 | llama.cpp without --jinja, and a grammar that it can't build | answer in text, 5 calls | unsupported bounds, unsupported format, unsupported format, unsupported tools, answer | asks in text, unbounded | an answer
69 | llama.cpp: the model loads, twice | answer in json_schema, 3 calls | loading (500 ms), loading (1000 ms), answer | - | an answer
70 | llama.cpp: a compute error | answer in json_schema, 2 calls | upstream (500 ms), answer | - | an answer
71 | ds4: the context is too small | context-overflow, 1 call | context-overflow | - | Prompt tokens (11543) exceeds context size (4096
72 | vLLM: messages alone are too long | context-overflow, 1 call | context-overflow | - | This model's maximum context length is 16384 tok
73 | vLLM: only the room for the answer is too large | answer in json_schema, 2 calls | unsupported max_tokens, answer | no limit | an answer
74 | vLLM: no room is left for an answer | context-overflow, 1 call | context-overflow | - | max_tokens must be at least 1, got -186.
75 | vLLM without --enable-auto-tool-choice, and a schema that xgrammar can't take | answer in text, 5 calls | unsupported bounds, unsupported format, unsupported format, unsupported tools, answer | asks in text, unbounded | an answer
76 | vLLM: the answer of Qwen 3 stands in reasoning_content | answer in json_schema, 1 call | answer | room 4 | an answer, with a note
77 | Ollama: Gemma 4 thinks until the limit | answer in json_schema, 2 calls | truncated, answer | room 4 | an answer
78 | Ollama: too little memory | upstream, 6 calls | five waits, upstream | - | model requires more system memory (5.3 GiB) than
79 | Ollama: the runner has died | answer in json_schema, 2 calls | upstream (500 ms), answer | - | an answer
80 | Ollama: the queue is full | answer in json_schema, 2 calls | upstream (500 ms), answer | - | an answer
81 | Ollama cloud: overloaded | answer in json_schema, 2 calls | upstream (500 ms), answer | - | an answer
82 | Ollama: a model that does not think | answer in json_schema, 2 calls | unsupported reasoning_effort, answer | without reasoning_effort | an answer
83 | LM Studio: loading was cancelled | not-found, 1 call | not-found | - | Failed to load model "qwen/qwen3-coder-30b". Err
84 | LM Studio: the model was unloaded meanwhile | answer in json_schema, 2 calls | upstream (500 ms), answer | - | an answer
85 | LM Studio: the model has crashed | answer in json_schema, 2 calls | upstream (500 ms), answer | - | an answer
86 | LM Studio: the context is too small | context-overflow, 1 call | context-overflow | - | The number of tokens to keep from the initial pr
87 | LM Studio: the context is too small, and nothing is said of it | empty, 5 calls | empty, empty, empty, empty, empty | - | no way to ask got a usable answer: the last was
88 | SGLang: the context is too small | context-overflow, 1 call | context-overflow | - | Requested token count exceeds the model's maximu
89 | SGLang: the queue is full | answer in json_schema, 2 calls | upstream (500 ms), answer | - | an answer
90 | SGLang: aborted while it spoke | answer in json_schema, 2 calls | upstream (500 ms), answer | - | an answer
91 | TGI: overloaded | answer in json_schema, 2 calls | rate-limit (500 ms), answer | - | an answer
92 | TGI: only the room for the answer is too large | answer in json_schema, 2 calls | unsupported max_tokens, answer | no limit | an answer
93 | TGI: the prompt alone is too long | context-overflow, 1 call | context-overflow | - | Input validation error: \`inputs\` tokens + \`max_n
94 | TGI: a template without a system role | answer in json_schema, 2 calls | unsupported system, answer | merged | an answer
95 | TGI: no grammar | answer in tool, 3 calls | unsupported format, unsupported format, answer | asks in tool | an answer
96 | LocalAI: the model can't be loaded | upstream, 6 calls | five waits, upstream | - | could not load model - all backends returned err
97 | llama-cpp-python: the context is too small | context-overflow, 1 call | context-overflow | - | Requested tokens (2285) exceed context window of
98 | Hugging Face: the model loads | answer in json_schema, 2 calls | loading (500 ms), answer | - | an answer
99 | DeepSeek: empty lines before the answer | answer in json_schema, 1 call | answer | - | the whole answer
100 | OpenAI: tokens of the minute, in milliseconds | answer in json_schema, 2 calls | rate-limit (1234 ms), answer | - | an answer
101 | OpenAI: one request is more than a minute's tokens | rate-limit, 1 call | rate-limit | - | one request is larger than the limit, so a large
102 | Groq: one request is more than a minute's tokens | rate-limit, 1 call | rate-limit | - | one request is larger than the limit, so a large
103 | Groq: tokens of the day | daily-limit, 1 call | daily-limit | - | Rate limit reached for model \`llama-3.3-70b-vers
104 | Groq: tokens of the minute | answer in json_schema, 2 calls | rate-limit (4770 ms), answer | - | an answer
105 | Groq: neither JSON nor a call could be generated | answer in text, 5 calls | malformed, malformed, malformed, malformed, answer | - | an answer
106 | OpenRouter: the provider limits, in its own words | rate-limit, 9 calls | eight rests, rate-limit | - | z-ai/glm-5.3-flash is temporarily rate-limited u
107 | OpenRouter: credit for a shorter answer only | credits, 1 call | credits | - | This request requires more credits, or fewer max
108 | OpenRouter: the provider broke off, and no usage | answer in json_schema, 2 calls | upstream (500 ms), answer | - | an answer
109 | OpenRouter: refusals of the provider, in strings | answer in tool, 3 calls | unsupported format, unsupported format, answer | asks in tool | an answer
110 | OpenRouter: no provider that the privacy settings allow | not-found, 1 call | not-found | - | No endpoints found matching your data policy (Fr
111 | OpenRouter: free requests of the minute, with the moment of the next | answer in json_schema, 2 calls | rate-limit (30000 ms), answer | - | an answer
112 | Azure: tokens of the minute, in a sentence | answer in json_schema, 2 calls | rate-limit (26000 ms), answer | - | an answer
113 | Azure: a wait of a day | rate-limit, 1 call | rate-limit | - | Requests to the ChatCompletions_Create Operation
114 | Azure: the prompt was filtered | moderation, 1 call | moderation | - | The response was filtered due to the prompt trig
115 | Azure: the answer was filtered | content-filter, 1 call | content-filter | - | the answer was filtered
116 | Azure: an unknown deployment | not-found, 1 call | not-found | - | The API deployment for this resource does not ex
117 | Azure: a wrong path | not-endpoint, 1 call | not-endpoint | - | Resource not found: not an endpoint: most base U
118 | Azure: a wrong key | auth, 1 call | auth | - | Access denied due to invalid subscription key or
119 | Gemini: requests of the minute, with RetryInfo | answer in json_schema, 2 calls | rate-limit (26000 ms), answer | - | an answer
120 | Gemini: requests of the day, with a RetryInfo that is wrong | daily-limit, 1 call | daily-limit | - | You exceeded your current quota, please check yo
121 | Gemini: no capacity | answer in json_schema, 2 calls | rate-limit (500 ms), answer | - | an answer
122 | Gemini: thinks until the limit, and leaves out the content | answer in json_schema, 2 calls | truncated, answer | room 4 | an answer
123 | Gemini: a filter with its reason | content-filter, 1 call | content-filter | - | the answer was filtered
124 | Gemini: a country that is not served | auth, 1 call | auth | - | User location is not supported for the API use.
125 | Gemini: a key that was leaked | auth, 1 call | auth | - | Your API key was reported as leaked. Please use
126 | Anthropic: no credit, with 400 | credits, 1 call | credits | - | Your credit balance is too low to access the Ant
127 | Anthropic: a rate limit | answer in json_schema, 2 calls | rate-limit (13000 ms), answer | - | an answer
128 | Anthropic: the request has too many bytes | context-overflow, 1 call | context-overflow | - | Request exceeds the maximum size
129 | Anthropic: the prompt is too long | context-overflow, 1 call | context-overflow | - | prompt is too long: 210000 tokens > 200000 maxim
130 | Anthropic: no temperature | answer in json_schema, 2 calls | unsupported temperature, answer | without temperature | an answer
131 | Mistral: the tier is full | answer in json_schema, 2 calls | rate-limit (500 ms), answer | - | an answer
132 | Mistral: a rate limit | answer in json_schema, 2 calls | rate-limit (500 ms), answer | - | an answer
133 | DeepSeek: only the room for the answer is too large | answer in json_schema, 2 calls | unsupported max_tokens, answer | no limit | an answer
134 | DeepSeek: out of resources while it spoke | answer in json_schema, 2 calls | upstream (500 ms), answer | - | an answer
135 | DeepSeek: a correction without the thoughts that led to it | answer in json_object, 3 calls | malformed, malformed, answer | - | an answer
136 | Together: no credit | credits, 1 call | credits | - | Credit limit exceeded. Please navigate to https:
137 | Together: queries of the minute, under the type of credit | answer in json_schema, 2 calls | rate-limit (500 ms), answer | - | an answer
138 | xAI: credits are used up, with 429 | credits, 1 call | credits | - | Your team 16f2151a has either used all available
139 | xAI: no credits yet, with 403 | credits, 1 call | credits | - | Your newly created team doesn't have any credits
140 | xAI: out of credits, with 403 | credits, 1 call | credits | - | You have run out of credits or need a Grok subsc
141 | Cerebras: tokens of the minute | answer in json_schema, 2 calls | rate-limit (500 ms), answer | - | an answer
142 | Cerebras: requests of the second | answer in json_schema, 2 calls | rate-limit (500 ms), answer | - | an answer
143 | Cerebras: the queue is full | answer in json_schema, 2 calls | rate-limit (500 ms), answer | - | an answer
144 | Moonshot: overloaded | answer in json_schema, 2 calls | rate-limit (500 ms), answer | - | an answer
145 | Moonshot: requests of the minute | answer in json_schema, 2 calls | rate-limit (1000 ms), answer | - | an answer
146 | Moonshot: tokens of the day | daily-limit, 1 call | daily-limit | - | Your account org-78cd request reached organizati
147 | Moonshot: no quota, with 403 | credits, 1 call | credits | - | Your account org-78cd is not active, organizatio
148 | DashScope: the prompt was inspected | moderation, 1 call | moderation | - | Input data may contain inappropriate content.
149 | DashScope: an unpaid bill | credits, 1 call | credits | - | Access denied, please make sure your account is
150 | Hugging Face: credits of the month | credits, 1 call | credits | - | You have exceeded your monthly included credits
151 | Cloudflare: no capacity | answer in json_schema, 2 calls | rate-limit (500 ms), answer | - | an answer
152 | GitHub Models: requests of the day | rate-limit, 1 call | rate-limit | - | Rate limit of 50 per 86400s exceeded for UserByM
153 | LiteLLM: all deployments cool down | answer in json_schema, 2 calls | rate-limit (60000 ms), answer | - | an answer
154 | LiteLLM: the provider took too long | answer in json_schema, 2 calls | upstream (500 ms), answer | - | an answer
155 | LiteLLM: a parameter that the provider lacks | answer in json_schema, 2 calls | unsupported seed, answer | without seed | an answer
156 | LiteLLM: an unknown model | not-found, 1 call | not-found | - | /chat/completions: Invalid model name passed in
157 | NVIDIA: an unknown function | not-found, 1 call | not-found | - | Function id 'a1' version 'b2': Specified functio
158 | Fireworks: a model that is not deployed | not-found, 1 call | not-found | - | Model not found, inaccessible, and/or not deploy
159 | Perplexity: no key, as a page | auth, 1 call | auth | - | 401 Authorization Required 401 Authorization Req
160 | Z.AI: no balance, with 429 | credits, 1 call | credits | - | Insufficient balance or no resource package. Ple
161 | Z.AI: the context ran full while it spoke | answer in json_schema, 2 calls | truncated, answer | bounded in words | an answer
162 | One API: all channels are busy | answer in json_schema, 2 calls | rate-limit (500 ms), answer | - | an answer
163 | New API: no channel has this model | not-found, 1 call | not-found | - | No available channel for model gpt-9 under group
164 | Mistral: thoughts as a part, with another answer in them | answer in json_schema, 1 call | answer | room 4 | the whole answer
165 | Mistral: an answer in two parts with thoughts between | answer in json_schema, 1 call | answer | room 4 | the whole answer
166 | Mistral: a reference before the answer | answer in json_schema, 1 call | answer | - | the whole answer
167 | Mistral: nothing but thoughts | empty, 5 calls | empty, empty, empty, empty, empty | - | no way to ask got a usable answer: the last was
168 | reasoning beside the content | answer in json_schema, 1 call | answer | room 4 | the whole answer
169 | reasoning_content beside the content | answer in json_schema, 1 call | answer | room 4 | the whole answer
170 | Qwen 3.5: thoughts without a beginning | answer in json_schema, 1 call | answer | - | the whole answer
171 | gpt-oss: the marks of channels, with a constraint | answer in json_schema, 1 call | answer | room 4 | the whole answer
172 | the old function_call, with an object | answer in json_schema, 1 call | answer | - | the whole answer
173 | two calls that nothing tells apart | malformed, 5 calls | malformed, malformed, malformed, malformed, malformed | -
174 | a call with an object, and words beside it | answer in json_schema, 1 call | answer | - | the whole answer
175 | a call within a call | answer in json_schema, 1 call | answer | - | the whole answer, with a note
176 | a call that breaks off | answer in json_schema, 2 calls | truncated, answer | bounded in words | an answer
177 | Cohere ends with COMPLETE | answer in json_schema, 1 call | answer | - | the whole answer
178 | Together ends with eos | answer in json_schema, 1 call | answer | - | the whole answer
179 | nothing says why it ended | answer in json_schema, 1 call | answer | - | the whole answer
180 | ended as RECITATION | content-filter, 1 call | content-filter | - | the answer was filtered
181 | ended as sensitive | content-filter, 1 call | content-filter | - | the answer was filtered
182 | ended as network_error, although all is there | answer in json_schema, 2 calls | upstream (500 ms), answer | - | an answer
183 | ended as cancelled, although all is there | answer in json_schema, 2 calls | upstream (500 ms), answer | - | an answer
184 | ended as MAX_TOKENS | answer in json_schema, 2 calls | truncated, answer | bounded in words | an answer
185 | ended as stop, although it breaks off | answer in json_schema, 2 calls | truncated, answer | bounded in words | an answer
186 | a fence that is not closed | answer in json_schema, 1 call | answer | - | the whole answer
187 | marks of Llama's template after the answer | answer in json_schema, 1 call | answer | - | the whole answer
188 | Mistral's tool call as text | answer in json_schema, 1 call | answer | - | the whole answer, with a note
189 | Llama's function tag | answer in json_schema, 1 call | answer | - | the whole answer
190 | declined in prose, with an empty refusal | refusal, 1 call | refusal | - | I'm sorry, but I can't assist with that request.
191 | usage of OpenAI | answer in json_schema, 1 call | answer | - | the whole answer
192 | usage of DeepSeek | answer in json_schema, 1 call | answer | - | the whole answer
193 | usage of Moonshot | answer in json_schema, 1 call | answer | - | the whole answer
194 | usage of Anthropic | answer in json_schema, 1 call | answer | - | the whole answer
195 | usage of the Responses API | answer in json_schema, 1 call | answer | - | the whole answer
196 | usage of xAI, which leaves out thoughts | answer in json_schema, 1 call | answer | room 4 | the whole answer
197 | usage of OpenRouter, with the cost | answer in json_schema, 1 call | answer | - | the whole answer
198 | usage that is no number | answer in json_schema, 1 call | answer | - | the whole answer
199 | usage in a list of one | answer in json_schema, 1 call | answer | - | the whole answer
200 | a wait in a field | answer in json_schema, 2 calls | rate-limit (12500 ms), answer | - | an answer
201 | a wait of two and a half seconds | answer in json_schema, 2 calls | rate-limit (2500 ms), answer | - | an answer
202 | a wait until a date | answer in json_schema, 2 calls | upstream (9000 ms), answer | - | an answer
203 | a wait of fractions of a millisecond | answer in json_schema, 2 calls | rate-limit (250.5 ms), answer | - | an answer
204 | thoughts with an answer among other words | empty, 5 calls | empty, empty, empty, empty, empty | - | no way to ask got a usable answer: the last was
205 | thoughts that are a part of an answer | empty, 5 calls | empty, empty, empty, empty, empty | - | no way to ask got a usable answer: the last was
206 | reasoning as a part behind the answer | answer in json_schema, 1 call | answer | room 4 | the whole answer
207 | thoughts as a part behind the answer | answer in json_schema, 1 call | answer | room 4 | the whole answer
208 | the text of the Responses API | answer in json_schema, 1 call | answer | - | the whole answer
209 | the text of old inference servers | answer in json_schema, 1 call | answer | - | the whole answer
`
  .trim()
  .split('\n')
  .map((line) => line.split(' | '));

const params = { ...PARAMS, extra: { reasoning_effort: 'low' } };
const TEMPORARY = ['upstream', 'rate-limit', 'loading', 'timeout'];

function rowOf(row: string): readonly Step[] {
  const steps = TABLE[row];
  if (steps === undefined) throw new Error(`there is no row ${row}`);
  return steps;
}

function notedOf({ calls, slept }: Outcome): string {
  const waits = slept.values();
  return calls
    .map(({ failure }) => {
      if (failure === null) return 'answer';
      const ms = TEMPORARY.includes(failure) ? waits.next().value : undefined;
      return ms === undefined ? failure : `${failure} (${ms} ms)`;
    })
    .join(', ')
    .replace(FIVE_WAITS, 'five waits')
    .replace(EIGHT_RESTS, 'eight rests');
}

const FIVE_WAITS =
  'upstream (500 ms), upstream (1000 ms), upstream (2000 ms), upstream (4000 ms), upstream (8000 ms)';

const EIGHT_RESTS = [500, 500, 1000, 2000, 4000, 8000, 16_000, 32_000]
  .map((ms) => `rate-limit (${ms} ms)`)
  .join(', ');

function learnedOf(known: Capabilities): string {
  const { modes, system, joinsRoles, tokenName, dropped, room, takesBounds, isWordy } = known;
  const untried = new CapabilityCache().capabilities;
  const learned = [
    modes.join() === untried.modes.join() ? [] : `asks in ${modes[0]}`,
    system === 'merged' ? 'merged' : [],
    joinsRoles ? 'joined' : [],
    tokenName === 'max_tokens' ? [] : (tokenName ?? 'no limit'),
    dropped.map((name) => `without ${name}`),
    room === 1 ? [] : `room ${room}`,
    takesBounds ? [] : 'unbounded',
    isWordy ? 'bounded in words' : [],
  ].flat();
  return learned.join(', ') || '-';
}

/** An answer that the table spells out, one that the endpoint's player has chosen, or the sentence of a failure. */
function readOf({ reply }: Outcome): string {
  if (!reply.ok) return reply.text;
  const { read_as, ...received } = { read_as: undefined, ...reply.received };
  const isWhole = JSON.stringify(received) === JSON.stringify(WHOLE);
  const note = read_as === undefined ? '' : ', with a note';
  return `${isWhole ? 'the whole answer' : 'an answer'}${note}`;
}

/** Each question to them meets the same failures: they are of the model, and not of the way to ask. */
const NEVER_LEARNED = ['21', '62', '105'];

test.each(ROWS)('row %s, %s: %s', async (row = '', _ = '', verdict = '', ...expected) => {
  await atEndpoint(rowOf(row), async (fake) => {
    const asking = { params, mostRestMs: 120_000, known: new CapabilityCache() };
    const outcome = await asked(transportOf(fake), asking);
    const [noted = '', learned = '', read = ''] = expected;
    expect(summary(outcome)).toBe(verdict);
    expect(notedOf(outcome)).toBe(noted);
    expect(learnedOf(asking.known.capabilities)).toBe(learned);
    expect(readOf(outcome).slice(0, read.length)).toBe(read);
    expect(fake.asked).toHaveLength(outcome.calls.length);
    if (!outcome.reply.ok || NEVER_LEARNED.includes(row)) return;
    const next = await asked(transportOf(fake), asking);
    expect(next.reply).toMatchObject({ ok: true, calls: 1 });
  });
});

test('row 59, nobody waits any more: aborted, 1 call', async () => {
  const leaving = new AbortController();
  const steps = rowOf('59').map((one) => ({
    ...one,
    when: () => {
      setImmediate(() => leaving.abort());
      return true;
    },
  }));
  expect(summary(await ask(steps, { signal: leaving.signal }))).toBe('aborted, 1 call');
});

test('every row is tried', () => {
  expect([...ROWS.map(([row]) => row), '59'].toSorted()).toEqual(Object.keys(TABLE).toSorted());
});
