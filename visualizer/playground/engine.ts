/** Plays and forks a match in a tab, with the engine and the bytes of the command line. */

import type { z } from 'zod';
import { SimulatedClock } from '../../actors/engine/clock.ts';
import { type Journal, readJournal } from '../../actors/engine/journal/reader.ts';
import { beginJournal } from '../../actors/engine/journal/recorder.ts';
import { MemorySink } from '../../actors/engine/journal/sink.ts';
import { createMatch, startMatch } from '../../actors/engine/match.ts';
import { silentMind } from '../../actors/minds/kinds.ts';
import type { Mind } from '../../actors/minds/port.ts';
import {
  changeMinds,
  continueMatch,
  createSuccessor,
  cutBefore,
  type ReplayMoment,
  seedOf,
} from '../../actors/replay/continue.ts';
import { readOutcome } from '../../analysis/why/outcome.ts';
import { isSlow } from '../../machines/rules/mindKinds.ts';
import { gameMatchSchema, type Match, meetingMatchSchema } from '../../machines/setup/match.ts';
import { isRecord } from '../../machines/text.ts';
import type { Colour, Note, Temperament } from '../../machines/types.ts';
import { MachineRun } from '../charts/machineRun.ts';
import { describeComparison } from '../terminal/why.ts';
import type { ForkChange, MatchChoice, PlayedChoice } from './protocol.ts';

export type PlayResult =
  | { readonly ok: true; readonly played: PlayedChoice }
  | { readonly ok: false; readonly notes: readonly Note[] };

class Refusal extends Error {
  readonly notes: readonly Note[];

  constructor(notes: readonly Note[]) {
    super(notes.map(({ text }) => text).join('; '));
    this.notes = notes;
  }
}

function refuse(code: string, text: string): Refusal {
  return new Refusal([{ code, text }]);
}

/** Plays the choice, or returns notes about invalid input. `now` is in milliseconds. */
export async function playChoice(choice: MatchChoice, now: () => number): Promise<PlayResult> {
  const start = now();
  try {
    let journal = await playFromStart(readChosenMatch(choice), choice.seed);
    let comparison: string | null = null;
    for (const fork of choice.forks) {
      const original = journal;
      journal = await playFork(original, fork);
      comparison = compareJournals(original, journal);
    }
    const run = new MachineRun();
    const moves = readJournal(journal).lines.map((line) => run.add(line));
    return { ok: true, played: { journal, moves, comparison, ms: now() - start } };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, notes: error.notes };
    throw error;
  }
}

function readChosenMatch({ match, options }: MatchChoice): Match {
  const own = 'options' in match && typeof match.options === 'object' ? match.options : {};
  const whole = { ...match, options: mergeOptions({ ...own }, options) };
  const schema = 'call' in match ? meetingMatchSchema : gameMatchSchema;
  const read = schema.safeParse(whole);
  if (!read.success) throw new Refusal(read.error.issues.map(describeIssue));
  const slow = read.data.seats.find(isSlow);
  if (slow === undefined) return read.data;
  const text = `${slow.colour}: a tab plays offline minds only, found mind ${slow.mind}`;
  throw refuse('site/offline-only', text);
}

function mergeOptions(own: Record<string, unknown>, changes: MatchChoice['options']): object {
  for (const [name, value] of Object.entries(changes)) {
    const before = own[name];
    const areGroups = isRecord(before) && isRecord(value);
    own[name] = areGroups ? mergeOptions({ ...before }, value) : value;
  }
  return own;
}

function describeIssue({ path, message }: z.core.$ZodIssue): Note {
  return { code: 'match/value', text: `${path.join('.')}: ${message}` };
}

/** With minds that answer at once, a match is over in simulated time and no line has a clock. */
async function playFromStart(match: Match, seed: number): Promise<string> {
  const creation = createMatch(match, seed);
  if (!creation.ok) throw new Refusal(creation.refusals);
  const { ready } = creation;
  const sink = new MemorySink();
  const recorder = beginJournal(ready.headers, { sink });
  await startMatch({ ...ready, clock: new SimulatedClock(), recorder }).result;
  return sink.text;
}

async function playFork(text: string, fork: ForkChange): Promise<string> {
  const journal = readJournal(text);
  const moment = parseForkMoment(fork.at);
  const past = moment === null ? null : cutBefore(journal, moment);
  if (past === null || past.lines.length === 0) {
    throw refuse('site/no-such-moment', `the match has no moment ${fork.at} to fork at`);
  }
  const sink = new MemorySink();
  const onward = continueMatch(past, {
    sink,
    models: () => silentMind,
    successors: (minds) => changeMinds(minds, createChange(journal, fork)),
  });
  if (onward.type === 'unplayable') throw refuse('site/unplayable', onward.text);
  const { difference } = await onward.result;
  if (difference !== null) {
    throw refuse('site/differs', `line ${difference.line} is not what this version plays`);
  }
  const kept = text.split('\n').slice(0, past.lines.length);
  return `${kept.join('\n')}\n${sink.text}`;
}

function createChange(journal: Journal, { player, does }: ForkChange) {
  if (does.type === 'say') return { others: {}, say: { [player]: does.words } };
  const mind = does.type === 'turn' ? createTurned(journal, player, does.temperament) : silentMind;
  return { others: { [player]: mind }, say: {} };
}

function createTurned(journal: Journal, player: Colour, persona: Temperament): Mind {
  const { lines } = journal;
  const [header] = lines;
  const seats = header?.type === 'match.opened' ? header.match.seats : [];
  const seat = seats.find(({ colour }) => colour === player);
  if (seat === undefined) throw refuse('site/no-such-player', `no player is ${player}`);
  const turned = { ...seat, mind: 'scripted', persona } as const;
  return createSuccessor(lines, turned, seedOf(journal), () => silentMind);
}

function compareJournals(original: string, fork: string): string | null {
  const [was, is] = [original, fork].map((text) => readOutcome(readJournal(text).lines));
  return was === undefined || is === undefined ? null : describeComparison(was, is);
}

/** Reads "12", "2:12" or "round:30"; null for anything else. */
function parseForkMoment(text: string): ReplayMoment | null {
  const round = /^round:(\d+)$/.exec(text)?.[1];
  if (round !== undefined) return { type: 'round', round: Number(round) };
  const [, meeting = '1', tick] = /^(?:(\d+):)?(\d+)$/.exec(text) ?? [];
  if (tick === undefined || Number(meeting) < 1) return null;
  return { type: 'tick', meeting: Number(meeting) - 1, tick: Number(tick) };
}
