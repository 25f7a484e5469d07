/** Games of Qwen2.5-Coder 0.5B, which knows the form of an answer: most answers count, and few tokens are wasted. */
import { describe, expect, test } from 'vitest';
import { type PlayerCall, readCalls } from '../../machines/journal/calls.ts';
import { COLOURS } from '../../machines/types.ts';
import { readReply } from '../../prompts/reply.ts';
import { SCENARIO } from '../cli/matches.ts';
import { aPlace } from '../cli/session.ts';
import { jsonLines } from '../cli/shell.ts';
import { HOUR, install, LlamaServer, PATIENT, qwen } from './llama.ts';

const servers = install('smollm2.txt');
const parts = servers === null ? null : install('qwen.txt');

type Lines = ReturnType<typeof jsonLines>;

const sumTokens = (calls: readonly PlayerCall[]) =>
  calls.reduce(
    (sum, { usage }) => sum + (usage.promptTokens ?? 0) + (usage.completionTokens ?? 0),
    0,
  );

/** Shares of the model's usable answers, of its legal votes, and of tokens in requests that had to be repeated. */
function measure(lines: Lines) {
  const calls = readCalls(lines);
  const isAsked = ({ seat }: { seat?: unknown }) => calls.some((call) => call.seat === seat);
  const entries = lines.flatMap((line) => [line['bids'], line['orders']]).filter(Array.isArray);
  const answers = entries.flat().filter(isAsked);
  const received = answers.filter((answer) => answer.fault === undefined);
  const unknown = received.filter((answer) => {
    const reading = readReply(answer.received);
    return reading.ok && reading.reply.notes.some(({ code }) => code === 'vote/unknown');
  });
  const ofType = (type: string) => lines.filter((line) => line['type'] === type && isAsked(line));
  const illegal = ofType('vote.refused').length + unknown.length;
  const votes = ofType('vote.locked').length + illegal;
  const repeated = calls.filter(({ failure }) => failure !== null);
  return {
    answers: answers.length,
    usable: received.length / answers.length,
    votes,
    legal: votes === 0 ? 1 : 1 - illegal / votes,
    tokens: sumTokens(calls),
    repeated: sumTokens(repeated) / sumTokens(calls),
  };
}

describe.skipIf(parts === null)('Qwen2.5-Coder 0.5B', async () => {
  if (servers === null || parts === null) return;
  const weights = await qwen(parts);
  const server = await LlamaServer.open(servers, weights, { context: 8_192, slots: 4 });
  const meeting = `${SCENARIO}options: { deadline_ms: ${HOUR} }\n`;
  const seats = COLOURS.slice(0, 5).map((colour) => ({ colour }));
  const game = JSON.stringify({ name: 'short', seats, options: { max_rounds: 40, max_ticks: 4 } });
  const files = { 'meeting.yaml': meeting, 'game.yaml': game };
  const place = aPlace(files, { GLASSBOX_STATE: 'state' });
  const { done, read } = place;
  const asking = `--model ${weights.name} --base-url ${server.baseUrl} ${PATIENT}`;

  test.each([
    ['a meeting of five', `run meeting.yaml --max-ticks 6 ${asking}`],
    ['a short game', `run game.yaml --seed 6 --seat red,blue ${asking}`],
  ])('plays %s with usable answers and legal votes', async (name, line) => {
    const path = `${name.replaceAll(' ', '-')}.jsonl`;
    await done(`${line} --out ${path} -q`);
    const found = measure(jsonLines(read(path)));
    console.log(`${name}: ${JSON.stringify(found)}`);
    expect(found.usable).toBeGreaterThanOrEqual(0.95);
    expect(found.legal).toBeGreaterThanOrEqual(0.98);
    expect(found.repeated).toBeLessThan(0.1);
    expect(await done(`verify ${path}`)).toMatch(/^the same/);
  });
});
