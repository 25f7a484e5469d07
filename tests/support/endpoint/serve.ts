/**
 * `npm run fake-endpoint`: an endpoint on this machine, to try model play without a key. It plays plausibly.
 * Options add a share of faults or a row of the conformance table.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { FakeEndpoint, type FakeOptions } from './fakeEndpoint.ts';
import { faulty } from './faults.ts';
import { TABLE } from './table.ts';

const PORT = 4010;
/** The longest wait in milliseconds, and the number of speeds. */
const LONGEST = 600_000;
const SPEEDS = 4;
const USAGE = `npm run fake-endpoint -- [--port ${PORT}] [--seed 1] [--faults 0.3] [--slow 2000] [--stream 40] [--case 05]

An OpenAI-compatible endpoint on this machine, without a model behind it.

  --port    where it listens; 0 for any that is free
  --seed    another seed, other players
  --faults  the share of requests that go wrong, from 0 to 1
  --slow    milliseconds that an answer takes, at most
  --stream  milliseconds between two pieces of an answer that is streamed
  --case    misbehaves as in one row of the conformance table: ${Object.keys(TABLE).toSorted().join(' ')}`;

/** 78: invalid configuration. 69: no free port. */
const WRONG = 78;
const UNAVAILABLE = 69;

function leave(code: number, text: string): never {
  console.error(text);
  process.exit(code);
}

function options(): FakeOptions {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: String(PORT) },
        seed: { type: 'string', default: '1' },
        faults: { type: 'string', default: '0' },
        slow: { type: 'string', default: '0' },
        stream: { type: 'string', default: '0' },
        case: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const seed = within('--seed', values.seed, Number.MAX_SAFE_INTEGER);
    const share = within('--faults', values.faults, 1);
    const row = values.case === undefined ? [] : TABLE[values.case.padStart(2, '0')];
    if (row === undefined) throw new Error(`--case: there is no row ${values.case}`);
    const port = within('--port', values.port, 65_535);
    const slow = within('--slow', values.slow, LONGEST);
    const thought = async (asked: number) => {
      await wait((slow * (1 + (asked % SPEEDS))) / SPEEDS);
    };
    const pause = within('--stream', values.stream, LONGEST);
    const written = pause === 0 ? {} : { written: () => wait(pause) };
    const steps = [...row, ...faulty(share, seed)];
    return { port, seed, thought, ...written, steps, hasOddStreams: share > 0 || row.length > 0 };
  } catch (error) {
    return leave(WRONG, `${error instanceof Error ? error.message : ''}\n\n${USAGE}`);
  }
}

function within(name: string, text: string, most: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= 0 && value <= most) return value;
  throw new Error(`${name}: expected a number from 0 to ${most}, found "${text}"`);
}

const chosen = options();
try {
  const { baseUrl } = await FakeEndpoint.open(chosen);
  console.log(`listening at ${baseUrl} (Ctrl-C ends it)`);
} catch (error) {
  const { port } = chosen;
  leave(UNAVAILABLE, `port ${port}: ${error instanceof Error ? error.message : 'not to be had'}`);
}
