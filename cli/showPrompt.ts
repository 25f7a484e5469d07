/** Eavesdropping: plays a meeting or a game with its own minds and keeps what each of them was asked. */

import { statSync } from 'node:fs';
import { SimulatedClock } from '../actors/engine/clock.ts';
import type { Journal } from '../actors/engine/journal/reader.ts';
import {
  createMatch,
  type ReadyGame,
  type ReadyMeeting,
  startMatch,
} from '../actors/engine/match.ts';
import { listSeats } from '../actors/minds/openai/seats.ts';
import type { Mind, MindRequest } from '../actors/minds/port.ts';
import { startReplay } from '../actors/replay/replay.ts';
import type { Line } from '../machines/journal/lines.ts';
import { personaOf } from '../machines/setup/prepare.ts';
import {
  type BySeat,
  COLOURS,
  type Colour,
  type Level,
  type RequestKind,
} from '../machines/types.ts';
import { joinBlocks } from '../prompts/block.ts';
import { pickIdentity } from '../prompts/personas.ts';
import { buildPrompt, type Prompt } from '../prompts/prompt.ts';
import type { DecisionPlace } from '../visualizer/server/routes.ts';
import { createFailure, EXIT, type Failure } from './exit.ts';
import {
  nameOf,
  openJournal,
  openLobby,
  openScenario,
  refusedScenario,
  seatedIn,
} from './input.ts';
import { isForeign } from './journalFile.ts';
import { cleanLines, formatJson, print, printJson } from './output.ts';

/** One request, and whose mind it went to. */
export type Overheard = { readonly seat: Colour; readonly request: MindRequest };

/** Plays a match with its own minds and collects what each of them is asked. */
export async function collectPrompts(
  match: ReadyMeeting | ReadyGame,
): Promise<readonly Overheard[]> {
  const requests: Overheard[] = [];
  const minds = overheard(match.minds, requests);
  await startMatch({ ...match, minds, clock: new SimulatedClock(), recorder: null }).result;
  return requests;
}

function overheard(minds: BySeat<Mind>, requests: Overheard[]): BySeat<Mind> {
  const heard: Partial<Record<Colour, Mind>> = {};
  for (const seat of COLOURS) {
    const mind = minds[seat];
    if (mind !== undefined)
      heard[seat] = listening(mind, (request) => requests.push({ seat, request }));
  }
  return heard;
}

function listening(mind: Mind, hear: (request: MindRequest) => void): Mind {
  if (mind.pace === 'in-time') {
    return {
      pace: 'in-time',
      answer: (request, signal) => {
        hear(request);
        return mind.answer(request, signal);
      },
    };
  }
  return {
    pace: 'at-once',
    answer: (request) => {
      hear(request);
      return mind.answer(request);
    },
  };
}

/* What the command line says about the prompt that is meant. */

export type PromptFlags = {
  readonly player: Colour;
  readonly tick?: number;
  readonly round?: number;
  /** Which meeting of a journal, from 1. */
  readonly meeting?: number;
  readonly seed: number;
  readonly level?: Level;
  readonly occasion?: RequestKind;
  readonly json?: boolean;
};

/* A prompt, made again from a journal: the game is put on up to the moment, and whoever is meant is asked. */

/** The prompt of a player in the line with their answer; null where they were not asked. */
async function promptFromJournal(
  journal: Journal,
  { seat, channel, seq }: DecisionPlace,
): Promise<Prompt | null> {
  const at = journal.lines.findIndex((line) => line.channel === channel && line.seq === seq);
  const line = journal.lines[at];
  if (line === undefined || !isAnswered(line, seat)) return null;
  const past = {
    ...journal,
    lines: journal.lines.slice(0, at),
    bodies: journal.bodies.slice(0, at),
  };
  const request = await asked(past, seat, line);
  if (request === null) return null;
  const [header] = journal.lines;
  const seats = listSeats(header);
  const index = seats.findIndex(({ colour }) => colour === seat);
  const own = seats[index];
  if (own === undefined || header === undefined || !('seed' in header)) return null;
  const identity = pickIdentity(personaOf(own, index), `game-${header.seed}`, own.level);
  return buildPrompt(request, identity);
}

/** The prompt as the page gets it. */
export async function promptText(journal: Journal, decided: DecisionPlace): Promise<object | null> {
  const prompt = await promptFromJournal(journal, decided);
  if (prompt === null) return null;
  const { system, user, schema, schemaName, maxTokens } = prompt;
  return { system: joinBlocks(system), user: joinBlocks(user), schema, schemaName, maxTokens };
}

function isAnswered(line: Line, seat: Colour): boolean {
  if (line.type === 'tick.closed' || line.type === 'turn.closed')
    return line.bids.some((bid) => bid.seat === seat);
  return line.type === 'round.closed' && line.orders.some((order) => order.seat === seat);
}

/** What a seat is asked beyond the end of a record, first of all. */
async function asked(past: Journal, seat: Colour, line: Line): Promise<MindRequest | null> {
  const clock = new SimulatedClock();
  let found: MindRequest | null = null;
  const staged = startReplay(past, {
    clock,
    sleep: (ms) => clock.sleep(ms),
    onLine: () => {},
    successors: () =>
      listeners((from, request) => {
        if (from !== seat || !isPromptOf(request, line)) return;
        found ??= request;
        if (staged.type === 'staged') staged.pause();
      }),
  });
  if (staged.type === 'staged') await staged.result;
  return found;
}

function isPromptOf({ occasion, stamp }: MindRequest, line: Line): boolean {
  if (line.type === 'round.closed') return occasion === 'action' && stamp === line.round;
  if (line.type === 'turn.closed') return occasion === 'ghost' && stamp === line.turn;
  return line.type === 'tick.closed' && occasion === line.occasion && stamp === line.tick;
}

/** Minds that say nothing, and hear what they are asked. */
function listeners(hear: (seat: Colour, request: MindRequest) => void): BySeat<Mind> {
  const minds: Partial<Record<Colour, Mind>> = {};
  for (const seat of COLOURS) {
    minds[seat] = {
      pace: 'at-once',
      answer: (request) => {
        hear(seat, request);
        return { ok: false, code: 'tape/end', text: 'the recording ends here' };
      },
    };
  }
  return minds;
}

/* A prompt that was sent in a recorded meeting or game: made again from its journal. */

/** Whether a file is there that begins like a journal. */
function isJournal(path: string): boolean {
  if (path === '-') return false;
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size > 0 && !isForeign(path);
}

/** The prompt of a player in a tick, a turn of the ghosts, or a round. */
async function recordedPrompt(path: string, flags: PromptFlags): Promise<Prompt> {
  const { player } = flags;
  const journal = await openJournal(path);
  const seated = seatedIn(journal.lines) ?? [];
  if (!seated.includes(player)) {
    const text = `--player ${player}: ${player} has no seat (seated: ${seated.join(', ')})`;
    throw createFailure(EXIT.usage, 'prompt/not-seated', text);
  }
  refuseOthers(flags);
  const decided = decidedIn(journal, flags);
  const prompt = decided === null ? null : await promptFromJournal(journal, decided);
  if (prompt !== null) return prompt;
  const when = flags.round === undefined ? `tick ${flags.tick}` : `round ${flags.round}`;
  const text = `${nameOf(path)}: ${player} is not asked in ${when}${decided === null ? '' : ', or it can’t be played again up to there'}`;
  throw createFailure(EXIT.usage, 'prompt/not-asked', text);
}

/** The journal says what seed and level there were. */
function refuseOthers({ tick, round, level }: PromptFlags): void {
  if (level !== undefined) throw usage('--level: a journal says what its players were told');
  if ((tick === undefined) === (round === undefined))
    throw usage('expected --tick for a meeting or --round for a game');
}

function usage(text: string): Failure {
  return createFailure(EXIT.usage, 'prompt/when', text);
}

/** The line with what the player answered; ghosts are meant by their occasion. */
function decidedIn({ lines }: Journal, flags: PromptFlags): DecisionPlace | null {
  const { player, meeting = 1 } = flags;
  let called = 0;
  for (const line of lines) {
    if (line.type === 'meeting.called') called += 1;
    const isHere = line.type === 'round.closed' || Math.max(1, called) === meeting;
    if (isHere && isLineOf(line, flags)) {
      return { seat: player, channel: line.channel, seq: line.seq };
    }
  }
  return null;
}

function isLineOf(line: Line, { tick, round, occasion }: PromptFlags): boolean {
  if (line.type === 'round.closed') return line.round === round;
  if (line.type === 'turn.closed') return occasion === 'ghost' && line.turn === tick;
  if (line.type !== 'tick.closed' || line.tick !== tick) return false;
  return occasion === undefined || line.occasion === occasion;
}

/* A prompt on the command line: the meeting or the game is played, and the one request that is meant is shown. */

/** Prints the prompt of one player at one tick or round. */
export async function printPrompt(path: string, flags: PromptFlags): Promise<void> {
  const prompt = isJournal(path)
    ? await recordedPrompt(path, flags)
    : await plannedPrompt(path, flags);
  if (flags.json) printJson({ type: 'prompt', v: 1, ...prompt });
  else print(cleanLines(shown(prompt)));
}

/** The prompt of a meeting or a game that nobody has played yet. */
async function plannedPrompt(path: string, flags: PromptFlags): Promise<Prompt> {
  if (flags.meeting !== undefined) {
    const text = '--meeting: only a journal has meetings that can be told apart';
    throw createFailure(EXIT.usage, 'prompt/when', text);
  }
  const request =
    flags.round === undefined ? await atTable(path, flags) : await onShip(path, flags);
  const identity = pickIdentity(request.view.you.persona, `seed-${flags.seed}`, flags.level);
  return buildPrompt(request, identity);
}

/** The text as it is read, with what stands around it on lines of their own. */
function shown({ system, user, schema, schemaName, maxTokens }: Prompt): string {
  return [
    '── system ──',
    joinBlocks(system),
    '── user ──',
    joinBlocks(user),
    `── reply: ${schemaName}, at most ${maxTokens} tokens ──`,
    formatJson(schema),
  ].join('\n');
}

async function atTable(path: string, flags: PromptFlags): Promise<MindRequest> {
  const { player, tick, occasion, seed } = flags;
  if (tick === undefined && occasion !== 'reaction' && occasion !== 'consolidation') {
    const text = 'expected --tick for a meeting or --round for a game, found neither';
    throw createFailure(EXIT.usage, 'prompt/when', text);
  }
  const scenario = await openScenario(path);
  const creation = createMatch(scenario, seed);
  if (!creation.ok) throw refusedScenario(path, creation.refusals);
  const own = ownRequests(await collectPrompts(creation.ready), player, scenario.seats);
  const meant = own.filter((request) => isMeant(request, occasion));
  const found = meant.find(({ stamp }) => tick === undefined || stamp === tick);
  if (found !== undefined) return found;
  const what = occasion === undefined ? 'talk' : occasion;
  throw notAsked(`${player} is asked for ${what}`, `tick ${tick}`, stamps(meant), 'ticks');
}

async function onShip(path: string, flags: PromptFlags): Promise<MindRequest> {
  const { player, tick, occasion, round, seed } = flags;
  if (tick !== undefined || occasion !== undefined) {
    const text = '--round: a round of a game has no --tick and no --occasion';
    throw createFailure(EXIT.usage, 'prompt/when', text);
  }
  const creation = createMatch(await openLobby(path), seed);
  if (!creation.ok) throw refusedScenario(path, creation.refusals);
  const { match } = creation.ready;
  const own = ownRequests(await collectPrompts(creation.ready), player, match.seats);
  const meant = own.filter(({ occasion: of }) => of === 'action');
  const found = meant.find(({ stamp }) => stamp === round);
  if (found !== undefined) return found;
  throw notAsked(`${player} is asked what to do`, `round ${round}`, stamps(meant), 'rounds');
}

function ownRequests(
  requests: readonly Overheard[],
  player: Colour,
  seats: readonly { readonly colour: Colour }[],
): readonly MindRequest[] {
  const colours = seats.map(({ colour }) => colour);
  if (!colours.includes(player)) {
    const text = `--player ${player}: ${player} has no seat (seated: ${colours.join(', ')})`;
    throw createFailure(EXIT.usage, 'prompt/not-seated', text);
  }
  return requests.filter(({ seat }) => seat === player).map(({ request }) => request);
}

/** Talk is discussion and voting, and what ghosts say to each other; the last two ticks are asked for by name. */
function isMeant(request: MindRequest, occasion: RequestKind | undefined): boolean {
  const { occasion: of } = request;
  if (occasion === undefined) return of === 'discussion' || of === 'voting' || isChat(request);
  if (of === 'ghost') return request.view.occasion === occasion;
  return of === occasion;
}

function isChat(request: MindRequest): boolean {
  return request.occasion === 'ghost' && request.view.occasion === 'ghost';
}

function stamps(requests: readonly MindRequest[]): readonly number[] {
  return requests.map(({ stamp }) => stamp);
}

/** Says when the player is asked, so that one of those can be chosen. */
function notAsked(what: string, when: string, at: readonly number[], unit: string): Failure {
  const others = at.length === 0 ? `${what} at no time` : `${what} in ${unit} ${ranges(at)}`;
  return createFailure(
    EXIT.usage,
    'prompt/not-asked',
    `there is no such prompt at ${when}: ${others}`,
  );
}

/** "0 to 4, 7, 9 to 12" */
function ranges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ');
}
