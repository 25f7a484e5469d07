/** `glassbox prompt`: the prompt of a model at a tick, or a sentence about when the player is asked. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SCENARIO } from './matches.ts';
import { aPlace } from './session.ts';
import { expectEnd, expectQuiet } from './shell.ts';

const LOBBY = readFileSync(new URL('../../examples/skeld.yaml', import.meta.url));
const { run } = aPlace({ 'a.yaml': SCENARIO, 'ship.yaml': LOBBY });
const prompt = (line: string) => run(`prompt ${line}`);

describe.concurrent('glassbox prompt', () => {
  test('prints the rules, the transcript so far and the private facts of this player', async () => {
    const out = expectQuiet(await prompt('a.yaml --player blue --tick 2 --level advanced'));
    for (const words of [
      '── system ──\n# The game\n',
      '{"transcript": [\n{"speaker":',
      'You are blue, an impostor.',
      'Strategy: Stack kills, marinate, third impostor framing',
      '- Construct alibis\n',
      '"vote_action"',
    ])
      expect(out).toContain(words);
  });

  test('is the same each time', async () => {
    const one = await prompt('a.yaml --player red --tick 1 --seed 7');
    expect(await prompt('a.yaml --player RED --tick 1 --seed 7')).toEqual(one);
  });

  test('with --json is one object with its blocks and the schema of the reply', async () => {
    const { out } = await prompt('a.yaml --player red --tick 1 --json');
    expect(JSON.parse(out)).toMatchObject({
      ...{ type: 'prompt', v: 1, requestKind: 'discussion' },
      system: [{ stable: true }, { stable: true }],
      schema: { required: expect.arrayContaining(['vote_action']) },
    });
  });

  test.each([
    ['after the reveal', 'a.yaml --player red --request reaction', 'Process the result'],
    ['at the end', 'a.yaml --player red --request consolidation', 'meeting_scratch is erased'],
    ['on the ship', 'ship.yaml --player red --round 0', '# Decide what to do next. You can now'],
    ['after the game', 'ship.yaml --player red --request reflection', '# What you did yourself'],
  ])('%s', async (_, line, words) => {
    const { exit, out } = await prompt(line);
    expect(exit).toBe(0);
    expect(out).toContain(words);
  });

  test.each([
    ['a.yaml --player red --tick 999', 'prompt/not-asked', 'ticks 0 to'],
    ['ship.yaml --player red --round 99999', 'prompt/not-asked', 'rounds 0'],
    ['a.yaml --player coral --tick 1', 'prompt/not-seated', 'seated: red'],
    ['a.yaml --player bob --tick 1', 'usage/invalid-argument', 'expected one of red, blue, green'],
    ['a.yaml --player red', 'prompt/when', 'expected --tick'],
    ['ship.yaml --player red --tick 1 --round 1', 'prompt/when', 'no --tick'],
    ['a.yaml --player red --tick 1 --request ghost', 'prompt/not-asked', 'at no time'],
  ])('%s is refused with a sentence', async (line, code, words) => {
    const found = await prompt(line);
    expectEnd(found, 2, `${code}: `, words);
    expect(found.out).toBe('');
  });
});
