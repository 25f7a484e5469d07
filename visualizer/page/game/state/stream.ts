/**
 * The rows of a live journal. A browser opens only six connections to a server, so its tabs share a stream: one tab
 * leads and passes on what it gets, and another one takes over when that tab closes. A tab that has missed rows reads
 * them itself. Without locks or channels each tab has a stream of its own.
 */
import type { LiveState } from './session.ts';

type StreamNews = {
  /** The name of the journal; '' before the server has said it. */
  readonly journal: string;
  readonly at: number;
  readonly rows: readonly string[];
  readonly state: LiveState;
  /** The latest status, and when it came by `Date`, because each tab has a `performance` of its own. */
  readonly status: string;
  readonly statusAt: number;
};

const NOTHING: StreamNews = {
  ...{ journal: '', at: 0, rows: [], state: 'connecting', status: '', statusAt: 0 },
};

export class SharedStream {
  readonly #path: string;
  /** Hears each row once and in order. */
  readonly #hear: (news: StreamNews) => void;
  readonly #channel: BroadcastChannel | null;
  readonly #ending = new AbortController();
  #known = NOTHING;
  #isLeader = false;
  #source: EventSource | null = null;

  constructor(path: string, isShared: boolean, hear: (news: StreamNews) => void) {
    this.#path = path;
    this.#hear = hear;
    const canShare = isShared && 'locks' in navigator && 'BroadcastChannel' in globalThis;
    this.#channel = canShare ? new BroadcastChannel(path) : null;
    if (this.#channel === null) this.#lead();
    else this.#join(this.#channel);
  }

  stop(): void {
    this.#source?.close();
    this.#channel?.close();
    this.#ending.abort();
  }

  #join(channel: BroadcastChannel): void {
    channel.onmessage = ({ data }) => {
      if (data !== null) this.#follow(data);
      else if (this.#isLeader) channel.postMessage(this.#known);
    };
    // Asks the leader where it is.
    channel.postMessage(null);
    const { signal } = this.#ending;
    const end = new Promise((resolve) => signal.addEventListener('abort', resolve));
    const lead = () => {
      if (!signal.aborted) this.#lead();
      return end;
    };
    navigator.locks.request(this.#path, { signal }, lead).catch(() => {});
  }

  #lead(): void {
    this.#isLeader = true;
    this.#read();
    this.#channel?.postMessage(this.#known);
  }

  #follow(news: StreamNews): void {
    const { journal, at } = this.#known;
    if (this.#isLeader || (journal !== '' && journal !== news.journal)) return;
    if (news.at > at) this.#read();
    else {
      this.#source?.close();
      this.#source = null;
      this.#take(news);
    }
  }

  #read(): void {
    if (this.#source !== null) return;
    const events = new EventSource(this.#path);
    this.#source = events;
    events.onopen = () => this.#take({ state: 'on' });
    events.onerror = () => {
      this.#take({ state: 'cut' });
      if (events.readyState === EventSource.CLOSED) this.stop();
    };
    events.onmessage = ({ data, lastEventId }) => {
      const rows = String(data).split('\n');
      this.#take({ at: Number(lastEventId) + 1 - rows.length, rows });
    };
    events.addEventListener('journal', ({ data }) => {
      const { journal } = this.#known;
      // Another one may have begun at the same address.
      const isSame = journal === '' || journal === data;
      this.#take(isSame ? { journal: String(data) } : { state: 'next' });
    });
    events.addEventListener('status', ({ data }) => {
      this.#take({ status: String(data), statusAt: Date.now() });
    });
    events.addEventListener('over', ({ data }) => {
      this.#take({ state: data === 'next' ? 'next' : 'over' });
    });
  }

  #take(news: Partial<StreamNews>): void {
    const { at } = this.#known;
    const next = { ...this.#known, ...news };
    const rows = next.rows.slice(at - next.at);
    const fresh = { ...next, at, rows };
    this.#known = { ...fresh, at: at + rows.length, rows: [] };
    this.#hear(fresh);
    if (this.#isLeader) this.#channel?.postMessage(fresh);
    if (fresh.state === 'over' || fresh.state === 'next') this.stop();
    // It may have caught up with the leader.
    else if (!this.#isLeader && this.#source !== null) this.#channel?.postMessage(null);
  }
}
