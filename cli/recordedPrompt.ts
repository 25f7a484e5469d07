/** A prompt that was sent in a recorded meeting or game: made again from its journal. */
import { statSync } from 'node:fs';
import type { Journal } from '../actors/engine/journal/reader.ts';
import type { Line } from '../machines/journal/lines.ts';
import type { Prompt } from '../prompts/prompt.ts';
import type { DecisionPlace } from '../visualizer/server/routes.ts';
import { createFailure, EXIT, type Failure } from './exit.ts';
import { nameOf, openJournal, seatedIn } from './input.ts';
import { isForeign } from './journal-file.ts';
import { promptAgain } from './promptAgain.ts';
import type { PromptFlags } from './promptFlags.ts';

/** Whether a file is there that begins like a journal. */
export function isJournal(path: string): boolean {
  if (path === '-') return false;
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size > 0 && !isForeign(path);
}

/** The prompt of a player in a tick, a turn of the ghosts, or a round. */
export async function recordedPrompt(path: string, flags: PromptFlags): Promise<Prompt> {
  const { player } = flags;
  const journal = await openJournal(path);
  const seated = seatedIn(journal.lines) ?? [];
  if (!seated.includes(player)) {
    const text = `--player ${player}: ${player} has no seat (seated: ${seated.join(', ')})`;
    throw createFailure(EXIT.usage, 'prompt/not-seated', text);
  }
  refuseOthers(flags);
  const decided = decidedIn(journal, flags);
  const prompt = decided === null ? null : await promptAgain(journal, decided);
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
    if (isHere && isMeant(line, flags)) {
      return { seat: player, channel: line.channel, seq: line.seq };
    }
  }
  return null;
}

function isMeant(line: Line, { tick, round, occasion }: PromptFlags): boolean {
  if (line.type === 'round.closed') return line.round === round;
  if (line.type === 'turn.closed') return occasion === 'ghost' && line.turn === tick;
  if (line.type !== 'tick.closed' || line.tick !== tick) return false;
  return occasion === undefined || line.occasion === occasion;
}
