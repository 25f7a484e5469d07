/** The router: delivers what the facts of a meeting mean for players and ghosts. Whom they concern is in `routing.ts`. */
import {
  type Audience,
  createAudience,
  messagesFor,
  messagesForGhostFact,
  type OutgoingMessage,
} from '../../machines/outgoing.ts';
import type { Fact, GhostFact } from '../../machines/rules/facts.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import { actorOf, type System } from './session.ts';

export class Router {
  readonly #system: System;
  #routing: Audience;

  constructor(system: System, seated: Parameters<typeof createAudience>[0]) {
    this.#system = system;
    this.#routing = createAudience(seated);
  }

  /** Routes what the meeting told. */
  told(facts: readonly Fact[], table: Table): void {
    for (const fact of facts) {
      const { audience: routing, messages: letters } = messagesFor(this.#routing, fact, table);
      this.#routing = routing;
      deliver(this.#system, letters);
    }
  }

  /** Routes what the gallery told: to ghosts only. */
  murmured(facts: readonly GhostFact[]): void {
    for (const fact of facts) deliver(this.#system, messagesForGhostFact(this.#routing, fact));
  }
}

/** Hands every letter to its actor, in order. */
export function deliver(system: System, letters: readonly OutgoingMessage[]): void {
  for (const { to, message } of letters) actorOf(system, to).send(message);
}
