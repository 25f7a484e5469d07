/** Requests of a real game, as own minds get them, and minds made of scripts. */
import { createMatch } from '../../../actors/engine/match.ts';
import type { AnswerTimes } from '../../../actors/minds/kinds.ts';
import { OwnMinds } from '../../../actors/minds/own/ownMinds.ts';
import type { Answer, MindRequest, TimedMind } from '../../../actors/minds/port.ts';
import type { CommandEvents, Commands } from '../../../actors/ports/ports.ts';
import { collectPrompts, type Overheard } from '../../../analysis/models/prompts.ts';
import type { MatchSeat } from '../../../machines/setup/match.ts';
import { plainGame } from '../../../machines/setup/prepare.ts';
import { pickIdentity } from '../../../prompts/personas.ts';
import { readReply } from '../../../prompts/reply.ts';

export async function requestsOf(seed: number, players: number): Promise<readonly Overheard[]> {
  const creation = createMatch(plainGame(players), seed);
  if (!creation.ok) throw new Error('a plain game makes sense');
  return await collectPrompts(creation.ready);
}

export async function aDiscussion(): Promise<MindRequest> {
  const all = await requestsOf(1, 6);
  const found = all.find(({ request }) => request.kind === 'discussion');
  if (found === undefined) throw new Error('a game has a discussion');
  return found.request;
}

const TIMES: AnswerTimes = { table: 60_000, ship: 60_000 };

export function ownMind(
  seat: Partial<MatchSeat> & Pick<MatchSeat, 'mind'>,
  options: ConstructorParameters<typeof OwnMinds>[0] = {},
): { readonly mind: TimedMind; readonly minds: OwnMinds } {
  const minds = new OwnMinds(options);
  const identity = pickIdentity({ temperament: 'observer' }, 'game');
  const whole = { colour: 'red', votes: 'freely', notes: '', ...seat } as const;
  return { mind: minds.createMind(whole, TIMES, identity), minds };
}

export function script(text: string): Pick<MatchSeat, 'mind' | 'command'> {
  return { mind: 'command', command: [process.execPath, '--input-type=module', '-e', text] };
}

/** The answers to the same request, asked one after another. */
export async function askTimes(
  mind: TimedMind,
  request: MindRequest,
  times: number,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let asked = 0; asked < times; asked++) {
    answers.push(await mind.answer(request, new AbortController().signal));
  }
  return answers;
}

/** What a mind said, or its fault as "code: text". */
export function wordsOf(answer: Answer | undefined): string {
  if (answer?.ok !== true) return answer === undefined ? '' : `${answer.code}: ${answer.text}`;
  const reading = readReply(answer.received);
  return reading.ok ? reading.reply.message : reading.code;
}

export function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

/** Commands without processes: the events of each start, what was written to it, and whether it was killed. */
export function fakeCommands(onKill: (events: CommandEvents) => void = () => {}) {
  const started: (CommandEvents & { readonly written: string[]; isKilled: boolean })[] = [];
  const commands: Commands = {
    start: (_words, _folder, events) => {
      const run = { ...events, written: [] as string[], isKilled: false };
      started.push(run);
      return {
        write: (text) => void run.written.push(text),
        unreadBytes: () => 0,
        closeInput: () => onKill(events),
        kill: () => {
          run.isKilled = true;
          onKill(events);
        },
      };
    },
  };
  return { commands, started };
}

export function bytesOf(...messages: readonly object[]): Buffer {
  return Buffer.from(messages.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

/** The beginning of a mind in JavaScript: `line` reads a message, `say` writes one. */
export const MIND = `
import { createInterface } from 'node:readline';
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const line = async () => { const { value, done } = await lines.next(); if (done) process.exit(0); return JSON.parse(value); };
const say = (message) => process.stdout.write(typeof message === 'string' ? message + '\\n' : JSON.stringify(message) + '\\n');
const greet = async () => { await line(); say({ type: 'hello', protocol: 1, name: 'test' }); };
const answer = (id) => say({ type: 'answer', id, answer: { message: 'request ' + id } });
`;
