/** Keeps learned capabilities on disk, one file per model, without keys. A bad file costs one note, never a game. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { Disk, EnvironmentVariables } from '../../ports/ports.ts';
import { type Capabilities, type CapabilityKeeper, capabilitiesSchema } from './capabilities.ts';
import { parseBody } from './content.ts';
import { stripUrl } from './providers.ts';
import { type Endpoint, listSecrets, redactKey } from './transport.ts';

const VERSION = 1;

const DAY_MS = 86_400_000;

/** Older entries are discovered again: servers and models get replaced. */
const FORGOTTEN_AFTER_DAYS = 7;

const LONGEST_NAME = 2_000;
const count = z.int().nonnegative();
const span = z.number().nonnegative();

const paceSchema = z.strictObject({
  /** Milliseconds per answer: alone, and the median and slowest of concurrent requests. */
  aloneMs: span,
  medianMs: span,
  slowestMs: span,
  /** Tokens per second, for one request alone and for all together; null where not counted. */
  tokensPerSecond: span.nullable(),
  tokensPerSecondTogether: span.nullable(),
  /** Concurrent requests that the endpoint handles, at most as many as were sent. */
  slots: count,
  /** Throughput of concurrent requests relative to one after the other. */
  speedup: span,
});
export type EndpointPaceFigures = Readonly<z.infer<typeof paceSchema>>;

const measuredSchema = paceSchema.extend({
  /** Milliseconds since 1970. */
  at: count,
  /** Milliseconds that the first answer took longer than the next: loading the model. */
  loadMs: span,
});

const fileSchema = z.strictObject({
  v: z.literal(VERSION),
  baseUrl: z.string().max(LONGEST_NAME),
  model: z.string().max(LONGEST_NAME),
  /** Milliseconds since 1970: the last discovery from scratch. */
  learnedAt: count,
  capabilities: capabilitiesSchema,
  /** Tokens; null if the endpoint does not report it. */
  contextLength: count.nullable(),
  /** Measured by `doctor`; null before. */
  measured: measuredSchema.nullable(),
});

export type LearnedModel = Omit<z.infer<typeof fileSchema>, 'v'>;

type MemoryPorts = {
  readonly disk: Disk;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with a problem of a model, and at most once with one of the folder or a file. */
  readonly onNote: (text: string) => void;
  readonly explain: (error: unknown) => string;
};

export function findStateFolder(env: EnvironmentVariables, isWindows: boolean): string | null {
  const { GLASSBOX_STATE: named, XDG_STATE_HOME: state, LOCALAPPDATA: local, HOME: home } = env;
  if (named) return named === NOWHERE ? null : named;
  if (isWindows) return local ? join(local, 'glassbox') : null;
  // The standard ignores relative paths.
  if (state?.startsWith('/')) return join(state, 'glassbox');
  return home ? join(home, '.local', 'state', 'glassbox') : null;
}

/** The value of GLASSBOX_STATE that keeps nothing. */
const NOWHERE = 'none';

type ModelQuery = { readonly baseUrl?: string; readonly model?: string };

type MemoryReading =
  | { readonly type: 'learned'; readonly learned: LearnedModel }
  | { readonly type: 'absent' }
  | { readonly type: 'unusable'; readonly text: string };

export class ModelMemory {
  readonly folder: string;
  readonly #ports: MemoryPorts;
  /** The last text for each file, and the end of its write: one at a time. */
  readonly #written = new Map<string, string>();
  readonly #writing = new Map<string, Promise<void>>();
  #hasNoted = false;
  #isReadOnly = false;

  constructor(stateFolder: string, ports: MemoryPorts) {
    this.folder = join(stateFolder, 'models');
    this.#ports = ports;
  }

  warn(text: string): void {
    this.#ports.onNote(text);
  }

  recall(endpoint: Endpoint): LearnedModel | null {
    const reading = this.#read(nameFile(identify(endpoint)));
    if (reading.type === 'unusable') this.#note(`${reading.text}: it is learned anew`);
    if (reading.type !== 'learned') return null;
    return isFresh(reading.learned, this.#ports.now()) ? reading.learned : null;
  }

  keeperFor(endpoint: Endpoint, remembered: LearnedModel | null): CapabilityKeeper {
    let learnedAt = remembered?.learnedAt ?? null;
    return {
      keep: (capabilities) => {
        learnedAt ??= this.#ports.now();
        this.#keep(endpoint, capabilities, learnedAt);
      },
      forget: () => {
        learnedAt = null;
        this.#remove(nameFile(identify(endpoint)));
      },
    };
  }

  noteMeasured(
    endpoint: Endpoint,
    measured: Pick<LearnedModel, 'contextLength' | 'measured'>,
  ): void {
    const reading = this.#readWritten(nameFile(identify(endpoint)));
    if (reading.type === 'learned') this.#write({ ...reading.learned, ...measured });
  }

  list(query: ModelQuery = {}): readonly LearnedModel[] {
    return this.#readAll()
      .flatMap((one) => (one.type === 'learned' && isMeant(one.learned, query) ? one.learned : []))
      .toSorted((one, other) => (nameBoth(one) < nameBoth(other) ? -1 : 1));
  }

  listUnusable(): readonly string[] {
    return this.#readAll().flatMap((one) => (one.type === 'unusable' ? [one.text] : []));
  }

  /** Removes entries, and unreadable files too when no model is named. Returns how many. Throws the system's error. */
  forget(query: ModelQuery = {}): number {
    const isAll = query.baseUrl === undefined && query.model === undefined;
    const gone = this.#readAll().filter((one) =>
      one.type === 'learned' ? isMeant(one.learned, query) : isAll,
    );
    for (const { name } of gone) this.#ports.disk.remove(join(this.folder, name));
    return gone.length;
  }

  async settle(): Promise<void> {
    await Promise.all(this.#writing.values());
  }

  #readAll() {
    const { disk } = this.#ports;
    const names = disk.has(this.folder) ? disk.list(this.folder) : [];
    return names
      .filter((name) => name.endsWith(ENDING))
      .map((name) => ({ name, ...this.#read(name) }));
  }

  #keep(endpoint: Endpoint, capabilities: Capabilities, learnedAt: number): void {
    const named = identify(endpoint);
    // Another process's measurements stay.
    const reading = this.#readWritten(nameFile(named));
    const known =
      reading.type === 'learned' ? reading.learned : { contextLength: null, measured: null };
    // The names come from refusals, which may repeat anything.
    const dropped = capabilities.dropped.map((name) => redactKey(name, listSecrets(endpoint)));
    this.#write({ ...known, ...named, learnedAt, capabilities: { ...capabilities, dropped } });
  }

  #write(learned: LearnedModel): void {
    const name = nameFile(learned);
    const file = fileSchema.safeParse({ v: VERSION, ...learned });
    if (!file.success) return;
    const text = `${JSON.stringify(file.data, null, 2)}\n`;
    if (this.#written.get(name) === text) return;
    this.#written.set(name, text);
    this.#enqueue(name, async () => {
      const { disk } = this.#ports;
      // A later text has its own write.
      if (this.#isReadOnly || this.#written.get(name) !== text) return;
      disk.makeFolder(this.folder, 'private');
      await disk.save(join(this.folder, name), text, 'private');
    });
  }

  #remove(name: string): void {
    this.#written.delete(name);
    this.#enqueue(name, async () => {
      if (!this.#written.has(name)) this.#ports.disk.remove(join(this.folder, name));
    });
  }

  #enqueue(name: string, work: () => Promise<void>): void {
    const before = this.#writing.get(name) ?? Promise.resolve();
    const turn = before.then(work).catch((error: unknown) => {
      this.#isReadOnly = true;
      const reason = this.#ports.explain(error);
      this.#note(
        `what is learned of models can't be kept in ${this.folder}: ${reason} (GLASSBOX_STATE names another folder)`,
      );
    });
    this.#writing.set(name, turn);
  }

  #readWritten(name: string): MemoryReading {
    const text = this.#written.get(name);
    return text === undefined ? this.#read(name) : readFile(text, join(this.folder, name));
  }

  #read(name: string): MemoryReading {
    const path = join(this.folder, name);
    try {
      const text = this.#ports.disk.read(path);
      if (text === null) return { type: 'absent' };
      const reading = readFile(text, path);
      const isOwn = reading.type !== 'learned' || nameFile(reading.learned) === name;
      return isOwn ? reading : { type: 'unusable', text: `${path} is of another model` };
    } catch (error) {
      return { type: 'unusable', text: `${path} can't be read: ${this.#ports.explain(error)}` };
    }
  }

  #note(text: string): void {
    if (this.#hasNoted) return;
    this.#hasNoted = true;
    this.#ports.onNote(text);
  }
}

function readFile(text: string, path: string): MemoryReading {
  const file = parseBody(text);
  const version = z.looseObject({ v: z.int() }).safeParse(file);
  if (version.success && version.data.v !== VERSION) {
    const found = `expected version ${VERSION}, found ${version.data.v}`;
    return { type: 'unusable', text: `${path} is of another version of this program: ${found}` };
  }
  const reading = fileSchema.safeParse(file);
  if (!reading.success) return { type: 'unusable', text: `${path} is damaged` };
  const { v: _, ...learned } = reading.data;
  return { type: 'learned', learned };
}

/** Whether an entry is young enough to use. A future date comes from a wrong clock. */
export function isFresh({ learnedAt }: Pick<LearnedModel, 'learnedAt'>, now: number): boolean {
  return learnedAt <= now + DAY_MS && now - learnedAt <= FORGOTTEN_AFTER_DAYS * DAY_MS;
}

/** The model's name on disk. A base URL may contain a password or a key. */
function identify(endpoint: Endpoint): Pick<LearnedModel, 'baseUrl' | 'model'> {
  const key = listSecrets(endpoint);
  const { baseUrl, model } = endpoint;
  return { baseUrl: redactKey(stripUrl(baseUrl), key), model: redactKey(model, key) };
}

function isMeant(learned: LearnedModel, { baseUrl, model }: ModelQuery): boolean {
  return (
    (model === undefined || model === learned.model) &&
    (baseUrl === undefined || stripUrl(baseUrl) === learned.baseUrl)
  );
}

const ENDING = '.json';
const READABLE = 40;
const HASH_LETTERS = 16;

function nameFile(known: Pick<LearnedModel, 'baseUrl' | 'model'>): string {
  const readable = known.model
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, READABLE);
  const hash = createHash('sha256').update(nameBoth(known)).digest('hex').slice(0, HASH_LETTERS);
  return `${readable}-${hash}${ENDING}`;
}

function nameBoth({ baseUrl, model }: Pick<LearnedModel, 'baseUrl' | 'model'>): string {
  return JSON.stringify([baseUrl, model]);
}
