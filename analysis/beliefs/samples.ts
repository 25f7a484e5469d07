/** Beliefs in a journal as small plain samples. A pair is a player who was asked and one who was asked about. */
import type { Line } from '../../machines/journal/lines.ts';
import type { BeliefMoment, BeliefSource, Role } from '../../machines/types.ts';
import { addCount, nameSeat } from '../counts/accounts.ts';

export type BeliefGroup = {
  readonly persona: string;
  readonly role: Role;
  readonly source: BeliefSource;
  readonly moment: BeliefMoment;
};

export type BeliefSample = BeliefGroup & {
  readonly ofImpostors: readonly number[];
  readonly ofCrew: readonly number[];
  /** Pairs without a probability, by code. */
  readonly missing: Readonly<Record<string, number>>;
};

/** The samples of a journal, in the order of seats and moments; empty if no player was asked. */
export function collectBeliefs(lines: readonly Line[]): readonly BeliefSample[] {
  const [header] = lines;
  if (header?.type !== 'match.opened') return [];
  const seats = new Map(
    header.match.seats.map((seat) => {
      return [seat.colour, { role: seat.role ?? 'crewmate', persona: nameSeat(seat) ?? '' }];
    }),
  );
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
        addCount(draft.missing, line.fault ?? line.missing?.[about] ?? '');
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
