/** `glassbox doctor`: tests whether a model, a mind or a store is ready to play. */

import { Option } from 'commander';
import {
  createFailure,
  describeSystemError,
  EXIT,
  type ExitCode,
} from '../actors/files/failure.ts';
import { auditLeague } from '../actors/league/impossible.ts';
import { LOOKING, tryPlan, withStore } from '../actors/league/leagueStore.ts';
import { TAKEN } from '../actors/minds/openai/conversation.ts';
import { DEADLINE_LIMITS } from '../actors/minds/openai/deadlines.ts';
import { inquireOverHttp, inquireServer, MOST_INQUIRIES } from '../actors/minds/openai/inquiry.ts';
import { isFresh, type LearnedModel, type ModelMemory } from '../actors/minds/openai/memory.ts';
import type { Prices } from '../actors/minds/openai/prices.ts';
import { findBaseUrl } from '../actors/minds/openai/providers.ts';
import { findEndpoint, type MindChoice, overrideSeats } from '../actors/minds/openai/seats.ts';
import { type Endpoint, loadTransport, openTransport } from '../actors/minds/openai/transport.ts';
import type { TimePort } from '../actors/ports/ports.ts';
import { realProcess } from '../actors/ports/process.ts';
import { realTime } from '../actors/ports/time.ts';

import { sumOf } from '../analysis/counts/numeric.ts';
import { checkCareers } from '../analysis/league/verify.ts';
import { forecastGames } from '../analysis/models/forecast.ts';
import type { MindProbe } from '../analysis/models/mindProbe.ts';
import { suggestSettings } from '../analysis/models/modelPace.ts';
import {
  type FailedProbe,
  MOST_PROBE_REQUESTS,
  type ModelProbe,
  type ModelProbeOptions,
  ModelTrial,
  probeModel,
} from '../analysis/models/modelProbe.ts';
import { isOwn } from '../machines/rules/mindKinds.ts';
import type { GameMatch, MatchSeat } from '../machines/setup/match.ts';
import { plainGame } from '../machines/setup/prepare.ts';
import { formatCount, formatMs, pluralize } from '../machines/text.ts';
import {
  describeAge,
  describeCapabilities,
  describeProbe,
  renderExam,
} from '../visualizer/terminal/doctor.ts';
import { clean } from '../visualizer/terminal/layout.ts';
import { renderForecasts } from '../visualizer/terminal/statistics.ts';
import { addModelFlags, type ModelFlags, parseCount, parseMind } from './flags.ts';
import { leagueArguments } from './league/show.ts';
import {
  createLoadingReport,
  findModelProblems,
  notePriceAge,
  openMemory,
  openPrices,
  readBudget,
  readDeadlines,
} from './models.ts';
import { print, printJson, printNote, textWidth } from './output.ts';
import { createProgressLine } from './progress.ts';
import { abortOnStop } from './stop.ts';
import { commandLine, type ProgramCommand } from './usage.ts';

type DoctorFlags = ModelFlags & {
  readonly store?: string;
  readonly json?: boolean;
  readonly kept?: boolean;
  readonly forget?: boolean;
  readonly exam?: number | true;
  readonly samples: number;
};

export function addDoctor(program: ProgramCommand): void {
  const doctor = program
    .command('doctor')
    .description(
      `Asks a model twelve questions of a game, eight of them at once. Reports the form of its requests, its speed, the cost of a game of eight, and the flags to set. It sends at most ${MOST_PROBE_REQUESTS} requests and keeps its findings for later games. With --mind it sends your own mind one request of each kind.`,
    );
  addModelFlags(doctor, 'the language model to ask')
    .option(
      '--mind <mind>',
      'check a mind of your own instead: "command:PROGRAM", http://URL or module:FILE',
      parseMind,
    )
    .option('--store <place>', 'check a store instead: a file, or the URL of a Redis')
    .addOption(
      new Option('--kept', 'show the findings that are kept, and ask no model').conflicts([
        'forget',
        'store',
        'mind',
      ]),
    )
    .addOption(
      new Option(
        '--forget',
        'remove the findings for --model, for the endpoint, or for all models',
      ).conflicts(['store', 'mind']),
    )
    .option(
      '--exam [moments]',
      'ask about 100 moments of recorded games instead, or some of them, and compare with what happened',
      parseCount(1, MOMENTS),
    )
    .option('--samples <n>', 'answers to each moment of --exam', parseCount(1, 100), 1)
    .option('--json', 'print the findings as JSON')
    .examples(
      ['doctor --model gemma3 --base-url http://localhost:11434/v1', 'a model on this machine'],
      ['doctor --kept', 'what is known of models'],
      ['doctor --mind "command:python3 mind.py"', 'your own program'],
      ['doctor --store redis://localhost', 'whether the store can lose results'],
    )
    .action(async (flags: DoctorFlags) => {
      process.exitCode = await examine(flags);
    });
}

async function examine(flags: DoctorFlags): Promise<number> {
  if (flags.kept === true) return printKept(flags);
  if (flags.forget === true) return forget(flags);
  if (flags.store !== undefined) return await checkStore(flags);
  if (flags.mind !== undefined && isOwn(flags.mind)) return await examineMind(flags.mind, flags);
  return await examineModel(flags);
}

type Examined = {
  readonly match: GameMatch;
  readonly seat: MatchSeat;
  readonly endpoint: Endpoint;
  readonly prices: Prices;
  readonly memory: ModelMemory | null;
};

async function examineModel(flags: DoctorFlags): Promise<ExitCode> {
  if (flags.model === undefined) {
    const text = 'expected --model with the name of a model, found none';
    throw createFailure(EXIT.usage, 'doctor/no-model', text);
  }
  if (flags.model.length > 1) {
    const text = `--model: expected one model to ask, found ${flags.model.length}`;
    throw createFailure(EXIT.usage, 'usage/invalid-argument', text);
  }
  const plain = plainGame(PLAYERS);
  const match = { ...plain, seats: [...overrideSeats(plain.seats, flags)] };
  const [note] = await findModelProblems(match.seats, flags);
  const [seat] = match.seats;
  if (note !== undefined) throw createFailure(EXIT.configuration, note.code, note.text);
  if (seat === undefined) throw new Error('a plain match has seats');
  const endpoint = findEndpoint(seat, realProcess.environment);
  // A file that can't be read is said before anything is asked.
  const prices = await openPrices(flags.prices);
  const memory = openMemory();
  const examined = { match, seat, endpoint, prices, memory };
  if (flags.exam !== undefined) return await holdExam(examined, flags);
  const most = Math.min(MOST_PROBE_REQUESTS, flags.maxCalls ?? Infinity);
  const what = `twelve questions of a game: ${pluralize(most, 'request')} at most, and ${MOST_INQUIRIES} to the server about the model`;
  const outcome = await askModel(examined, flags, `up to ${what}`, probeModel);
  if (outcome.type === 'failed') throw failureOf(outcome, endpoint.baseUrl);
  const { probe } = outcome;
  const { context, loadMs, pace } = probe;
  memory?.noteMeasured(endpoint, {
    contextLength: context?.tokens ?? null,
    measured: { at: realTime.date(), loadMs, ...pace },
  });
  await memory?.settle();
  await notePriceAge(match.seats, flags);
  for (const text of probe.warnings) printNote(clean(`warning: ${text}`));
  await printFindings(examined, probe, flags);
  return probe.usable * 2 < probe.questions ? EXIT.found : EXIT.done;
}

const PLAYERS = 8;

async function askModel<T>(
  { endpoint, seat, prices, memory }: Examined,
  flags: DoctorFlags,
  what: string,
  ask: (seat: MatchSeat, endpoint: Endpoint, options: ModelProbeOptions) => Promise<T>,
): Promise<T> {
  printNote(clean(`Asking ${endpoint.model} at ${endpoint.baseUrl} ${what}.`));
  await loadTransport();
  using line = createProgressLine();
  const loading = createLoadingReport({ wait: (text) => line.show(text) });
  const said = new Set<string>();
  /** Questions that are asked at once have the same trouble. */
  const say = (text: string) => {
    if (!said.has(text)) printNote(text);
    said.add(text);
  };
  return await ask(seat, endpoint, {
    time: sayWaits(realTime, say),
    open: (at) => openTransport(at, () => realTime.date()),
    limits: { concurrency: flags.concurrency, perMinute: flags.perMinute ?? null },
    deadlines: { ...DEADLINE_LIMITS, ...readDeadlines(flags) },
    budget: readBudget(flags),
    prices,
    streams: flags.stream ?? false,
    memory,
    onLoading: loading,
    onRequest: (count) => line.show(`request ${count}`),
    onLost: (why) => {
      line.clear();
      say(clean(`No answer: ${explainLoss(why).says}.`));
    },
    inquire: async (at) => await inquireServer(at, inquireOverHttp(at, realTime)),
  });
}

const MOMENTS = 100;

async function holdExam(examined: Examined, flags: DoctorFlags): Promise<ExitCode> {
  const { loadExam, takeExam } = await import('../analysis/models/exam.ts');
  const { exam, samples, concurrency } = flags;
  const count = exam === true || exam === undefined ? MOMENTS : exam;
  const all = await loadExam();
  const moments = all.filter((_, place) => (place * count) % all.length < count);
  const { baseUrl, model } = examined.endpoint;
  const questions = moments.length * samples;
  const what = `${questions} questions of recorded games`;
  const outcome = await askModel(examined, flags, what, (seat, endpoint, options) => {
    const trial = new ModelTrial(seat, endpoint, options, questions * MOST_ATTEMPTS);
    const signal = abortOnStop('The exam ends here');
    signal.onabort = () => trial.stop(INTERRUPTED, '');
    return takeExam(moments, samples, trial, concurrency);
  });
  await examined.memory?.settle();
  const { end, answers, shares } = outcome;
  if (flags.json === true) printJson({ type: 'doctor.exam', v: 1, model, baseUrl, ...outcome });
  else if (answers.length > 0) print(renderExam(shares));
  if (end === null) return EXIT.done;
  printNote(`Only ${answers.length} of ${pluralize(questions, 'question')} got an answer.`);
  if (end.code === INTERRUPTED) return EXIT.interrupted;
  if (end.code !== 'budget') throw failureOf(end, baseUrl);
  printNote(end.text);
  return EXIT.incomplete;
}

const INTERRUPTED = 'interrupted';

/** Requests for one question of the exam, on average: a bad answer is asked for again. */
const MOST_ATTEMPTS = 4;

function sayWaits(time: TimePort, say: (text: string) => void): TimePort {
  return {
    ...time,
    sleep: async (ms, signal) => {
      if (ms >= LONG_MS) say(`The next request is sent in ${formatMs(ms)}.`);
      await time.sleep(ms, signal);
    },
  };
}

/** Shorter waits, such as those between requests after a rate limit, need no explanation. */
const LONG_MS = 1000;

/** Fields of a request that say how much a model shall think. */
const EFFORTS = ['reasoning_effort', 'reasoning', 'chat_template_kwargs', 'thinking'];

const ATTEMPT_MS = 30_000;

async function examineMind(choice: MindChoice, { json = false }: DoctorFlags): Promise<number> {
  const { probeMind } = await import('../analysis/models/mindProbe.ts');
  const probe = await probeMind(choice, { time: realTime, deadlineMs: ATTEMPT_MS });
  const all = probe.requests.length;
  const unanswered = probe.requests.filter(({ fault }) => fault !== null).length;
  if (json) printJson({ type: 'doctor.mind', v: 1, ...probe, isSound: unanswered === 0 });
  else printProbe(probe);
  if (unanswered === 0) return EXIT.done;
  const text = `expected a valid answer to each kind of request, found none for ${unanswered} of ${all}; see the faults above`;
  throw createFailure(EXIT.configuration, 'doctor/unsound', text);
}

const LONGEST_ANSWER = 70;

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

function failureOf({ code, text, context }: FailedProbe, baseUrl: string): Error {
  if (code === 'only-thinks') return createFailure(EXIT.unusable, `endpoint/${code}`, ONLY_THINKS);
  const isSettings = ['auth', 'not-found', 'not-endpoint', 'context-overflow'].includes(code);
  const isAnswered = TAKEN.some((known) => known === code);
  const exit = isAnswered ? EXIT.unusable : isSettings ? EXIT.configuration : EXIT.unreachable;
  const stated =
    code === 'context-overflow' && context !== null
      ? ` (its context has ${formatCount(context.tokens)} tokens)`
      : '';
  const { says, advice } = explainLoss(text);
  const unreachable = `${says}: ${advice ?? 'is the host up, and is there a network in between?'}`;
  const said = code === 'unreachable' ? unreachable : text;
  return createFailure(exit, `endpoint/${code}`, `${baseUrl}: ${said}${stated}`);
}

const ONLY_THINKS =
  'expected an answer, found only thoughts: set --effort none, or give more room with --extra-body \'{"max_tokens": 16000}\'';

const UNREACHABLE: readonly (readonly [pattern: RegExp, says: string, advice: string])[] = [
  [
    /ECONNREFUSED/,
    'the address refuses connections',
    'is the server running, has it finished starting, and is the port right?',
  ],
  [/ENOTFOUND/, 'there is no such host', 'is its name spelled right?'],
  [/EAI_AGAIN/, 'the name of the host could not be looked up', 'is there a network?'],
  [/certificate/, 'its certificate is not trusted', 'name it in NODE_EXTRA_CA_CERTS'],
  [/bad port/, 'requests to this port are blocked', 'is the port right?'],
];

function explainLoss(why: string): { readonly says: string; readonly advice: string | null } {
  const [, says, advice = null] = UNREACHABLE.find(([pattern]) => pattern.test(why)) ?? [];
  return { says: says === undefined ? why : `${says} (${why})`, advice };
}

async function printFindings(
  { match, seat, endpoint: { baseUrl, model }, prices, memory }: Examined,
  probe: ModelProbe,
  flags: DoctorFlags,
): Promise<void> {
  const { capabilities, requests, pace, ...found } = probe;
  const { concurrency, perMinute = null } = flags;
  const settings = suggestSettings(
    { ...probe, thinks: capabilities.thinks },
    {
      ...{ ...DEADLINE_LIMITS, ...readDeadlines(flags), concurrency, perMinute },
      hasEffort: EFFORTS.some((name) => name in (seat.extra_body ?? {})),
    },
  );
  const terms = { prices, paces: new Map([[model, pace]]), concurrency };
  const expected = await forecastGames([{ match, seed: 1 }], terms);
  const gameMs = Math.round(expected.usual.minutes * MINUTE_MS);
  if (flags.json === true) {
    const [mode] = capabilities.modes;
    const kept = memory?.folder ?? null;
    printJson({
      ...{ type: 'doctor', v: 1, model, baseUrl, mode, calls: requests, ...found },
      ...{ capabilities, ...pace, gameMs, settings, forecast: expected, kept },
    });
    return;
  }
  const failures = Object.entries(probe.failures).map(([code, times]) => `${times} × ${code}`);
  const failed = failures.length === 0 ? '' : `; not answered: ${failures.join(', ')}`;
  const answered = `answers ${probe.usable} of ${probe.questions} questions of a game`;
  print(clean(`${model} at ${baseUrl} ${answered}, by ${requests} requests${failed}`));
  for (const [name, text] of describeProbe(probe)) printRow(name, text);
  printRow('a game', `about ${formatMs(gameMs)} at this pace`);
  print(settings.length === 0 ? 'No flag needs to be set.' : 'Set:');
  for (const { set, why } of settings) print(`  ${clean(set)}  (${clean(why)})`);
  print(renderForecasts(expected, 'a game of eight', textWidth()));
  if (memory !== null) print('The findings are kept: to see them, run doctor --kept.');
}

const MINUTE_MS = 60_000;
const NAME_WIDTH = 10;

function printRow(name: string, text: string): void {
  print(`  ${name.padEnd(NAME_WIDTH)}${clean(text)}`);
}

function listQueries({ model: models = [], baseUrl, provider }: DoctorFlags) {
  const url = baseUrl ?? findBaseUrl(provider ?? '') ?? undefined;
  const at = url === undefined ? {} : { baseUrl: url };
  return models.length === 0 ? [at] : models.map((model) => ({ ...at, model }));
}

function withMemory<T>(work: (memory: ModelMemory) => T): T & { readonly folder: string } {
  const memory = openMemory();
  if (memory === null) {
    const text =
      'expected a folder for findings in GLASSBOX_STATE or the home folder, found "none" or neither';
    throw createFailure(EXIT.configuration, 'doctor/no-memory', text);
  }
  const { folder } = memory;
  try {
    return { ...work(memory), folder };
  } catch (error) {
    const text = `${folder}: cannot open the findings: ${describeSystemError(error)}`;
    throw createFailure(EXIT.noInput, 'doctor/cannot-open', text);
  }
}

function printKept(flags: DoctorFlags): ExitCode {
  const { models, unusable, folder } = withMemory((memory) => ({
    models: listQueries(flags).flatMap((query) => memory.list(query)),
    unusable: memory.listUnusable(),
  }));
  const now = realTime.date();
  if (flags.json === true) {
    const all = models.map((one) => ({ ...one, isUsed: isFresh(one, now) }));
    printJson({ type: 'doctor.kept', v: 1, folder, models: all, unusable });
    return EXIT.done;
  }
  print(clean(`${models.length === 0 ? 'Nothing is' : 'This is'} kept in ${folder}`));
  for (const one of models) printLearned(one, now);
  for (const text of unusable) print(clean(text));
  return EXIT.done;
}

function printLearned(learned: LearnedModel, now: number): void {
  const { model, baseUrl, learnedAt, capabilities, contextLength, measured } = learned;
  const use = isFresh(learned, now) ? '' : ', too old to be used';
  print(clean(`${model} at ${baseUrl}, learned ${describeAge(now - learnedAt)}${use}`));
  const thinking = capabilities.thinks ? ', thinks' : '';
  printRow('asked as', `${describeCapabilities(capabilities)}${thinking}`);
  if (contextLength !== null) printRow('context', `${formatCount(contextLength)} tokens`);
  if (measured === null) return;
  const { aloneMs, slowestMs, slots, at } = measured;
  printRow(
    'measured',
    `${formatMs(aloneMs)} alone, ${formatMs(slowestMs)} the slowest of a table, ${slots} at once, ${describeAge(now - at)}`,
  );
}

function forget(flags: DoctorFlags): ExitCode {
  const { models, folder } = withMemory((memory) => ({
    models: sumOf(listQueries(flags), (query) => memory.forget(query)),
  }));
  const what = models === 1 ? '1 model is' : `${models} models are`;
  if (flags.json === true) printJson({ type: 'doctor.forgotten', v: 1, folder, models });
  else print(clean(`${what} forgotten in ${folder}`));
  return EXIT.done;
}

async function checkStore(flags: DoctorFlags): Promise<ExitCode> {
  const started = realTime.now();
  return await withStore(flags, LOOKING, async (store) => {
    const { what, warnings } = await store.health();
    const ms = Math.round(realTime.now() - started);
    const personas = (await store.personas()).length;
    const names = await store.leagues();
    const leagues = names.length;
    const damages: string[] = [];
    for (const name of names) {
      // A plan that is damaged is named like a result.
      const { plan, damage } = await tryPlan(store, name);
      if (damage !== null) damages.push(`${JSON.stringify(name)}: ${damage.text}`);
      const audit = plan === null ? await store.audit(name) : await auditLeague(store, plan);
      const count = audit.damages.length + Math.abs(audit.missing ?? 1);
      if (count === 0) continue;
      const words = commandLine('verify', ...leagueArguments(name, flags.store));
      damages.push(
        `${pluralize(count, 'damage')} in the results of ${JSON.stringify(name)}: ${words}`,
      );
    }
    if (damages.length === 0) damages.push(...(await checkCareers(store)).map(({ text }) => text));
    if (flags.json) {
      const found = { personas, leagues, warnings, damages };
      printJson({ type: 'doctor.store', v: 1, store: what, ms, ...found });
    } else {
      print(
        `${clean(what)} answers in ${ms} ms: ${pluralize(leagues, 'league')}, ${pluralize(personas, 'persona')}`,
      );
      for (const { text } of warnings) print(`  ${clean(text)}`);
      if (warnings.length === 0) print('  It keeps every acknowledged result when it ends.');
      for (const text of damages) print(`  ${clean(text)}`);
      if (damages.length === 0)
        print('  All results fit their hashes, and all careers the results.');
    }
    return warnings.length + damages.length === 0 ? EXIT.done : EXIT.found;
  });
}
