/**
 * Ports: what the actors ask of the world outside the process. Each has one real implementation beside this file; a
 * simulation, or a browser, brings others. Time has a port of its own (`../engine/clock.ts`).
 */

/** A file that is open for writing. All of it throws what the system says. */
export type DiskFile = {
  /** Writes behind what is there. */
  write(text: string): void;
  /** Returns when the text would survive a power cut. Does nothing for devices that can't be synced, such as /dev/null. */
  sync(): void;
  /** As `sync`, without keeping the process waiting. */
  syncLater(): Promise<void>;
  close(): void;
};

/** Files and folders. What can't be done throws what the system says. */
export type Disk = {
  /** Whether there is anything at the path. */
  has(path: string): boolean;
  /** The text of a file; null when there is no file. */
  read(path: string): string | null;
  /** The names in a folder. */
  list(folder: string): readonly string[];
  /** Makes a folder and those above it; one that is there stays as it is. */
  makeFolder(path: string): void;
  /** Opens a file: `new` empties it, `append` writes behind what is in it. */
  open(path: string, mode: 'new' | 'append'): DiskFile;
  /** Writes a whole file at once: at any moment there is the old one or the new one, never a part. */
  save(path: string, text: string): Promise<void>;
  /** Cuts a file to so many bytes. */
  truncate(path: string, bytes: number): void;
  /** Removes a file; one that is not there is no failure. */
  remove(path: string): void;
  /** What tells a file from another one of the same name; null where the system does not say, or there is no file. */
  identify(path: string): number | null;
};

/** A worker that was started, from outside. */
export type WorkerHandle<In> = {
  send(message: In): void;
  /** Ends the worker at once, whatever it does; resolves when it has ended. */
  stop(): Promise<void>;
};

export type WorkerEvents<Out> = {
  readonly onMessage: (message: Out) => void;
  /** The worker has ended, by itself or because it was stopped. */
  readonly onEnd: (reason: string) => void;
};

/** Starts workers: other threads of this process that run a file. */
export type Workers = {
  start<In, Out>(file: URL, data: unknown, events: WorkerEvents<Out>): WorkerHandle<In>;
};

/** Variables of the environment, by name. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The process that runs. */
export type ProcessPort = {
  /** Its number: no two processes on this machine share one. */
  readonly id: number;
  readonly environment: EnvironmentVariables;
  /** Ends it at once. */
  exit(code: number): never;
};
