/** Ports to the world outside the process. Each has one real implementation beside this file; a simulation brings others. */

export type Clock = {
  setTimeout(fn: (...args: unknown[]) => void, ms: number): unknown;
  clearTimeout(id: unknown): void;
  /** Resolves when events from outside have come in, such as signals; null if they could do so a moment ago. */
  turn?(): Promise<void> | null;
};

export type TimePort = Clock & {
  /** Milliseconds since some moment; it never goes back. */
  now(): number;
  /** Milliseconds since 1970. */
  date(): number;
  /** Resolves after `ms` milliseconds, or at once when aborted: the caller looks at the signal. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** As `sleep`, but the process may end meanwhile. */
  idle(ms: number, signal?: AbortSignal): Promise<void>;
};

/** A file that is open for writing. Every method throws the system's error. */
export type DiskFile = {
  /** Appends. */
  write(content: string | Uint8Array): void;
  /** Returns when the text would survive a power cut. Does nothing for devices that can't be synced, such as /dev/null. */
  sync(): void;
  /** As `sync`, without keeping the process waiting. */
  syncLater(): Promise<void>;
  close(): void;
};

export type FileAccess = 'private' | 'default';

/** Files and folders of our own. A failed operation throws the system's error. `reading.ts` reads files from outside. */
export type Disk = {
  has(path: string): boolean;
  isFile(path: string): boolean;
  read(path: string): string | null;
  list(folder: string): readonly string[];
  addFolder(path: string): void;
  removeFolder(path: string): void;
  makeFolder(path: string, access?: FileAccess): void;
  /** `new` empties the file, `append` keeps its content, `exclusive` fails if it exists. */
  open(path: string, mode: 'new' | 'append' | 'exclusive', access?: FileAccess): DiskFile;
  /** Writes a whole file at once: at any moment there is the old one or the new one, never a part. */
  save(path: string, content: string | Iterable<Uint8Array>, access?: FileAccess): Promise<void>;
  move(from: string, to: string): void;
  truncate(path: string, bytes: number): void;
  /** Removes a file; one that is not there is no failure. */
  remove(path: string): void;
  /** What tells a file from another one of the same name; null where the system does not say, or there is no file. */
  identify(path: string): number | null;
};

export type WorkerHandle<In> = {
  send(message: In): void;
  /** Ends the worker at once, whatever it does; resolves when it has ended. */
  stop(): Promise<void>;
};

type WorkerEvents<Out> = {
  readonly onMessage: (message: Out) => void;
  readonly onEnd: (reason: string) => void;
};

export type Workers = {
  start<In, Out>(file: URL, data: unknown, events: WorkerEvents<Out>): WorkerHandle<In>;
};

export type CommandEnd =
  | { readonly type: 'not-started'; readonly reason: string }
  | { readonly type: 'exited'; readonly exit: number | null; readonly signal: string | null };

export type CommandEvents = {
  readonly onOutput: (bytes: Uint8Array) => void;
  readonly onErrorOutput: (bytes: Uint8Array) => void;
  /** Called once, after the last byte; a little after the exit, if another program holds the output open. */
  readonly onEnd: (end: CommandEnd) => void;
};

export type RunningCommand = {
  /** Writes to the program's standard input. Unread text is buffered here. */
  write(text: string): void;
  /** Bytes that wait because it has not read them; Infinity once it has closed its standard input. */
  unreadBytes(): number;
  closeInput(): void;
  /** Kills the program and its child processes at once. */
  kill(): void;
};

/** Starts other programs. They end with this process; after SIGKILL or a crash of Node they see the end of their input. */
export type Commands = {
  start(words: readonly string[], folder: string, events: CommandEvents): RunningCommand;
};

export type WebAnswer =
  /** `text` is null when the body is no UTF-8. */
  | { readonly type: 'answer'; readonly status: number; readonly text: string | null }
  /** A redirect, which is not followed. */
  | { readonly type: 'redirect'; readonly status: number; readonly to: string }
  | { readonly type: 'too-long' }
  | { readonly type: 'lost'; readonly reason: string };

export type WebReply =
  | { readonly type: 'answer'; readonly status: number; readonly body: Uint8Array }
  | Exclude<WebAnswer, { type: 'answer' }>;

export type WebHeaders = Readonly<Record<string, string>>;
export type WebLimits = { readonly signal: AbortSignal; readonly mostBytes: number };
type BytesToPost = { readonly headers: WebHeaders; readonly body: Uint8Array<ArrayBuffer> };

/** Each request reads at most `mostBytes` of the answer, and never rejects. */
export type Web = {
  post(url: string, json: string, limits: WebLimits): Promise<WebAnswer>;
  postBytes(url: string, sent: BytesToPost, limits: WebLimits): Promise<WebReply>;
  get(url: string, headers: WebHeaders, limits: WebLimits): Promise<WebReply>;
};

export type Compression = {
  pack(text: string): Promise<Uint8Array>;
  /** Null for damaged data, or if the result exceeds `mostBytes`. */
  unpack(packed: Uint8Array, mostBytes: number): Promise<Uint8Array | null>;
};

/** Loads JavaScript or TypeScript modules. Rejects with the module's own error. */
export type Modules = {
  load(path: string): Promise<unknown>;
};

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

export type ProcessPort = {
  readonly id: number;
  readonly environment: EnvironmentVariables;
  addVariable(name: string, value: string): void;
  readonly isWindows: boolean;
  readonly host: string;
  isAlive(id: number): boolean;
  exit(code: number): never;
  /** Calls `act` for uncaught errors, for example in a timer. */
  onFailure(act: (error: unknown) => void): void;
  /** Calls `act` whenever the signal comes; the process does not end by it any more. */
  onSignal(signal: StopSignal, act: () => void): void;
  /** Removes all listeners of the signal: it ends the process again. */
  forgetSignal(signal: StopSignal): void;
  /** Calls `act` if a stop signal ends the process, which emits no exit. Returns a function that stops listening. */
  onFatalSignal(act: () => void): () => void;
  raise(signal: StopSignal): void;
  memory(): number;
  peakMemory(): number;
  /** The most bytes that it may hold: the limit of its heap, or the memory of the machine. */
  mostMemory(): number;
  /** Starts another program that outlives this one; one that can't be started is no failure. */
  launch(program: string, words: readonly string[]): void;
  /** Kills the process of that number; a negative one is a group of processes. Throws where there is none. */
  kill(id: number): void;
  /** Calls `act` right before the process ends; nothing can be waited for any more. */
  onExit(act: () => void): void;
};
