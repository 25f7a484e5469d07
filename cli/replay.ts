/** `glassbox replay`: runs a recorded meeting or game again and compares it byte for byte. */
import type { Command } from 'commander';
import { isPlayable } from '../actors/engine/journal/reader.ts';
import type { Difference, Replay } from '../actors/replay/replay.ts';
import { createFailure, EXIT } from './exit.ts';
import { damagedJournal, nameOf, openJournal } from './input.ts';
import { cleanLines, print, printJson } from './output.ts';
import { formatExamples } from './usage.ts';

export function addReplay(program: Command): void {
  program
    .command('replay')
    .description(
      'Runs a recorded meeting or game again with the recorded replies. When the result differs, prints the first difference and exits with 1.',
    )
    .argument('<journal>', 'a journal file, or - for standard input')
    .option('--json', 'print the verdict as JSON')
    .addHelpText(
      'after',
      formatExamples(
        ['replay journals/a.jsonl', 'identical, or where it differs'],
        ['replay journals/a.jsonl --json', 'the verdict for a program'],
      ),
    )
    .action(async (path: string, { json = false }: { readonly json?: boolean }) => {
      process.exitCode = await replayFile(path, json);
    });
}

/** A torn end leaves a whole beginning that can be played; any other damage leaves holes, and nothing is played. */
async function replayFile(path: string, json: boolean): Promise<number> {
  const journal = await openJournal(path);
  if (!isPlayable(journal)) throw damagedJournal(path, journal);
  const { replay } = await import('../actors/replay/replay.ts');
  const verdict = await replay(journal);
  if (verdict.type === 'unplayable') {
    const text = `${nameOf(path)} can't be played: ${verdict.text}`;
    throw createFailure(EXIT.damaged, 'journal/unplayable', text);
  }
  if (json) printJson({ v: 1, ...verdict, type: `replay.${verdict.type}` });
  else print(cleanLines(sentence(nameOf(path), verdict)));
  if (verdict.type === 'different') return EXIT.found;
  if (journal.isTorn) throw damagedJournal(path, journal);
  return EXIT.done;
}

function sentence(name: string, verdict: Extract<Replay, { type: 'same' | 'different' }>): string {
  if (verdict.type === 'different') return different(name, verdict.difference);
  const end = verdict.unfinished ? ', up to where the journal ends in mid-meeting' : '';
  return `the same: ${name} was played again, and all ${verdict.lines} lines are identical to the byte${end}`;
}

/** Characters of the two texts that are shown before and after the place where they part. */
const BEFORE = 30;
const AFTER = 50;

/** The first difference, with a little of what stands before it. */
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
