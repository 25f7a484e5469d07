/** `glassbox prompt`: the prompt of a model at a tick, or a sentence about when the player is asked. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { SCENARIO } from './scenario.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, failureLine, jsonLines } from './shell.ts';

const LOBBY = readFileSync(fileURLToPath(new URL('../../examples/skeld.yaml', import.meta.url)));
const cwd = aFolder({ 'a.yaml': SCENARIO, 'ship.yaml': LOBBY });

const prompt = (line: string) => warmGlassbox(['prompt', ...line.split(' ')], { cwd });

describe.concurrent('glassbox prompt', () => {
  test('prints the rules, the transcript so far and the private facts of this player', async () => {
    const { exit, out, err } = await prompt('a.yaml --player blue --tick 2 --level advanced');
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toContain('── system ──\n# The game\n');
    expect(out).toContain('{"transcript": [\n{"speaker": ');
    expect(out).toContain('You are blue, an impostor.');
    expect(out).toContain('Strategy: Stack kills, marinate, third impostor framing');
    expect(out).toContain('- Construct alibis\n');
    expect(out).toContain('"vote_action"');
  });

  test('is the same each time', async () => {
    const [one, other] = await Promise.all([
      prompt('a.yaml --player red --tick 1 --seed 7'),
      prompt('a.yaml --player RED --tick 1 --seed 7'),
    ]);
    expect(one).toEqual(other);
  });

  test('with --json is one object with its blocks and the schema of the reply', async () => {
    const { out } = await prompt('a.yaml --player red --tick 1 --json');
    expect(jsonLines(out)).toMatchObject([
      {
        type: 'prompt',
        v: 1,
        requestKind: 'discussion',
        system: [{ stable: true }, { stable: true }],
        schema: { required: expect.arrayContaining(['vote_action']) },
      },
    ]);
  });

  test.each([
    ['after the reveal', 'a.yaml --player red --request reaction', 'Process the result'],
    ['at the end', 'a.yaml --player red --request consolidation', 'meeting_scratch is erased'],
    ['on the ship', 'ship.yaml --player red --round 0', '# Decide what to do next. You can now'],
  ])('%s', async (_, line, words) => {
    const { exit, out } = await prompt(line);
    expect(exit).toBe(0);
    expect(out).toContain(words);
  });

  test.each([
    ['a tick that is not held', 'a.yaml --player red --tick 999', 'prompt/not-asked', 'ticks 0 to'],
    [
      'a round without a question',
      'ship.yaml --player red --round 99999',
      'prompt/not-asked',
      'rounds 0',
    ],
    [
      'a colour without a seat',
      'a.yaml --player coral --tick 1',
      'prompt/not-seated',
      'seated: red',
    ],
    [
      'nobody by that name',
      'a.yaml --player bob --tick 1',
      'usage/invalid-argument',
      'expected one of red, blue, green',
    ],
    ['no time', 'a.yaml --player red', 'prompt/when', 'expected --tick'],
    ['both times', 'ship.yaml --player red --tick 1 --round 1', 'prompt/when', 'no --tick'],
    [
      'nobody dead',
      'a.yaml --player red --tick 1 --request ghost',
      'prompt/not-asked',
      'at no time',
    ],
  ])('%s is refused with a sentence', async (_, line, code, words) => {
    const { exit, out, err } = await prompt(line);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toMatch(failureLine(`${code}: `));
    expect(err).toContain(words);
  });
});
