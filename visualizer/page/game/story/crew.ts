/** The crew: who plays, what is known of them, and how they are out if they are. */
import type { SeenLine } from '../../../../machines/journal/lens.ts';
import type { BySeat, Colour, Role } from '../../../../machines/types.ts';

export type Fate = 'living' | 'killed' | 'ejected' | 'left' | 'dead';

export type Member = {
  readonly seat: Colour;
  /** Null where the lens hides it. */
  readonly role: Role | null;
  /** What the persona is called; '' where it is hidden. */
  readonly persona: string;
  readonly fate: Fate;
};
export type Crew = readonly Member[];

/** The crew once a line has been seen. */
export function manned(crew: Crew, line: SeenLine): Crew {
  switch (line.type) {
    case 'journal.opened':
      return line.scenario.seats.map(({ colour, role, persona, dead }) => ({
        seat: colour,
        role: role ?? null,
        persona: nameIn(persona),
        fate: dead ? 'dead' : 'living',
      }));
    case 'game.opened':
      return line.lobby.seats.map(({ colour, role, persona }) => ({
        seat: colour,
        role: role ?? null,
        persona: nameIn(persona),
        fate: 'living',
      }));
    case 'verdict.told':
      return line.ejected == null ? crew : fated(crew, { [line.ejected]: 'ejected' });
    case 'seat.departed':
      return line.seat === undefined ? crew : fated(crew, { [line.seat]: 'left' });
    case 'round.closed':
      return (line.events ?? []).reduce<Crew>((all, event) => {
        if (event.type === 'player.killed' && event.victim !== undefined)
          return fated(all, { [event.victim]: 'killed' });
        if (event.type === 'seat.departed' && event.seat !== undefined)
          return fated(all, { [event.seat]: 'left' });
        return all;
      }, crew);
    case 'meeting.called':
      return missing(crew, line.dead ?? []);
    case 'game.closed':
      return unmasked(missing(crew, line.dead ?? []), line.impostors);
    default:
      return crew;
  }
}

function fated(crew: Crew, fates: BySeat<Fate>): Crew {
  return crew.map((member) => {
    const fate = fates[member.seat];
    return fate === undefined ? member : { ...member, fate };
  });
}

/** Whoever is dead and was not known to be. */
function missing(crew: Crew, dead: readonly Colour[]): Crew {
  const unknown = crew.filter(({ seat, fate }) => fate === 'living' && dead.includes(seat));
  return fated(crew, Object.fromEntries(unknown.map(({ seat }) => [seat, 'dead'])));
}

function unmasked(crew: Crew, impostors: readonly Colour[] | undefined): Crew {
  if (impostors === undefined) return crew;
  return crew.map((member) => ({
    ...member,
    role: impostors.includes(member.seat) ? 'impostor' : 'crewmate',
  }));
}

export function livingIn(crew: Crew): readonly Colour[] {
  return crew.flatMap(({ seat, fate }) => (fate === 'living' ? [seat] : []));
}

function nameIn(persona: string | { readonly name: string } | undefined): string {
  if (persona === undefined) return '';
  return typeof persona === 'string' ? persona : persona.name;
}
