import { describe, expect, test } from 'vitest';
import { always, atFirst } from '../../../support/endpoint/case.ts';
import { completionBody, json, page, said } from '../../../support/endpoint/sent.ts';
import { GOOD, GOOD_TEXT } from '../../../support/endpoint/words.ts';
import { ask } from './asking.ts';

describe('bodies', () => {
  const good = completionBody({ content: GOOD_TEXT }, 'stop');
  const whole = JSON.stringify(good);
  const deep = '['.repeat(30_000);
  test.each([
    ['zipped', { ...json(200, good), isZipped: true }, 1],
    ['with a byte order mark', page(200, `\uFEFF${whole}`), 1],
    ['usage null', json(200, { ...good, usage: null }), 1],
    ['duplicate keys', said(`{"desire_to_speak":1,${GOOD_TEXT.slice(1)}`), 1],
    ['half a character', said('{"desire_to_speak": 3, "message": "\\ud800"}'), 1],
    ['20 kB', said(JSON.stringify({ ...GOOD, message: 'a '.repeat(10_000) })), 1],
    ['a speaker that is somebody else', said(JSON.stringify({ speaker: 'blue', ...GOOD })), 1],
    ['NaN', said('{"desire_to_speak": NaN, "message": ""}'), 1],
    ['30,000 brackets as content', said(deep), 2],
    ['30,000 braces as content', said('{"a":'.repeat(30_000)), 2],
    ['30,000 brackets as body', page(200, deep), 2],
    ['30,000 closed brackets as body', page(200, `${deep}${']'.repeat(30_000)}`), 2],
    ['30,000 closed brackets in an error', page(400, `{"error":${deep}${']'.repeat(30_000)}}`), 2],
    ['no body', page(200, ''), 2],
    ['204', page(204, ''), 2],
    ['null', json(200, null), 2],
  ])('%s', async (_, sends, calls) => {
    const outcome = await ask([calls === 1 ? always({ ...sends }) : atFirst(sends)]);
    expect(outcome.reply).toMatchObject({ ok: true, calls });
  });
});

describe('answers that are none', () => {
  const vote = '{"desire_to_speak":9,"message":"","vote_action":"blue"}';
  test.each([
    ['cut within the object', `{"desire_to_speak": 3, "vote_action": "re`],
    ['an example, then cut within the object', `${vote}\n{"desire_to_speak": 3, "vote`],
    ['nothing but thoughts', `<think>I could say ${vote}</think>`],
    ['thoughts that never end', `<think>I could say ${vote}`],
    ['thoughts whose beginning is missing', `I could say ${vote}</think>`],
    ['a thought after which nothing comes', `Well.<think>${vote}</think>`],
    ['the brace of a thought', `<think>if {x then ${vote}</think>`],
  ])('no vote is taken from %s', async (_, text) => {
    const outcome = await ask([atFirst(said(text))]);
    expect(outcome.reply).not.toMatchObject({ received: { desire_to_speak: 9 } });
    expect(outcome.reply).toMatchObject({ ok: true, calls: 2 });
  });
});
