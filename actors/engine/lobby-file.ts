/** Lobby files: YAML from outside becomes a lobby, or a list of what is wrong with it and where. */
import { type Lobby, lobbySchema } from '../../machines/setup/lobby.ts';
import type { Note } from '../../machines/types.ts';
import { type Kind, readFileOf } from './scenario-file.ts';

export type LobbyReading =
  | { readonly ok: true; readonly lobby: Lobby }
  | { readonly ok: false; readonly notes: readonly Note[] };

const LOBBY: Kind<Lobby> = {
  schema: lobbySchema,
  area: 'game',
  noun: 'lobby',
  keys: 'name and seats',
};

/** Reads the text of a lobby file. */
export function readLobby(text: string): LobbyReading {
  const reading = readFileOf(LOBBY, text);
  return reading.ok ? { ok: true, lobby: reading.value } : reading;
}
