/**
 * Records: a small journal with everything that is hard to read in it, and ways to spoil it.
 *
 * The chain is computed here a second time and from its description, so that reader and writer can't share a mistake.
 */
import { createHash } from 'node:crypto';
import { Recorder } from '../../../../actors/engine/journal/recorder.ts';
import { MemorySink } from '../../../../actors/engine/journal/sink.ts';
import { canonical } from '../../../../machines/journal/canonical.ts';
import type { Channel } from '../../../../machines/journal/lines.ts';
import { VERSIONS } from '../../../../machines/versions.ts';
import { aBid, aButton, aMeetingMatch, aTick } from '../../../machines/builders.ts';

/** Words that look like the end of a line, characters of one to four bytes, and a mark that stands for broken bytes. */
const HARD = ',"clock":{"ms":1},"hash":"abc"} é “€” 😀 \uFFFD \u2028 \n \r';
const RECEIVED = { a: 0, clock: { ms: 1 }, hash: 'abc', message: HARD };

/** Eleven lines of both channels. Line 4, 5 and 10 have a clock; it holds another one in line 5. */
export function aRecord(): string {
  const sink = new MemorySink();
  let ms = 0;
  const recorder = new Recorder({ sink, readClock: () => ({ ms: ++ms }) });
  recorder.write('living', [
    {
      type: 'match.opened',
      format: 1,
      rulesVersion: VERSIONS.rules,
      seed: 7,
      match: aMeetingMatch({ name: HARD }),
    },
  ]);
  recorder.write('ghosts', [{ type: 'gallery.opened', present: true, budget: 3, minds: {} }]);
  recorder.record('living', [{ type: 'meeting.called', call: aButton() }]);
  recorder.record('living', [
    { type: 'tick.closed', ...aTick([{ ...aBid('red'), received: RECEIVED }]) },
  ]);
  recorder.noteLate({ seat: 'blue', received: RECEIVED });
  recorder.record('living', [
    { type: 'scratchpads.updated', seat: 'red', pads: { main: HARD } },
    { type: 'vote.locked', seat: 'red', ballot: 'skip' },
  ]);
  recorder.record('ghosts', [{ type: 'ghost.joined', seat: 'blue' }]);
  recorder.record('living', [
    { type: 'phase.entered', phase: 'reveal' },
    { type: 'scratchpads.erased' },
    { type: 'meeting.closed', outcome: 'interrupted', ejected: null },
  ]);
  recorder.record('ghosts', [{ type: 'gallery.closed', turns: 0 }]);
  return sink.text;
}

export const rowsOf = (text: string): readonly string[] => text.split('\n').slice(0, -1);
export const textOf = (rows: readonly string[]): string => rows.map((row) => `${row}\n`).join('');

export type Row = Readonly<Record<string, unknown>>;

export const rowOf = (text: string): Row => JSON.parse(text);

/** The hashed part of a line: all but `clock` and `hash`. */
export const bodyOf = ({ clock: _clock, hash: _hash, ...rest }: Row): string => canonical(rest);

/** The hash of a body, from the hash of the line before it in its channel. */
export function hashOf(previous: string, body: string): string {
  return createHash('sha256').update(`${previous}\n${body}`).digest('hex');
}

export const ORIGINS: Readonly<Record<Channel, string>> = {
  living: 'glassbox journal 1 living',
  ghosts: 'glassbox journal 1 ghosts',
  beliefs: 'glassbox journal 1 beliefs',
};

/** Other lines in the place of some, with numbers and hashes that fit again: what only a replay can find. */
export function forged(
  text: string,
  edit: (row: Row, index: number) => Row | null,
  numberOf: (seq: number) => number = (seq) => seq,
): string {
  const last = {
    living: { hash: ORIGINS.living, seq: 0 },
    ghosts: { hash: ORIGINS.ghosts, seq: 0 },
  };
  const rows = rowsOf(text).map((line, index) => edit(rowOf(line), index));
  return textOf(
    rows
      .filter((row) => row !== null)
      .map((row) => {
        const head = last[row['channel'] === 'ghosts' ? 'ghosts' : 'living'];
        const numbered = { ...row, seq: numberOf(head.seq) };
        head.hash = hashOf(head.hash, bodyOf(numbered));
        head.seq += 1;
        const { hash: _hash, clock, ...rest } = { clock: undefined, ...numbered, hash: '' };
        const time = clock === undefined ? {} : { clock };
        return JSON.stringify({ ...rowOf(canonical(rest)), ...time, hash: head.hash });
      }),
  );
}
