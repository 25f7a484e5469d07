/** Roles: who is an impostor. Some may be named beforehand; the others are drawn, each choice as likely as any other. */
import { COLOURS, type Colour, type Note, type Role, type Seat } from '../types.ts';
import { deckOf } from './deck.ts';

/** A seat whose role may be open. */
export type OpenSeat = { readonly colour: Colour; readonly role?: Role | undefined };

/** How many impostors there are when nobody says: what is recommended, as far as the roles named allow. */
export function impostorsAmong(seats: readonly OpenSeat[], recommended: number): number {
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
export function cast(
  seats: readonly OpenSeat[],
  impostors: number,
  chance: { readonly seed: number },
): readonly Seat[] {
  const inOrder = seats.toSorted(
    (one, other) => COLOURS.indexOf(one.colour) - COLOURS.indexOf(other.colour),
  );
  const named = inOrder.filter(({ role }) => role === 'impostor').map(({ colour }) => colour);
  const open = inOrder.filter(({ role }) => role === undefined).map(({ colour }) => colour);
  const draw = deckOf(chance.seed, 'roles');
  while (named.length < impostors && open.length > 0) {
    named.push(...open.splice(draw(open.length), 1));
  }
  return inOrder.map(({ colour }) => ({
    colour,
    role: named.includes(colour) ? 'impostor' : 'crewmate',
  }));
}
