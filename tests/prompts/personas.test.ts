import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { LEVELS, TEMPERAMENTS } from '../../machines/types.ts';
import {
  ADVICE,
  ADVICE_AT_TABLE,
  createIdentity,
  KNOWLEDGE,
  PERSONAS,
  personaFileSchema,
  pickIdentity,
  REMINDERS,
} from '../../prompts/personas.ts';

/** The fingerprint of each shipped name and version. To edit a persona, raise its version and add a line. */
const SHIPPED: Readonly<Record<string, string>> = {
  'aggressive_leader@1': 'e455780b2431191a',
  'cold_sceptic@1': 'b030b9ccdd95ac09',
  'dry_joker@1': '9c5b9bff6b400181',
  'hot_accuser@1': '082483082e134d2c',
  'loyal_follower@1': '4a5477100d09b9bb',
  'quiet_observer@1': '1fc9c6e90efc9a41',
  'smooth_diplomat@1': '76908ffb7efedecc',
};

describe('a persona', () => {
  test.each(TEMPERAMENTS)('for the temperament %s is one that a file could hold', (temperament) => {
    expect(personaFileSchema.parse(PERSONAS[temperament])).toEqual(PERSONAS[temperament]);
    expect(PERSONAS[temperament].temperament).toBe(temperament);
  });

  test('a persona becomes an identity with its lessons and the requested level', () => {
    const { character, voice, level } = PERSONAS.leader;
    const learned = ['Ask for a path first.'];
    const identity = { character, voice, level, learned, game: 'g' };
    expect(createIdentity(PERSONAS.leader, 'g', learned)).toEqual(identity);
    const asked = pickIdentity({ temperament: 'leader' }, 'g', 'none');
    expect(asked).toEqual({ ...identity, learned: [], level: 'none' });
  });

  test('has a name of its own', () => {
    const names = Object.values(PERSONAS).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test('of an example file is read by the same schema', () => {
    const folder = fileURLToPath(new URL('../../examples/personas/', import.meta.url));
    const files = globSync('*.yaml', { cwd: folder });
    expect(files).not.toEqual([]);
    for (const file of files) {
      const persona = personaFileSchema.parse(parse(readFileSync(join(folder, file), 'utf8')));
      expect(`${persona.name}.yaml`).toBe(file);
    }
  });

  test('never changes under its version', () => {
    const now = Object.values(PERSONAS).map((persona) => {
      const print = createHash('sha256').update(JSON.stringify(persona)).digest('hex').slice(0, 16);
      return [`${persona.name}@${persona.version}`, print] as const;
    });
    expect(SHIPPED).toMatchObject(Object.fromEntries(now));
  });

  test.each(['name', 'version', 'level', 'character', 'voice', 'temperament'])(
    'without its %s is refused, with the name of the field',
    (field) => {
      const rest = Object.fromEntries(
        Object.entries(PERSONAS.leader).filter(([name]) => name !== field),
      );
      const { error } = personaFileSchema.safeParse(rest);
      expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([field]);
    },
  );
});

describe('ruling 42: strategy', () => {
  test('the words of the design, level by level', () => {
    expect(KNOWLEDGE).toEqual({
      none: 'Just rules, figure it out',
      basic: 'Impostors vent, fake tasks, sabotage',
      intermediate: 'Watch for inconsistent alibis, pair up',
      advanced: 'Stack kills, marinate, third impostor framing',
    });
    expect(ADVICE.none.toLowerCase()).toBe('figure it out');
    expect(ADVICE.basic).toBe("Blend in, fake tasks, don't vent in front of others");
    expect(ADVICE.intermediate).toBe(ADVICE.basic);
    expect(ADVICE.advanced).toBe('Marinate teammate, frame third party, avoid double kills');
    // At the table without the parts about deeds on the ship (ruling 65).
    for (const level of LEVELS) {
      expect(ADVICE[level].startsWith(ADVICE_AT_TABLE[level])).toBe(true);
      expect(ADVICE_AT_TABLE[level]).not.toMatch(/vent|fake|kills/);
    }
    expect(LEVELS).toHaveLength(4);
  });

  test('the reminders of the design, word for word', () => {
    expect(REMINDERS).toEqual([
      'You are allowed to lie',
      'Construct alibis',
      'Deflect suspicion',
      "You know fellow impostors — don't expose them",
      'You know who you killed — avoid contradicting yourself',
    ]);
  });
});
