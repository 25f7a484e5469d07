/** Hostile text: control characters in a file or its name never reach the terminal, and JSON stays valid. */
import { describe, expect, test } from 'vitest';
import { forged } from '../actors/engine/journal/records.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { aPlace } from './session.ts';
import { glassbox, jsonLines } from './shell.ts';

/** Colours, a window title, a bell, C1 controls, a direction override, a zero-width character, a tag, a line break. */
const EVIL = '\x1b[31m\x1b]0;t\x07\b\x9b2J\u202egnp\u200b\u2028\u{E0041}\x7f\r\nRD Red: me';
/** Characters that a terminal obeys or people cannot see. Every line ends with a line break. */
const RAW = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const word = JSON.stringify(EVIL);
const SCENARIO = `name: ${word}
about: ${word}
call: { by: red }
seats:
  - { colour: red, notes: ${word}, persona: { name: ${word}, temperament: leader, notes: ${word} } }
  - { colour: blue, role: impostor }
  - { colour: green }
  - { colour: pink }
`;
const NAME = EVIL.replaceAll('\n', '').replaceAll('\r', '');

describe.concurrent('hostile text', () => {
  testLong('in a match, in messages and in the names of files', async () => {
    const place = aPlace({ [`${NAME}.yaml`]: SCENARIO });
    const clean = async (...args: readonly string[]) => {
      const { exit, out, err } = await glassbox(args, place);
      expect(`${out}${err}`).not.toMatch(RAW);
      return { exit, out };
    };
    const path = `${NAME}.jsonl`;
    const meeting = await clean('run', `${NAME}.yaml`, '--seed', '1', '--out', path);
    expect(meeting).toMatchObject({ exit: 0, out: expect.stringContaining('gnp') });
    const edited = forged(place.read(path), (row) => {
      const said = row['said'];
      return said instanceof Object ? { ...row, said: { ...said, message: EVIL } } : row;
    });
    const forgery = aPlace({ 'evil.jsonl': edited }).path('evil.jsonl');
    const table = await clean('watch', forgery);
    expect(table).toMatchObject({ exit: 0, out: expect.stringContaining('“gnp') });
    const json = await clean('watch', forgery, '--json');
    expect(jsonLines(json.out).map(({ said }) => said)).toContainEqual(
      expect.objectContaining({ message: EVIL }),
    );
    const transcript = await clean('transcript', forgery);
    expect(JSON.parse(transcript.out).transcript[0].message).toBe(EVIL);
    expect(await clean('verify', forgery)).toMatchObject({ exit: 1 });
    const verdict = await clean('verify', forgery, '--json');
    expect(jsonLines(verdict.out)[0]).toMatchObject({ replay: { type: 'different' } });
  });

  test.each([
    ['a file that is not there', ['run', `${NAME}.yaml`]],
    ['a command', [NAME]],
    ['an option', [`--${NAME}`]],
    ['a value', ['run', 'electrical', '--seed', NAME]],
    ['a key', ['run', '-', '--json'], `${word}: 1\n`],
    ['what is no YAML', ['run', '-'], `name: [\x9b31m\u202e`],
    ['what is no journal', ['watch', '-'], EVIL],
  ])('in %s', async (_, args, input = '') => {
    const { exit, out, err } = await glassbox(args, { input });
    expect(exit).not.toBe(0);
    expect(err).toMatch(/^glassbox: /);
    expect(out + err).not.toMatch(RAW);
  });
});

describeLong.concurrent('colours', () => {
  test.each([
    ['are not for pipes', {}, false],
    ['are not for those who do not want them', { NO_COLOR: '1' }, false],
    ['are there for those who ask', { FORCE_COLOR: '1' }, true],
  ])('%s', async (_, env, isColoured) => {
    const { out } = await glassbox('run electrical --seed 1 --out /dev/null', { env });
    expect(out.includes('\x1b')).toBe(isColoured);
  });
});
