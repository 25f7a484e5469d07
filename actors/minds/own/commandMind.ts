/**
 * A mind that is a command: one process per seat and game, addressed in lines of JSON. It starts with the first request
 * and restarts a few times after it ends. A fault belongs to the open request, or else to the next one.
 */
import { realCommands } from '../../ports/commands.ts';
import type { CommandEnd, Commands, RunningCommand } from '../../ports/ports.ts';
import { realTime } from '../../ports/time.ts';
import { decodeUtf8 } from '../../ports/utf8.ts';
import { type Answer, TOO_LATE } from '../port.ts';
import {
  type EngineHello,
  fault,
  LONGEST_LINE,
  type MindFault,
  type MindHello,
  type MindLink,
  quote,
  type RequestMessage,
  readAnswerMessage,
  readHello,
  readMessage,
} from './protocol.ts';
import { FIRST_BELIEF_ID } from './requestMessage.ts';

const MOST_RESTARTS = 3;
/** Stray lines before the next answer that count as a flood. */
const MOST_STRAY_LINES = 1000;
/** Milliseconds to exit after its input has ended. */
const GRACE_MS = 2000;

/** Lines after the reason of a crash: an indented stack, closing brackets, and Node's version. */
const TRAILER = /^(\s.*|Node\.js v[\d.]+|[^\p{L}\p{N}]*)$/u;

type CommandMindOptions = {
  readonly words: readonly string[];
  readonly folder: string;
  readonly hello: EngineHello;
  readonly commands?: Commands;
  readonly onErrorLine?: (line: string) => void;
};

type OpenRequest = { readonly text: string; isSent: boolean; settle(answer: Answer): void };

/** One process of the command. `lastWords` is the last meaningful line of its standard error. */
type Run = { readonly command: RunningCommand; isGreeted: boolean; lastWords: string };

export class CommandMind implements MindLink {
  said: MindHello | null = null;
  readonly #options: CommandMindOptions;
  readonly #open = new Map<number, OpenRequest>();
  readonly #answered = new Set<number>();
  #lastId = 0;
  /** The process in use. One that is being killed still lives but is not in use. */
  #run: Run | null = null;
  readonly #living = new Set<Run>();
  #starts = 0;
  #strays = 0;
  /** A problem while no request was open: the fault of the next request. */
  #offence: MindFault | null = null;
  #broken: MindFault | null = null;
  #isClosed = false;
  #closing: Promise<void> | null = null;
  #onEmpty: (() => void) | null = null;

  constructor(options: CommandMindOptions) {
    this.#options = options;
  }

  async ask(message: RequestMessage, signal: AbortSignal): Promise<Answer> {
    if (signal.aborted || this.#isClosed) return TOO_LATE;
    const refused = this.#refuse();
    if (refused !== null) return refused;
    this.#strays = 0;
    if (message.id < FIRST_BELIEF_ID) this.#lastId = message.id;
    return await new Promise((resolve) => {
      const late = () => settle(TOO_LATE);
      const settle = (answer: Answer) => {
        signal.removeEventListener('abort', late);
        this.#open.delete(message.id);
        resolve(answer);
      };
      signal.addEventListener('abort', late, { once: true });
      this.#open.set(message.id, { text: toLine(message), isSent: false, settle });
      this.#run ??= this.#start();
      this.#sendOpen();
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#endAll();
    return this.#closing;
  }

  async #endAll(): Promise<void> {
    this.#isClosed = true;
    this.#settleOpen(TOO_LATE);
    if (this.#living.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEmpty = resolve;
    const timer = realTime.setTimeout(() => {
      for (const { command } of this.#living) command.kill();
    }, GRACE_MS);
    for (const { command } of this.#living) command.closeInput();
    await promise;
    realTime.clearTimeout(timer);
  }

  #refuse(): MindFault | null {
    const known = this.#broken ?? this.#offence;
    this.#offence = null;
    if (known !== null) return known;
    if (this.#run === null) {
      if (this.#starts <= MOST_RESTARTS) return null;
      this.#broken = fault(
        'given-up',
        `${this.#name} has ended ${this.#starts} times and is not started again in this game`,
      );
      return this.#broken;
    }
    // Unread requests would pile up here.
    const bytes = this.#run.command.unreadBytes();
    if (bytes <= LONGEST_LINE) return null;
    const found = bytes === Infinity ? 'it is closed' : `${bytes} bytes wait`;
    return fault(
      'not-reading',
      `${this.#name} does not read its standard input (${found}): read one line for each request`,
    );
  }

  #start(): Run {
    this.#starts += 1;
    const { words, folder, hello, commands = realCommands, onErrorLine } = this.#options;
    const tooLong = `expected lines of at most ${LONGEST_LINE} bytes, found a longer one`;
    const output = readLines(
      (bytes) => this.#hear(run, decodeUtf8(bytes)),
      () => this.#stop(run, fault('flood', tooLong)),
    );
    const errors = readLines((bytes) => {
      const line = bytes.toString();
      if (!TRAILER.test(line) || run.lastWords === '') run.lastWords = line.trim();
      onErrorLine?.(line);
    });
    const command = commands.start(words, folder, {
      onOutput: output.push,
      onErrorOutput: errors.push,
      onEnd: (end) => {
        errors.end();
        this.#end(run, end);
      },
    });
    const run: Run = { command, isGreeted: false, lastWords: '' };
    this.#living.add(run);
    command.write(toLine(hello));
    return run;
  }

  #sendOpen(): void {
    const run = this.#run;
    if (run?.isGreeted !== true) return;
    for (const request of this.#open.values()) {
      if (request.isSent) continue;
      request.isSent = true;
      run.command.write(request.text);
    }
  }

  /** A line from the process; null for invalid UTF-8. */
  #hear(run: Run, line: string | null): void {
    if (run !== this.#run || line?.trim() === '') return;
    const message = readMessage(line, 'print nothing else to standard output');
    if (run.isGreeted)
      this.#hearAnswer(run, message.ok ? readAnswerMessage(message.value) : message);
    else this.#hearHello(run, readHello(message.ok ? message.value : line));
  }

  #hearHello(run: Run, hello: ReturnType<typeof readHello>): void {
    if (hello.ok) {
      run.isGreeted = true;
      this.said = hello;
      this.#sendOpen();
      return;
    }
    this.#broken = hello;
    this.#stop(run, hello);
  }

  #hearAnswer(run: Run, answer: ReturnType<typeof readAnswerMessage>): void {
    if (!answer.ok) {
      this.#hearStray(run, answer);
      return;
    }
    const { id, received } = answer;
    const request = this.#open.get(id);
    if (request?.isSent === true) {
      this.#strays = 0;
      this.#answered.add(id);
      request.settle({ ok: true, received });
      return;
    }
    const wasAsked = id <= this.#lastId || id >= FIRST_BELIEF_ID;
    const isLate = wasAsked && !this.#answered.has(id);
    this.#hearStray(run, isLate ? null : this.#describeWrongId(id));
  }

  /** A line that answers no open request. A late answer is dropped and is no fault. */
  #hearStray(run: Run, offence: MindFault | null): void {
    this.#strays += 1;
    if (this.#strays > MOST_STRAY_LINES) {
      const text = `expected one answer for each request, found ${MOST_STRAY_LINES} other lines in a row`;
      this.#stop(run, fault('flood', text));
    } else if (offence !== null) {
      if (this.#open.size === 0) this.#offence ??= offence;
      this.#settleOpen(offence);
    }
  }

  #describeWrongId(id: number): MindFault {
    if (this.#answered.has(id))
      return fault('twice', `request ${id} was answered twice: send one answer for each request`);
    const [open] = this.#open.keys();
    const expected = open === undefined ? 'no answer now' : `the answer to request ${open}`;
    return fault('wrong-id', `expected ${expected}, found one to request ${id}`);
  }

  #settleOpen(answer: Answer): void {
    for (const request of [...this.#open.values()]) request.settle(answer);
  }

  /** Kills the process. The next request starts another one. */
  #stop(run: Run, reason: MindFault): void {
    if (run === this.#run) {
      this.#run = null;
      if (this.#open.size === 0) this.#offence = reason;
      this.#settleOpen(reason);
    }
    run.command.kill();
  }

  #end(run: Run, end: CommandEnd): void {
    this.#living.delete(run);
    if (this.#living.size === 0) this.#onEmpty?.();
    if (run !== this.#run) return;
    this.#run = null;
    if (this.#isClosed) return;
    const reason = this.#describeEnd(run, end);
    if (end.type === 'not-started') this.#broken = reason;
    this.#settleOpen(reason);
  }

  #describeEnd({ isGreeted, lastWords }: Run, end: CommandEnd): MindFault {
    if (end.type === 'not-started') {
      const where = quote(this.#options.folder);
      return fault(
        'not-started',
        `${this.#name} can't be started in ${where} (${end.reason}): ${ADVICE[end.reason] ?? 'try it in a shell'}`,
      );
    }
    const how = end.signal === null ? `exit code ${end.exit}` : `signal ${end.signal}`;
    const when = isGreeted ? 'during a request' : 'before its hello';
    const words = lastWords === '' ? 'it wrote no error' : `its last words: ${quote(lastWords)}`;
    return fault('ended', `${this.#name} ended ${when} (${how}); ${words}`);
  }

  get #name(): string {
    return quote(this.#options.words.join(' '));
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program, or no such folder',
  EACCES: 'the file may not be run; make it executable, or name its interpreter',
};

function toLine(message: object): string {
  return `${JSON.stringify(message)}\n`;
}

const NEWLINE = 10;

/** Splits bytes into lines; the last one may lack its newline. A line that is too long is dropped to its end. */
function readLines(onLine: (bytes: Buffer) => void, onTooLong = () => {}) {
  let parts: Uint8Array[] = [];
  let length = 0;
  const finish = () => {
    const line = length <= LONGEST_LINE ? Buffer.concat(parts) : null;
    parts = [];
    length = 0;
    if (line !== null) onLine(line);
  };
  const keep = (bytes: Uint8Array) => {
    const wasShort = length <= LONGEST_LINE;
    length += bytes.length;
    if (length <= LONGEST_LINE) parts.push(bytes);
    else if (wasShort) {
      parts = [];
      onTooLong();
    }
  };
  const push = (bytes: Uint8Array) => {
    let rest = bytes;
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
      keep(rest.subarray(0, at));
      finish();
      rest = rest.subarray(at + 1);
    }
    keep(rest);
  };
  const end = () => {
    if (length > 0) finish();
  };
  return { push, end };
}
