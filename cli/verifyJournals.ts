/** Verifies journals: replays them, judges meetings by their properties, and prints the differences. */
import type { Journal } from '../actors/engine/journal/reader.ts';
import { didYouMean } from '../actors/engine/suggestion.ts';
import {
  createFailure,
  EXIT,
  type ExitCode,
  type Failure,
  fromPlainFailure,
  nameOf,
} from '../actors/files/failure.ts';
import { findJournals, refuseJournals } from '../actors/files/foundJournals.ts';
import { openJournal } from '../actors/files/openFiles.ts';
import { workThroughFiles } from '../actors/jobs/ordered.ts';
import type { Difference } from '../actors/replay/replay.ts';
import type { JudgedJournal } from '../proofs/checks/conformance.ts';
import { wrapSentences } from '../visualizer/terminal/table.ts';
import { type OutletFlags, openExhibition, openReports } from './checkOutlets.ts';
import { createJournalWork, type JournalOutcome, workOnJournal } from './journalWork.ts';
import { cleanLines, print, printJson, textWidth } from './output.ts';

type VerifiedJournal = Extract<JournalOutcome, { type: 'verified' }>;
type JournalReplay = NonNullable<VerifiedJournal['replay']>;

export type JournalFlags = OutletFlags & {
  readonly property?: readonly string[];
  /** Number of games of a league to replay. For a journal, 0 skips the replay. */
  readonly replay?: number | 'all';
  readonly json?: boolean;
};

/** Verifies journals and returns the exit status. `opened` is the first one if it was already read. */
export async function verifyJournals(
  paths: readonly string[],
  flags: JournalFlags,
  opened: Journal | null,
): Promise<ExitCode> {
  const { property, replay, json = false } = flags;
  if (property !== undefined) await refuseUnjudgeable(property);
  const writeReports = openReports(flags);
  using shown = await openExhibition(flags);
  const { files, isOne } = findJournals(paths);
  const task = { type: 'verify', isReplayed: replay !== 0, only: property ?? null } as const;
  const found = new VerifiedJournals({ all: files.length, isOne, json });
  const take = (outcome: JournalOutcome, path: string) => found.take(outcome, path, task.only);
  const [first = ''] = files;
  if (opened === null) await workThroughFiles(files, createJournalWork(task), take);
  else take(await workOnJournal(first, task, opened), first);
  if (flags.junit !== undefined) {
    const { listJournalCases } = await import('../proofs/report/checkFormats.ts');
    await writeReports([...found.judged.values()].flatMap(listJournalCases));
  }
  if (shown.isWanted) {
    const { createJournalReport } = await import('../proofs/report/createExplorerReport.ts');
    const recorded = [];
    for (const [path, history] of found.judged)
      recorded.push({ history, journal: opened ?? (await openJournal(path)) });
    await shown.show(createJournalReport(recorded, found.exit));
  }
  return found.conclude();
}

class VerifiedJournals {
  readonly judged = new Map<string, JudgedJournal>();
  readonly #asked: { readonly all: number; readonly isOne: boolean; readonly json: boolean };
  readonly #refused: Failure[] = [];
  readonly #replays = { same: 0, different: 0 };

  constructor(asked: { readonly all: number; readonly isOne: boolean; readonly json: boolean }) {
    this.#asked = asked;
  }

  get exit(): ExitCode {
    const isBroken = this.#replays.different > 0 || this.#countBroken() > 0;
    return isBroken ? EXIT.found : EXIT.done;
  }

  take(outcome: JournalOutcome, path: string, only: readonly string[] | null): void {
    if (outcome.type === 'refused') this.#refused.push(fromPlainFailure(outcome.failure));
    if (outcome.type !== 'verified') return;
    const { replay, judged, torn } = outcome;
    if (judged === null && only !== null) {
      const text = `--property: ${nameOf(path)} is the journal of a whole game, and properties judge journals of single meetings only`;
      throw createFailure(EXIT.usage, 'verify/whole-game', text);
    }
    if (judged !== null) this.judged.set(path, judged);
    if (replay !== null) this.#replays[replay.type] += 1;
    const isRight = replay?.type !== 'different' && !isBroken(judged);
    if (this.#asked.json) {
      printJson({ type: 'verify.journal', v: 1, journal: nameOf(path), replay, judged });
    } else if (this.#asked.isOne || !isRight) {
      const { engine, lines } = outcome;
      const said = replay === null ? [] : [describeReplay(nameOf(path), replay, engine)];
      print(wrapSentences(cleanLines([...said, ...lines].join('\n')), textWidth()));
    }
    if (torn !== null && isRight) this.#refused.push(fromPlainFailure(torn));
  }

  conclude(): ExitCode {
    if (!this.#asked.isOne && !this.#asked.json) print(wrapSentences(this.#sum(), textWidth()));
    if (this.#refused.length > 0 && this.#countBroken() === 0)
      throw refuseJournals(this.#refused, this.#asked.isOne);
    return this.exit;
  }

  #countBroken(): number {
    return [...this.judged.values()].filter(isBroken).length;
  }

  #sum(): string {
    const { same, different } = this.#replays;
    const all = same + different;
    const played = `${all === 0 ? 'none' : all} of ${this.#asked.all} journals were played again`;
    const ends = different > 0 ? `${different} differ` : 'all lines are identical to the byte';
    const meetings = this.judged.size;
    const judged = `${meetings} meetings were judged as recorded: ${this.#countBroken()} violate a property`;
    return [
      ...(all > 0 || meetings === 0 ? [all === 0 ? played : `${played}: ${ends}`] : []),
      ...(meetings > 0 ? [judged] : []),
    ].join('\n');
  }
}

function isBroken(judged: JudgedJournal | null): boolean {
  return judged?.judged.some(({ finding }) => finding !== null) ?? false;
}

function describeReplay(name: string, replay: JournalReplay, engine: string): string {
  if (replay.type === 'different') return `${different(name, replay.difference)}\n${engine}.`;
  const end = replay.unfinished ? ', up to where the journal ends in mid-meeting' : '';
  return `the same: ${name} was played again, and all ${replay.lines} lines are identical to the byte${end}`;
}

/** Number of characters to show before and after the first difference. */
const BEFORE = 30;
const AFTER = 50;

function different(name: string, { line, channel, recorded, replayed }: Difference): string {
  let at = 0;
  while (at < recorded.length && recorded[at] === replayed[at]) at += 1;
  const excerpt = (text: string) =>
    JSON.stringify(text.slice(Math.max(0, at - BEFORE), at + AFTER));
  return [
    `different: ${name}, line ${line} (${channel}), from character ${at + 1}`,
    ` recorded ${excerpt(recorded)}`,
    ` replayed ${excerpt(replayed)}`,
  ].join('\n');
}

async function refuseUnjudgeable(wanted: readonly string[]): Promise<void> {
  const { isJudgeable } = await import('../proofs/checks/conformance.ts');
  const { EXTRA_CHECKS } = await import('../proofs/checks/extraChecks.ts');
  const { listAllProperties } = await import('../proofs/checks/meetingConfigurations.ts');
  const all = listAllProperties();
  const names = all.map(({ name }) => name);
  for (const name of wanted) {
    if (all.some((property) => property.name === name && isJudgeable(property))) continue;
    if (names.includes(name) || EXTRA_CHECKS.includes(name)) {
      const text = `--property: ${name} is about all meetings that can be, and no recorded one can be judged by it`;
      throw createFailure(EXIT.usage, 'verify/not-of-a-journal', text);
    }
    const help = didYouMean(name, names, ` (properties: ${names.join(', ')})`);
    const text = `--property: there is no property ${JSON.stringify(name)}${help}`;
    throw createFailure(EXIT.usage, 'verify/unknown-property', text);
  }
}
