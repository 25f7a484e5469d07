/**
 * The voyage: what the teller remembers of a game, as far as its lens has shown it.
 *
 * Whatever is hidden is simply not there: through a player's eyes there is one place, at the table there is none.
 */
import type { Lens, SeenLine, SeenOf } from '../../machines/journal/lens.ts';
import type { Ballot, BySeat, Colour, Place, Role } from '../../machines/types.ts';
import { type Aim, aimOf, type Round, type RoundEvent } from './orders.ts';
import { roundsIn } from './rounds.ts';

type Opened = SeenOf<'game.opened'>;
export type System = NonNullable<Extract<RoundEvent, { type: 'sabotage.begun' }>['system']>;

/** How somebody came to be out of the game. */
export type Loss = {
  readonly seat: Colour;
  readonly how: 'killed' | 'ejected' | 'left';
  readonly by: Colour | null;
  readonly round: number;
};

export type Voyage = {
  readonly lens: Lens;
  readonly seats: Opened['lobby']['seats'];
  readonly options: Opened['lobby']['options'];
  readonly start: Place;
  /** The round that comes next. */
  readonly round: number;
  readonly places: BySeat<Place>;
  readonly vented: readonly Colour[];
  readonly bodies: readonly { readonly victim: Colour; readonly place: Place }[];
  /** Bodies that somebody has come upon. */
  readonly found: readonly Colour[];
  readonly losses: readonly Loss[];
  /** Those of whom everybody knew before the last meeting was over that they are dead. */
  readonly mourned: readonly Colour[];
  readonly crisis: { readonly system: System; readonly left: number | null } | null;
  /** Rounds until an impostor may kill. */
  readonly waits: BySeat<number>;
  readonly aims: BySeat<Aim>;
  /** Tasks that are done, and steps of tasks in all. */
  readonly tasks: BySeat<number>;
  readonly steps: number;
  readonly ballots: readonly { readonly voter: Colour; readonly ballot: Ballot }[];
  readonly meetings: number;
  readonly messages: number;
};

export function embarked({ lobby }: Opened, lens: Lens): Voyage {
  const { seats, options, map } = lobby;
  const start = map === 'skeld' ? 'Cafeteria' : map.button;
  const ashore: Voyage = {
    ...{ lens, seats, options, start, round: 0, places: {}, vented: [], bodies: [], found: [] },
    ...{ losses: [], mourned: [], crisis: null, waits: {}, aims: {}, tasks: {}, steps: 0 },
    ...{ ballots: [], meetings: 0, messages: 0 },
  };
  return gathered(ashore);
}

export function roleOf({ seats }: Voyage, seat: Colour): Role | null {
  return seats.find(({ colour }) => colour === seat)?.role ?? null;
}

/** Everybody who is not known to be out of the game. */
export function livingOn({ seats, losses }: Voyage): readonly Colour[] {
  return seats.flatMap(({ colour }) =>
    losses.some(({ seat }) => seat === colour) ? [] : [colour],
  );
}

/** Everybody at the button again, with no body left and every cooldown begun anew. */
function gathered(voyage: Voyage): Voyage {
  const { lens, seats, options, start, crisis } = voyage;
  const cooldown = roundsIn(options.kill_cooldown ?? 0);
  const known = livingOn(voyage).filter((seat) => isFollowed(lens, seat));
  const impostors = seats.filter(
    ({ colour, role }) => role === 'impostor' && isFollowed(lens, colour),
  );
  return {
    ...voyage,
    places: Object.fromEntries(known.map((seat) => [seat, start])),
    vented: [],
    bodies: [],
    found: [],
    mourned: voyage.losses.map(({ seat }) => seat),
    aims: {},
    crisis: crisis?.left === null ? crisis : null,
    waits: Object.fromEntries(impostors.map(({ colour }) => [colour, cooldown])),
  };
}

/** Whether the lens shows where somebody goes. */
function isFollowed(lens: Lens, seat: Colour): boolean {
  return lens.type === 'glass' || (lens.type === 'player' && lens.seat === seat);
}

/** The voyage once a line has been seen. */
export function sailed(voyage: Voyage, line: SeenLine): Voyage {
  switch (line.type) {
    case 'round.closed':
      return played(voyage, line);
    case 'tick.closed':
      return line.said ? { ...voyage, messages: voyage.messages + 1 } : voyage;
    case 'ballot.turned': {
      const voter = line.voter ?? line.by ?? null;
      if (voter === null || line.ballot === undefined || line.void === true) return voyage;
      return { ...voyage, ballots: [...voyage.ballots, { voter, ballot: line.ballot }] };
    }
    case 'verdict.told':
      return line.ejected ? lost(voyage, line.ejected, 'ejected') : voyage;
    case 'seat.departed':
      return line.seat === undefined ? voyage : lost(voyage, line.seat, 'left');
    case 'meeting.called':
    case 'game.closed':
      return missed(voyage, line.dead ?? []);
    case 'meeting.closed':
      return gathered({ ...voyage, meetings: voyage.meetings + 1 });
    default:
      return voyage;
  }
}

/** Whoever was killed unseen is missed at the table. */
function missed(voyage: Voyage, dead: readonly Colour[]): Voyage {
  const unknown = dead.filter((seat) => voyage.losses.every((loss) => loss.seat !== seat));
  return unknown.reduce((after, seat) => lost(after, seat, 'killed'), voyage);
}

function lost(voyage: Voyage, seat: Colour, how: Loss['how'], by: Colour | null = null): Voyage {
  const places = Object.entries(voyage.places).filter(([who]) => who !== seat);
  const loss = { seat, how, by, round: voyage.round };
  return { ...voyage, places: Object.fromEntries(places), losses: [...voyage.losses, loss] };
}

function played(voyage: Voyage, line: Round): Voyage {
  const aims = (line.orders ?? []).flatMap((order) => {
    const aim = aimOf(order);
    return aim === null ? [] : [[order.seat, aim] as const];
  });
  const walked = Object.entries(line.paths ?? {}).flatMap(([seat, path]) => {
    const end = path?.at(-1);
    return end === undefined ? [] : [[seat, end] as const];
  });
  const crisis = voyage.crisis;
  const left = crisis === null || crisis.left === null ? null : crisis.left - 1;
  const waits = Object.entries(voyage.waits).map(
    ([seat, wait = 0]) => [seat, Math.max(0, wait - 1)] as const,
  );
  let after: Voyage = {
    ...voyage,
    aims: { ...voyage.aims, ...Object.fromEntries(aims) },
    places: { ...voyage.places, ...Object.fromEntries(walked) },
    waits: Object.fromEntries(waits),
    crisis: crisis === null ? null : { ...crisis, left },
  };
  for (const event of line.events ?? []) after = happened(after, event);
  return { ...after, found: foundIn(after, line), round: (line.round ?? voyage.round) + 1 };
}

function foundIn(voyage: Voyage, { seen = {} }: Round): readonly Colour[] {
  const bodies = Object.entries(seen).flatMap(([seat, sights = []]) =>
    isNoFinder(voyage, seat) ? [] : sights.flatMap(([who, , did]) => (did === 'dead' ? [who] : [])),
  );
  return [...new Set([...voyage.found, ...bodies])];
}

/** Through the glass nobody wonders what an impostor finds. */
export function isNoFinder({ lens, seats }: Voyage, seat: string): boolean {
  const role = seats.find(({ colour }) => colour === seat)?.role;
  return lens.type === 'glass' && role === 'impostor';
}

function happened(voyage: Voyage, event: RoundEvent): Voyage {
  switch (event.type) {
    case 'player.killed':
      return killed(voyage, event);
    case 'seat.departed':
      return event.seat === undefined ? voyage : lost(voyage, event.seat, 'left');
    case 'vent.used': {
      const { seat, place, how } = event;
      if (seat === undefined || place === undefined) return voyage;
      const others = voyage.vented.filter((other) => other !== seat);
      const vented = how === 'out' ? others : [...others, seat];
      return { ...voyage, vented, places: { ...voyage.places, [seat]: place } };
    }
    case 'sabotage.begun': {
      const { system } = event;
      if (system === undefined) return voyage;
      const limit = limitOf(voyage, system);
      // The clock has run for a round already.
      const left = limit === null ? null : roundsIn(limit) - 1;
      return { ...voyage, crisis: { system, left } };
    }
    case 'sabotage.mended':
      return { ...voyage, crisis: null };
    case 'task.stepped': {
      const steps = voyage.steps + 1;
      const { seat, done } = event;
      if (seat === undefined || done !== true) return { ...voyage, steps };
      return {
        ...voyage,
        steps,
        tasks: { ...voyage.tasks, [seat]: 1 + (voyage.tasks[seat] ?? 0) },
      };
    }
    default:
      return voyage;
  }
}

/** Seconds until it is too late; null for what only hinders. */
export function limitOf({ options }: Voyage, system: System): number | null {
  if (system === 'reactor') return options.reactor_seconds ?? null;
  return system === 'o2' ? (options.o2_seconds ?? null) : null;
}

function killed(
  voyage: Voyage,
  { by, victim, place }: Extract<RoundEvent, { type: 'player.killed' }>,
): Voyage {
  if (victim === undefined) return voyage;
  const after = lost(voyage, victim, 'killed', by ?? null);
  const bodies = place === undefined ? after.bodies : [...after.bodies, { victim, place }];
  if (by === undefined || place === undefined) return { ...after, bodies };
  const wait = roundsIn(voyage.options.kill_cooldown ?? 0) - 1;
  return {
    ...after,
    bodies,
    places: { ...after.places, [by]: place },
    waits: { ...after.waits, [by]: wait },
  };
}
