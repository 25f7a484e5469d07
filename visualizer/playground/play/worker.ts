import type { FromSiteWorker, ToSiteWorker } from '../protocol.ts';

export type SearchNews = Extract<FromSiteWorker, { type: 'searching' | 'trying' }>;
export type SiteAnswer = Exclude<FromSiteWorker, SearchNews>;

export class SiteWorker {
  #worker: Worker | null = null;
  #waiting: {
    readonly settle: (answer: SiteAnswer) => void;
    readonly onNews: (news: SearchNews) => void;
  }[] = [];

  /** Resolves with the answer, even a refusal. Answers arrive in the order of the questions. */
  ask(message: ToSiteWorker, onNews: (news: SearchNews) => void = () => {}): Promise<SiteAnswer> {
    return new Promise((settle) => {
      this.#waiting.push({ settle, onNews });
      this.#start().postMessage(message);
    });
  }

  stop(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#waiting = [];
  }

  #start(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(new URL('../worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<FromSiteWorker>) => this.#hear(data);
    worker.onerror = ({ message }) => this.#fail(message);
    this.#worker = worker;
    return worker;
  }

  #hear(message: FromSiteWorker): void {
    if (message.type === 'searching' || message.type === 'trying')
      this.#waiting[0]?.onNews(message);
    else this.#waiting.shift()?.settle(message);
  }

  /** A script that failed to load never answers: pages opened from disk may start no worker. */
  #fail(message: string): void {
    const cause = message === '' ? '' : ` (${message})`;
    const text = `This browser did not start the worker${cause}. Open the page from a web server, not from disk.`;
    const left = this.#waiting;
    this.stop();
    for (const { settle } of left)
      settle({ type: 'refused', notes: [{ code: 'site/no-worker', text }] });
  }
}
