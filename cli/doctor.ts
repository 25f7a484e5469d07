/** `glassbox doctor`: whether a model can play here, how fast it answers, and what a game would cost. */

import type { Command } from 'commander';
import { CapabilityCache, presumeCapabilities } from '../actors/minds/openai/capabilities.ts';
import {
  Conversation,
  type ModelCall,
  type ModelReply,
} from '../actors/minds/openai/conversation.ts';
import { DEADLINE_LIMITS, GameDeadlines, ModelStart } from '../actors/minds/openai/deadlines.ts';
import { EndpointPace } from '../actors/minds/openai/pace.ts';
import {
  findEndpoint,
  findSeatProblems,
  type MindChoice,
  overrideSeats,
} from '../actors/minds/openai/seats.ts';
import { openTransport } from '../actors/minds/openai/transport.ts';
import { realProcess } from '../actors/ports/process.ts';
import { realTime } from '../actors/ports/time.ts';
import { type Forecast, forecastCost } from '../analysis/forecast.ts';
import type { MindProbe } from '../analysis/mindProbe.ts';
import { isOwn } from '../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../machines/setup/match.ts';
import { plainGame } from '../machines/setup/prepare.ts';
import { clean } from '../visualizer/terminal/clean.ts';
import { describeForecast } from '../visualizer/terminal/statistics.ts';
import { createFailure, EXIT } from './exit.ts';
import { addModelFlags, type ModelFlags, parseMind } from './flags.ts';
import { createLoadingReport, notePriceAge, openPrices, readDeadlines } from './models.ts';
import { createProgressLine, print, printJson, printNote } from './output.ts';
import { formatExamples } from './usage.ts';

type DoctorFlags = ModelFlags & { readonly store?: string; readonly json?: boolean };

export function addDoctor(program: Command): void {
  const doctor = program
    .command('doctor')
    .description(
      'Sends a model one small request and reports whether it answers, in which format and how fast, and what a game of eight would cost. With --mind it asks a mind of your own one request of each kind.',
    );
  addModelFlags(doctor, 'the language model to ask')
    .option(
      '--mind <mind>',
      'check a mind of your own instead: "command:PROGRAM", http://URL or module:FILE',
      parseMind,
    )
    .option('--store <place>', 'check a store instead: a file, or the URL of a Redis')
    .option('--json', 'print the findings as JSON')
    .addHelpText(
      'after',
      formatExamples(
        ['doctor --model gemma3 --base-url http://localhost:11434/v1', 'a model on this machine'],
        ['doctor --mind "command:python3 mind.py"', 'your own program'],
        ['doctor --store redis://localhost', 'what the store would lose'],
      ),
    )
    .action(async (flags: DoctorFlags) => {
      process.exitCode = await examineModel(flags);
    });
}

const ATTEMPT_MS = 30_000;
const WAIT_MS = 10_000;
const MS = 1000;

async function examineModel(flags: DoctorFlags): Promise<number> {
  if (flags.store !== undefined) {
    const { checkStore } = await import('./league/store.ts');
    return await checkStore(flags);
  }
  if (flags.mind !== undefined && isOwn(flags.mind)) return await examineMind(flags.mind, flags);
  if (flags.model === undefined) {
    const text = 'expected --model with the name of a model, found none';
    throw createFailure(EXIT.usage, 'doctor/no-model', text);
  }
  if (flags.model.length > 1) {
    const text = `--model: expected one model to ask, found ${flags.model.length}`;
    throw createFailure(EXIT.usage, 'usage/invalid-argument', text);
  }
  const plain = plainGame(8);
  const match = { ...plain, seats: [...overrideSeats(plain.seats, flags)] };
  const [note] = findSeatProblems(match.seats, realProcess.environment);
  const [seat] = match.seats;
  if (note !== undefined) throw createFailure(EXIT.configuration, note.code, note.text);
  if (seat === undefined) throw new Error('a plain match has seats');
  const endpoint = findEndpoint(seat, realProcess.environment);
  // A file that can't be read is said before anything is asked.
  const prices = await openPrices(flags.prices);
  const calls: ModelCall[] = [];
  const reply = await probeModel(seat, endpoint, calls, flags);
  if (!reply.ok) throw failureOf(reply, endpoint.baseUrl);
  await notePriceAge(match.seats, flags);
  printFindings(flags, endpoint.baseUrl, calls, await forecastCost(match, 1, prices));
  return EXIT.done;
}

async function examineMind(choice: MindChoice, { json = false }: DoctorFlags): Promise<number> {
  const { probeMind } = await import('../analysis/mindProbe.ts');
  const probe = await probeMind(choice, { time: realTime, deadlineMs: ATTEMPT_MS });
  const isSound = probe.requests.every(({ fault }) => fault === null);
  if (json) printJson({ type: 'doctor.mind', v: 1, ...probe, isSound });
  else printProbe(probe);
  return isSound ? EXIT.done : EXIT.configuration;
}

const LONGEST_ANSWER = 70;

/** A line for each request: its kind, the time, and the answer or what is wrong with it. */
function printProbe({ name, requests, errors }: MindProbe): void {
  if (name !== '') print(`It says hello as ${clean(JSON.stringify(name))}.`);
  for (const { kind, ms, fault, received } of requests) {
    const answer = JSON.stringify(received).slice(0, LONGEST_ANSWER);
    const found = fault === null ? `fine: ${answer}` : `${fault.text} [${fault.code}]`;
    print(`${kind.padEnd(KIND_WIDTH)} ${String(ms).padStart(6)} ms  ${clean(found)}`);
  }
  for (const line of errors) printNote(clean(`standard error: ${line}`));
}

/** The longest is "consolidation". */
const KIND_WIDTH = 13;

/** Asks the model one small question, with the fields that a seat of a game would send. */
async function probeModel(
  { temperature, extra_body: extra = {} }: MatchSeat,
  endpoint: Parameters<typeof openTransport>[0],
  calls: ModelCall[],
  flags: DoctorFlags,
): Promise<ModelReply> {
  const now = () => realTime.now();
  const { baseUrl, model } = endpoint;
  const target = { baseUrl, model, pace: new EndpointPace(), start: new ModelStart() };
  const line = createProgressLine();
  const given = new AbortController();
  let reason: string | null = null;
  const deadlines = new GameDeadlines({
    time: realTime,
    limits: { ...DEADLINE_LIMITS, ...readDeadlines(flags) },
    onPause: (_, text) => {
      reason ??= text;
      given.abort();
    },
    onLoading: createLoadingReport({ wait: (text) => line.show(text) }),
  });
  const deadline = deadlines.open(target, { kind: 'discussion', index: 0 }, ATTEMPT_MS);
  const conversation = new Conversation(
    QUESTION,
    { model: endpoint.model, temperature: temperature ?? null, seed: null, extra },
    new CapabilityCache(null, presumeCapabilities(endpoint.baseUrl)),
    {
      patience: { attemptMs: ATTEMPT_MS, waitMs: WAIT_MS },
      fits: (value) => 'colour' in value,
      ports: {
        transport: openTransport(endpoint, () => realTime.date()),
        sleep: async (ms, signal) => {
          printNote(`No answer that can be used yet: asking again in ${(ms / MS).toFixed(1)} s.`);
          await realTime.sleep(ms, signal);
        },
        now,
        watch: (lose) => deadline.send(lose),
        mayLoad: (says) => deadline.mayLoad(says),
        // One passing illness is enough to say so.
        refuse: () => {
          const asked = calls.filter(({ failure }) => failure !== 'loading');
          return asked.length >= MOST_CALLS ? 'the endpoint did not answer' : null;
        },
        onCall: (call) => calls.push(call),
      },
    },
  );
  const reply = await conversation.run(given.signal);
  deadline.close(reply.ok);
  line.clear();
  return reason === null
    ? reply
    : { ok: false, code: 'loading', text: reason, calls: calls.length };
}

/** Discovery may take a few; an endpoint that needs more is ill. */
const MOST_CALLS = 8;
const QUESTION = {
  system: 'You answer with one JSON object and nothing else.',
  user: ['Name one colour: {"colour": "…"}'],
  schema: {
    type: 'object',
    properties: { colour: { type: 'string' } },
    required: ['colour'],
    additionalProperties: false,
  },
  schemaName: 'colour',
  maxTokens: 200,
  // As in a game: an endpoint that refuses the field does so here.
  cacheKey: 'doctor',
};

function failureOf(reply: Extract<ModelReply, { ok: false }>, baseUrl: string): Error {
  const isSettings = ['auth', 'not-found', 'not-endpoint'].includes(reply.code);
  const exit = isSettings ? EXIT.configuration : EXIT.unreachable;
  return createFailure(exit, `endpoint/${reply.code}`, `${baseUrl}: ${reply.text}`);
}

function printFindings(
  { model: [model = ''] = [], json }: DoctorFlags,
  baseUrl: string,
  calls: readonly ModelCall[],
  expected: Forecast,
): void {
  const last = calls.at(-1);
  const found = { model, baseUrl, mode: last?.mode ?? null, ms: last?.ms ?? null };
  if (json) {
    printJson({ type: 'doctor', v: 1, ...found, calls: calls.length, forecast: expected });
    return;
  }
  const learned = calls.length === 1 ? 'at once' : `after ${calls.length - 1} refusals`;
  print(`${model} at ${baseUrl} answers ${learned}, as ${found.mode}, in ${found.ms} ms`);
  print(describeForecast(expected));
}
