import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../actors/minds/openai/answer.ts';
import { isRecord, readField } from '../../machines/text.ts';
import {
  extractObject,
  findFields,
  judgeObject,
  judgeProse,
  nameOf,
} from '../../prompts/extraction.ts';
import { cutThoughts, readSpoken } from '../../prompts/marks.ts';
import { readOrder } from '../../prompts/order.ts';
import { readReply } from '../../prompts/reply.ts';
import { QUESTION } from '../actors/minds/openai/asking.ts';
import { expectGolden } from '../support/golden.ts';
import { ACTIONS, AFTER, ANSWERS, BEFORE, QUOTED, SPEECH, SPEECHES_AFTER } from './corpus.ts';
import { crewMoment, impostorMoment } from './views.ts';

const fits = (value: object) => 'vote' in value;
const judge = (value: object) => (fits(value) ? 'whole' : 'none');
const GOOD = '{"say": "It was Blue.", "vote": "blue"}';
const DECOY = '{"vote": "red"}';

describe('intended objects', () => {
  test.each([
    ['alone', GOOD],
    ['in a fence', `Here:\n\`\`\`json\n${GOOD}\n\`\`\`\nGood luck!`],
    ['after an example', `For example ${DECOY}. My answer: ${GOOD}`],
    ['after two drafts', `${DECOY}\n{"vote": "green"}\nMy final answer:\n${GOOD}`],
    ['after a thought', `<think>${DECOY}</think>${GOOD}`],
    ['after a thought with a brace', `<think>{ if x then</think>${GOOD}`],
    ['after several thoughts', `<think>{</think><thinking>${DECOY}</thinking> ${GOOD}`],
    ['after a thought whose beginning is missing', `${DECOY} no…</think>${GOOD}`],
    ['before a thought', `${GOOD}<think>${DECOY}</think>`],
    ['before a thought that never ends', `${GOOD}<think>Or ${DECOY}`],
    ['in a list', `[${GOOD}]`],
    ['in a string', JSON.stringify(GOOD)],
    ['with something after it', `${GOOD}</tool_call> {curly}`],
    ['before an object that is something else', `${GOOD} {"note": 1}`],
    ['with a thought in its words', GOOD.replace('It was', '</think>{\\"vote\\":\\"red\\"}')],
    ['with braces in its words', GOOD.replace('It was', '{"vote": '.replaceAll('"', '\\"'))],
    ['after a long text', `${'x'.repeat(200_100)} ${GOOD}`],
    ['after many that are something else', `${'{"note": 1}\n'.repeat(70)}${GOOD}`],
    ['as Python writes it', "{'say': \"I'm safe\", 'vote': 'blue', 'x': None,}"],
    ['with a comment', `{"vote": "blue", // sure\n"say": ""}`],
  ])('%s', (_, text) => {
    expect(extractObject(text, judge)).toMatchObject({ type: 'found', value: { vote: 'blue' } });
  });
});

test.each([
  ['without its first brace', GOOD.slice(1), true],
  ['that is written twice, at last correctly', `${GOOD.replaceAll('"', "'")}\n${GOOD}`, false],
  ['in a fence', `\`\`\`\n${GOOD}\n\`\`\``, false],
])('an answer %s is repaired: %s', (_, text, isRepaired) => {
  expect(extractObject(text, judge)).toMatchObject({ type: 'found', isRepaired });
});

describe('what breaks off', () => {
  test.each([
    ['within a word', '{"say": "It was Blue.", "vote": "bl'],
    ['before the brace', '{"say": "", "vote": "blue"'],
    ['after an example', `${DECOY} {"say": "`],
    ['with an object in the words that were left', `{"say": "</think>{\\"vote\\":\\"red\\"}`],
    ['right after the brace', '{'],
  ])('%s', (_, text) => {
    expect(extractObject(text, judge)).toEqual({ type: 'cut' });
  });

  test('no beginning of an answer is an answer', () => {
    const lengths = fc.nat({ max: GOOD.length - 1 });
    fc.assert(
      fc.property(
        lengths,
        (length) => extractObject(GOOD.slice(0, length), judge).type !== 'found',
      ),
    );
  });
});

describe('texts without an answer', () => {
  test.each([
    ['nothing', ''],
    ['prose', 'I think Red is suspicious because he vented.'],
    ['thoughts alone', `<think>${DECOY}</think>`],
    ['thoughts that never end', `<think>${DECOY}`],
    ['another object', '{"note": 1}'],
    ['brackets without end', '['.repeat(30_000)],
  ])('%s', (_, text) => {
    expect(extractObject(text, judge)).toEqual({ type: 'none' });
  });

  test('no text throws or is taken for an answer without a vote', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '"',
      "'",
      '[',
      '\\',
      '<think>',
      '</think>',
      GOOD,
      'vote',
      ':',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 30 }), (parts) => {
        const found = extractObject(parts.join(''), judge);
        return found.type !== 'found' || fits(found.value);
      }),
    );
  });
});

test.each([
  ["I'm sorry, but I can't help with deceiving people.", 'refusal'],
  ['I cannot participate in this.', 'refusal'],
  ['I’m not able to continue with this request.', 'refusal'],
  ['As an AI I must decline to accuse Blue.', 'refusal'],
  ['This is against my guidelines.', 'refusal'],
  ['Non posso partecipare a un gioco di inganni.', 'aside'],
  ['申し訳ありませんが、お手伝いできません。', 'aside'],
  ['Error: upstream connect error or disconnect/reset before headers', 'error'],
  ['litellm.InternalServerError: OpenAIException', 'error'],
  ['502 Bad Gateway', 'error'],
  ['<html><body>Red</body></html>', 'error'],
  ['The server is overloaded, please try again later.', 'error'],
  ['I think Red is suspicious because he vented.', 'play'],
  ['Sorry, I was in Electrical.', 'play'],
  ["I can't help but notice that Red was alone.", 'play'],
  ['message: hello\nvote_action: null', 'play'],
  ['{}', 'play'],
])('%s is taken as %s', (text, kind) => {
  expect(judgeProse(text, ['message', 'vote_action'])).toBe(kind);
});

test.each<[object, string]>([
  [{ error: 'bad' }, 'error'],
  [{ error: '' }, 'play'],
  [{ error: 'As an AI model this is wrong' }, 'error'],
  [{ error: "I'm sorry, I can't help with that" }, 'refusal'],
  [{ error: 'x', message: 'hi', vote_action: 'blue' }, 'play'],
  [{ refusal: 'No.' }, 'refusal'],
  [{ refusal: '' }, 'play'],
  [{ message: 'hello there', code: 3 }, 'error'],
  [{ message: 'hello there', code: 0 }, 'play'],
  [{ a: { b: 'one thing', c: 'two', d: 'three' } }, 'play'],
  [{ a: 'abcdefghijkl' }, 'aside'],
  [{ a: 'abcdefghijk' }, 'play'],
  [{ a: 'abcdef', b: 'ghijkl', c: 'mnopqr' }, 'play'],
])('%j is taken as %s', (value, kind) => {
  expect(judgeObject(value, ['message', 'vote_action'])).toBe(kind);
});

test.each([
  [2_985, 'refusal'],
  [2_986, 'play'],
])('a refusal with %i more letters is taken as %s', (length, kind) => {
  expect(judgeProse(`I cannot help. ${'x'.repeat(length)}`, [])).toBe(kind);
});

test('an error of the game is no error of a server', () => {
  expect(judgeProse('The reactor: timed out', [])).toBe('play');
});

describe('a part of an answer', () => {
  const judged = (value: object) =>
    'vote' in value ? ('say' in value ? 'whole' : 'part') : 'none';
  const PART = '{"vote": "red"}';

  test.each([
    ['alone', PART, 'red'],
    ['in a fence', `\`\`\`json\n${PART}\n\`\`\``, 'red'],
    ['after a thought', `<think>Who was it? It was red.</think>${PART}`, 'red'],
    ['with a mark of a template', `<|channel|>final<|message|>${PART}<|return|>`, 'red'],
    ['within prose', `If I had to vote now it would be ${PART}`, null],
    ['before prose', `${PART} would be my vote`, null],
    ['beside another part', `${PART}${PART}`, null],
    ['after a whole one', `${GOOD} If I had to vote now: ${PART}`, 'blue'],
    ['before a whole one', `Not ${PART} but ${GOOD}`, 'blue'],
    ['right after a whole one', `${GOOD}${PART}`, 'blue'],
  ])('%s', (_, text, vote) => {
    const found = extractObject(text, judged);
    expect(found).toMatchObject(
      vote === null ? { type: 'none' } : { type: 'found', value: { vote } },
    );
  });
});

describe('fields as they were meant', () => {
  const NAMES = ['message', 'vote_action'];
  const FIELDS = { message: 'hi', vote_action: 'blue' };
  const within = (key: string) => `your fields were read within "${key}": write them at the top`;

  test.each<[string, object, object, readonly string[]]>([
    ['as they should be', FIELDS, FIELDS, []],
    ['with others', { ...FIELDS, mood: 1 }, { ...FIELDS, mood: 1 }, []],
    ['in an envelope', { response: FIELDS }, FIELDS, [within('response')]],
    ['in an envelope of any case', { Response: FIELDS }, FIELDS, [within('Response')]],
    ['around which there is one key', { among_us: FIELDS }, FIELDS, [within('among_us')]],
    ['as text', { arguments: JSON.stringify(FIELDS) }, FIELDS, [within('arguments')]],
    ['as a tool call', { name: 'f', arguments: FIELDS }, FIELDS, [within('arguments')]],
    [
      'in an envelope within an envelope',
      { function: { name: 'f', parameters: FIELDS } },
      FIELDS,
      [within('function'), within('parameters')],
    ],
    [
      'in camel case',
      { message: 'hi', voteAction: 'blue' },
      FIELDS,
      ['"voteAction" was read as vote_action'],
    ],
    [
      'in any case',
      { Message: 'hi', 'VOTE ACTION': 'blue' },
      FIELDS,
      ['"Message" was read as message', '"VOTE ACTION" was read as vote_action'],
    ],
    ['beside a right one', { Message: 'no', message: 'hi' }, { Message: 'no', message: 'hi' }, []],
    ['nowhere', { response: { mood: 1 } }, { response: { mood: 1 } }, []],
    ['in one of two', { one: FIELDS, two: FIELDS }, { one: FIELDS, two: FIELDS }, []],
  ])('%s', (_, value, fields, notes) => {
    expect(findFields(value, NAMES)).toEqual({ fields, notes });
  });

  const TALK = ['message', 'desire_to_speak', 'vote_action'];
  const renamed = (key: string, name: string) => `"${key}" was read as ${name}`;

  test.each<[string, object, object, readonly string[]]>([
    [
      'the only number',
      { drang: 0, message: 'hi' },
      { message: 'hi', desire_to_speak: 0 },
      [renamed('drang', 'desire_to_speak')],
    ],
    [
      'the only number beside a round',
      { drang: 10, message: 'hi', round: 2 },
      { message: 'hi', round: 2, desire_to_speak: 10 },
      [renamed('drang', 'desire_to_speak')],
    ],
    ['the number of a round', { round: 3, message: 'hi' }, { round: 3, message: 'hi' }, []],
    ['two numbers', { a: 3, b: 4, message: 'hi' }, { a: 3, b: 4, message: 'hi' }, []],
    ['a number above ten', { a: 11, message: 'hi' }, { a: 11, message: 'hi' }, []],
    [
      'two that would be one',
      { Message: 'a', MESSAGE: 'b' },
      { message: 'a', MESSAGE: 'b' },
      [renamed('Message', 'message')],
    ],
    [
      'beside as many in an envelope',
      { message: 'hi', response: { message: 'there' } },
      { message: 'hi', response: { message: 'there' } },
      [],
    ],
    ['that another has signed', { name: 'blue', message: 'hi' }, {}, []],
    [
      'that two have signed',
      { x: 'blue', y: 'red', message: 'hi' },
      { x: 'blue', y: 'red', message: 'hi' },
      [],
    ],
  ])('of red, %s', (_, value, fields, notes) => {
    expect(findFields(value, TALK, 'red')).toEqual({ fields, notes });
  });

  test('notes of thoughts are notes', () => {
    const names = ['internal_thought', 'message', 'scratchpad_updates'];
    expect(nameOf('notes_and_thoughts', names)).toBe('scratchpad_updates');
  });

  test.each([
    [4, true],
    [5, false],
  ])('within %i envelopes: %s', (depth, isFound) => {
    let value: object = FIELDS;
    for (let at = 0; at < depth; at++) value = { response: value };
    expect(findFields(value, NAMES).fields).toEqual(isFound ? FIELDS : value);
  });
});

/*
 * Records how many texts are read, because no rule states that in full. If the reader changes, the diff names the texts.
 */

const question = { ...QUESTION, seat: 'red' };

/** The message and vote, with signs of a repair and of notes; or why there is none. */
function nameReading(content: string): string {
  const body = { choices: [{ message: { content }, finish_reason: 'stop' }] };
  const delivery = { type: 'body', status: 200, body, retryAfterMs: null } as const;
  const reading = readAnswer(delivery, {
    question,
    sent: {},
    fits: (value) => readReply(value).ok,
  });
  if (reading.type !== 'answer') return 'why' in reading ? reading.why.slice(0, 4) : reading.type;
  const { received, isRepaired } = reading;
  const [vote, notes] = [readField(received, 'vote_action'), readField(received, 'read_as')];
  const marks = `${isRepaired ? '~' : ''}${Array.isArray(notes) ? `+${notes.length}` : ''}`;
  return `${String(readField(received, 'message') ?? '-')}${String(vote ?? '').slice(0, 1)}${marks}`;
}

function nameSpeech(text: string): string {
  const names = [readSpoken(text), cutThoughts(text, false)].map((spoken) => {
    if (spoken === text) return '=';
    return spoken.trim() === SPEECH
      ? 'S'
      : JSON.stringify(spoken.replace(SPEECH, 'S')).slice(1, -1);
  });
  return [...new Set(names)].join(' / ');
}

function nameOrder(action: unknown): string {
  const views = { crew: crewMoment(), impostor: impostorMoment(), nobody: null };
  const read = Object.entries(views).map(([name, view]) => {
    const reading = readOrder({ internal_thought: '', action }, view);
    if (!reading.ok) return `${name}: ${reading.code}`;
    const { intent, notes } = reading.decision;
    const words = isRecord(intent) ? Object.values(intent).join(' ') : 'on';
    return `${name}: ${[words, ...notes.map(({ code }) => code)].join(', ')}`;
  });
  return read.join('; ');
}

test('many texts are read as recorded', () => {
  const grid = (columns: readonly string[], read: (before: string, after: string) => string) =>
    BEFORE.map((before) => {
      const cells = columns.map((after) => read(before, after));
      return `${JSON.stringify(before)}: ${cells.join(' | ')}`;
    });
  const answers = ANSWERS.map((answer) => [
    `## ${answer}`,
    ...grid(AFTER, (before, after) => nameReading(before + answer + after)),
  ]);
  const speeches = grid(SPEECHES_AFTER, (before, after) => nameSpeech(before + SPEECH + after));
  speeches.push(...QUOTED.map((text) => `${JSON.stringify(text)}: ${nameSpeech(text)}`));
  const orders = ACTIONS.map((action) => `${JSON.stringify(action)}: ${nameOrder(action)}`);
  const parts = [...answers, ['## Speech', ...speeches], ['## Actions', ...orders]];
  const text = parts.map((lines) => lines.join('\n')).join('\n\n');
  expectGolden('tests/golden/readings.md', `# How many texts are read\n\n${text}\n`);
});
