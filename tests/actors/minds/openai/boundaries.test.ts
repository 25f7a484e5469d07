import { describe, expect, test } from 'vitest';
import { Budget, NO_LIMIT } from '../../../../actors/minds/openai/budget.ts';
import { always, atFirst, type Step, whenever } from '../../../support/endpoint/case.ts';
import { json, page, refusal, type Sent, said } from '../../../support/endpoint/sent.ts';
import { GOOD_TEXT } from '../../../support/endpoint/words.ts';
import { ask, asked, atEndpoint, summary, transportOf } from './asking.ts';

describe('an address without an endpoint is reported after one request, with advice', () => {
  test.each<[name: string, sent: Sent, said: RegExp]>([
    ['a web page', page(200, '<!doctype html><html><body>Open WebUI</body></html>'), /web page/],
    ['a web page behind a comment', page(200, '\n<!-- app -->\n<HTML lang="en">'), /web page/],
    ['a web page with 404', page(404, '<html><h1>Not Found</h1></html>'), /web page/],
    ['nginx, which takes no POST', page(405, '<html><h1>405 Not Allowed</h1></html>'), /web page/],
    [
      'LM Studio without /v1',
      json(200, { error: 'Unexpected endpoint or method. (POST /chat/completions)' }),
      /^Unexpected endpoint or method/,
    ],
    [
      'Ollama without /v1',
      page(404, '404 page not found', { 'content-type': 'text/plain' }),
      /404/,
    ],
    ['vLLM without /v1', json(404, { detail: 'Not Found' }), /^Not Found/],
    [
      'llama.cpp at a path that it lacks',
      json(404, { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } }),
      /^File Not Found/,
    ],
    ['Express', page(404, 'Cannot POST /chat/completions'), /^Cannot POST/],
    [
      'OpenAI without /v1',
      refusal(404, 'Invalid URL (POST /chat/completions)', { type: 'invalid_request_error' }),
      /^Invalid URL/,
    ],
    ['a path that takes no POST', json(405, { detail: 'Method Not Allowed' }), /^Method Not/],
  ])('%s', async (_, sent, words) => {
    const outcome = await ask([always(sent)]);
    expect(summary(outcome)).toBe('not-endpoint, 1 call');
    const text = outcome.reply.ok ? '' : outcome.reply.text;
    expect(text).toMatch(words);
    expect(text).toContain('did you forget /v1 in the base URL?');
  });

  test.each<[name: string, steps: readonly Step[], expected: string]>([
    ['an unknown model', [always(refusal(404, 'model "m" not found'))], 'not-found, 1 call'],
    [
      'an unknown model at vLLM',
      [always(json(404, { message: 'The model `m` does not exist.', type: 'NotFoundError' }))],
      'not-found, 1 call',
    ],
    ['a proxy’s page with 502', [atFirst(page(502, '<html>Bad</html>'))], answerIn(2)],
    ['an answer about a page', [always(said(`<html> ${GOOD_TEXT}`))], answerIn(1)],
    [
      'a player who speaks of it',
      [always(said(GOOD_TEXT.replace('Red', 'Cannot POST /')))],
      answerIn(1),
    ],
  ])('%s is another matter', async (_, steps, expected) => {
    expect(summary(await ask(steps))).toBe(expected);
  });
});

const gemini = (text: string) =>
  json(429, [{ error: { code: 429, message: text, status: 'RESOURCE_EXHAUSTED' } }]);
const EXHAUSTED = 'Resource has been exhausted (e.g. check quota).';
const QUOTA = 'You exceeded your current quota, please check your plan and billing details.';

describe('a client waits for a limit of the minute, and not for a spent budget', () => {
  test.each<[name: string, sent: Sent, expected: string]>([
    ['Gemini’s limit of a minute', gemini(EXHAUSTED), answerIn(2)],
    [
      'the same, in a string within an error',
      refusal(429, JSON.stringify({ error: { code: 429, message: EXHAUSTED } }), { code: 429 }),
      answerIn(2),
    ],
    [
      'a limit that speaks of the key',
      refusal(429, 'This API key is not allowed more requests a minute. Try again later.'),
      answerIn(2),
    ],
    ['Vertex', gemini('Resource exhausted. Please try again later.'), answerIn(2)],
    [
      'Gemini’s free tier, by the minute',
      gemini(`${QUOTA} Quota exceeded for GenerateRequestsPerMinutePerProjectPerModel-FreeTier`),
      answerIn(2),
    ],
    [
      'Gemini’s free tier, by the day',
      gemini(`${QUOTA} Quota exceeded for GenerateRequestsPerDayPerProjectPerModel-FreeTier`),
      'daily-limit, 1 call',
    ],
    [
      'a quota without a time',
      refusal(429, QUOTA, { code: 'insufficient_quota' }),
      'credits, 1 call',
    ],
    [
      'LiteLLM’s budget of a key',
      refusal(400, 'Budget has been exceeded! Current cost: 26.075, Max budget: 0.25', {
        type: 'budget_exceeded',
        param: null,
        code: '400',
      }),
      'credits, 1 call',
    ],
    [
      'the same with 429, in words of the operator',
      refusal(429, 'Ask your team lead.', { type: 'budget_exceeded', code: '429' }),
      'credits, 1 call',
    ],
    [
      'LiteLLM’s budget of a user',
      refusal(400, 'ExceededBudget: End User=red over budget. Spend=0.0008, Budget=0.0001', {
        type: 'auth_error',
        code: 400,
      }),
      'credits, 1 call',
    ],
    [
      'LiteLLM’s budget of a deployment',
      refusal(429, 'No deployments available - crossed budget: Exceeded budget for deployment'),
      'credits, 1 call',
    ],
  ])('%s', async (_, sent, expected) => expect(summary(await ask([atFirst(sent)]))).toBe(expected));
});

describe('the usage that counts', () => {
  test('a request with more room reserves it: a budget that has room for the first ends before the second', async () => {
    const plans: number[] = [];
    const budget = new Budget({ ...NO_LIMIT, tokens: 1_000 }, () => 0);
    const cut = whenever(() => true, said('{"internal_thought": "I was', 'length'));
    const outcome = await atEndpoint([cut], (fake) =>
      asked(transportOf(fake), {
        refusal: ({ maxTokens }) => {
          plans.push(maxTokens);
          return budget.reserve({ prompt: 100, completion: maxTokens }, null);
        },
      }),
    );
    expect(plans).toEqual([400, 1_600]);
    expect(summary(outcome)).toBe('budget, 1 call');
  });
});

function answerIn(calls: number, mode = 'json_schema'): string {
  return `answer in ${mode}, ${calls} ${calls === 1 ? 'call' : 'calls'}`;
}
