/**
 * The router: tells players and ghosts what concerns them out of the facts of the meeting.
 *
 * Only facts travel here, and only to those whom the rules let know. Nothing goes from the gallery to the table.
 */
import { GALLERY, playerId, type ToGallery, type ToPlayer } from '../machines/protocol.ts';
import type { Fact } from '../machines/rules/facts.ts';
import { linesOf } from '../machines/rules/floor.ts';
import type { GhostFact } from '../machines/rules/gallery.ts';
import type { Table } from '../machines/rules/table.ts';
import { truth } from '../machines/rules/views.ts';
import type { Colour, Occasion, Utterance } from '../machines/types.ts';
import { actorOf, type System } from './session.ts';

export class Router {
  readonly #system: System;
  readonly #seats: readonly Colour[];
  readonly #ghosts: Set<Colour>;
  /** Ghosts who watch. Where the dead do not, the ejected still reacts and consolidates (ruling 26). */
  readonly #watching: Set<Colour>;
  #transcript: readonly Utterance[] = [];

  constructor(
    system: System,
    {
      seats,
      ghosts,
      haunted,
    }: { seats: readonly Colour[]; ghosts: readonly Colour[]; haunted: boolean },
  ) {
    this.#system = system;
    this.#seats = seats;
    this.#ghosts = new Set(ghosts);
    this.#watching = new Set(haunted ? ghosts : []);
  }

  /** Routes what the meeting told. */
  told(facts: readonly Fact[], table: Table): void {
    for (const fact of facts) this.#route(fact, table);
  }

  /** Routes what the gallery told: to ghosts only. */
  murmured(facts: readonly GhostFact[]): void {
    for (const fact of facts) {
      if (fact.type === 'pads.consolidated') this.#tell(fact.seat, fact);
      if (fact.type === 'pads.erased') for (const ghost of this.#ghosts) this.#tell(ghost, fact);
    }
  }

  #route(fact: Fact, table: Table): void {
    switch (fact.type) {
      case 'meeting.called':
        for (const seat of this.#seats) this.#tell(seat, { type: 'meeting.opened' });
        return;
      case 'tick.closed':
        this.#transcript = [...this.#transcript, ...linesOf(fact.tick, fact.verdict)];
        if (fact.verdict !== null) this.#show('ghost', table);
        return;
      case 'phase.entered':
        if (fact.phase === 'reaction' || fact.phase === 'consolidation')
          this.#show(fact.phase, table);
        return;
      case 'verdict.told':
        if (fact.ejected !== null && table.standings[fact.ejected] === 'dead')
          this.#bury(fact.ejected);
        return;
      case 'pads.erased':
        for (const seat of this.#seats) if (!this.#ghosts.has(seat)) this.#tell(seat, fact);
        return;
      default:
        this.#notify(fact);
    }
  }

  /** Facts that concern one player. */
  #notify(fact: Fact): void {
    switch (fact.type) {
      case 'vote.locked':
      case 'pads.consolidated':
        this.#tell(fact.seat, fact);
        return;
      case 'vote.refused':
        this.#tell(fact.seat, { type: 'notice.given', note: fact.note });
        return;
      case 'vote.cleared': {
        const text = `${fact.leaver} has left: your vote for them is void and you may vote again`;
        this.#tell(fact.seat, { type: 'vote.cleared', note: { code: 'vote/cleared', text } });
        return;
      }
      case 'seat.departed':
        this.#tell(fact.seat, { type: 'seat.departed' });
        return;
      default:
    }
  }

  #bury(seat: Colour): void {
    this.#ghosts.add(seat);
    this.#tell(seat, { type: 'seat.died' });
    this.#watching.add(seat);
    this.#tellGallery({ type: 'ghost.joined', seat });
  }

  #show(occasion: Occasion, table: Table): void {
    if (this.#watching.size === 0) return;
    this.#tellGallery({
      type: 'table.changed',
      occasion,
      truth: truth(table),
      transcript: this.#transcript,
    });
  }

  #tell(seat: Colour, message: ToPlayer): void {
    actorOf(this.#system, playerId(seat)).send(message);
  }

  #tellGallery(message: ToGallery): void {
    actorOf(this.#system, GALLERY).send(message);
  }
}
