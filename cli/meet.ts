/** `glassbox meet`: holds one meeting, tells it as it happens, and keeps its journal. */
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { type Cast, castOf } from '../actors/casting.ts';
import { realClock, SimulatedClock } from '../actors/clock.ts';
import { hold, type Result } from '../actors/hold.ts';
import { Recorder, type Written } from '../actors/journal/recorder.ts';
import type { FileSink } from '../actors/journal/sink.ts';
import { readScenario } from '../actors/scenario-file.ts';
import { type Line, lineSchema } from '../machines/journal.ts';
import { type Lens, lensFor } from '../machines/lens.ts';
import type { Scenario } from '../machines/scenario.ts';
import { RULE_SETS, type RuleSet } from '../machines/types.ts';
import { teller } from '../visualizer/terminal/teller.ts';
import { drawSeed, parseCount, parseLensArgument, parseRate, parseSeed } from './arguments.ts';
import { EXIT, Failure, failure } from './failure.ts';
import { createJournal, discard, freePath, readText } from './files.ts';
import { aside, hasColour, print, printJson, screenWidth } from './output.ts';
import { beatMs, parseSpeed } from './pace.ts';

export const DEMO = fileURLToPath(new URL('../examples/electrical.yaml', import.meta.url));
const FOLDER = 'journals';

type MeetOptions = {
  readonly seed?: number;
  readonly rules?: RuleSet;
  readonly lens: Lens;
  readonly faultRate?: number;
  readonly voteAfter?: number;
  readonly maxTicks?: number;
  readonly out?: string;
  readonly speed?: number;
  readonly json: boolean;
  readonly quiet: boolean;
};

export function addMeet(program: Command): void {
  program
    .command('meet', { isDefault: true })
    .summary('hold one meeting and watch it')
    .description(
      'Holds one meeting with offline minds, tells it as it happens and keeps its journal.',
    )
    .argument(
      '[scenario]',
      'a scenario file (YAML), or - for standard input; without one, a demonstration',
    )
    .option('--seed <n>', 'the seed of all chance; the same seed gives the same meeting', parseSeed)
    .addOption(program.createOption('--rules <set>', 'rule set').choices([...RULE_SETS]))
    .option('--lens <lens>', 'what to show: table, glass or player:COLOUR', parseLensArgument, {
      type: 'glass',
    })
    .option('--fault-rate <p>', 'share of replies that go wrong, from 0 to 1', parseRate)
    .option('--vote-after <n>', 'open timed voting after so many ticks', parseCount(0))
    .option('--max-ticks <n>', 'stop as unconverged after so many ticks', parseCount(1))
    .option('--out <file>', `where the journal goes (default: a new file in ${FOLDER}/)`)
    .option(
      '--speed <speed>',
      'slow, normal, fast, max or a factor; max when not on a terminal',
      parseSpeed,
    )
    .option('--json', 'print the journal lines and the result as NDJSON', false)
    .option('-q, --quiet', 'print the result only', false)
    .action(async (path: string | undefined, options: MeetOptions) => {
      process.exitCode = await meet(path ?? DEMO, options);
    });
}

async function meet(path: string, options: MeetOptions): Promise<number> {
  const seed = options.seed ?? drawSeed();
  const scenario = overridden(scenarioAt(path), options);
  const casting = castOf(scenario, { seed, meeting: 0 });
  if (!casting.ok) throw new Failure(EXIT.configuration, casting.refusals);
  checkLens(options.lens, scenario);
  const out = options.out ?? freePath(`${FOLDER}/${slug(scenario.name)}-${seed}`, '.jsonl');
  const sink = createJournal(out);
  const result = await held(casting.cast, sink, options);
  sink.close();
  if (sink.failure !== null) {
    if (options.out === undefined) discard(out);
    throw failure(
      EXIT.cannotWrite,
      'output/cannot-write',
      `the journal could not be written to ${out}: ${sink.failure}`,
    );
  }
  report(result, out, { seed, ...options });
  return result.outcome === 'interrupted' ? EXIT.interrupted : EXIT.done;
}

function scenarioAt(path: string): Scenario {
  const reading = readScenario(readText(path, 'a scenario'));
  if (reading.ok) return reading.scenario;
  const notes = reading.notes.map(({ code, text }) => ({ code, text: `${path}: ${text}` }));
  throw new Failure(EXIT.configuration, notes);
}

/** Flags win over the file. */
function overridden(scenario: Scenario, options: MeetOptions): Scenario {
  const { rules, voteAfter, maxTicks, faultRate, speed, json, quiet } = options;
  const isWatched = process.stdout.isTTY === true && !json && !quiet;
  return {
    ...scenario,
    fault_rate: faultRate ?? scenario.fault_rate,
    options: {
      ...scenario.options,
      ...(rules === undefined ? {} : { rules }),
      ...(voteAfter === undefined ? {} : { vote_after: voteAfter }),
      ...(maxTicks === undefined ? {} : { max_ticks: maxTicks }),
      beat_ms: beatMs(speed ?? (json || quiet ? Number.POSITIVE_INFINITY : undefined), isWatched),
    },
  };
}

function checkLens(lens: Lens, scenario: Scenario): void {
  if (lens.type !== 'player' || scenario.seats.some(({ colour }) => colour === lens.seat)) return;
  const seated = scenario.seats.map(({ colour }) => colour).join(', ');
  throw failure(
    EXIT.usage,
    'lens/not-seated',
    `--lens player:${lens.seat}: ${lens.seat} has no seat (seated: ${seated})`,
  );
}

async function held(cast: Cast, sink: FileSink, options: MeetOptions): Promise<Result> {
  const { setting } = cast.laid;
  const isReal = setting.options.beatMs > 0;
  const started = performance.now();
  const recorder = new Recorder({
    sink,
    stamp: isReal ? () => ({ ms: Math.round(performance.now() - started) }) : null,
    onLine: options.quiet ? null : show(options),
  });
  recorder.write('living', [cast.headers.living]);
  recorder.write('ghosts', [cast.headers.ghosts]);
  const meeting = hold({
    ...cast.laid,
    minds: cast.minds,
    ghostBudget: cast.ghostBudget,
    clock: isReal ? realClock : new SimulatedClock(),
    recorder,
  });
  sink.onFailure = () => meeting.stop();
  const stopOnInterrupt = interruptible(() => meeting.stop(), sink);
  try {
    return await meeting.result;
  } finally {
    stopOnInterrupt();
  }
}

/** Ctrl-C once ends the meeting after its tick, twice ends the program. */
function interruptible(stop: () => void, sink: FileSink): () => void {
  let isAsked = false;
  const onInterrupt = () => {
    if (isAsked) {
      sink.close();
      process.exit(EXIT.interrupted);
    }
    isAsked = true;
    aside('\nThe meeting ends after this tick. Press Ctrl-C again to stop at once.');
    stop();
  };
  process.on('SIGINT', onInterrupt);
  return () => process.off('SIGINT', onInterrupt);
}

/** Shows each line as it is written: told to people, or as JSON. */
export function show({ lens, json }: Pick<MeetOptions, 'lens' | 'json'>): (line: Written) => void {
  const look = lensFor(lens);
  const tell = teller({ lens, colour: hasColour(), width: screenWidth() });
  return ({ text }) => {
    const line: Line = lineSchema.parse(JSON.parse(text));
    if (!json) for (const row of tell(line)) print(row);
    const seen = json ? look(line) : null;
    if (seen !== null) printJson(seen);
  };
}

function report(
  result: Result,
  journal: string,
  options: MeetOptions & { readonly seed: number },
): void {
  if (options.json) {
    printJson({ type: 'meeting.result', v: 1, ...result, seed: options.seed, journal });
    return;
  }
  const who = result.ejected === null ? '' : ` ${result.ejected}`;
  print(`${result.outcome}${who} after ${result.ticks} ticks, seed ${options.seed}: ${journal}`);
  if (options.quiet) return;
  aside(`\nSee it again:        npm -s start -- watch ${journal}`);
  aside(`Without the secrets: npm -s start -- watch ${journal} --lens table`);
  aside(`Check every byte:    npm -s start -- replay ${journal}`);
}

function slug(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ['meeting'];
  return words.join('-').slice(0, 40);
}
