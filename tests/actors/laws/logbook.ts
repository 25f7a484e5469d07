/**
 * The logbook: everything that a reader of a game's journal knows so far about everyone aboard. It shares nothing
 * with the engine: it counts rounds from line to line and derives everything from the lines.
 */

import type { LivingLine } from '../../../machines/journal/lines.ts';
import type { GameMatch } from '../../../machines/setup/match.ts';
import { prepare } from '../../../machines/setup/prepare.ts';
import type { Colour, Place, Role, Room, Standing, System } from '../../../machines/types.ts';
import type { LineOf } from './oracle/property.ts';

export type RoundLine = LineOf<'round.closed'>;

type Sailor = {
  readonly role: Role;
  standing: Standing;
  place: Place;
  vent: number | null;
  readyIn: number;
  buttons: number;
  readonly steps: Map<string, number>;
};

type Damage = { readonly system: System; readonly since: number; readonly keypads: Set<Room> };

export class Logbook {
  readonly crew;
  readonly options;
  readonly sailors = new Map<Colour, Sailor>();
  readonly bodies = new Map<Colour, { readonly place: Place; readonly since: number }>();
  readonly doors = new Map<Room, { readonly since: number; isShut: boolean }>();
  damage: Damage | null = null;
  /** The first rounds in which the button and sabotage work. */
  buttonIn: number;
  sabotageIn: number;
  round = 0;
  last: RoundLine | null = null;
  voters = new Set<Colour>();
  readonly losses: Record<Role, 'kills' | 'vote' | 'disconnect'> = {
    crewmate: 'disconnect',
    impostor: 'disconnect',
  };
  /** Who left through faults in this round or meeting. */
  readonly faulted = new Set<Colour>();
  isInMeeting = false;
  stop: string | null = null;
  isOver = false;

  constructor(match: GameMatch, seed: number) {
    const boarding = prepare(match, seed);
    if (!boarding.ok) throw new Error('the match of a journal makes no sense');
    this.crew = boarding.prepared.ship;
    this.options = boarding.prepared.ship.options;
    for (const { colour, role } of boarding.prepared.ship.seats) {
      this.sailors.set(colour, {
        role,
        standing: 'living',
        place: this.crew.map.button,
        vent: null,
        readyIn: roundsOf(this.options.firstKillCooldown ?? this.options.killCooldown),
        buttons: this.options.buttons,
        steps: new Map(),
      });
    }
    this.buttonIn = roundsOf(this.options.emergencyCooldown);
    this.sabotageIn = roundsOf(this.options.sabotageCooldown);
  }

  sailor(seat: Colour): Sailor {
    const found = this.sailors.get(seat);
    if (found === undefined) throw new Error(`${seat} is not aboard`);
    return found;
  }

  isLiving(seat: Colour): boolean {
    return this.sailors.get(seat)?.standing === 'living';
  }

  /** Whoever may do something on the ship: ghosts too, where they are at work. */
  isActive(seat: Colour): boolean {
    const standing = this.sailors.get(seat)?.standing;
    return standing === 'living' || (standing === 'dead' && this.options.ghostsDoTasks);
  }

  count(role: Role): number {
    const all = [...this.sailors.values()];
    return all.filter((one) => one.role === role && one.standing === 'living').length;
  }

  /** Whether all is done that counts: the tasks of the crew who may still work. */
  get isAllDone(): boolean {
    let open = 0;
    let all = 0;
    for (const [seat, { role, steps }] of this.sailors) {
      if (role === 'impostor') continue;
      for (const task of this.crew.tasks[seat] ?? []) {
        const done = steps.get(task.id) ?? 0;
        all += this.isActive(seat) ? task.steps.length : done;
        open += this.isActive(seat) ? task.steps.length - done : 0;
      }
    }
    return all > 0 && open === 0;
  }

  /** Rounds until it is too late, after the round that was played last; null when nothing can kill. */
  get left(): number | null {
    if (this.damage === null) return null;
    const { reactorSeconds, o2Seconds } = this.options;
    if (this.damage.system === 'reactor') return this.#until(reactorSeconds, this.damage.since);
    return this.damage.system === 'o2' ? this.#until(o2Seconds, this.damage.since) : null;
  }

  #until(seconds: number, since: number): number {
    return since + roundsOf(seconds) - this.round;
  }

  /** Who should have won now, in the order of the real game; null while it goes on. */
  get verdict(): string | null {
    const [crew, impostors] = [this.count('crewmate'), this.count('impostor')];
    if (this.left !== null && this.left <= 0) return 'impostors by sabotage';
    const faulted = (role: Role) =>
      [...this.faulted].filter((seat) => this.sailor(seat).role === role).length;
    const before = { crew: crew + faulted('crewmate'), impostors: impostors + faulted('impostor') };
    const isOver = impostors === 0 || impostors >= crew;
    if (isOver && before.impostors > 0 && before.impostors < before.crew) return 'null by faults';
    if (impostors === 0) return `crew by ${this.losses.impostor}`;
    if (impostors >= crew) return `impostors by ${this.losses.crewmate}`;
    return this.isAllDone ? 'crew by tasks' : null;
  }

  enter(line: LivingLine): void {
    switch (line.type) {
      case 'round.closed':
        this.#enterRound(line);
        break;
      case 'meeting.called':
        this.isInMeeting = true;
        this.voters = new Set();
        this.losses.crewmate = 'disconnect';
        this.losses.impostor = 'disconnect';
        this.faulted.clear();
        if (line.kind === 'button') this.sailor(line.by).buttons -= 1;
        break;
      case 'vote.locked':
        this.voters.add(line.seat);
        break;
      case 'vote.cleared':
        this.voters.delete(line.seat);
        break;
      case 'seat.departed':
        this.sailor(line.seat).standing = 'departed';
        if (line.reason === 'faults') this.faulted.add(line.seat);
        break;
      case 'verdict.announced':
        if (line.ejected === null) break;
        this.sailor(line.ejected).standing = 'dead';
        this.losses[this.sailor(line.ejected).role] = 'vote';
        break;
      case 'meeting.closed':
        this.#leaveMeeting();
        break;
      case 'end.requested':
        this.stop = line.reason;
        break;
      case 'game.closed':
        this.isOver = true;
        break;
      default:
    }
  }

  #enterRound(line: RoundLine): void {
    this.last = line;
    this.losses.crewmate = 'disconnect';
    this.losses.impostor = 'disconnect';
    this.faulted.clear();
    for (const event of line.events) this.#enterEvent(event);
    for (const [seat, sailor] of this.sailors) {
      const end = line.paths[seat]?.at(-1);
      if (end !== undefined) sailor.place = end;
    }
    this.round = line.round + 1;
  }

  #enterEvent(event: RoundLine['events'][number]): void {
    const { round } = this;
    switch (event.type) {
      case 'seat.departed':
        this.sailor(event.seat).standing = 'departed';
        if (event.reason === 'faults') this.faulted.add(event.seat);
        break;
      case 'player.killed': {
        const killer = this.sailor(event.by);
        this.sailor(event.victim).standing = 'dead';
        this.losses.crewmate = 'kills';
        this.bodies.set(event.victim, { place: event.place, since: round });
        killer.place = event.place;
        killer.readyIn = round + roundsOf(this.options.killCooldown);
        break;
      }
      case 'vent.used': {
        const sailor = this.sailor(event.seat);
        sailor.vent = event.how === 'out' ? null : event.vent;
        sailor.place = event.place;
        break;
      }
      case 'sabotage.begun':
        this.damage = { system: event.system, since: round, keypads: new Set() };
        break;
      case 'sabotage.fixed':
        this.damage = null;
        this.sabotageIn = round + roundsOf(this.options.sabotageCooldown);
        break;
      case 'keypad.entered':
        this.damage?.keypads.add(event.at);
        break;
      case 'doors.shut':
        this.doors.set(event.room, { since: round, isShut: true });
        break;
      case 'doors.opened': {
        const door = this.doors.get(event.room);
        if (door !== undefined) door.isShut = false;
        break;
      }
      case 'task.stepped':
        this.sailor(event.seat).steps.set(event.task, event.steps);
        break;
      default:
    }
  }

  #leaveMeeting(): void {
    this.isInMeeting = false;
    this.bodies.clear();
    this.doors.clear();
    const { options, round } = this;
    for (const sailor of this.sailors.values()) {
      sailor.place = this.crew.map.button;
      sailor.vent = null;
      sailor.readyIn = round + roundsOf(options.killCooldown);
    }
    this.buttonIn = round + roundsOf(options.emergencyCooldown);
    this.sabotageIn = round + roundsOf(options.sabotageCooldown);
    if (this.damage?.system === 'reactor' || this.damage?.system === 'o2') this.damage = null;
    this.last = null;
  }
}

/** A round is two and a half seconds; a started one counts whole. */
export function roundsOf(seconds: number): number {
  return Math.ceil(seconds / 2.5);
}
