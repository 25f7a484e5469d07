/** The lobby: who may sit down together. A table that makes no sense is refused with what would. */
import {
  type Call,
  COLOURS,
  type Colour,
  type Note,
  type Role,
  type Seat,
  type Standing,
} from '../types.ts';
import { createDeck } from './dice.ts';
import { callRefusal, QUIET } from './meeting.ts';
import { FEWEST_SEATS, type MeetingOptions, MOST_SEATS, mostImpostors } from './options.ts';
import { weightsRefusal } from './weights.ts';

export type SeatedTable = {
  readonly seats: readonly {
    readonly colour: Colour;
    readonly role: Role;
    readonly standing: Standing;
    /** What the player remembers; names in it must have a seat. */
    readonly saw?: readonly { readonly who: Colour }[];
  }[];
  readonly call: Call;
  readonly options: MeetingOptions;
};

/** Everything that is wrong with a table, in the order in which it should be mended. */
export function lobbyRefusals(lobby: SeatedTable): readonly Note[] {
  const seats = seatRefusals(lobby);
  if (seats.length > 0) return seats;
  const standings = Object.fromEntries(
    lobby.seats.map(({ colour, standing }) => [colour, standing]),
  );
  const living = lobby.seats.filter(({ standing }) => standing === 'living').length;
  const call = callRefusal(lobby.call, standings, QUIET);
  const weights = weightsRefusal(lobby.options.weights, living);
  return [call, weights].filter((note) => note !== null);
}

/** What is wrong with who sits down, whatever for: how many they are, and that each has a colour. */
export function seatingRefusals(
  colours: readonly Colour[],
  area: 'scenario' | 'game',
): readonly Note[] {
  const notes: Note[] = [];
  if (colours.length < FEWEST_SEATS || colours.length > MOST_SEATS) {
    const text = `expected ${FEWEST_SEATS} to ${MOST_SEATS} seats, found ${colours.length}`;
    notes.push({ code: `${area}/seats`, text });
  }
  const twice = COLOURS.filter((colour) => colours.filter((other) => other === colour).length > 1);
  if (twice.length > 0) {
    const text = `every seat needs a colour of its own, found ${twice.join(', ')} more than once`;
    notes.push({ code: `${area}/duplicate-seat`, text });
  }
  return notes;
}

function seatRefusals({ seats, call }: SeatedTable): readonly Note[] {
  const colours = seats.map(({ colour }) => colour);
  const notes: Note[] = [...seatingRefusals(colours, 'scenario')];
  const impostors = seats.filter(({ role }) => role === 'impostor').length;
  if (seats.length > 0 && impostors === seats.length) {
    notes.push(
      lobbyNote('all-impostors', 'at least one player must be a crewmate, found only impostors'),
    );
  } else if (impostors > mostImpostors(seats.length)) {
    notes.push(
      lobbyNote(
        'impostors',
        `expected at most ${mostImpostors(seats.length)} of ${seats.length} to be impostors, found ${impostors}`,
      ),
    );
  }
  // Where nobody is seated, that is what is wrong.
  for (const named of seats.length === 0 ? [] : [call.by, call.body]) {
    if (named === null || colours.includes(named)) continue;
    notes.push(
      lobbyNote(
        'not-seated',
        `the call names ${named}, who has no seat (seated: ${colours.join(', ')})`,
      ),
    );
  }
  for (const { colour, saw = [] } of seats) {
    const nobody = saw.find(({ who }) => !colours.includes(who));
    if (nobody === undefined) continue;
    notes.push(
      lobbyNote(
        'saw-unknown-player',
        `${colour} saw ${nobody.who}, who has no seat (seated: ${colours.join(', ')})`,
      ),
    );
  }
  return notes;
}

function lobbyNote(code: string, text: string): Note {
  return { code: `scenario/${code}`, text };
}

/* Roles: who is an impostor. Some may be named beforehand; the others are drawn, each choice as likely as any other. */

/** A seat whose role may be open. */
export type OpenSeat = { readonly colour: Colour; readonly role?: Role | undefined };

/** How many impostors there are when nobody says: what is recommended, as far as the roles named allow. */
export function countImpostors(seats: readonly OpenSeat[], recommended: number): number {
  const named = seats.filter(({ role }) => role === 'impostor').length;
  const free = seats.filter(({ role }) => role !== 'crewmate').length;
  return Math.min(free, Math.max(named, recommended));
}

/** Why so many impostors and the roles named do not go together; null when they do. */
export function rolesRefusal(seats: readonly OpenSeat[], impostors: number): Note | null {
  const named = seats.filter(({ role }) => role === 'impostor').length;
  const free = seats.filter(({ role }) => role !== 'crewmate').length;
  if (named <= impostors && impostors <= free) return null;
  const found =
    named > impostors
      ? `${named} seats that are named as one`
      : `only ${free} seats that are not named crewmate`;
  return { code: 'game/roles', text: `expected ${impostors} to be impostors, found ${found}` };
}

/** Every seat with its role, in lobby order. */
export function drawRoles(
  seats: readonly OpenSeat[],
  impostors: number,
  chance: { readonly seed: number },
): readonly Seat[] {
  const inOrder = seats.toSorted(
    (one, other) => COLOURS.indexOf(one.colour) - COLOURS.indexOf(other.colour),
  );
  const named = inOrder.filter(({ role }) => role === 'impostor').map(({ colour }) => colour);
  const open = inOrder.filter(({ role }) => role === undefined).map(({ colour }) => colour);
  const draw = createDeck(chance.seed, 'roles');
  while (named.length < impostors && open.length > 0) {
    named.push(...open.splice(draw(open.length), 1));
  }
  return inOrder.map(({ colour }) => ({
    colour,
    role: named.includes(colour) ? 'impostor' : 'crewmate',
  }));
}
