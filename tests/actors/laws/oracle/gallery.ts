/** The gallery: ghosts talk in a channel of their own, within their budget, and are heard as they spoke (26, 36). */
import type { GhostLine } from '../../../../machines/journal/lines.ts';
import type { Colour } from '../../../../machines/types.ts';
import type { Account } from './account.ts';
import { replyOf } from './consequences.ts';
import { type Complain, expectSame, type LineOf } from './property.ts';
import { isCut, tokensOf } from './talk.ts';

type Turn = LineOf<'turn.closed', 'ghosts'>;

export class Gallery {
  readonly #account: Account;
  readonly #ghosts: Set<Colour>;
  #lines = 0;
  #turns = 0;
  #talks = 0;
  #budget = 0;
  #isOver = false;
  readonly #occasions = new Set<string>();
  /** Who must keep something of the meeting now; null until the last turn. */
  #keeping: Colour[] | null = null;
  #isErased = false;

  constructor(account: Account) {
    this.#account = account;
    this.#ghosts = new Set(account.seats.filter((seat) => account.standings.get(seat) === 'dead'));
  }

  check(line: GhostLine, complain: Complain): void {
    if (line.seq !== this.#lines || (line.type === 'gallery.opened') !== (this.#lines === 0))
      complain('course/opened', `${line.type} is number ${line.seq} of the ghosts`);
    if (this.#isOver) complain('course/place', `${line.type} comes after the end`);
    this.#lines += 1;
    switch (line.type) {
      case 'gallery.opened':
        this.#budget = line.present ? line.budget : 0;
        // Where the dead do not watch, only the ejected reacts and looks back.
        if (!line.present) this.#ghosts.clear();
        return;
      case 'ghost.joined':
        expectSame(complain, 'ghosts/joined', line.seat, this.#account.told?.ejected ?? null);
        if (this.#ghosts.has(line.seat)) complain('ghosts/joined', `${line.seat} is here already`);
        this.#ghosts.add(line.seat);
        return;
      case 'turn.closed':
        this.#turn(line, complain);
        return;
      case 'scratchpads.consolidated':
        this.#kept(line, complain);
        return;
      case 'scratchpads.erased':
        this.#erased(complain);
        return;
      case 'gallery.closed':
        this.#isOver = true;
        expectSame(complain, 'ghosts/turn', line.turns, this.#turns);
        this.#closed(complain);
        return;
    }
  }

  #turn(line: Turn, complain: Complain): void {
    const { turn, requestKind, bids, said } = line;
    expectSame(complain, 'ghosts/turn', turn, this.#turns);
    this.#turns += 1;
    if (!['ghost', 'reaction', 'consolidation'].includes(requestKind))
      complain('ghosts/turn', `a turn of ${requestKind}`);
    const asked = bids.map(({ seat }) => seat);
    const ghosts = this.#account.seats.filter((seat) => this.#ghosts.has(seat));
    // A player who was just ejected is asked from the next turn on.
    const missing = ghosts.filter((seat) => !asked.includes(seat));
    const isTalk = requestKind === 'ghost';
    const isExpected = missing.every((seat) => isTalk && seat === this.#account.told?.ejected);
    const expected = ghosts.filter((seat) => !isExpected || !missing.includes(seat));
    expectSame(complain, 'ghosts/seats', asked, expected);
    this.#occasions.add(requestKind);
    if (isTalk) this.#talks += 1;
    if (this.#talks > this.#budget)
      complain('ghosts/budget', `turn ${turn} with a budget of ${this.#budget}`);
    if (said !== null) {
      const bid = bids.find(({ seat }) => seat === said.speaker);
      const reply = bid === undefined ? null : replyOf(bid);
      if (!isTalk) complain('ghosts/heard', `${said.speaker} speaks in ${requestKind}`);
      const { message_tokens: cap } = this.#account.terms;
      const isHeard = isCut(said.message, reply?.message.trim() ?? '', cap);
      if (!isHeard || said.message === '' || tokensOf(said.message) > cap)
        complain(
          'ghosts/heard',
          `${JSON.stringify(said.message)} is not what ${said.speaker} said`,
        );
    }
    if (requestKind === 'consolidation') this.#keeping = [...asked];
  }

  #closed(complain: Complain): void {
    if (this.#keeping !== null && !this.#isErased)
      complain('ghosts/kept', 'their scratchpads were not erased');
    const ejected = this.#account.told?.ejected ?? null;
    if (
      ejected !== null &&
      !this.#ghosts.has(ejected) &&
      this.#account.standings.get(ejected) === 'dead'
    )
      complain('ghosts/joined', `${ejected} was ejected and did not join`);
    if (this.#ghosts.size === 0) return;
    for (const phase of ['reaction', 'consolidation'] as const) {
      if (this.#account.phases.includes(phase) && !this.#occasions.has(phase))
        complain('ghosts/react', `nobody was asked for the ${phase}`);
    }
  }

  #kept(line: LineOf<'scratchpads.consolidated', 'ghosts'>, complain: Complain): void {
    const { seat, main, line: mechanical } = line;
    if (!this.#ghosts.has(seat)) complain('ghosts/seats', `${seat} is no ghost`);
    if (this.#keeping?.includes(seat) !== true) complain('ghosts/kept', `${seat} keeps too much`);
    if ((main === null) === (mechanical === null)) complain('ghosts/kept', `${seat} keeps nothing`);
    this.#keeping = (this.#keeping ?? []).filter((ghost) => ghost !== seat);
  }

  #erased(complain: Complain): void {
    if (this.#isErased || this.#keeping === null)
      complain('ghosts/kept', 'it is not the time to erase');
    for (const seat of this.#keeping ?? []) complain('ghosts/kept', `${seat} keeps nothing`);
    this.#isErased = true;
  }
}
