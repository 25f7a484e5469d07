/** The journal: how fast lines are written and verified, and what syncing every tick to disk costs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SimulatedClock } from '../../actors/engine/clock.ts';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { Recorder } from '../../actors/engine/journal/recorder.ts';
import { FileSink, MemorySink } from '../../actors/engine/journal/sink.ts';
import type { LineBody } from '../../machines/journal/codec.ts';
import { meet } from './meetings.ts';
import type { Variant } from './rounds.ts';
import { lightMindOf, mindsOf } from './table-of-ten.ts';

/** A recorded meeting to write and to read: its text, and what was told, tick by tick. */
export type Recording = { readonly text: string; readonly steps: readonly (readonly LineBody[])[] };

export async function recorded(): Promise<Recording> {
  const sink = new MemorySink();
  await meet({ seed: 1, minds: mindsOf(lightMindOf), clock: new SimulatedClock(), sink });
  const { lines } = readJournal(sink.text);
  const bodies = lines
    .filter(({ channel }) => channel === 'living')
    .map(({ channel: _channel, seq: _seq, hash: _hash, clock: _clock, ...body }): LineBody => body);
  const ticks = bodies.filter(({ type }) => type === 'tick.closed');
  return { text: sink.text, steps: ticks.map((tick) => [tick]) };
}

/** Units are lines; a line of the table of ten is about 3 kB. */
export function journalVariants({ text, steps }: Recording, folder: string): Variant[] {
  const write = (sink: FileSink | MemorySink, syncEveryStep: boolean) => {
    const recorder = new Recorder({ sink, syncEveryStep });
    for (const step of steps) recorder.write('living', step);
    sink.close();
    return steps.length;
  };
  const path = join(folder, 'bench.jsonl');
  return [
    { name: 'write lines to memory', run: () => write(new MemorySink(), false) },
    {
      name: 'write lines to a file, synced at the end',
      run: () => write(new FileSink(path), false),
    },
    {
      name: 'write lines to a file, synced every tick',
      run: () => write(new FileSink(path), true),
    },
    {
      name: 'verify lines (parse, schema, hash)',
      run: () => {
        const { lines, damages } = readJournal(text);
        if (damages.length > 0)
          throw new Error(`the bench wrote a damaged journal: ${damages[0]?.text}`);
        return lines.length;
      },
    },
  ];
}

/** Runs something with a folder of its own that is removed afterwards. */
export async function inFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-bench-'));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
