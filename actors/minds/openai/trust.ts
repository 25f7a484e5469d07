/** Which endpoints and variables may be used that a journal or a league names: such files come from others, too. */
import { join } from 'node:path';
import { z } from 'zod';
import { isRemote } from '../../../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../../../machines/setup/match.ts';
import type { Disk } from '../../ports/ports.ts';
import { parseBody } from './content.ts';
import { DEFAULT_URL, stripUrl } from './providers.ts';
import { listVariables, type SeatSecrets } from './seats.ts';

const endpointSchema = z.strictObject({
  baseUrl: z.string(),
  /** Names of the environment variables with the key and the values of headers. */
  variables: z.array(z.string()),
});

export type NamedEndpoint = Readonly<z.infer<typeof endpointSchema>>;

export function nameEndpoint(seat: SeatSecrets): NamedEndpoint {
  const { base_url: baseUrl = DEFAULT_URL } = seat;
  return { baseUrl: stripUrl(baseUrl), variables: [...new Set(listVariables(seat))].toSorted() };
}

export function listForeignEndpoints(
  seats: readonly MatchSeat[],
  isTrusted: (endpoint: NamedEndpoint) => boolean,
): readonly string[] {
  const foreign = seats.filter(isRemote).flatMap((seat) => {
    const endpoint = nameEndpoint(seat);
    return isTrusted(endpoint) ? [] : [describeEndpoint(endpoint)];
  });
  return [...new Set(foreign)];
}

export function describeEndpoint({ baseUrl, variables }: NamedEndpoint): string {
  return variables.length === 0 ? baseUrl : `${baseUrl} with ${variables.join(', ')}`;
}

export function isSameEndpoint(one: NamedEndpoint, other: NamedEndpoint): boolean {
  return describeEndpoint(one) === describeEndpoint(other);
}

/** The endpoints that this user has started runs with, one on each line of a file that only they can read. */
export function openOwnEndpoints(stateFolder: string, disk: Disk) {
  const path = join(stateFolder, 'endpoints.jsonl');
  /** An unreadable file, or line, names none. */
  const list = (): readonly NamedEndpoint[] => {
    try {
      const lines = disk.read(path)?.split('\n') ?? [];
      return lines.flatMap((line) => endpointSchema.safeParse(parseBody(line)).data ?? []);
    } catch {
      return [];
    }
  };
  /** Throws the system's error. */
  const add = (seats: readonly MatchSeat[]) => {
    const known = list();
    const named = seats.filter(isRemote).map(nameEndpoint);
    const fresh = named.filter((one) => !known.some((other) => isSameEndpoint(one, other)));
    if (fresh.length === 0) return;
    disk.makeFolder(stateFolder, 'private');
    const file = disk.open(path, 'append', 'private');
    file.write([...new Set(fresh.map((one) => `${JSON.stringify(one)}\n`))].join(''));
    file.close();
  };
  return { list, add };
}
