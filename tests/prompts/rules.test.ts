import { expect, test } from 'vitest';
import { defaultGameOptions, type GameOptions } from '../../machines/rules/options.ts';
import { SKELD } from '../../machines/rules/ship/map.ts';
import { writeRules } from '../../prompts/rules.ts';
import { writeSelf } from '../../prompts/viewText.ts';
import { anIdentity, crewView } from './views.ts';

function rulesWith(options: Partial<GameOptions>): string {
  const all = { ...defaultGameOptions(8), killCooldown: 30, ...options };
  return writeRules('house', { map: SKELD, options: all }, 'ship');
}

test.each([
  ['as the others', { firstKillCooldown: null }, 'every 30 s at most, use vents'],
  ['said, and as the others', { firstKillCooldown: 30 }, 'every 30 s at most, use vents'],
  [
    'shorter',
    { firstKillCooldown: 10 },
    'every 30 s at most and not in the first 10 s of the game, use vents',
  ],
  [
    'longer',
    { firstKillCooldown: 45 },
    'every 30 s at most and not in the first 45 s of the game, use vents',
  ],
] as const)('the first kill cooldown: %s', (_, options, expected) => {
  expect(rulesWith(options)).toContain(`Impostors kill whoever is in the same place, ${expected}`);
});

test.each([
  [
    'few',
    'only when something happens, and not because players come or go, unless you are an impostor who can kill; until then',
  ],
  ['normal', 'only when something happens; until then'],
  ['all', 'only when something happens, and whenever players come to you or leave you; until then'],
] as const)('attention: %s', (attention, expected) => {
  expect(rulesWith({ attention })).toContain(`You are asked ${expected} you go on`);
});

test('a persona may ask for a language', () => {
  const { you } = crewView();
  const write = (language?: string) =>
    writeSelf({ ...you, persona: { ...you.persona, language } }, anIdentity());
  expect(write()).not.toContain('Write in');
  expect(write('German')).toContain('\nWrite in German.');
});
