/** A prompt on the command line: the meeting or the game is played, and the one request that is meant is shown. */
import { createMatch } from '../actors/engine/match.ts';
import type { MindRequest } from '../actors/minds/port.ts';
import type { Colour, RequestKind } from '../machines/types.ts';
import { joinBlocks } from '../prompts/block.ts';
import { pickIdentity } from '../prompts/personas.ts';
import { buildPrompt, type Prompt } from '../prompts/prompt.ts';
import { collectPrompts, type Overheard } from './eavesdropping.ts';
import { createFailure, EXIT, type Failure } from './exit.ts';
import { openLobby, openScenario, refusedScenario } from './input.ts';
import { cleanLines, formatJson, print, printJson } from './output.ts';
import type { PromptFlags } from './promptFlags.ts';
import { isJournal, recordedPrompt } from './recordedPrompt.ts';

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
