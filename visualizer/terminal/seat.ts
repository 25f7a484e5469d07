/** Plays a seat in this terminal by typed lines, which `HELP` lists. An invalid line gets an error and a new prompt. */

import { listWords } from '../../machines/text.ts';
import type { SeatStatus, TurnPrompt } from '../../machines/turnPrompt.ts';
import { clean } from './layout.ts';

type HeldSeat = {
  readonly seating: SeatStatus;
  watch(look: () => void): () => void;
  come(): () => void;
  answer(id: number, received: unknown): string | null;
  leave(): void;
};

/** The terminal as a player types in it: a line at a time, with words in front of it. */
export type TypingTerminal = {
  readonly isTerminal: boolean;
  open(listener: { readonly onLine: (line: string) => void; readonly onEnd: () => void }): void;
  setPrompt(words: string): void;
  /** Shows the prompt; `keepsTyped` keeps the typed text. */
  prompt(keepsTyped?: boolean): void;
  clearLine(): void;
  print(line: string): void;
  close(): void;
};

type SeatSurroundings = {
  readonly terminal: TypingTerminal;
  readonly now: () => number;
  /** Calls `act` at an interval in milliseconds and returns a function that stops it. */
  readonly every: (ms: number, act: () => void) => () => void;
  readonly soon: (act: () => void) => void;
};

type OpenQuestion = NonNullable<SeatStatus['asked']>;

const SECOND = 1000;

export class TerminalSeat {
  readonly #seat: HeldSeat;
  readonly #terminal: TypingTerminal;
  readonly #surroundings: SeatSurroundings;
  /** Lines from a pipe that came before the turn. On a terminal they are refused. */
  readonly #typed: string[] = [];
  /** The input has ended: the player leaves once all lines are used. */
  #isEnded = false;
  #asked: { readonly id: number; readonly until: number } | null = null;
  #stopTicking: (() => void) | null = null;
  #stopWatching: () => void = () => {};
  #go: () => void = () => {};

  constructor(seat: HeldSeat, surroundings: SeatSurroundings) {
    this.#seat = seat;
    this.#terminal = surroundings.terminal;
    this.#surroundings = surroundings;
  }

  open(): void {
    this.#terminal.open({
      onLine: (line) => this.#take(line),
      onEnd: () => {
        this.#isEnded = true;
        if (this.#typed.length === 0) this.#seat.leave();
      },
    });
    this.#stopWatching = this.#seat.watch(() => this.#look());
    this.#go = this.#seat.come();
  }

  close(): void {
    this.#stopWatching();
    this.#rest();
    this.#go();
    this.#terminal.close();
  }

  above<T>(write: () => T): T {
    if (this.#asked === null || !this.#terminal.isTerminal) return write();
    this.#terminal.clearLine();
    const written = write();
    this.#terminal.prompt(true);
    return written;
  }

  #look(): void {
    const { asked } = this.#seat.seating;
    if (asked?.id === this.#asked?.id) return;
    if (asked === null) this.#rest();
    else this.#ask(asked);
  }

  #ask({ id, ms, offer }: OpenQuestion): void {
    const isFirst = this.#asked === null && id === 1;
    this.#asked = { id, until: this.#surroundings.now() + ms };
    for (const line of listTurnLines(offer, isFirst)) this.#terminal.print(cleanIndented(line));
    this.#tick();
    if (this.#terminal.isTerminal)
      this.#stopTicking ??= this.#surroundings.every(SECOND, () => this.#tick());
    this.#next();
  }

  /** Continues with lines that came early. It waits a moment, because the question may not be printed yet. */
  #next(): void {
    const early = this.#typed.shift();
    if (early !== undefined) this.#surroundings.soon(() => this.#take(early));
    else if (this.#isEnded) this.#surroundings.soon(() => this.#seat.leave());
  }

  #tick(): void {
    if (this.#asked === null || this.#isEnded) return;
    const seconds = Math.ceil((this.#asked.until - this.#surroundings.now()) / SECOND);
    this.#terminal.setPrompt(`  ${this.#seat.seating.seat}, ${Math.max(0, seconds)} s > `);
    this.#terminal.prompt(true);
  }

  #rest(): void {
    const wasAsked = this.#asked;
    this.#asked = null;
    this.#stopTicking?.();
    this.#stopTicking = null;
    if (wasAsked !== null && this.#surroundings.now() >= wasAsked.until)
      this.#terminal.print('\n  Too late: you pass.');
    else if (wasAsked !== null && !this.#terminal.isTerminal) this.#terminal.print('');
  }

  #take(line: string): void {
    const { asked } = this.#seat.seating;
    if (asked === null) {
      if (!this.#terminal.isTerminal) this.#typed.push(line);
      else if (line.trim() === '/leave') this.#seat.leave();
      else if (line.trim() !== '') this.#terminal.print('  It is not your turn.');
      return;
    }
    const typed = readTyped(line, asked.offer);
    switch (typed.type) {
      case 'answer':
        this.#tell(this.#seat.answer(asked.id, typed.answer));
        break;
      case 'sentence':
        this.#tell(typed.text);
        break;
      case 'help':
        for (const row of HELP) this.#terminal.print(row);
        this.#again();
        break;
      case 'leave':
        this.#seat.leave();
        break;
    }
  }

  #tell(sentence: string | null): void {
    if (sentence === null) return;
    this.#terminal.print(cleanIndented(`  ${sentence}`));
    this.#again();
  }

  #again(): void {
    if (!this.#isEnded) this.#terminal.prompt();
    this.#next();
  }
}

type TypedInput =
  | { readonly type: 'answer'; readonly answer: object }
  | { readonly type: 'sentence'; readonly text: string }
  | { readonly type: 'help' | 'leave' };

/** Desire of a message, and of a message with a leading exclamation mark. */
const DESIRE = 6;
const URGENT = 10;

function readTyped(line: string, offer: TurnPrompt): TypedInput {
  const text = line.trim();
  if (text === '/help' || text === '?') return { type: 'help' };
  if (text === '/leave') return { type: 'leave' };
  const noted = /^\/note\s+(.*)$/u.exec(text);
  if (noted !== null) {
    // A note goes below the notes that are there, and passes the turn.
    const { page, text: kept } = offer.notes;
    const written = [kept, noted[1] ?? ''].filter((part) => part !== '').join('\n');
    return { type: 'answer', answer: { scratchpad_updates: { [page]: written } } };
  }
  if (offer.kind === 'action') return readAction(text, offer);
  if (text === '') return { type: 'answer', answer: {} };
  if (offer.talk !== null) return readSpeech(text, offer);
  return refuseInput('Nobody speaks now: press Enter, or /note what you keep.');
}

function refuseInput(text: string): TypedInput {
  return { type: 'sentence', text };
}

function readAction(text: string, { actions }: TurnPrompt): TypedInput {
  if (text === '') return { type: 'answer', answer: { action: null } };
  const chosen = /^\d+$/.test(text) ? actions[Number(text) - 1] : undefined;
  if (chosen === undefined)
    return refuseInput(`Expected a number from 1 to ${actions.length}, or Enter alone to go on.`);
  return { type: 'answer', answer: { action: chosen.action } };
}

/** "/vote blue It was Blue.", "@blue Where were you?", "! Listen!" */
function readSpeech(text: string, offer: TurnPrompt): TypedInput {
  const { talk, ballots } = offer;
  let rest = text;
  let answer: object = {};
  const vote = /^\/vote(?:\s+(\S+)\s*(.*))?$/u.exec(rest);
  if (vote !== null) {
    const ballot = ballots.find((one) => one === vote[1]?.toLowerCase());
    if (ballot === undefined) return refuseInput(describeVotes(offer));
    answer = { vote_action: ballot };
    rest = vote[2] ?? '';
  } else if (rest.startsWith('/')) return refuseInput('Unknown command; /help lists them.');
  const isUrgent = rest.startsWith('!');
  if (isUrgent) rest = rest.slice(1).trim();
  const aimed = /^@(\S+)\s*(.*)$/u.exec(rest);
  if (aimed !== null) {
    const name = aimed[1]?.toLowerCase().replace(/[,:]$/, '');
    const target = talk?.find((colour) => colour === name);
    if (target === undefined) return refuseInput(`Nobody at the table is called ${aimed[1]}.`);
    answer = { ...answer, target };
    rest = aimed[2] ?? '';
  }
  if (rest === '') return { type: 'answer', answer };
  const desire = isUrgent ? URGENT : DESIRE;
  return { type: 'answer', answer: { ...answer, message: rest, desire_to_speak: desire } };
}

function describeVotes({ ballots, ballot }: TurnPrompt): string {
  if (ballot !== null) return `Your vote for ${ballot} is locked.`;
  if (ballots.length === 0) return 'Votes are not open.';
  return `Expected /vote and one of: ${ballots.join(', ')}.`;
}

const MOST_SEEN = 6;

function listTurnLines(offer: TurnPrompt, isFirst: boolean): readonly string[] {
  const { you, wanted, news, seen, actions, goesOn } = offer;
  const lately = seen.slice(-MOST_SEEN).map((line) => `    ${line}`);
  const isNew = isFirst || offer.kind === 'action';
  return [
    '',
    `  ${describeSelf(you)} ${wanted}`,
    ...news.map((line) => `    ${line}`),
    ...(isNew && lately.length > 0 ? ['  You have seen:', ...lately] : []),
    ...actions.map(
      ({ does, what, hint }, index) =>
        `  ${String(index + 1).padStart(3)}  ${[does, what].join(' ').trim()}${hint === '' ? '' : ` (${hint})`}`,
    ),
    `  ${describeKeys(offer)}${goesOn === null ? '' : ` You are ${goesOn}.`}`,
  ];
}

function describeSelf({ colour, role, partners, isDead }: TurnPrompt['you']): string {
  const kind = role === 'impostor' ? 'an impostor' : 'a crewmate';
  const allies = partners.length === 0 ? '' : ` with ${listWords(partners)}`;
  return `You are ${colour}, ${kind}${allies}${isDead ? ', a ghost' : ''}.`;
}

function describeKeys({ kind: requestKind, talk, ballots, ballot }: TurnPrompt): string {
  if (requestKind === 'action') return 'A number does it, Enter alone goes on; /help.';
  if (talk === null) return 'Enter goes on, /note keeps something.';
  const vote = ballots.length === 0 ? '' : ', /vote locks a vote';
  const locked = ballot === null ? '' : ` Your vote: ${ballot}.`;
  return `A sentence bids for the floor, Enter alone passes${vote}; /help.${locked}`;
}

const HELP: readonly string[] = [
  '  Where were you?          bids for the floor with that sentence',
  '  ! Where were you?        the same, as urgently as can be',
  '  @blue Where were you?    speaks to Blue',
  '  /vote blue It was Blue.  locks a vote, and says something',
  '  /vote skip               locks a vote for no player',
  '  /note Blue lies          writes into your notes, and passes',
  '  Enter                    passes; on the ship: goes on as before',
  '  7                        on the ship: does the action of that number',
  '  /leave                   leaves the game; so does Ctrl-C, which ends it',
];

function cleanIndented(line: string): string {
  const text = line.trimStart();
  return `${line.slice(0, line.length - text.length)}${clean(text)}`;
}
