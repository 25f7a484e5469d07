/** A worker's part in a league on many machines: it claims a game, has it played, and records the result. */
import { splitAhead } from '../minds/ahead.ts';
import type { Compression } from '../ports/ports.ts';
import { reach } from '../ports/reach.ts';
import { packJournal } from '../stores/journal.ts';
import type { JournalPieces, Slot, Store } from '../stores/store.ts';
import type { LeagueGameOutcome, OpenJournal } from './game.ts';
import type { LeagueGame } from './plan.ts';
import { isSlowGame } from './players.ts';

/** `late`: another worker has claimed the game meanwhile, or recorded it. */
export type HandInOutcome = 'recorded' | 'late';

/** A game that was paused, for example by a spent budget: no other worker could continue it now. */
export class GamePaused extends Error {}

/** Plays games. One that takes real time is written to an open journal; `onBreak` hands out how to pause it. */
export type GamePlayer = {
  readonly play: (
    game: LeagueGame,
    journal: OpenJournal | null,
    onBreak: (breakOff: () => void) => void,
  ) => Promise<LeagueGameOutcome>;
  readonly compression?: Compression;
};

/**
 * Plays a game and records it. The journal reaches the store in one step with the result, and a worker that was taken
 * for dead and comes back can't write any more. Throws if the game breaks down or the store refuses a write, so that
 * the queue hands the game out again.
 */
export async function playQueuedGame(
  store: Store,
  game: LeagueGame,
  player: GamePlayer,
): Promise<HandInOutcome> {
  const { league, slot } = game;
  const epoch = await store.claim({ league, slot });
  for await (const _there of store.results(league, slot, slot + 1)) {
    reach('game-over-before');
    return 'late';
  }
  const broken = new AbortController();
  const past = isSlowGame(game) ? await store.pieces({ league, slot }) : null;
  const journal =
    past && new StoreJournal(store, { league, slot, epoch, ...past }, () => broken.abort());
  const outcome = await player.play(game, journal, (breakOff) => {
    if (broken.signal.aborted) breakOff();
    else broken.signal.addEventListener('abort', breakOff);
  });
  if (journal !== null && !(await journal.end())) return 'late';
  if (outcome.type === 'broken') throw new Error(outcome.text);
  if (outcome.type !== 'played') {
    reach('game-paused');
    throw new GamePaused(`${outcome.type}: ${outcome.text}`);
  }
  const kept =
    outcome.journal === null ? null : await packJournal(outcome.journal, player.compression);
  const recorded = await store.record(outcome.result, epoch, kept);
  if (recorded === 'recorded') return 'recorded';
  reach('result-late');
  return 'late';
}

type ClaimedSlot = Slot & { readonly epoch: number };

/**
 * A game's journal in the store, from which another machine can continue it. Text is sent in order and in few pieces.
 * The worker pauses the game if another worker has claimed it, or the store refuses a piece.
 */
class StoreJournal implements OpenJournal {
  readonly past: string;
  readonly ahead: string;
  readonly #store: Store;
  readonly #claim: ClaimedSlot;
  readonly #onLost: () => void;
  #at: number;
  #waiting = '';
  #isSending = false;
  #isLost = false;
  #failure: { readonly error: unknown } | null = null;
  #sent: Promise<void> = Promise.resolve();

  constructor(store: Store, claim: ClaimedSlot & JournalPieces, onLost: () => void) {
    const { journal, ahead } = splitAhead(claim.text);
    this.past = journal;
    this.ahead = ahead;
    this.#store = store;
    this.#claim = claim;
    this.#at = claim.pieces;
    this.#onLost = onLost;
  }

  begin(): void {
    this.#at = 0;
    this.#waiting = '';
  }

  write(text: string): void {
    this.#waiting += text;
    if (!this.#isSending && !this.#isLost) this.#sent = this.#send();
  }

  /** Resolves when everything has arrived; false if another worker has the game. Throws the store's error. */
  async end(): Promise<boolean> {
    await this.#sent;
    if (this.#failure !== null) throw this.#failure.error;
    return !this.#isLost;
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    // Text of the same step is sent together.
    await Promise.resolve();
    while (this.#waiting !== '' && !this.#isLost) {
      const text = this.#waiting;
      this.#waiting = '';
      const isThere = await this.#append(text);
      this.#at += 1;
      if (isThere) continue;
      this.#isLost = true;
      if (this.#failure === null) reach('piece-refused');
      this.#onLost();
    }
    this.#isSending = false;
  }

  /** Nothing waits for this before the end of the game, so an error is kept until then. */
  async #append(text: string): Promise<boolean> {
    try {
      const said = await this.#store.append(this.#claim, this.#claim.epoch, this.#at, text);
      return said === 'appended';
    } catch (error) {
      reach('piece-failed');
      this.#failure = { error };
      return false;
    }
  }
}
