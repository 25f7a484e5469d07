/** Tries the user's own mind with one request of each kind from a real game. */
import { createMatch } from '../../actors/engine/match.ts';
import type { MindChoice } from '../../actors/minds/openai/seats.ts';
import { OwnMinds } from '../../actors/minds/own/ownMinds.ts';
import type { Answer, MindRequest } from '../../actors/minds/port.ts';
import type { TimePort } from '../../actors/ports/ports.ts';
import { plainGame } from '../../machines/setup/prepare.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';
import { readOrder } from '../../prompts/order.ts';
import { pickIdentity } from '../../prompts/personas.ts';
import { copyJson, readReply } from '../../prompts/reply.ts';
import { collectPrompts, type Overheard } from './prompts.ts';

export type MindProbe = Readonly<Awaited<ReturnType<typeof probeMind>>>;

type ProbeOptions = { readonly time: TimePort; readonly deadlineMs: number };

export async function probeMind(choice: MindChoice, { time, deadlineMs }: ProbeOptions) {
  const samples = await sampleRequests();
  const colour = samples[0]?.seat ?? 'red';
  const errors: string[] = [];
  const minds = new OwnMinds({ onErrorLine: (_, line) => errors.push(line) });
  await using _closed = { [Symbol.asyncDispose]: () => minds.close() };
  const seat = { colour, votes: 'freely', notes: '', ...choice } as const;
  const times = { table: deadlineMs, ship: deadlineMs };
  const mind = minds.createMind(seat, times, pickIdentity({ temperament: 'observer' }, 'doctor'));
  const requests: (ReturnType<typeof judge> & { readonly ms: number })[] = [];
  for (const { request } of samples) {
    const started = time.now();
    const answer = await askInTime(mind, request, { time, deadlineMs });
    requests.push({ ...judge(request, answer), ms: Math.round(time.now() - started) });
  }
  return { name: minds.nameOf(colour), requests, errors };
}

async function askInTime(
  mind: ReturnType<OwnMinds['createMind']>,
  request: MindRequest,
  { time, deadlineMs }: ProbeOptions,
): Promise<Answer> {
  const late = new AbortController();
  const timer = time.setTimeout(() => late.abort(), deadlineMs);
  try {
    return await mind.answer(request, late.signal);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { ok: false, code: 'mind/threw', text };
  } finally {
    time.clearTimeout(timer);
  }
}

/** The fault is null if the answer is usable. */
function judge(request: MindRequest, answer: Answer) {
  const { kind } = request;
  if (!answer.ok) return { kind, fault: answer, received: null };
  // As in a game: what JSON can't hold, or is nested without end, is no answer.
  const received = copyJson(answer.received);
  const reading =
    request.kind === 'action' ? readOrder(received, request.view) : readReply(received);
  return { kind, fault: reading.ok ? null : reading, received };
}

const PLAYERS = 8;
const SEED = 1;

/** The first request of each kind, from the player with the most kinds. */
async function sampleRequests(): Promise<readonly Overheard[]> {
  const creation = createMatch(plainGame(PLAYERS), SEED);
  if (!creation.ok) throw new Error('a plain game makes sense');
  const all = await collectPrompts(creation.ready);
  const samplesOf = (colour: Colour) => {
    const own = all.filter(({ seat }) => seat === colour);
    const kinds = Map.groupBy(own, ({ request }) => request.kind);
    return [...kinds.values()].flatMap(([first]) => first ?? []);
  };
  const [most = []] = COLOURS.map(samplesOf).toSorted((one, other) => other.length - one.length);
  return most;
}
