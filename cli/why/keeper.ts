/** The result of `why` in its file: what was asked before, and what comes to it. */
import { realDisk } from '../../actors/ports/disk.ts';
import {
  addAnswers,
  addCredit,
  putStakes,
  readResult,
  type SharedCredit,
  type Stakes,
  type WhyAnswer,
  type WhyResult,
  writeResult,
} from '../../analysis/why/result.ts';
import { createFailure, describeSystemError, EXIT } from '../exit.ts';
import { isThere, nameOf, openWhyText } from '../input.ts';

/** What has been asked before; refuses a file that holds something else, and leaves it as it is. */
export async function openKnown(file: string, fresh: WhyResult): Promise<WhyResult> {
  if (!isThere(file)) return fresh;
  const reading = readResult(await openWhyText(file), fresh);
  if (reading.ok) return reading.result;
  const text = `${nameOf(file)}: ${reading.text}: remove it, or choose another file with --out`;
  throw createFailure(EXIT.damaged, reading.code, text);
}

/** Keeps a result in its file, in one piece. */
export class ResultKeeper {
  readonly file: string | null;
  #result: WhyResult;
  #news: WhyAnswer[] = [];
  #saving: Promise<void> = Promise.resolve();

  constructor(file: string | null, result: WhyResult) {
    this.file = file;
    this.#result = result;
  }

  get result(): WhyResult {
    return this.#result;
  }

  add(answer: WhyAnswer): void {
    this.#news.push(answer);
  }

  putStakes(stakes: Stakes): void {
    this.#result = putStakes(this.#result, stakes);
  }

  addCredit(credit: SharedCredit): void {
    this.#result = addCredit(this.#result, credit);
  }

  /** What fails now fails again at the end, where it is said. */
  saveSoon(): void {
    this.#saving = this.#saving.then(() => this.#write()).catch(() => {});
  }

  async save(): Promise<void> {
    await this.#saving;
    await this.#write();
  }

  async #write(): Promise<void> {
    this.#result = addAnswers(this.#result, this.#news);
    this.#news = [];
    if (this.file === null) return;
    try {
      await realDisk.save(this.file, writeResult(this.#result));
    } catch (error) {
      const text = `the result can't be written to ${nameOf(this.file)}: ${describeSystemError(error)}`;
      throw createFailure(EXIT.cannotWrite, 'output/cannot-write', text);
    }
  }
}
