/** `glassbox fork`: plays on from a moment of a journal, with the same past and another future. */
import { basename } from 'node:path';
import type { Journal } from '../actors/engine/journal/reader.ts';
import { createFailure, EXIT, nameOf } from '../actors/files/failure.ts';
import {
  createJournal,
  createJournalIn,
  type JournalFile,
  openAhead,
} from '../actors/files/newFiles.ts';
import { findEntry, openJournal, openPlayable } from '../actors/files/openFiles.ts';
import { createBelievers } from '../actors/minds/believers.ts';
import { listSeats } from '../actors/minds/openai/seats.ts';
import type { Mind } from '../actors/minds/port.ts';
import {
  changeMinds,
  createSuccessor,
  cutBefore,
  listSeatsWith,
  type MindChanges,
  overrideModels,
  parseMoment,
  type ReplayMoment,
  replaceSeatMind,
  seedOf,
} from '../actors/replay/continue.ts';
import { readOutcome } from '../analysis/why/outcome.ts';
import { throughGlass } from '../machines/journal/lens.ts';
import { emptyProjection, livingIn, next } from '../machines/journal/projection.ts';
import { isBlank } from '../machines/rules/floor.ts';
import { isRemote, isSlow } from '../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../machines/setup/match.ts';
import { capitalize } from '../machines/text.ts';
import type { Colour } from '../machines/types.ts';
import { describeComparison, describeSpoken, isTalk } from '../visualizer/terminal/why.ts';
import {
  type ContinueFlags,
  concludeContinued,
  continueGame,
  refuseForeignMinds,
} from './continueGame.ts';
import {
  addModelFlags,
  addShowFlags,
  addTrustFlags,
  parseDestination,
  parseMind,
  parseSeat,
} from './flags.ts';
import { openLivePage } from './live.ts';
import { createGameModels, refuseSeatProblems } from './models.ts';
import type { ProgramCommand } from './usage.ts';

type ForkFlags = ContinueFlags & {
  readonly at: ReplayMoment;
  readonly player?: Colour;
  readonly say?: string;
  readonly floor?: boolean;
  readonly out?: string;
};

export function addFork(program: ProgramCommand): void {
  const forking = program
    .command('fork')
    .description(
      'Plays on from a moment of a journal, with a different future. The journal itself does not change. With --mind openai the model options apply to that player, otherwise to all seats of models. Budgets start again.',
    )
    .argument('<journal>', 'a journal file, or - for standard input')
    .requiredOption(
      '--at <moment>',
      'a tick of the first meeting (12), of another one (2:12, counted from 1), or a round of the game (round:30)',
      readMoment,
    )
    .option('--player <colour>', 'player whose turn changes', parseSeat)
    .option('--say <text>', 'message of that player in the tick')
    .option('--floor', 'with --say: all others leave the floor to that player in the tick')
    .option('--mind <mind>', 'their mind from then on; see "glassbox help models"', parseMind)
    .option('--out <file>', 'file for the new journal', parseDestination);
  addModelFlags(
    addTrustFlags(addShowFlags(forking)),
    'language model for --player, else for all seats of models',
  )
    .examples(
      ['fork journals/a.jsonl --at 4', 'all players think anew from tick 4 on'],
      [
        'fork journals/a.jsonl --at 4 --player red --say "It was me." --floor',
        'what if Red confessed, and everybody heard it?',
      ],
      [
        'fork a.jsonl --at 4 --player red --mind openai --model gemma3',
        'what if Gemma played Red?',
      ],
      [
        'fork a.jsonl --at 4 --player red --mind "command:python3 mind.py"',
        'what if your own program did?',
      ],
    )
    .action(fork);
}

async function fork(path: string, flags: ForkFlags): Promise<void> {
  refuseHalfChange(flags);
  const { journal, rows } = await openPlayable(path);
  const past = cutBefore(journal, flags.at);
  if (past === null || past.lines.length === 0) {
    const { at } = flags;
    const moment =
      at.type === 'round' ? `round ${at.round}` : `tick ${at.tick} in meeting ${at.meeting + 1}`;
    const text = `--at: ${nameOf(path)} has no ${moment}`;
    throw createFailure(EXIT.usage, 'fork/no-such-moment', text);
  }
  const heir = findSuccessorSeat(journal, flags);
  refuseIdleChange(path, past, journal, flags);
  const kept = listSeats(journal.lines[0]).filter(({ colour }) => colour !== heir?.colour);
  refuseForeignMinds(path, kept, flags);
  const seats = heir === null ? listSeatsWith(journal, flags) : [...kept, heir];
  await refuseSeatProblems(seats, flags, path);
  const file = createForkFile(path, flags);
  file.sink.write(`${rows.slice(0, past.lines.length).join('\n')}\n`);
  file.sink.close();
  const thinking = await createGameModels(flags, seedOf(journal));
  const ahead = openAhead(file.path, false);
  if (ahead !== null) thinking.writeAhead(ahead, past);
  const mind =
    heir === null ? null : createSuccessor(journal.lines, heir, seedOf(journal), thinking.minds);
  const { live } = flags;
  const name = basename(file.path);
  await using host = await openLivePage({ live, lens: { type: 'glass' }, name, past: past.lines });
  const onward = await continueGame(file.path, past, {
    thinking,
    ahead,
    host,
    successors: (minds) => changeMinds(minds, changeOf(flags, mind)),
    believers: createBelievers(
      listSeatsWith(journal, flags).map((seat) => (seat.colour === heir?.colour ? heir : seat)),
      seedOf(journal),
      thinking.believers,
    ),
    models: heir === null ? overrideModels(thinking.minds, flags) : thinking.minds,
    isReal: heir !== null && isSlow(heir),
    isShown: flags.json !== true && flags.quiet !== true,
  });
  const outcomes = await compareWithOriginal(journal, file.path, past.lines.length, flags);
  await concludeContinued(onward, flags, { type: 'forked', thinking, host, ...outcomes });
}

/** The outcomes of the original and its fork; nothing if the fork is not kept, as in /dev/null. */
async function compareWithOriginal(
  original: Journal,
  fork: string,
  kept: number,
  { player, say }: ForkFlags,
) {
  if (findEntry(fork) !== 'file') return {};
  const { lines } = await openJournal(fork);
  const outcomes = { original: readOutcome(original.lines), fork: readOutcome(lines) };
  const isChanged = player !== undefined && say !== undefined;
  const spoken = isChanged ? { spoken: describeSpoken(lines.slice(kept), player) } : {};
  const told = [spoken.spoken, describeComparison(outcomes.original, outcomes.fork)];
  const comparison = told.filter((one) => one != null).join('\n');
  return { outcomes: { ...outcomes, ...spoken }, comparison: comparison || null };
}

function createForkFile(path: string, { out }: ForkFlags): JournalFile {
  if (out !== undefined) return createJournal(out);
  const name = path === '-' ? 'journal' : basename(path).replace(/\.jsonl(?:\.gz|\.zst)?$/, '');
  return createJournalIn('journals', `${name}-fork`);
}

function findSuccessorSeat(journal: Journal, flags: ForkFlags): MatchSeat | null {
  const { player, mind } = flags;
  if (player === undefined) return null;
  const seat = replaceSeatMind(journal.lines, player, mind ?? { mind: 'silent' }, flags);
  if (seat === null) {
    const text = `--player: this journal has no player ${player}`;
    throw createFailure(EXIT.usage, 'fork/no-such-player', text);
  }
  return mind === undefined ? null : seat;
}

function changeOf({ player, say, floor }: ForkFlags, heir: Mind | null): MindChanges {
  if (player === undefined) return { others: {}, say: {} };
  return {
    others: heir === null ? {} : { [player]: heir },
    say: say === undefined ? {} : { [player]: say },
    floor: floor === true ? player : null,
  };
}

function refuseHalfChange({ player, say, mind, floor }: ForkFlags): void {
  const refuse = (code: string, text: string) => createFailure(EXIT.usage, code, text);
  if (player === undefined && (say !== undefined || mind !== undefined))
    throw refuse('fork/no-player', '--say and --mind want a --player');
  if (player !== undefined && say === undefined && mind === undefined)
    throw refuse('fork/no-change', '--player wants --say or --mind');
  if (floor === true && say === undefined)
    throw refuse('fork/no-change', '--floor wants --say: it gives the floor to these words');
  if (say !== undefined && isBlank(say))
    throw refuse('fork/no-change', '--say: expected words, found none');
}

/** Refuses a change that cannot take effect: words of the dead, words after the vote, a model without a seat. */
function refuseIdleChange(path: string, past: Journal, whole: Journal, flags: ForkFlags): void {
  const { player, say, mind, model } = flags;
  const refuse = (text: string) => createFailure(EXIT.usage, 'fork/no-effect', text);
  if (model !== undefined && mind === undefined && !listSeats(past.lines[0]).some(isRemote)) {
    const text = `--model: ${nameOf(path)} has no seats of models. To put one in, add --player COLOUR --mind openai`;
    throw refuse(text);
  }
  if (player === undefined) return;
  const { players } = past.lines.map(throughGlass).reduce(next, emptyProjection({ type: 'glass' }));
  const fate = players.find(({ seat }) => seat === player)?.fate ?? 'living';
  const who = capitalize(player);
  if (fate !== 'living') {
    const living = livingIn(players).map(capitalize).join(', ');
    const text = `--player: ${who} is not alive at this moment (${fate}), so this can't be heard or counted. Alive are ${living}`;
    throw refuse(text);
  }
  const cut = whole.lines[past.lines.length];
  if (say === undefined || cut?.type !== 'tick.closed' || isTalk(cut)) return;
  const kind = cut.requestKind;
  throw refuse(`--say: in this tick (${kind}) nobody has the floor any more: name an earlier tick`);
}

function readMoment(text: string): ReplayMoment {
  const moment = parseMoment(text);
  if (moment !== null) return moment;
  const said = `--at: expected a tick (12), a meeting and a tick (2:12) or a round (round:30), found ${JSON.stringify(text)}`;
  throw createFailure(EXIT.usage, 'fork/bad-moment', said);
}
