/** Stores for `why`: the result beside the journal, and the answers of models. */

import type { Journal } from '../../actors/engine/journal/reader.ts';
import {
  createFailure,
  EXIT,
  nameOf,
  noteFile,
  refuseToWrite,
} from '../../actors/files/failure.ts';
import { resultPathOf } from '../../actors/files/newFiles.ts';
import { findEntry, isThere, openText } from '../../actors/files/openFiles.ts';
import { realDisk } from '../../actors/ports/disk.ts';
import { AnswerCache } from '../../actors/replay/answerCache.ts';
import {
  addAnswers,
  bindJournal,
  readResult,
  type WhyAnswer,
  type WhyResult,
  writeResult,
} from './result.ts';

/** The earlier result in a file, or the fresh one if there is no file. Refuses any other file. */
export async function openKnown(file: string | null, fresh: WhyResult): Promise<WhyResult> {
  if (file === null || !isThere(file)) return fresh;
  const reading = readResult(await openText(file, 'why'), fresh);
  if (reading.ok) return reading.result;
  const text = `${nameOf(file)}: ${reading.text}: remove it, or choose another file with --out`;
  throw createFailure(EXIT.damaged, reading.code, text);
}

export type ResultKeeper = ReturnType<typeof keepResult>;

/** Saves a result to its file atomically. Without a file the result stays in memory. */
export function keepResult(file: string | null, known: WhyResult) {
  let news: WhyAnswer[] = [];
  let saving = Promise.resolve();
  const write = async () => {
    keeper.result = addAnswers(keeper.result, news);
    news = [];
    if (file === null) return;
    try {
      await realDisk.save(file, writeResult(keeper.result));
    } catch (error) {
      throw refuseToWrite(file, error, 'the result');
    }
  };
  const keeper = {
    result: known,
    add: (answer: WhyAnswer) => void news.push(answer),
    /** A failure is not reported here: the last save fails again and reports it. */
    saveSoon(): void {
      saving = saving.then(write).catch(() => {});
    },
    async save(): Promise<void> {
      await saving;
      await write();
    },
  };
  return keeper;
}

/** The answers of models in a file; null keeps none. `refuseUnkept` throws if an answer could not be kept. */
export async function openAnswers(file: string | null, engine: string) {
  if (file === null) {
    const cache = new AnswerCache(engine, '', () => {});
    return { cache, refuseUnkept: () => {}, close: () => {} };
  }
  const past = isThere(file) ? await openText(file, 'why') : '';
  try {
    // It came with the journal, perhaps as a link to another file.
    if (past === '') realDisk.remove(file);
    else if (!past.startsWith('{"key":')) throw new Error('another file is there');
    const handle = realDisk.open(file, 'append');
    // A torn line would join the next one.
    if (past !== '' && !past.endsWith('\n')) handle.write('\n');
    const cache = new AnswerCache(engine, past, (line) => handle.write(line));
    const refuseUnkept = () => {
      if (cache.failure !== null) throw refuseToWrite(file, cache.failure, 'answers');
    };
    return { cache, refuseUnkept, close: () => handle.close() };
  } catch (error) {
    throw refuseToWrite(file, error, 'answers');
  }
}

/** The result beside a journal, or null if there is none. A note explains a useless one. */
export async function openOwnResult(path: string, journal: Journal): Promise<WhyResult | null> {
  const file = resultPathOf(path);
  if (file === null || findEntry(file) !== 'file') return null;
  const reading = readResult(await openText(file, 'why'), {
    journal: bindJournal(journal),
    engine: null,
  });
  if (reading.ok) return reading.result;
  noteFile(`${nameOf(file)} is left out: ${reading.text} [${reading.code}]`);
  return null;
}
