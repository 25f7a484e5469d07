import type { Line } from '../../../machines/journal/lines.ts';
import { isPerson, isRemote } from '../../../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../../../machines/setup/match.ts';
import type { Colour, Level, Note } from '../../../machines/types.ts';
import type { EnvironmentVariables } from '../../ports/ports.ts';
import { findOwnMindProblem } from '../own/ownMinds.ts';

/** The models that the header of a journal has in its seats. */
export function listModels([header]: readonly Line[]): ReadonlyMap<Colour, string> {
  return new Map(
    listSeats(header).flatMap(({ colour, model }) =>
      model === undefined ? [] : [[colour, model]],
    ),
  );
}

/** The seats of a header; none when it is no header. */
export function listSeats(header: Line | undefined): readonly MatchSeat[] {
  return header?.type === 'match.opened' ? header.match.seats : [];
}

/** Everything that a seat must have before its model, or the operator's own mind, can be asked. */
export function findSeatProblems(
  seats: readonly MatchSeat[],
  env: EnvironmentVariables,
): readonly Note[] {
  const notes = seats.flatMap((seat) => {
    const own = findOwnMindProblem(seat.colour, seat);
    if (own !== null) return [own];
    if (!isRemote(seat)) return [];
    const { colour, model, key } = seat;
    if (model === undefined) {
      const text = `${colour}: mind openai wants the name of a model (model: …), found none`;
      return [{ code: 'model/no-name', text }];
    }
    if (key !== undefined && !env[key]) {
      const text = `expected a key in the environment variable ${key}, which is not set`;
      return [{ code: 'model/no-key', text }];
    }
    return [];
  });
  return [...new Map(notes.map((note) => [note.text, note])).values()];
}

/** Where a seat without a base URL is asked. */
const OPENAI = 'https://api.openai.com/v1';

const OPENAI_KEY = 'OPENAI_API_KEY';

/** The endpoint of a seat; the key is read from the environment and kept nowhere. */
export function findEndpoint(
  { model = '', base_url: baseUrl = OPENAI, key }: MatchSeat,
  env: EnvironmentVariables,
) {
  const variable = key ?? (baseUrl === OPENAI ? OPENAI_KEY : undefined);
  return { baseUrl, model, apiKey: variable === undefined ? null : (env[variable] ?? null) };
}

/** A mind by its kind, with what that kind must be told. */
export type MindChoice = Pick<MatchSeat, 'mind' | 'command' | 'url' | 'module' | 'folder'>;

/** What is said of all minds at once, over whatever a file says of each seat. */
export type SeatOverrides = {
  /** The mind of every seat but those of people. */
  readonly mind?: MindChoice;
  /** The seats for which it is said; all where none is named. */
  readonly seat?: readonly Colour[];
  /** A model for every seat but those of people. */
  readonly model?: string;
  readonly baseUrl?: string;
  /** Name of the environment variable that holds the key. */
  readonly key?: string;
  readonly level?: Level;
};

/** The seats with the model or the mind in each but those of people. */
export function overrideSeats<S extends MatchSeat>(
  seats: readonly S[],
  { model, mind, seat: only, baseUrl, key, level }: SeatOverrides,
): readonly S[] {
  return seats.map((seat) => {
    if (only !== undefined && !only.includes(seat.colour)) return seat;
    return {
      ...seat,
      ...(model === undefined || isPerson(seat) ? {} : { mind: 'openai' as const, model }),
      ...(mind === undefined || isPerson(seat) ? {} : mind),
      ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
      ...(key === undefined ? {} : { key }),
      ...(level === undefined ? {} : { level }),
    };
  });
}

export function hasModels(seats: readonly MatchSeat[]): boolean {
  return seats.some(isRemote);
}
