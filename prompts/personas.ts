/** Personas, pinned and versioned: a career belongs to one, so whoever edits its text raises its version. */

import { z } from 'zod';
import {
  LEVELS,
  type Level,
  type Persona,
  TEMPERAMENTS,
  type Temperament,
} from '../machines/types.ts';

export type Identity = {
  readonly level: Level;
  /** Lessons of earlier games, in the player's own words. */
  readonly learned: readonly string[];
  readonly character: string;
  readonly voice: string;
  /** Identifies the game to the provider, so that its players share a cache. It is not part of the text. */
  readonly game: string;
};

export const personaFileSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,39}$/, 'expected lower-case letters, digits and underscores')
    .describe('What records are kept under'),
  version: z.int().min(1).describe('Raise it when you change anything below'),
  temperament: z.enum(TEMPERAMENTS).describe('How the offline mind of this persona plays'),
  level: z.enum(LEVELS).describe('How much strategy advice the model gets'),
  character: z.string().min(1).max(600),
  voice: z.string().min(1).max(300),
});
export type PersonaFile = z.output<typeof personaFileSchema>;

export const PERSONAS: Readonly<Record<Temperament, PersonaFile>> = {
  leader: definePersona('aggressive_leader', 'leader', 'intermediate', {
    character:
      'You take charge. You put questions to people by name, weigh the answers aloud and push the table towards a vote. You would rather be wrong early than late, and you own it when you are.',
    voice: 'Short sentences, orders, names. No hedging.',
  }),
  observer: definePersona('quiet_observer', 'observer', 'intermediate', {
    character:
      'You listen first. You keep count of who was where and speak when two stories do not fit together. You do not guess.',
    voice: 'Calm and exact: places, times, who with. One point at a time.',
  }),
  accuser: definePersona('hot_accuser', 'accuser', 'basic', {
    character:
      'You smell lies and say so at once. You press one suspect until they explain themselves, and move on when they do.',
    voice: 'Blunt, direct, a little too loud. You ask "why?" a lot.',
  }),
  joker: definePersona('dry_joker', 'joker', 'basic', {
    character:
      'You take the tension out of the room, and hide sharp observations in jokes. You are harder to read than you look.',
    voice: 'Dry, quick, self-mocking. At most one joke in a message.',
  }),
  follower: definePersona('loyal_follower', 'follower', 'none', {
    character:
      'You trust whoever has a good story and back them openly. You change sides only for a reason that you can name.',
    voice: 'Friendly, brief, a bit unsure.',
  }),
  sceptic: definePersona('cold_sceptic', 'sceptic', 'advanced', {
    character:
      'You believe nothing that was not seen. You test every claim against your own path, and you doubt accusers as much as the accused.',
    voice: 'Measured, precise, with counter-questions.',
  }),
  diplomat: definePersona('smooth_diplomat', 'diplomat', 'advanced', {
    character:
      'You keep the peace and everybody on your side. You find words that both parties can agree to, and steer without seeming to.',
    voice: 'Warm and polite. You credit others by name.',
  }),
};

export function pickIdentity(
  { temperament }: Pick<Persona, 'temperament'>,
  game: string,
  level?: Level,
): Identity {
  const persona = PERSONAS[temperament];
  return createIdentity(level === undefined ? persona : { ...persona, level }, game, []);
}

export function createIdentity(
  { level, character, voice }: PersonaFile,
  game: string,
  learned: readonly string[],
): Identity {
  return { level, learned, character, voice, game };
}

function definePersona(
  name: string,
  temperament: Temperament,
  level: Level,
  words: Pick<PersonaFile, 'character' | 'voice'>,
): PersonaFile {
  return { name, version: 1, temperament, level, ...words };
}

/* Strategy: everybody gets general knowledge, and impostors get advice of the same level (rulings 42 and 65). */

export const KNOWLEDGE: Readonly<Record<Level, string>> = {
  none: 'Just rules, figure it out',
  basic: 'Impostors vent, fake tasks, sabotage',
  intermediate: 'Watch for inconsistent alibis, pair up',
  advanced: 'Stack kills, marinate, third impostor framing',
};

const BLEND_IN = 'Blend in';
const FRAME = 'Marinate teammate, frame third party';
const BASIC_ADVICE = `${BLEND_IN}, fake tasks, don't vent in front of others`;

/** Definitions of those words for models that do not know the game. */
export const TERMS: Partial<Readonly<Record<Level, string>>> = {
  advanced:
    'stacking kills is killing where several players stand, so that any may have done it; marinating is leaving a player alive for later use; third impostor framing is talking as if a crewmate were an impostor.',
};

export const ADVICE: Readonly<Record<Level, string>> = {
  none: 'Figure it out',
  basic: BASIC_ADVICE,
  intermediate: BASIC_ADVICE,
  advanced: `${FRAME}, avoid double kills`,
};

/** Without the advice about deeds on the ship. */
export const ADVICE_AT_TABLE: typeof ADVICE = {
  ...ADVICE,
  basic: BLEND_IN,
  intermediate: BLEND_IN,
  advanced: FRAME,
};

/** Reminders for every impostor at meetings, on any level. */
export const REMINDERS = [
  'You are allowed to lie',
  'Construct alibis',
  'Deflect suspicion',
  "You know fellow impostors — don't expose them",
  'You know who you killed — avoid contradicting yourself',
] as const;
