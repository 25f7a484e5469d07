/** `glassbox replay`: runs a recorded meeting again and compares it byte for byte. */
import type { Command } from 'commander';
import { type Difference, type Replay, replay } from '../actors/replay.ts';
import { EXIT, failure } from './failure.ts';
import { openJournal } from './files.ts';
import { print, printJson } from './output.ts';
import { complainOf } from './watch.ts';

export function addReplay(program: Command): void {
  program
    .command('replay')
    .summary('run a recorded meeting again, byte for byte')
    .description(
      'Runs a recorded meeting again with the recorded replies. Exit status 1 and the first difference when it is not the same.',
    )
    .argument('<journal>', 'a journal file, or - for standard input')
    .option('--json', 'print the verdict as JSON', false)
    .action(async (path: string, { json }: { json: boolean }) => {
      process.exitCode = await replayFile(path, json);
    });
}

async function replayFile(path: string, json: boolean): Promise<number> {
  const journal = openJournal(path);
  const damaged = complainOf(journal, path);
  if (damaged !== EXIT.done && !onlyTorn(journal.damages)) return damaged;
  const verdict = await replay(journal);
  if (verdict.type === 'unplayable') {
    throw failure(EXIT.damaged, 'journal/unplayable', `${path} can't be played: ${verdict.text}`);
  }
  if (json) printJson({ v: 1, ...verdict, type: `replay.${verdict.type}` });
  else print(sentence(path, verdict));
  if (verdict.type === 'different') return EXIT.found;
  return damaged;
}

/** A torn end leaves a whole beginning that can be played; anything else leaves holes. */
function onlyTorn(damages: readonly { readonly code: string }[]): boolean {
  return damages.every(({ code }) => code === 'journal/torn');
}

function sentence(path: string, verdict: Extract<Replay, { type: 'same' | 'different' }>): string {
  if (verdict.type === 'different') return different(path, verdict.difference);
  const end = verdict.unfinished ? ', up to where the journal ends in mid-meeting' : '';
  return `the same: ${path} was played again, and all ${verdict.lines} lines are identical to the byte${end}`;
}

/** The first difference, with a little of what stands before it. */
function different(path: string, { line, channel, recorded, replayed }: Difference): string {
  let at = 0;
  while (at < recorded.length && recorded[at] === replayed[at]) at += 1;
  const excerpt = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 30), at + 50));
  return [
    `different: ${path}, line ${line} (${channel}), from character ${at + 1}`,
    `  recorded ${excerpt(recorded)}`,
    `  replayed ${excerpt(replayed)}`,
  ].join('\n');
}
