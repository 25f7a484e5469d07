/** Sessions of OpenEnv on threads. Each session is on the thread that had the fewest when it was opened. */
import { parentThread, realWorkers } from '../ports/threads.ts';
import { type OpenEnvHost, OpenEnvSession, type OpenEnvTalker } from './openenv.ts';

/** A frame of a session or the answer to it. A frame of null closes the session. */
type SessionFrame = { readonly session: number; readonly text: string | null };

const ALL_SESSIONS = 0;

type ThreadOptions = {
  readonly threads: number;
  /** Calls `serveSessions`. */
  readonly file: URL;
  readonly data: unknown;
  /** A thread has ended by itself, and its sessions with it. */
  readonly onLost: (reason: string) => void;
};

/** Starts a thread when all others have sessions. `close` resolves when all sessions are closed. */
export function startThreads({ threads: most, file, data, onLost }: ThreadOptions) {
  const threads = new Set<ReturnType<typeof startThread>>();
  let last = ALL_SESSIONS;
  const choose = () => {
    const [fewest] = [...threads].sort((one, other) => one.waiting.size - other.waiting.size);
    if (fewest !== undefined && (fewest.waiting.size === 0 || threads.size >= most)) return fewest;
    const thread = startThread(file, data, (reason) => threads.delete(thread) && onLost(reason));
    threads.add(thread);
    return thread;
  };
  const open = (): OpenEnvTalker => {
    const { waiting, ask, send } = choose();
    last += 1;
    const session = last;
    waiting.set(session, () => {});
    const close = () => {
      if (waiting.delete(session)) send({ session, text: null });
    };
    return { answer: (text) => ask({ session, text }), close };
  };
  const close = async () => {
    const all = [...threads];
    threads.clear();
    await Promise.all(all.map(({ stop }) => stop()));
  };
  return { open, close };
}

/** `waiting` has each session, with what hears its next answer. */
function startThread(file: URL, data: unknown, onEnd: (reason: string) => void) {
  const waiting = new Map<number, (answer: string | null) => void>();
  let isOver = false;
  const { send, stop: end } = realWorkers.start<SessionFrame, SessionFrame>(file, data, {
    onMessage: ({ session, text }) => waiting.get(session)?.(text),
    onEnd: (reason) => {
      isOver = true;
      for (const settle of waiting.values()) settle(null);
      onEnd(reason);
    },
  });
  const ask = (frame: SessionFrame) =>
    new Promise<string | null>((resolve) => {
      waiting.set(frame.session, resolve);
      if (isOver) resolve(null);
      else send(frame);
    });
  const stop = async () => {
    await ask({ session: ALL_SESSIONS, text: null });
    await end();
  };
  return { waiting, ask, send, stop };
}

export function serveSessions(host: OpenEnvHost): void {
  const sessions = new Map<number, OpenEnvSession>();
  const send = (answer: SessionFrame) => parentThread.send(answer);
  parentThread.onMessage<SessionFrame>(async ({ session, text }) => {
    if (text !== null) {
      const found = sessions.get(session) ?? new OpenEnvSession(host);
      sessions.set(session, found);
      send({ session, text: await found.answer(text) });
      return;
    }
    for (const one of session === ALL_SESSIONS ? [...sessions.keys()] : [session]) {
      sessions.get(one)?.close();
      sessions.delete(one);
    }
    if (session === ALL_SESSIONS) send({ session, text });
  });
}
