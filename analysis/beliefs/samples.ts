/**
 * What the players of a journal have stated, sorted for counting.
 *
 * A pair is a player who was asked and another of whom it was asked. What is kept of a journal is plain data and small, so
 * that it can be remembered and come from another thread.
 */
import type { Line } from '../../machines/journal/lines.ts';
import type { BeliefMoment, BeliefSource, Colour, Role } from '../../machines/types.ts';

/** Whose beliefs, and when. */
export type BeliefGroup = {
  readonly persona: string;
  readonly role: Role;
  readonly source: BeliefSource;
  readonly moment: BeliefMoment;
};

/** What the players of a group have stated in one journal. */
export type BeliefSample = BeliefGroup & {
  /** The probabilities, from 0 to 1, that were stated of impostors and of crewmates. */
  readonly ofImpostors: readonly number[];
  readonly ofCrew: readonly number[];
  /** Pairs without one, by the code of why. */
  readonly missing: Readonly<Record<string, number>>;
};

/** The beliefs that a journal has, in the order of the seats and moments; none where nobody was asked. */
export function collectBeliefs(lines: readonly Line[]): readonly BeliefSample[] {
  const [header] = lines;
  if (header?.type !== 'match.opened') return [];
  const seats = new Map<Colour, { readonly role: Role; readonly persona: string }>();
  for (const { colour, role = 'crewmate', persona } of header.match.seats) {
    const name = typeof persona === 'string' ? persona : (persona?.name ?? '');
    seats.set(colour, { role, persona: name });
  }
  const drafts = new Map<string, SampleDraft>();
  for (const line of lines) {
    const own = line.type === 'belief.stated' ? seats.get(line.seat) : undefined;
    if (line.type !== 'belief.stated' || own === undefined) continue;
    const group = { ...own, source: line.source, moment: line.moment };
    const key = JSON.stringify(group);
    const draft = drafts.get(key) ?? { ...group, ofImpostors: [], ofCrew: [], missing: {} };
    drafts.set(key, draft);
    for (const about of line.about) {
      const share = line.probabilities[about];
      if (share === undefined) {
        const code = line.fault ?? line.missing?.[about] ?? '';
        draft.missing[code] = (draft.missing[code] ?? 0) + 1;
      } else if (seats.get(about)?.role === 'impostor') draft.ofImpostors.push(share);
      else draft.ofCrew.push(share);
    }
  }
  return [...drafts.values()];
}

type SampleDraft = BeliefGroup & {
  readonly ofImpostors: number[];
  readonly ofCrew: number[];
  readonly missing: Record<string, number>;
};
