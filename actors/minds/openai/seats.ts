import type { Line } from '../../../machines/journal/lines.ts';
import { isRemote } from '../../../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../../../machines/setup/match.ts';
import type { Colour, Note } from '../../../machines/types.ts';
import type { EnvironmentVariables } from '../../ports/ports.ts';

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

/** Everything that a seat must have before its model can be asked. */
export function findSeatProblems(
  seats: readonly MatchSeat[],
  env: EnvironmentVariables,
): readonly Note[] {
  const notes = seats.flatMap((seat) => {
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
