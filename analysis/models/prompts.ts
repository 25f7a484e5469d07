/** Collects the requests to minds, from a running match or from a journal. */
import { BeliefInquiry } from '../../actors/engine/beliefs.ts';
import { SimulatedClock } from '../../actors/engine/clock.ts';
import type { Journal } from '../../actors/engine/journal/reader.ts';
import {
  createMatch,
  type ReadyGame,
  type ReadyMeeting,
  startMatch,
} from '../../actors/engine/match.ts';
import type { Believer } from '../../actors/minds/believer.ts';
import { listSeats } from '../../actors/minds/openai/seats.ts';
import type { Mind, MindRequest } from '../../actors/minds/port.ts';
import { wrapMind } from '../../actors/minds/wrap.ts';
import { startReplay } from '../../actors/replay/replay.ts';
import type { Line } from '../../machines/journal/lines.ts';
import type { BeliefQuestion } from '../../machines/rules/beliefs.ts';
import { mapSeats } from '../../machines/rules/seats.ts';
import { type GameMatch, isMeeting, type MeetingMatch } from '../../machines/setup/match.ts';
import { personaOf } from '../../machines/setup/prepare.ts';
import type { BeliefTimes, Colour, Level, RequestKind } from '../../machines/types.ts';
import { joinBlocks } from '../../prompts/block.ts';
import { pickIdentity } from '../../prompts/personas.ts';
import { buildPrompt, type Prompt } from '../../prompts/prompt.ts';

export type Overheard = { readonly seat: Colour; readonly request: MindRequest };

export async function collectPrompts(
  match: ReadyMeeting | ReadyGame,
): Promise<readonly Overheard[]> {
  const requests: Overheard[] = [];
  const minds = mapSeats(match.minds, (mind: Mind, seat) =>
    wrapMind(mind, (request, answer) => {
      requests.push({ seat, request });
      return answer;
    }),
  );
  await startMatch({ ...match, minds, clock: new SimulatedClock(), recorder: null }).result;
  return requests;
}

export type AskedBelief = { readonly seat: Colour; readonly question: BeliefQuestion };

export async function collectBeliefQuestions(
  match: ReadyMeeting | ReadyGame,
  times: BeliefTimes,
): Promise<readonly (readonly AskedBelief[])[]> {
  const asked: AskedBelief[] = [];
  const believers: Partial<Record<Colour, Believer>> = {};
  for (const { colour: seat } of match.players) {
    const believe = (question: BeliefQuestion) => {
      asked.push({ seat, question });
      return null;
    };
    believers[seat] = { pace: 'at-once', believe };
  }
  const beliefs = { times, believers, Inquiry: BeliefInquiry };
  await startMatch({ ...match, clock: new SimulatedClock(), recorder: null, beliefs }).result;
  const place = ({ question: { meeting, moment, tick } }: AskedBelief) =>
    `${meeting} ${moment} ${tick}`;
  return [...Map.groupBy(asked, place).values()];
}

export function groupByMoment(requests: readonly Overheard[]): readonly (readonly Overheard[])[] {
  const moments: Overheard[][] = [];
  for (const one of requests) {
    const moment = moments.at(-1) ?? [];
    const last = moment[0]?.request;
    if (last?.kind === one.request.kind && last.index === one.request.index) moment.push(one);
    else moments.push([one]);
  }
  return moments;
}

/** The requests to one player of a match, or the reasons why it cannot be played. */
export async function listRequests(match: MeetingMatch | GameMatch, seed: number, player: Colour) {
  const creation = isMeeting(match) ? createMatch(match, seed) : createMatch(match, seed);
  if (!creation.ok) return creation;
  const all = await collectPrompts(creation.ready);
  const requests = all.filter(({ seat }) => seat === player).map(({ request }) => request);
  return { ok: true, requests } as const;
}

export function buildRequestPrompt(
  request: MindRequest,
  seed: number,
  level: Level | undefined,
): Prompt {
  return buildPrompt(request, pickIdentity(request.view.you.persona, `seed-${seed}`, level));
}

/** The reflection of a player after a game: a journal is played again. Null if the game is not over. */
export async function promptAfterGame(
  game: Journal | GameMatch,
  seed: number,
  player: Colour,
  level: Level | undefined,
): Promise<Prompt | null> {
  const clock = new SimulatedClock();
  const isJournal = 'lines' in game;
  if (isJournal && game.lines.every(({ type }) => type !== 'game.closed')) return null;
  const creation = isJournal ? null : createMatch(game, seed);
  if (creation?.ok === false) return null;
  const run = isJournal
    ? startReplay(game, { clock, onLine: () => {} })
    : creation && startMatch({ ...creation.ready, clock, recorder: null });
  if (run === null) return null;
  const ending = await run.result;
  if (!('winner' in ending) || run.lookBack === undefined) return null;
  const view = { ...run.lookBack(player), ending };
  const own = (isJournal ? listSeats(game.lines[0]) : game.seats).find(
    (one) => one.colour === player,
  );
  const identity = pickIdentity(view.you.persona, 'game', level ?? own?.level);
  return buildPrompt({ kind: 'reflection', view }, identity);
}

/** Selects a decision by its tick or round. For ghosts, `request` is required. */
export type DecisionQuery = {
  readonly player: Colour;
  readonly tick?: number;
  readonly round?: number;
  /** From 1. */
  readonly meeting?: number;
  readonly request?: RequestKind;
};

/** Finds the player's answer in a tick, a ghost turn or a round; null if there is none. */
export function findDecision({ lines }: Journal, query: DecisionQuery) {
  const { player, meeting = 1 } = query;
  let called = 0;
  for (const line of lines) {
    if (line.type === 'meeting.called') called += 1;
    const isHere = line.type === 'round.closed' || Math.max(1, called) === meeting;
    const channel = line.type === 'turn.closed' ? 'ghosts' : 'living';
    if (isHere && isLineOf(line, query)) return { seat: player, channel, seq: line.seq } as const;
  }
  return null;
}

function isLineOf(line: Line, { tick, round, request: requestKind }: DecisionQuery): boolean {
  if (line.type === 'round.closed') return line.round === round;
  if (line.type === 'turn.closed') return requestKind === 'ghost' && line.turn === tick;
  if (line.type !== 'tick.closed' || line.tick !== tick) return false;
  return requestKind === undefined || line.requestKind === requestKind;
}

/** Without a kind: discussion, voting, and talk of ghosts. */
export function isRequestFor(request: MindRequest, requestKind: RequestKind | undefined): boolean {
  const own = request.kind === 'ghost' ? request.view.requestKind : request.kind;
  if (requestKind !== undefined) return own === requestKind;
  return request.kind === 'ghost' ? own === 'ghost' : own === 'discussion' || own === 'voting';
}

export type RecordedPrompt = RecordedRequest & {
  readonly prompt: Prompt;
  /** What was received, as JSON; null for a fault. */
  readonly answer: string | null;
};

export async function listPrompts(
  journal: Journal,
  player?: Colour,
): Promise<readonly RecordedPrompt[]> {
  const [header] = journal.lines;
  if (header === undefined || !('seed' in header)) return [];
  const identities = new Map(
    listSeats(header).map((own, index) => {
      const persona = personaOf(own, index);
      return [own.colour, pickIdentity(persona, `game-${header.seed}`, own.level)];
    }),
  );
  return (await collectRecorded(journal)).flatMap((one) => {
    const identity = identities.get(one.seat);
    if (identity === undefined || (player !== undefined && one.seat !== player)) return [];
    const prompt = buildPrompt(one.request, identity);
    return [{ ...one, prompt, answer: answerIn(journal.lines[one.at], one.seat) }];
  });
}

function answerIn(line: Line | undefined, seat: Colour): string | null {
  if (line === undefined) return null;
  const given = 'bids' in line ? line.bids : 'orders' in line ? line.orders : [];
  const own = given.find((one) => one.seat === seat);
  if (own === undefined || own.fault !== undefined) return null;
  return JSON.stringify(own.received ?? {});
}

/** The prompt for the answer in a line; null if the player was not asked. */
export async function promptFromJournal(
  journal: Journal,
  { seat, channel, seq }: DecisionPlace,
): Promise<Prompt | null> {
  const at = journal.lines.findIndex((line) => line.channel === channel && line.seq === seq);
  const own = await listPrompts(journal, seat);
  return own.find((one) => one.at === at)?.prompt ?? null;
}

export async function promptText(journal: Journal, decided: DecisionPlace): Promise<object | null> {
  const prompt = await promptFromJournal(journal, decided);
  if (prompt === null) return null;
  const { system, user, schema, schemaName, maxTokens } = prompt;
  return { system: joinBlocks(system), user: joinBlocks(user), schema, schemaName, maxTokens };
}

export type RecordedRequest = Overheard & {
  readonly at: number;
};

/** The requests whose answers a journal has, as they are made today. */
export async function collectRecorded(journal: Journal): Promise<readonly RecordedRequest[]> {
  const requests: RecordedRequest[] = [];
  const staged = startReplay(journal, {
    clock: new SimulatedClock(),
    onLine: () => {},
    onAsked: (request, at) => requests.push({ seat: request.view.you.colour, request, at }),
  });
  await staged.result;
  return requests;
}

export type DecisionPlace = NonNullable<ReturnType<typeof findDecision>>;
