/** Faults of an endpoint, for a share of its requests. */
import type { Asked } from './asked.ts';
import type { Step } from './case.ts';
import { picker } from './pick.ts';
import { completion, json, page, refusal, type Sent, said } from './sent.ts';

/** All of them are temporary: a client that retries, or changes its request, gets an answer. */
export const FAULTS: readonly Sent[] = [
  refusal(429, 'Rate limit exceeded', { code: 429 }, { 'retry-after-ms': '50' }),
  json(503, [{ error: { code: 503, message: 'The model is overloaded.' } }]),
  json(200, { error: { message: 'Provider returned error', code: 502 } }),
  json(200, { choices: [] }),
  page(502, '<html><h1>Bad Gateway</h1></html>'),
  { type: 'cut' },
  said('{"internal_thought": "I was about to', 'length'),
  said('I think Red is suspicious because he vented.'),
  said(`{ ${' \n'.repeat(200)}`, 'length'),
  completion({ content: null, reasoning: 'hm' }),
  said('[{]'),
];

/** A fault for about this share of the requests, always for the same turns of a seed. */
export function faulty(share: number, seed: number): readonly Step[] {
  const chosen = (turn: number, fault: number) => {
    const pick = picker(`${seed} ${turn}`);
    const lot = pick([...Array(LOTS).keys()], 'lot') ?? 0;
    return lot < share * LOTS && pick([...FAULTS.keys()], 'fault') === fault;
  };
  return FAULTS.map((sends, fault) => ({ when: ({ turn }: Asked) => chosen(turn, fault), sends }));
}

const LOTS = 1_000;
