/** Plays a seat in this terminal by typed lines, which `HELP` lists. An invalid line gets an error and a new prompt. */

import { capitalize, listWords } from '../../machines/text.ts';
import type { OfferedAction, SeatStatus, TurnPrompt } from '../../machines/turnPrompt.ts';
import type { SeatPort } from '../server/routes.ts';
import { candidateName } from '../text.ts';
import { clean } from './layout.ts';
import { wrapLine } from './table.ts';

export type TypingTerminal = {
  readonly isTerminal: boolean;
  /** Columns of a line; `Infinity` in a pipe. */
  columns(): number;
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
  readonly every: (ms: number, act: () => void) => () => void;
  readonly soon: (act: () => void) => void;
};

type OpenQuestion = NonNullable<SeatStatus['asked']>;

const SECOND = 1000;
const WRAP_INDENT = 2;

export class TerminalSeat {
  readonly #seat: SeatPort;
  readonly #terminal: TypingTerminal;
  readonly #surroundings: SeatSurroundings;
  /** Lines from a pipe that came before the turn. On a terminal they are refused. */
  readonly #typed: string[] = [];
  /** The input has ended: the player leaves once all lines are used. */
  #isEnded = false;
  /** Whether turns of the dead player are passed at once, and whether the player has been told. */
  #justWatches = true;
  #isTold = false;
  #asked: { readonly id: number; readonly until: number } | null = null;
  #stopTicking: (() => void) | null = null;
  #stopWatching: () => void = () => {};
  #go: () => void = () => {};

  constructor(seat: SeatPort, surroundings: SeatSurroundings) {
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
    else if (this.#canPass(asked)) this.#pass(asked);
    else this.#ask(asked);
  }

  /** Lines that came early are turns that the player wants to take. */
  #canPass({ offer }: OpenQuestion): boolean {
    return offer.you.isDead && this.#justWatches && this.#typed.length === 0;
  }

  #pass({ id, offer }: OpenQuestion): void {
    if (!this.#isTold)
      this.#print(`  ${describeSelf(offer.you)} You just watch: /talk takes part.`);
    this.#isTold = true;
    this.#seat.answer(id, { action: null });
  }

  #watch(justWatches: boolean): void {
    const { asked } = this.#seat.seating;
    this.#justWatches = justWatches;
    this.#print(justWatches ? '  Once you are dead, you just watch.' : `  ${GHOSTS_TAKE_PART}`);
    if (asked === null) return;
    if (this.#canPass(asked)) this.#pass(asked);
    else this.#again();
  }

  #print(line: string): void {
    for (const row of wrapLine(line, this.#terminal.columns(), WRAP_INDENT))
      this.#terminal.print(cleanIndented(row));
  }

  #ask({ id, ms, offer }: OpenQuestion): void {
    const isFirst = this.#asked === null && id === 1;
    this.#asked = { id, until: this.#surroundings.now() + ms };
    for (const line of listTurnLines(offer, isFirst)) this.#print(line);
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
    this.#terminal.setPrompt(
      `  ${capitalize(this.#seat.seating.seat)}, ${Math.max(0, seconds)} s > `,
    );
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
    const text = line.trim();
    const { asked } = this.#seat.seating;
    if (text === '/talk' || text === '/watch') this.#watch(text === '/watch');
    else if (asked === null && !this.#terminal.isTerminal) this.#typed.push(line);
    else if (text === '/leave') this.#seat.leave();
    else if (asked !== null) this.#use(text, asked);
    else if (text !== '') this.#terminal.print('  It is not your turn.');
  }

  #use(text: string, { id, offer }: OpenQuestion): void {
    if (text === '/help' || text === '?') {
      for (const row of HELP) this.#terminal.print(row);
      this.#again();
      return;
    }
    const typed = readTyped(text, offer);
    const sentence = typeof typed === 'string' ? typed : this.#seat.answer(id, typed);
    if (sentence === null) return;
    this.#print(`  ${sentence}`);
    this.#again();
  }

  #again(): void {
    if (!this.#isEnded) this.#terminal.prompt();
    this.#next();
  }
}

/** Desire of a message, and of a message with a leading exclamation mark. */
const DESIRE = 6;
const URGENT = 10;

/** The answer that a line means, or a sentence that says why it means none. */
function readTyped(text: string, offer: TurnPrompt): object | string {
  const noted = /^\/note\s+(.*)$/u.exec(text);
  if (noted !== null) {
    // A note goes below the notes that are there, and passes the turn.
    const { page, text: kept } = offer.notes;
    const written = [kept, noted[1] ?? ''].filter((part) => part !== '').join('\n');
    return { scratchpad_updates: { [page]: written } };
  }
  if (offer.kind === 'action') return readAction(text, offer);
  if (text === '') return {};
  if (offer.talk !== null) return readSpeech(text, offer);
  return 'Nobody speaks now: press Enter, or /note what you keep.';
}

function readAction(text: string, { actions }: TurnPrompt): object | string {
  if (text === '') return { action: null };
  const numbered = listNumbered(actions);
  const [, verb = '', room = ''] = /^(go|shut)(?:\s+(.*))?$/iu.exec(text) ?? [];
  const rooms = actions.filter(({ action }) => action['type'] === verb.toLowerCase());
  const chosen = verb === '' ? numbered[Number(text) - 1] : findRoom(room, rooms);
  if (chosen !== undefined) return { action: chosen.action };
  if (verb !== '')
    return `Expected ${verb} and one of: ${rooms.map(({ what }) => what).join(', ')}.`;
  return `Expected a number from 1 to ${numbered.length}, go ROOM, or Enter alone to go on.`;
}

/** The actions with a number. Those that name a room are typed with its name. */
function listNumbered(actions: readonly OfferedAction[]): readonly OfferedAction[] {
  return actions.filter(({ action }) => action['type'] !== 'go' && action['type'] !== 'shut');
}

/** The room of this name, or the only one whose name begins so. Rooms are preferred to their hallways. */
function findRoom(name: string, rooms: readonly OfferedAction[]): OfferedAction | undefined {
  const wanted = name.trim().toLowerCase();
  const named = rooms.filter(({ what }) => wanted !== '' && what.toLowerCase().startsWith(wanted));
  const inRooms = named.filter(({ what }) => !what.endsWith('hallway'));
  const [first, second] = inRooms.length === 0 ? named : inRooms;
  const exact = named.find(({ what }) => what.toLowerCase() === wanted);
  return exact ?? (second === undefined ? first : undefined);
}

/** "/vote blue It was Blue.", "@blue Where were you?", "! Listen!" */
function readSpeech(text: string, offer: TurnPrompt): object | string {
  const { talk, ballots } = offer;
  let rest = text;
  let answer: object = {};
  const vote = /^\/vote(?:\s+(\S+)\s*(.*))?$/u.exec(rest);
  if (vote !== null) {
    const ballot = ballots.find((one) => one === vote[1]?.toLowerCase());
    if (ballot === undefined) return describeVotes(offer);
    answer = { vote_action: ballot };
    rest = vote[2] ?? '';
  } else if (rest.startsWith('/')) return 'Unknown command; /help lists them.';
  const desire = rest.startsWith('!') ? URGENT : DESIRE;
  if (desire === URGENT) rest = rest.slice(1).trim();
  const aimed = /^@(\S+)\s*(.*)$/u.exec(rest);
  if (aimed !== null) {
    const name = aimed[1]?.toLowerCase().replace(/[,:]$/, '');
    const target = talk?.find((colour) => colour === name);
    if (target === undefined) return `Nobody at the table is called ${aimed[1]}.`;
    answer = { ...answer, target };
    rest = aimed[2] ?? '';
  }
  return rest === '' ? answer : { ...answer, message: rest, desire_to_speak: desire };
}

function describeVotes({ ballots, ballot }: TurnPrompt): string {
  if (ballot !== null) return `Your vote for ${candidateName(ballot)} is locked.`;
  if (ballots.length === 0) return 'Votes are not open.';
  return `Expected /vote and one of: ${ballots.join(', ')}.`;
}

const GHOSTS_TAKE_PART = 'Once you are dead, you have five seconds for an answer.';

/** A turn fits a terminal of 24 lines. */
const MOST_SEEN = 4;

function listTurnLines(offer: TurnPrompt, isFirst: boolean): readonly string[] {
  const { you, wanted, news, seen, actions, goesOn } = offer;
  const lately = seen.slice(-MOST_SEEN).map((line) => `    ${line}`);
  const isNew = isFirst || offer.kind === 'action';
  return [
    '',
    `  ${describeSelf(you)} ${wanted}`,
    ...(offer.kind === 'action' ? [joinSentences(news)] : news).map((line) => `    ${line}`),
    ...(isNew && lately.length > 0 ? ['  You have seen:', ...lately] : []),
    ...listActionLines(listNumbered(actions)),
    `  ${describeKeys(offer)}${goesOn === null ? '' : ` You are ${goesOn}.`}`,
  ];
}

function joinSentences(sentences: readonly string[]): string {
  return sentences.map((one) => (/[.!?]$/.test(one) ? one : `${one}.`)).join(' ');
}

/** A line for each task, and one for all other actions of a kind: "[4] Follow Blue · [5] Green". */
function listActionLines(numbered: readonly OfferedAction[]): readonly string[] {
  const rows = numbered.map(({ does, what, hint, action }, index) => ({
    group: action['type'] === 'task' || action['type'] === 'fake' ? `${index}` : does,
    number: `[${index + 1}]`.padStart(NUMBER_COLUMNS),
    does,
    what: [what, hint === '' ? '' : `(${hint})`].join(' ').trim(),
  }));
  return [...Map.groupBy(rows, ({ group }) => group).values()].map((group) =>
    group
      .map(({ number, does, what }, index) =>
        index === 0
          ? `${number} ${does} ${what}`
          : ` · ${`${number.trim()} ${what}`.replaceAll(' ', NO_BREAK)}`,
      )
      .join(''),
  );
}

const NUMBER_COLUMNS = 6;
/** Keeps a number with its name. `clean` makes it an ordinary space again. */
const NO_BREAK = '\u00A0';

function describeSelf({ colour, role, partners, isDead }: TurnPrompt['you']): string {
  const kind = role === 'impostor' ? 'an impostor' : 'a crewmate';
  const allies = partners.length === 0 ? '' : ` with ${listWords(partners.map(capitalize))}`;
  return `You are ${capitalize(colour)}, ${kind}${allies}${isDead ? ', a ghost' : ''}.`;
}

function describeKeys({ kind: requestKind, talk, ballots, ballot }: TurnPrompt): string {
  if (requestKind === 'action')
    return 'Type a number, or go ROOM (go alone lists them); Enter goes on; /help.';
  if (talk === null) return 'Enter goes on, /note keeps something.';
  const vote = ballots.length === 0 ? '' : ', /vote locks a vote';
  const locked = ballot === null ? '' : ` Your vote: ${candidateName(ballot)}.`;
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
  '  go Admin, shut Admin     on the ship: walks there; shuts its doors',
  '  /watch, /talk            once you are dead: just watches; takes part',
  '  /leave                   leaves the game; Ctrl-C pauses it',
];

function cleanIndented(line: string): string {
  const text = line.trimStart();
  return `${line.slice(0, line.length - text.length)}${clean(text)}`;
}
