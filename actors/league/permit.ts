/** The minds and hosts that a worker's operator allows. Anybody who can write to the Redis can queue a league. */
import { isOwn, isRemote } from '../../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import type { Note } from '../../machines/types.ts';
import { findKeyVariable } from '../minds/openai/providers.ts';
import type { MindChoice, SeatSecrets } from '../minds/openai/seats.ts';
import { describeEndpoint, nameEndpoint } from '../minds/openai/trust.ts';
import { listWords } from '../minds/own/ownMinds.ts';

/** An origin, such as https://api.openai.com, and the variables it may get in addition to its provider's usual key. */
export type PermittedHost = { readonly origin: string; readonly variables: readonly string[] };

export type Permit = {
  /** Own minds, each with the folder where it is started. */
  readonly minds: readonly MindChoice[];
  readonly hosts: readonly PermittedHost[];
};

/** The minds and hosts of the operator's own league. A run that joins as a worker allows nothing else. */
export function permitOf(personas: readonly (MindChoice & SeatSecrets)[]): Permit {
  return {
    minds: personas.filter(isOwn),
    hosts: personas.filter(isRemote).map((persona) => {
      const { baseUrl, variables } = nameEndpoint(persona);
      return { origin: URL.parse(baseUrl)?.origin ?? '', variables };
    }),
  };
}

/** Reads "api.openai.com" or "my.host:8000=KEY,OTHER"; without a scheme https, and http on this machine. Null: no host. */
export function readPermittedHost(text: string): PermittedHost | null {
  const [host = '', keys] = text.split('=', 2);
  const scheme = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|$)/.test(host) ? 'http' : 'https';
  const url = URL.parse(/^https?:\/\//.test(host) ? host : `${scheme}://${host}`);
  const variables = keys?.split(',') ?? [];
  if (url === null || variables.some((name) => !/^[A-Za-z_]\w*$/.test(name))) return null;
  return { origin: url.origin, variables };
}

/** The seat with its mind where the operator has it. Without a permit, the league is the operator's own. */
export function placeSeat(seat: MatchSeat, permit: Permit | undefined): MatchSeat {
  const mind = isOwn(seat) ? permit?.minds.find((one) => isSameMind(one, seat)) : undefined;
  return mind === undefined ? seat : { ...seat, folder: mind.folder ?? '.' };
}

export function findForbidden(
  seats: readonly MatchSeat[],
  permit: Permit | undefined,
): readonly Note[] {
  if (permit === undefined) return [];
  return seats.flatMap((seat) => {
    const { colour } = seat;
    if (isOwn(seat) && !permit.minds.some((one) => isSameMind(one, seat))) {
      const text = `${colour}: the league names a mind (${nameMind(seat)}) that this worker may not run; --run-minds lists those that it may`;
      return [{ code: 'worker/mind-not-allowed', text }];
    }
    if (isRemote(seat) && !permit.hosts.some((one) => isPermitted(seat, one))) {
      const named = describeEndpoint(nameEndpoint(seat));
      const text = `${colour}: the league names an endpoint (${named}) that this worker may not ask; --allow-host lists those that it may`;
      return [{ code: 'worker/host-not-allowed', text }];
    }
    return [];
  });
}

function isPermitted(seat: MatchSeat, { origin, variables }: PermittedHost): boolean {
  const { baseUrl, variables: asked } = nameEndpoint(seat);
  const usual = findKeyVariable(baseUrl);
  return (
    URL.parse(baseUrl)?.origin === origin &&
    asked.every((name) => name === usual || variables.includes(name))
  );
}

function isSameMind(one: MindChoice, seat: MatchSeat): boolean {
  return one.mind === seat.mind && nameMind(one) === nameMind(seat);
}

function nameMind({ mind, command, url, module }: MindChoice): string {
  return JSON.stringify([mind, mind === 'command' ? listWords(command) : (url ?? module)]);
}
