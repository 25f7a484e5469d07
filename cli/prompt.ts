/** `glassbox prompt`: prints the exact prompt of a model. */

import { Option } from 'commander';
import { createFailure, EXIT, type Failure, nameOf } from '../actors/files/failure.ts';
import {
  beginsLikeJournal,
  openGame,
  openMeeting,
  openPlayable,
  refuseFile,
  seatedIn,
} from '../actors/files/openFiles.ts';
import type { MindRequest } from '../actors/minds/port.ts';
import type { DecisionQuery } from '../analysis/models/prompts.ts';
import type { GameMatch, MeetingMatch } from '../machines/setup/match.ts';
import { LEVELS, type Level, REQUEST_KINDS } from '../machines/types.ts';
import { joinBlocks } from '../prompts/block.ts';
import type { Prompt } from '../prompts/prompt.ts';
import { parseCount, parseSeat, parseSeed } from './flags.ts';
import { cleanLines, formatJson, print, printJson } from './output.ts';
import type { ProgramCommand } from './usage.ts';

type PromptFlags = DecisionQuery & {
  readonly seed: number;
  readonly level?: Level;
  readonly json?: boolean;
};

/** No meeting and no game has more ticks or rounds. */
const MOST = 100_000;

const OCCASIONS = [...REQUEST_KINDS, 'reflection'] as const;

export function addPrompt(program: ProgramCommand): void {
  program
    .command('prompt')
    .description(
      'Plays a meeting, or a game with --round, with offline minds, and prints the exact prompt that a model would get in one of the seats.',
    )
    .argument(
      '<match>',
      'match file of a meeting, of a game with --round, - for standard input; or a journal',
    )
    .requiredOption('--player <colour>', 'whose prompt', parseSeat)
    .option('--tick <n>', 'the tick of the meeting, or the turn of the ghosts', parseCount(0, MOST))
    .option('--round <n>', 'the round of a game', parseCount(0, MOST))
    .option('--meeting <n>', 'which meeting of a journal, from 1', parseCount(1, MOST))
    .option('--seed <n>', 'seed of all chance', parseSeed, 1)
    .addOption(new Option('--level <level>', 'strategy advice in the prompt').choices(LEVELS))
    .addOption(new Option('--request <kind>', 'the kind of request').choices(OCCASIONS))
    .option('--json', 'print it as one JSON object, with the schema of the reply')
    .examples(
      ['prompt my.yaml --player red --tick 12', 'tick 12, as red would read it'],
      ['prompt my.yaml --player red --tick 0 --level none', 'rules only'],
      ['prompt my.yaml --player red --request reaction', 'after the reveal'],
      ['prompt match.yaml --player red --round 0', 'on the ship'],
      ['prompt match.yaml --player red --request reflection', 'after the game'],
      ['prompt journals/a.jsonl --player red --tick 4 --meeting 2', 'what was sent in a game'],
    )
    .action(printPrompt);
}

type PromptCommandFlags = Omit<PromptFlags, 'request'> & {
  readonly request?: (typeof OCCASIONS)[number];
};

async function printPrompt(path: string, { request, ...flags }: PromptCommandFlags): Promise<void> {
  const isJournal = await beginsLikeJournal(path);
  const prompt = await (request === 'reflection'
    ? reflectionPrompt(path, isJournal, flags)
    : (isJournal ? recordedPrompt : plannedPrompt)(path, {
        ...flags,
        ...(request && { request }),
      }));
  if (flags.json) printJson({ type: 'prompt', v: 1, ...prompt });
  else print(cleanLines(renderPrompt(prompt)));
}

async function reflectionPrompt(
  path: string,
  isJournal: boolean,
  { player, seed, level }: PromptFlags,
): Promise<Prompt> {
  const game = isJournal ? (await openPlayable(path)).journal : await openGame(path);
  const seated = 'lines' in game ? seatedIn(game.lines) : game.seats.map(({ colour }) => colour);
  refuseAbsentPlayer(player, seated ?? []);
  const { promptAfterGame } = await import('../analysis/models/prompts.ts');
  const prompt = await promptAfterGame(game, seed, player, level);
  if (prompt !== null) return prompt;
  const text = `${nameOf(path)}: expected a game that is over`;
  throw createFailure(EXIT.usage, 'prompt/not-asked', text);
}

async function recordedPrompt(path: string, flags: PromptFlags): Promise<Prompt> {
  const { player, tick, round, level } = flags;
  const { journal } = await openPlayable(path);
  refuseAbsentPlayer(player, seatedIn(journal.lines) ?? []);
  if (level !== undefined)
    throw refuseWhen('--level: a journal already has the level of each player');
  if ((tick === undefined) === (round === undefined))
    throw refuseWhen('expected --tick for a meeting or --round for a game');
  const { findDecision, promptFromJournal } = await import('../analysis/models/prompts.ts');
  const decided = findDecision(journal, flags);
  const prompt = decided === null ? null : await promptFromJournal(journal, decided);
  if (prompt !== null) return prompt;
  const when = round === undefined ? `tick ${tick}` : `round ${round}`;
  const text = `${nameOf(path)}: ${player} is not asked in ${when}${decided === null ? '' : ', or it can’t be played again up to there'}`;
  throw createFailure(EXIT.usage, 'prompt/not-asked', text);
}

async function plannedPrompt(path: string, flags: PromptFlags): Promise<Prompt> {
  const { meeting, round, seed, level } = flags;
  if (meeting !== undefined) throw refuseWhen('--meeting: only a journal has several meetings');
  const request =
    round === undefined ? await findTableRequest(path, flags) : await findShipRequest(path, flags);
  const { buildRequestPrompt } = await import('../analysis/models/prompts.ts');
  return buildRequestPrompt(request, seed, level);
}

function renderPrompt({ system, user, schema, schemaName, maxTokens }: Prompt): string {
  return [
    '── system ──',
    joinBlocks(system),
    '── user ──',
    joinBlocks(user),
    `── reply: ${schemaName}, at most ${maxTokens} tokens ──`,
    formatJson(schema),
  ].join('\n');
}

async function findTableRequest(path: string, flags: PromptFlags): Promise<MindRequest> {
  const { player, tick, request: requestKind } = flags;
  if (tick === undefined && requestKind !== 'reaction' && requestKind !== 'consolidation')
    throw refuseWhen('expected --tick for a meeting or --round for a game, found neither');
  const own = await listOwnRequests(path, await openMeeting(path), flags);
  const { isRequestFor } = await import('../analysis/models/prompts.ts');
  const meant = own.filter((request) => isRequestFor(request, requestKind));
  const found = meant.find(({ index }) => tick === undefined || index === tick);
  if (found !== undefined) return found;
  const what = requestKind === undefined ? 'talk' : requestKind;
  throw refuseUnasked(`${player} is asked for ${what}`, `tick ${tick}`, meant, 'ticks');
}

async function findShipRequest(path: string, flags: PromptFlags): Promise<MindRequest> {
  const { player, tick, request: requestKind, round } = flags;
  if (tick !== undefined || requestKind !== undefined)
    throw refuseWhen('--round: a round of a game has no --tick and no --request');
  const own = await listOwnRequests(path, await openGame(path), flags);
  const meant = own.filter(({ kind: of }) => of === 'action');
  const found = meant.find(({ index }) => index === round);
  if (found !== undefined) return found;
  throw refuseUnasked(`${player} is asked what to do`, `round ${round}`, meant, 'rounds');
}

async function listOwnRequests(
  path: string,
  match: MeetingMatch | GameMatch,
  { player, seed }: PromptFlags,
): Promise<readonly MindRequest[]> {
  const { listRequests } = await import('../analysis/models/prompts.ts');
  const listing = await listRequests(match, seed, player);
  if (!listing.ok) throw refuseFile(path, listing.refusals);
  const seated = match.seats.map(({ colour }) => colour);
  refuseAbsentPlayer(player, seated);
  return listing.requests;
}

function refuseAbsentPlayer(player: string, seated: readonly string[]): void {
  if (seated.includes(player)) return;
  const text = `--player ${player}: ${player} has no seat (seated: ${seated.join(', ')})`;
  throw createFailure(EXIT.usage, 'prompt/not-seated', text);
}

function refuseWhen(text: string): Failure {
  return createFailure(EXIT.usage, 'prompt/when', text);
}

function refuseUnasked(
  what: string,
  when: string,
  asked: readonly MindRequest[],
  unit: string,
): Failure {
  const at = asked.map(({ index }) => index);
  const others = at.length === 0 ? `${what} at no time` : `${what} in ${unit} ${formatRanges(at)}`;
  const text = `there is no such prompt at ${when}: ${others}`;
  return createFailure(EXIT.usage, 'prompt/not-asked', text);
}

/** "0 to 4, 7, 9 to 12" */
function formatRanges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ');
}
