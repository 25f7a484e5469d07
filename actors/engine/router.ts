/** The router: delivers what the facts of a meeting mean for players and ghosts. Whom they concern is in `routing.ts`. */
import {
  type GameLetter,
  murmured,
  newRouting,
  type Routing,
  routed,
} from '../../machines/outgoing.ts';
import type { Fact, GhostFact } from '../../machines/rules/facts.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import { actorOf, type System } from './session.ts';

export class Router {
  readonly #system: System;
  #routing: Routing;

  constructor(system: System, seated: Parameters<typeof newRouting>[0]) {
    this.#system = system;
    this.#routing = newRouting(seated);
  }

  /** Routes what the meeting told. */
  told(facts: readonly Fact[], table: Table): void {
    for (const fact of facts) {
      const { routing, letters } = routed(this.#routing, fact, table);
      this.#routing = routing;
      deliver(this.#system, letters);
    }
  }

  /** Routes what the gallery told: to ghosts only. */
  murmured(facts: readonly GhostFact[]): void {
    for (const fact of facts) deliver(this.#system, murmured(this.#routing, fact));
  }
}

/** Hands every letter to its actor, in order. */
export function deliver(system: System, letters: readonly GameLetter[]): void {
  for (const { to, message } of letters) actorOf(system, to).send(message);
}
