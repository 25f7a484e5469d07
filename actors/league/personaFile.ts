/** Persona files: who somebody is at the table, in a file of their own that several leagues can share. */
import { type PersonaFile, personaFileSchema } from '../../prompts/personas.ts';
import { type FileKind, readConfig } from '../engine/configFile.ts';

const PERSONA: FileKind<PersonaFile> = {
  schema: personaFileSchema,
  area: 'persona',
  noun: 'persona',
  keys: 'name, temperament, character and voice',
};

/** What a league takes from a persona file; the name of its records is the league's own. */
export type Character = Omit<PersonaFile, 'name' | 'version'>;

/** Reads the text of a persona file, and whether it makes sense. */
export function readPersona(text: string) {
  const reading = readConfig(PERSONA, text);
  if (!reading.ok) return reading;
  const { name: _name, version: _version, ...persona } = reading.value;
  return { ok: true as const, persona: persona satisfies Character };
}
