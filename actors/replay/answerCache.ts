/**
 * A cache of answers by question, so that no model is asked the same twice, in this run or a later one. Its key is a hash
 * of the program with its prompts, the seat with its model, the request and the sample. Only answers are kept, because a
 * failure says nothing about the next try. Unreadable lines are skipped, as the last one may be torn.
 */
import { z } from 'zod';
import { canonical } from '../../machines/journal/canonical.ts';
import { parseJson } from '../../machines/text.ts';
import type { ModelMinds } from '../minds/kinds.ts';
import type { Answer } from '../minds/port.ts';
import { hashText } from '../ports/hash.ts';

const entrySchema = z.strictObject({ key: z.string(), received: z.unknown() });

export class AnswerCache {
  readonly #known = new Map<string, unknown>();
  readonly #engine: string;
  readonly #write: (line: string) => void;
  /** Why an answer could not be kept, or null. Nothing is written any more then. */
  failure: unknown = null;
  onFailure: () => void = () => {};
  readonly count = { kept: 0, asked: 0 };

  /** `engine` is the program with its versions, `past` the text of the file; `write` puts a line behind it. */
  constructor(engine: string, past: string, write: (line: string) => void) {
    this.#engine = engine;
    this.#write = write;
    for (const row of past.split('\n')) {
      const entry = entrySchema.safeParse(parseJson(row));
      if (entry.success) this.#known.set(entry.data.key, entry.data.received);
    }
  }

  /** Minds that are asked once per sample. The seats must be final: overrides of models come first. */
  keep(models: ModelMinds, sample: number): ModelMinds {
    return (seat, index, times) => {
      const mind = models(seat, index, times);
      return {
        pace: 'in-time',
        answer: async (request, signal, keepTime) => {
          const key = hashText(canonical({ engine: this.#engine, seat, request, sample }));
          if (this.#known.has(key)) {
            keepTime();
            this.count.kept += 1;
            return { ok: true, received: this.#known.get(key) };
          }
          this.count.asked += 1;
          const answer = await mind.answer(request, signal, keepTime);
          this.#note(key, answer);
          return answer;
        },
      };
    };
  }

  #note(key: string, answer: Answer): void {
    if (!answer.ok) return;
    this.#known.set(key, answer.received);
    if (this.failure !== null) return;
    try {
      this.#write(`${JSON.stringify({ key, received: answer.received })}\n`);
    } catch (error) {
      // Throwing would make it a fault of the model, whose answer is good.
      this.failure = error ?? 'unknown';
      this.onFailure();
    }
  }
}
