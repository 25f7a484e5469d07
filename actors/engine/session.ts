/**
 * A session: what the actors of one meeting share that is no state of theirs: minds, journal, and who is told what.
 *
 * Effects find it by the actor system that they run in. Looking up what is not there is a mistake in the wiring and
 * throws.
 */
import type { AnyActorRef } from 'xstate';
import type { Fact, GhostFact } from '../../machines/rules/facts.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import type { GameCourse, GameFact } from '../../machines/rules/ship/game.ts';
import type { Bid, BySeat, Colour } from '../../machines/types.ts';
import type { Mind } from '../minds/port.ts';

export type Session = {
  readonly minds: BySeat<Mind>;
  /** Takes the facts of one transition; `table` is the meeting as it is after them. */
  readonly told: (facts: readonly Fact[], table: Table) => void;
  readonly murmured: (facts: readonly GhostFact[]) => void;
  /** Takes the facts of a round; `course` is the game as it is after them. Meetings on their own have none. */
  readonly played: (facts: readonly GameFact[], course: GameCourse) => void;
  /** A bid that came after its tick had closed. */
  readonly late: (tick: number, bid: Bid) => void;
  /** The request that each slow mind is working on. */
  readonly thinking: Map<Colour, AbortController>;
};

export type System = AnyActorRef['system'];

const sessions = new WeakMap<System, Session>();

export function open(system: System, session: Session): void {
  sessions.set(system, session);
}

export function sessionOf(system: System): Session {
  const session = sessions.get(system);
  if (session === undefined) throw new Error('no session was opened for this actor system');
  return session;
}

export function mindOf(session: Session, seat: Colour): Mind {
  const mind = session.minds[seat];
  if (mind === undefined) {
    throw new Error(`no mind for ${seat} (there are: ${Object.keys(session.minds).join(', ')})`);
  }
  return mind;
}

/** The actor of that name. XState would send to the sender itself when there is none; this throws. */
export function actorOf(system: System, id: string): AnyActorRef {
  const actor: AnyActorRef | undefined = system.get(id);
  if (actor === undefined) throw new Error(`no actor is called ${id}`);
  return actor;
}

/** Whether somebody of that name is there. */
export function isThere(system: System, id: string): boolean {
  const actor: AnyActorRef | undefined = system.get(id);
  return actor !== undefined;
}

/** Tells every mind that is still thinking that nobody waits for it any more. */
export function dismissAll(thinking: Session['thinking']): void {
  for (const controller of thinking.values()) controller.abort();
}
