/**
 * Outages: all who asked one endpoint in the same moment got nothing (ruling 2).
 *
 * One failing player is silent for a tick; an endpoint that fails everybody is no matter of play, and the game waits.
 */

import type { Request } from '../port.ts';
import type { Reply } from './conversation.ts';

/** When somebody is asked. */
type Stamped = Pick<Request, 'occasion' | 'stamp'>;

type Moment = { asked: number; failed: number };

/** Fewer than this many players are no crowd: each may fail on its own. */
const CROWD = 2;

export class Outages {
  readonly #moments = new Map<string, Moment>();
  readonly #found = new Map<string, Reply>();

  /** A player asks an endpoint. */
  asked(endpoint: string, request: Stamped): void {
    const key = keyOf(endpoint, request);
    const moment = this.#moments.get(key) ?? { asked: 0, failed: 0 };
    moment.asked += 1;
    this.#moments.set(key, moment);
  }

  /** Somebody has found a model ill. Who has waited meanwhile need not find out again. */
  found(model: string, request: Stamped, reply: Reply): void {
    this.#found.set(keyOf(model, request), reply);
  }

  /** What was found of a model in this moment; null where nothing is known to be wrong. */
  illness(model: string, request: Stamped): Reply | null {
    return this.#found.get(keyOf(model, request)) ?? null;
  }

  /** A request has failed, or came too late, by no fault of the player; whether it was the last of all, and all have. */
  failed(endpoint: string, request: Stamped): boolean {
    const moment = this.#moments.get(keyOf(endpoint, request));
    if (moment === undefined) return false;
    moment.failed += 1;
    return moment.failed === moment.asked && moment.asked >= CROWD;
  }

  /** A request was answered: the moment is none, and what came before it is over. */
  answered(endpoint: string, request: Stamped): void {
    this.#moments.delete(keyOf(endpoint, request));
  }
}

function keyOf(endpoint: string, { occasion, stamp }: Stamped): string {
  return `${endpoint} ${occasion} ${stamp}`;
}
