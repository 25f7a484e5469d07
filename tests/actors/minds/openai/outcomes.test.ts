import { describe, expect, test } from 'vitest';
import { ANSWER_MODES, CapabilityCache } from '../../../../actors/minds/openai/capabilities.ts';
import { modeOf, tokenLimit } from '../../../support/endpoint/asked.ts';
import { type Step, whenever } from '../../../support/endpoint/case.ts';
import { completion, said } from '../../../support/endpoint/sent.ts';
import { ask, asked, atEndpoint, QUESTION, summary, transportOf } from './asking.ts';

async function countRequests(steps: readonly Step[], questions: number) {
  return await atEndpoint(steps, async (fake) => {
    const known = new CapabilityCache();
    const counts: number[] = [];
    for (let question = 0; question < questions; question++) {
      const { reply } = await asked(transportOf(fake), { known });
      counts.push(reply.ok ? reply.calls : 0);
    }
    return { counts, known: known.capabilities };
  });
}

const PROSE = said('I think Red is suspicious because he vented.');

describe('the way of asking', () => {
  test('a model that answers well only by tool is asked by tool from the third question on', async () => {
    const steps = [whenever((one) => modeOf(one) !== 'tool', PROSE)];
    const { counts, known } = await countRequests(steps, 5);
    // Strict JSON twice, for it is corrected once; then JSON, then the tool.
    expect(counts).toEqual([4, 4, 1, 1, 1]);
    expect(known.modes).toEqual(['tool', 'text', 'json_schema', 'json_object']);
  });

  test('one bad answer teaches nothing', async () => {
    const isFirst = (turn: number) => turn < 2;
    const steps = [whenever(({ turn }) => isFirst(turn), PROSE)];
    const { counts, known } = await countRequests(steps, 3);
    expect(counts).toEqual([3, 1, 1]);
    expect(known.modes).toEqual(ANSWER_MODES);
  });

  test('a way that has failed once is forgiven when it gets an answer', () => {
    const known = new CapabilityCache();
    known.noteAnswered('tool', 1, ['json_schema']);
    known.noteAnswered('json_schema', 1, []);
    known.noteAnswered('tool', 1, ['json_schema']);
    expect(known.capabilities.modes[0]).toBe('json_schema');
    known.noteAnswered('tool', 1, ['json_schema']);
    expect(known.capabilities.modes).toEqual(['json_object', 'tool', 'text', 'json_schema']);
  });
});

describe('the room', () => {
  const { maxTokens } = QUESTION;
  const thinking = (needed: number) => [
    whenever(
      (one) => tokenLimit(one) < needed,
      completion({ content: null, reasoning: 'Who was it? '.repeat(20) }, { reason: 'length' }),
    ),
  ];

  test.each([
    [maxTokens, [1, 1, 1], 1],
    [maxTokens + 1, [2, 1, 1], 4],
    [4 * maxTokens, [2, 1, 1], 4],
    [4 * maxTokens + 1, [3, 1, 1], 16],
    [16 * maxTokens, [3, 1, 1], 16],
  ])(
    'a model whose thoughts need %i tokens is given them once it is known',
    async (needed, counts, room) => {
      const found = await countRequests(thinking(needed), 3);
      expect(found.counts).toEqual(counts);
      expect(found.known.room).toBe(room);
    },
  );

  test('one that needs more than there is fails, and nothing is learned', async () => {
    const steps = thinking(16 * maxTokens + 1);
    const known = new CapabilityCache();
    expect(summary(await ask(steps, { known }))).toBe('truncated, 6 calls');
    expect(known.capabilities.room).toBe(1);
  });

  test('an answer whose words are cut gets four times the room, and not sixteen', async () => {
    const wordy = whenever(() => true, said('{"internal_thought":"Red is', 'length'));
    const outcome = await ask([wordy]);
    expect(Math.max(...outcome.fake.asked.map(tokenLimit))).toBe(4 * maxTokens);
  });
});

describe('each way to ask', () => {
  test.each([
    ['json_schema', false, { response_format: { type: 'json_schema' } }],
    ['json_object', true, { response_format: { type: 'json_object' } }],
    ['tool', false, { tools: [{ type: 'function' }], tool_choice: { type: 'function' } }],
    ['text', true, {}],
  ] as const)('%s: the schema is in words %s', async (mode, isInWords, body) => {
    const known = new CapabilityCache();
    known.capabilities = { ...known.capabilities, modes: [mode] };
    const { fake } = await ask([], { known });
    const [request] = fake.asked;
    expect(request?.text.includes('Its JSON schema:')).toBe(isInWords);
    expect(request?.body).toMatchObject(body);
    const formats = ['response_format', 'tools', 'tool_choice'];
    const sent = Object.keys(request?.body ?? {}).filter((name) => formats.includes(name));
    expect(sent.toSorted()).toEqual(Object.keys(body).toSorted());
  });
});
