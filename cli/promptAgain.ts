/** A prompt, made again from a journal: the game is put on up to the moment, and whoever is meant is asked. */
import { SimulatedClock } from '../actors/engine/clock.ts';
import type { Journal } from '../actors/engine/journal/reader.ts';
import { listSeats } from '../actors/minds/openai/seats.ts';
import type { Mind, MindRequest } from '../actors/minds/port.ts';
import { startReplay } from '../actors/replay/replay.ts';
import type { Line } from '../machines/journal/lines.ts';
import { personaOf } from '../machines/setup/prepare.ts';
import { type BySeat, COLOURS, type Colour } from '../machines/types.ts';
import { joinBlocks } from '../prompts/block.ts';
import { pickIdentity } from '../prompts/personas.ts';
import { buildPrompt, type Prompt } from '../prompts/prompt.ts';
import type { DecisionPlace } from '../visualizer/server/routes.ts';

/** The prompt of a player in the line with their answer; null where they were not asked. */
export async function promptAgain(
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
  const prompt = await promptAgain(journal, decided);
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
        if (from !== seat || !isMeant(request, line)) return;
        found ??= request;
        if (staged.type === 'staged') staged.pause();
      }),
  });
  if (staged.type === 'staged') await staged.result;
  return found;
}

function isMeant({ occasion, stamp }: MindRequest, line: Line): boolean {
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
