/** Forks of a journal. They load apart from the engine, because most visitors only play. */
import { type Journal, readJournal } from '../../actors/engine/journal/reader.ts';
import { MemorySink } from '../../actors/engine/journal/sink.ts';
import { silentMind } from '../../actors/minds/kinds.ts';
import { listSeats } from '../../actors/minds/openai/seats.ts';
import type { Mind } from '../../actors/minds/port.ts';
import {
  changeMinds,
  continueMatch,
  createSuccessor,
  cutBefore,
  parseMoment,
  seedOf,
} from '../../actors/replay/continue.ts';
import { readOutcome } from '../../analysis/why/outcome.ts';
import type { Colour, Temperament } from '../../machines/types.ts';
import { describeComparison } from '../terminal/why.ts';
import type { ForkChange } from './protocol.ts';
import { refuse } from './refusal.ts';

/** Each fork applies to the result of the one before. The last one is compared with its original. */
export async function playForks(original: string, forks: readonly ForkChange[]) {
  let [before, journal] = [original, original];
  for (const fork of forks) {
    before = journal;
    journal = await playFork(before, fork);
  }
  const { lines } = readJournal(journal);
  const [was, is] = [readOutcome(readJournal(before).lines), readOutcome(lines)];
  return { journal, lines, comparison: describeComparison(was, is) };
}

async function playFork(text: string, fork: ForkChange): Promise<string> {
  const journal = readJournal(text);
  const moment = parseMoment(fork.at);
  const past = moment === null ? null : cutBefore(journal, moment);
  if (past === null || past.lines.length === 0)
    throw refuse('site/no-such-moment', `the match has no moment ${fork.at} to fork at`);
  const sink = new MemorySink();
  const onward = continueMatch(past, {
    sink,
    models: () => silentMind,
    successors: (minds) => changeMinds(minds, createChange(journal, fork)),
  });
  const { difference } = await onward.result;
  if (difference !== null)
    throw refuse('site/differs', `line ${difference.line} is not what this version plays`);
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
  const seat = listSeats(lines[0]).find(({ colour }) => colour === player);
  if (seat === undefined) throw refuse('site/no-such-player', `no player is ${player}`);
  const turned = { ...seat, mind: 'scripted', persona } as const;
  return createSuccessor(lines, turned, seedOf(journal), () => silentMind);
}
