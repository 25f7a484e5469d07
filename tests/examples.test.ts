/**
 * Every example match can be played, shows its subject, and reads well. Offline minds hold the meetings in simulated
 * time, and the tests read the journals.
 */
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readMeeting } from '../actors/engine/configFile.ts';
import type { Line, LineOf } from '../machines/journal/lines.ts';
import { findNames } from '../machines/rules/mentions.ts';
import type { MeetingMatch, MeetingSeat } from '../machines/setup/match.ts';
import { COLOURS, type Colour, SYSTEM } from '../machines/types.ts';
import { meet } from './actors/laws/meetings.ts';
import { testLong } from './support/seeds.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SCHEMA = 'match.schema.json';
/** Whole games, which tests/actors/engine/configFile.test.ts covers. */
const GAMES = ['classic-skeld.yaml', 'skeld.yaml', 'with-agent.yaml', 'with-you.yaml'];
const LEAGUES = ['ablation.yaml', 'league.schema.json', 'league.yaml'];

const EXAMPLES = [
  { name: 'after-you', seats: 6, impostors: 1, dead: 1 },
  { name: 'classic', seats: 8, impostors: 2, dead: 1 },
  { name: 'electrical', seats: 7, impostors: 1, dead: 1 },
  { name: 'fifteen', seats: 15, impostors: 3, dead: 1 },
  { name: 'four', seats: 4, impostors: 1, dead: 0 },
  { name: 'ghosts', seats: 10, impostors: 3, dead: 4 },
  { name: 'trouble', seats: 8, impostors: 1, dead: 1 },
  { name: 'two-impostors', seats: 8, impostors: 2, dead: 1 },
] as const;
type Name = (typeof EXAMPLES)[number]['name'];

function textOf(name: string): string {
  return readFileSync(join(ROOT, 'examples', `${name}.yaml`), 'utf8');
}

function example(name: Name): MeetingMatch {
  const reading = readMeeting(textOf(name));
  if (!reading.ok) throw new Error(reading.notes.map(({ text }) => text).join('\n'));
  return reading.value;
}

type Kept = { readonly seed: number; readonly lines: readonly Line[] };
const kept = new Map<string, Kept>();

/** The journal of an example under a seed; each is held once. */
async function journal(name: Name, seed: number): Promise<Kept> {
  const known = kept.get(`${name} ${seed}`);
  if (known !== undefined) return known;
  const { written } = await meet(example(name), seed);
  const made = { seed, lines: written.map(({ line }) => line) };
  kept.set(`${name} ${seed}`, made);
  return made;
}

function journals(name: Name, seeds: number): Promise<readonly Kept[]> {
  return Promise.all(Array.from({ length: seeds }, (_, seed) => journal(name, seed)));
}

function linesOf<T extends Line['type']>(type: T, { lines }: Kept): readonly LineOf<T>[] {
  return lines.filter((line): line is LineOf<T> => line.type === type);
}

/** Messages of the living, without System's. */
function said(one: Kept) {
  return linesOf('tick.closed', one).flatMap(({ said: words }) =>
    words === null || words.speaker === SYSTEM ? [] : [{ ...words, speaker: words.speaker }],
  );
}

function murmured(one: Kept) {
  return linesOf('turn.closed', one).flatMap(({ said: words }) => (words === null ? [] : [words]));
}

test('this test covers every file in examples/', () => {
  const files = globSync('*.{yaml,json}', { cwd: join(ROOT, 'examples') }).toSorted();
  expect(files).toEqual(
    [...EXAMPLES.map(({ name }) => `${name}.yaml`), SCHEMA, ...GAMES, ...LEAGUES].toSorted(),
  );
});

/** Seeds under which each example is held. */
const SEEDS = 8;
const OUTCOMES = ['ejected', 'tie', 'skipped'];

describe.each(EXAMPLES)('$name', ({ name, seats, impostors, dead }) => {
  const match = example(name);

  test('the file is valid, has a description, and names its schema for editors', () => {
    expect(match.name).not.toBe('');
    expect(match.about).toMatch(/^[A-Z].{30,150}\.$/);
    expect(textOf(name)).toMatch(/^# yaml-language-server: \$schema=(\S+)\n/);
    expect(basename(textOf(name).split('\n')[0]?.split('=')[1] ?? '')).toBe(SCHEMA);
  });

  test(`seats ${seats} players: ${impostors} impostors, ${dead} dead`, () => {
    expect(match.seats).toHaveLength(seats);
    expect(match.seats.filter(({ role }) => role === 'impostor')).toHaveLength(impostors);
    expect(match.seats.filter((seat) => seat.dead)).toHaveLength(dead);
  });

  testLong('the meeting ends by votes with every seed', async () => {
    for (const one of await journals(name, SEEDS)) {
      const outcomes = linesOf('meeting.closed', one).map(({ outcome }) => outcome);
      expect(outcomes, `seed ${one.seed}`).toEqual([expect.toBeOneOf(OUTCOMES)]);
    }
  });

  test('a living crewmate remembers everybody in the room correctly', () => {
    expect(match.seats.flatMap((seat) => errorsIn(seat, match))).toEqual([]);
  });

  test('nobody speaks of themselves by name, repeats a sentence, or talks to the dead', async () => {
    const ghosts = match.seats.filter((seat) => seat.dead).map(({ colour }) => colour);
    for (const one of await journals(name, SEEDS)) {
      const lines = said(one).filter(({ message }) => !isGarbled(message));
      for (const { speaker, target, message } of lines) {
        expect(
          findNames(message).map(({ seat }) => seat),
          message,
        ).not.toContain(speaker);
        expect(ghosts).not.toContain(target);
        expect(message).not.toMatch(/[{}]|undefined|null|\bme me\b| {2}/);
      }
      const sentences = lines.map(({ speaker, message }) => `${speaker}: ${message}`);
      expect(new Set(sentences).size, `seed ${one.seed}`).toBe(sentences.length);
    }
  });

  test('ghosts chat in their own channel, and are not heard in the other', async () => {
    const all = await journals(name, SEEDS);
    expect(all.some((one) => murmured(one).length > 0)).toBe(dead > 0);
    for (const one of all) {
      const living = JSON.stringify(one.lines.filter(({ channel }) => channel === 'living'));
      for (const { message } of murmured(one)) expect(living).not.toContain(message);
    }
  });
});

/** A message spoiled by a bad connection, as the match `trouble` has on purpose. */
function isGarbled(message: string): boolean {
  return message.trim() === '' || message.startsWith('All of you listen to me.');
}

/** Where a living crewmate's brief is at odds with where somebody says they were, or leaves somebody out. */
function errorsIn(witness: MeetingSeat, { seats }: MeetingMatch): readonly string[] {
  if (witness.role === 'impostor' || witness.dead) return [];
  const path = witness.saw.filter(({ who }) => who === witness.colour);
  const errors: string[] = [];
  for (const other of seats.filter(({ colour }) => colour !== witness.colour)) {
    for (const stop of other.saw.filter(({ who }) => who === other.colour)) {
      const memory = witness.saw.find(({ who, ago }) => who === other.colour && ago === stop.ago);
      const met = path.some(({ ago, place }) => ago === stop.ago && place === stop.place);
      const right =
        memory === undefined ? !met : memory.place === stop.place && memory.did === stop.did;
      if (!right)
        errors.push(`${witness.colour} and ${other.colour}, ${stop.ago} s before the call`);
    }
  }
  return errors;
}

/** Seeds that the demonstration is tried with: whoever starts the program gets any of them. */
const DEMO_SEEDS = 50;

describe('the demonstration', () => {
  test(`the demonstration ends by votes soon, in each of ${DEMO_SEEDS} seeds`, async () => {
    for (const one of await journals('electrical', DEMO_SEEDS)) {
      const closings = linesOf('poll.closed', one).map(({ reason }) => reason);
      expect(closings, `seed ${one.seed}`).toEqual(['everyone-voted']);
      expect(said(one).length, `seed ${one.seed}`).toBeLessThanOrEqual(20);
    }
  });

  test('20 seeds give 20 different meetings', async () => {
    const told = (await journals('electrical', 20)).map((one) =>
      said(one)
        .map(({ speaker, message }) => `${speaker}: ${message}`)
        .join('\n'),
    );
    expect(new Set(told).size).toBe(20);
  });

  test('the demonstration ejects the impostor in most seeds, but not in all', async () => {
    const ejected = (await journals('electrical', DEMO_SEEDS)).map((one) =>
      linesOf('meeting.closed', one)
        .map((line) => line.ejected)
        .join(),
    );
    const rightful = ejected.filter((colour) => colour === 'black').length;
    expect(rightful).toBeGreaterThan(DEMO_SEEDS / 2);
    expect(rightful).toBeLessThan(DEMO_SEEDS);
  });

  test('everybody speaks in the demonstration', async () => {
    for (const one of await journals('electrical', DEMO_SEEDS)) {
      const speakers = new Set<Colour>(said(one).map(({ speaker }) => speaker));
      const living = example('electrical').seats.filter((seat) => !seat.dead);
      expect(
        COLOURS.filter((colour) => speakers.has(colour)),
        `seed ${one.seed}`,
      ).toHaveLength(living.length);
    }
  });
});

test('after you: nobody votes before the nudge, and everybody does after it', async () => {
  for (const one of await journals('after-you', SEEDS)) {
    const nudge = one.lines.findIndex((line) => line.type === 'tick.closed' && line.nudge !== null);
    const votes = one.lines.flatMap(({ type }, index) => (type === 'vote.locked' ? [index] : []));
    expect(nudge, `seed ${one.seed}`).toBeGreaterThan(0);
    expect(votes, `seed ${one.seed}`).toHaveLength(5);
    expect(Math.min(...votes), `seed ${one.seed}`).toBeGreaterThan(nudge);
  }
});

test('classic: no vote is locked in the discussion, and the time to vote is limited', async () => {
  const closings = new Set<string>();
  for (const one of await journals('classic', 30)) {
    const ticks = linesOf('tick.closed', one).filter(({ said: words }) => words !== null);
    expect(ticks.filter(({ requestKind }) => requestKind === 'discussion')).toHaveLength(6);
    expect(ticks.filter(({ requestKind }) => requestKind === 'voting').length).toBeLessThanOrEqual(
      12,
    );
    const opened = one.lines.findIndex(
      (line) => line.type === 'phase.entered' && line.phase === 'voting',
    );
    const first = one.lines.findIndex(({ type }) => type === 'vote.locked');
    expect(first, `seed ${one.seed}`).toBeGreaterThan(opened);
    for (const { reason } of linesOf('poll.closed', one)) closings.add(reason);
  }
  // Scripted players go by the clock: what happens when it runs out is tried with others.
  expect([...closings]).toEqual(['everyone-voted']);
});

test('two impostors: one votes for the other only after two witnesses have spoken', async () => {
  const betrayals: number[] = [];
  for (const one of await journals('two-impostors', 20)) {
    const vote = one.lines.findIndex(
      (line) => line.type === 'vote.locked' && line.seat === 'purple' && line.ballot === 'red',
    );
    if (vote < 0) continue;
    betrayals.push(one.seed);
    const before = said({ ...one, lines: one.lines.slice(0, vote) });
    const witnesses = before.filter(({ message }) =>
      /I (?:saw|watched) (?:Red|them|you) vent/.test(message),
    );
    expect(new Set(witnesses.map(({ speaker }) => speaker)).size, `seed ${one.seed}`).toBe(2);
  }
  expect(betrayals).not.toEqual([]);
});

test('ghosts: all four of them are heard in the gallery, the impostor too', async () => {
  const heard = new Set<Colour>();
  for (const one of await journals('ghosts', SEEDS)) {
    for (const { speaker } of murmured(one)) heard.add(speaker);
  }
  expect([...heard]).toEqual(expect.arrayContaining(['white', 'rose', 'banana', 'gray']));
});

test('trouble: the silent are disconnected, the leaver is gone, and the rest still vote', async () => {
  for (const one of await journals('trouble', SEEDS)) {
    const departures = linesOf('seat.departed', one).map(({ seat, reason }) => `${seat} ${reason}`);
    expect(departures, `seed ${one.seed}`).toEqual(
      expect.arrayContaining(['lime faults', 'orange left']),
    );
    expect(linesOf('seat.faulted', one).length, `seed ${one.seed}`).toBeGreaterThan(4);
    expect(linesOf('vote.locked', one).length, `seed ${one.seed}`).toBeGreaterThanOrEqual(4);
  }
});

testLong('the learning curve is the same each time, except for its CPU seconds', async () => {
  const draw = async () => {
    const run = ['tests/bench/learningCurve.ts', '2', '4', '2'];
    const { stdout } = await promisify(execFile)(process.execPath, run, { cwd: ROOT });
    return stdout.match(/^\| 4 (?=.*\d)[^\n]*(?= \|[^|\n]+\|$)/gm);
  };
  const curve = await draw();
  expect(curve).toHaveLength(1);
  expect(await draw()).toEqual(curve);
});
