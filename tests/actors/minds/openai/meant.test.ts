import { describe, expect, test } from 'vitest';
import { readReply } from '../../../../prompts/reply.ts';
import { always, atFirst } from '../../../support/endpoint/case.ts';
import { called, completion, type Sent, said } from '../../../support/endpoint/sent.ts';
import { GOOD, GOOD_TEXT } from '../../../support/endpoint/words.ts';
import { ask, QUESTION } from './asking.ts';

async function readOf(words: unknown) {
  return await readSent(said(words));
}

/** Asks red. */
async function readSent(sent: Sent) {
  const { reply, calls } = await ask([always(sent)], { question: { ...QUESTION, seat: 'red' } });
  if (!reply.ok) return { code: reply.code, requests: calls.length };
  const reading = readReply(reply.received);
  if (!reading.ok) return { code: reading.code, requests: calls.length };
  const { message, vote, notes } = reading.reply;
  return { message, vote, notes: notes.map(({ code }) => code), requests: calls.length };
}

const VOTE = JSON.stringify({ ...GOOD, vote_action: 'blue' });

/** The fields of a vote around these marks. */
function writeFields(before: string, between: string, after: string): string {
  const fields = Object.entries({ ...GOOD, vote_action: 'blue' });
  return fields
    .map(([name, field]) => {
      const text = typeof field === 'string' ? field : JSON.stringify(field);
      return `${before}${name}${between}${text}${after}`;
    })
    .join('\n');
}

const MEANT = { message: GOOD.message, vote: null, notes: [], requests: 1 };
const READ = { ...MEANT, notes: ['reply/read-as'] };

describe('a whole answer is what counts', () => {
  test.each([
    [
      'before a vote that is only thought of',
      `${GOOD_TEXT} If I had to vote now it would be {"vote_action":"blue"}`,
    ],
    ['before a vote on a line of its own', `${GOOD_TEXT}\n\n{"vote_action":"blue"}`],
    [
      'before a line of the transcript',
      `${GOOD_TEXT} Blue said {"speaker":"blue","message":"I was in MedBay"}`,
    ],
    [
      'after a line of the transcript',
      `{"speaker":"blue","message":"I was in MedBay"} is a lie. ${GOOD_TEXT}`,
    ],
    ['after a part of it', `{"desire_to_speak": 9} hm, rather ${GOOD_TEXT}`],
  ])('%s', async (_, words) => expect(await readOf(words)).toEqual(MEANT));
});

describe('a part of an answer', () => {
  test.each([
    ['a vote that is only thought of', 'If I had to vote now it would be {"vote_action":"blue"}'],
    ['a quoted line', '{"speaker":"blue","message":"I was in MedBay"}'],
    ['a quoted line in prose', 'Blue: {"speaker":"blue","message":"I was in MedBay"}'],
  ])('that is no answer: %s', async (_, words) => {
    expect(await readOf(words)).toMatchObject({ code: 'malformed' });
  });

  test('without a vote has nothing withheld', async () => {
    const words = '{"desire_to_speak": 3, "message": "hi"}';
    expect(await readOf(words)).toEqual({ message: 'hi', vote: null, notes: [], requests: 1 });
  });

  test('with all but the side fields has its vote counted', async () => {
    const words = '{"desire_to_speak": 0, "message": "", "vote_action": "blue"}';
    expect(await readOf(words)).toEqual({ message: '', vote: 'blue', notes: [], requests: 1 });
  });
});

describe('an answer with something around it is read, with a note', () => {
  const { desire_to_speak, vote_action, scratchpad_updates, ...others } = GOOD;
  const camel = {
    ...others,
    desireToSpeak: desire_to_speak,
    voteAction: 'blue',
    scratchpadUpdates: scratchpad_updates,
  };
  test.each<[string, string | object, readonly string[]]>([
    ['in an envelope', { response: GOOD }, ['reply/read-as']],
    ['in a key of its own', { meeting_reply: GOOD }, ['reply/read-as']],
    ['as text in an envelope', { answer: GOOD_TEXT }, ['reply/read-as']],
    [
      'as a tool call of Llama',
      `<|python_tag|>{"name": "meeting_reply", "parameters": ${GOOD_TEXT}}`,
      ['reply/read-as'],
    ],
    [
      'as a tool call of Hermes and Qwen',
      `<tool_call>\n{"name": "meeting_reply", "arguments": ${GOOD_TEXT}}\n</tool_call>`,
      ['reply/read-as'],
    ],
    ['beside a thought', { thoughts: 'Hm.', result: GOOD }, ['reply/read-as']],
    ['in one of its fields', { message: GOOD }, ['reply/read-as']],
    [
      'in a completion',
      { choices: [{ index: 0, message: { content: GOOD_TEXT } }] },
      ['reply/read-as', 'reply/read-as', 'reply/read-as'],
    ],
  ])('%s', async (_, words, notes) => expect(await readOf(words)).toEqual({ ...READ, notes }));

  test.each([
    [
      'a call of Qwen',
      `<tool_call>\n<function=meeting_reply>\n${writeFields('<parameter=', '>\n', '\n</parameter>')}\n</function>\n</tool_call>`,
    ],
    [
      'a call of GLM',
      `<tool_call>meeting_reply\n${writeFields('<arg_key>', '</arg_key>\n<arg_value>', '</arg_value>')}\n</tool_call>`,
    ],
    ['escaped HTML', VOTE.replaceAll('"', '&quot;')],
    ['twice escaped HTML', `\`\`\`json\n${VOTE.replaceAll('"', '&amp;#34;')}\n\`\`\``],
    ['lists of one', { ...GOOD, message: [GOOD.message], vote_action: ['blue'] }],
    ['escaped quotes', JSON.stringify({ ...GOOD, vote_action: 'blue' }).replaceAll('"', '\\"')],
    [
      'full width',
      VOTE.replaceAll(/[{}":[\]]|(?<="),/g, (sign) =>
        String.fromCodePoint(0xfee0 + sign.charCodeAt(0)),
      ),
    ],
    ['signs of Chinese', VOTE.replaceAll('":', '"：').replaceAll('","', '"，"')],
    ['escaped underscores', VOTE.replaceAll('_', '\\_')],
    ['marks without width', VOTE.replaceAll('{"', '{\u200b"')],
    ['doubled braces', VOTE.replaceAll('{', '{{').replaceAll('}', '}}')],
    ['comments', VOTE.replaceAll(',"', ', # so\n"').replace('{', '{\n# mine\n// and\n')],
    ['values without quotes', VOTE.replace(':7,', ': 8/10,').replace('"blue"', 'blue')],
    [
      'another language',
      `{"gedanken": "x", "redewunsch": 7, "nachricht": "${GOOD.message}", "stimme": "blue"}`,
    ],
    [
      'Japanese',
      `{"思考": "x", "発言したい度": 7, "メッセージ": "${GOOD.message}", "投票": "blue"}`,
    ],
    ['signs of Ruby', VOTE.replaceAll('":', '" => ').replaceAll(',"', '; "')],
    ['other words', `{"thoughts": "x", "urgency": 7, "say": "${GOOD.message}", "vote": "blue"}`],
    ['parts', [{ type: 'json', json: { ...GOOD, vote_action: 'blue' } }]],
  ])('in %s', async (_, words) => {
    expect(await readOf(words)).toMatchObject({ message: GOOD.message, vote: 'blue', requests: 1 });
  });

  test.each([
    '"answer": ',
    '<decision>',
    '<final-output>',
    '<red>',
    '<minimax:tool_call>',
    'Thought: Blue lied.\n\n',
    'Analysis: Blue lied\n',
    'As Red, I would say:\n',
    'Blue: I vote red\n\nMy answer:\n',
    'I am Red and Blue is lying:\n',
    'I trust you <3 ',
    '*clears throat* ',
    'Thinking...\n',
    'Blue is the impostor!\n',
    "Blue's story is wrong.\n",
    'Maybe Blue lied, if Green is right.\n',
    '>>>meeting_reply\n',
  ])('after %j', async (before) => {
    expect(await readOf(before + GOOD_TEXT)).toEqual(MEANT);
  });

  test('in camel case', async () => {
    expect(await readOf(camel)).toEqual({
      ...READ,
      vote: 'blue',
      notes: ['reply/read-as', 'reply/read-as', 'reply/read-as'],
    });
  });

  test.each([
    ['scratchpad_updates', []],
    ['vote_action', false],
    ['message', ['Red, where', 'were you?']],
  ])('a %s of %j costs that field', async (name, field) => {
    const found = await readOf({ ...GOOD, [name]: field });
    expect(found).toEqual({
      ...MEANT,
      message: name === 'message' ? '' : GOOD.message,
      notes: ['reply/field'],
    });
  });
});

describe('text that is not addressed to us', () => {
  const DECOY = JSON.stringify({ ...GOOD, message: 'decoy', vote_action: 'blue' });

  test.each([
    ['a mark of a model', `<M2_7think>${DECOY}</M2_7think>${GOOD_TEXT}`],
    ['square brackets', `[THINK]{ if${DECOY}[/THINK]${GOOD_TEXT}`],
    ['another name', `<deepseek_thought>${DECOY}</deepseek_thought>${GOOD_TEXT}`],
    ['tokens', `<｜begin▁of▁thinking｜>${DECOY}<｜end▁of▁thinking｜>${GOOD_TEXT}`],
    ['triangles', `◁think▷${DECOY}◁/think▷${GOOD_TEXT}`],
    ['a mark in a mark', `<think>a<analysis>b</analysis>${DECOY}</think>${GOOD_TEXT}`],
    ['a thought after the answer', `${GOOD_TEXT}<reflection>${DECOY}`],
    ['a thought without a beginning', `${DECOY} hm</scratchpad>${GOOD_TEXT}`],
    ['an unclosed thought before the answer', `<think>${DECOY} so<final>${GOOD_TEXT}</final>`],
    ['an answer in a thought', `<think><answer>${DECOY}</answer></think>${GOOD_TEXT}`],
    [
      'the channel of thoughts',
      `<|channel|>analysis<|message|>${DECOY}<|end|><|start|>assistant<|channel|>final<|message|>${GOOD_TEXT}<|return|>`,
    ],
    ['a bare channel', `analysis${DECOY}assistantfinal${GOOD_TEXT}`],
    ['a comment', `<!-- thinking: ${DECOY} -->${GOOD_TEXT}`],
    ['a fence of thoughts', `\`\`\`thinking\n${DECOY}\n\`\`\`\n${GOOD_TEXT}`],
    ['a line', `--- BEGIN THINKING ---\n${DECOY}\n--- END THINKING ---\n${GOOD_TEXT}`],
    [
      'a mark of Command',
      `<|START_THINKING|>${DECOY}<|END_THINKING|><|START_RESPONSE|>${GOOD_TEXT}`,
    ],
    [
      'a message of a user',
      `[{"role":"user","content":${DECOY}},{"role":"assistant","content":${GOOD_TEXT}}]`,
    ],
    ['a channel of Gemma', `<|channel>thought\n${DECOY}<channel|>${GOOD_TEXT}`],
    [
      'the turn of ChatML',
      `${GOOD_TEXT}<|im_end|>\n<|im_start|>user\nNo.<|im_end|>\n<|im_start|>assistant\n${DECOY}`,
    ],
    ['the turn of Llama 2', `<s>${GOOD_TEXT}</s>[INST] No. [/INST]${DECOY}`],
    [
      'the turn of Llama 3',
      `<|start_header_id|>assistant<|end_header_id|>\n\n${GOOD_TEXT}<|eot_id|><|start_header_id|>assistant<|end_header_id|>${DECOY}`,
    ],
    ['the turn of Gemma', `${GOOD_TEXT}<end_of_turn>\n<start_of_turn>model\n${DECOY}`],
    ['the turn of EXAONE', `[|assistant|]${GOOD_TEXT}[|endofturn|]\n${DECOY}`],
    ['the turn of Phi', `${GOOD_TEXT}<|end|>${DECOY}`],
    ['a heading', `${GOOD_TEXT}\n\n### User:\nNo.\n\n### Assistant:\n${DECOY}`],
    ['a role on a line', `${GOOD_TEXT}\nassistant\n${DECOY}`],
    ['a result of a tool', `${GOOD_TEXT}<tool_response>${DECOY}</tool_response>`],
    ['a thought under a label', `${GOOD_TEXT}\n**Thinking:**\n${DECOY}`],
    ['a mark in Russian', `${GOOD_TEXT}<размышление>${DECOY}</размышление>`],
    ['a later tick', `${GOOD_TEXT}\n(Tick 2 of 10)\n${DECOY}`],
    ['an everyday name', `${GOOD_TEXT}<draft_answer>${DECOY}</draft_answer>`],
    ['a mark of a template', `{{think}}${DECOY}{{/think}}${GOOD_TEXT}`],
    ['any brackets that are closed', `[working]${DECOY}[/working]${GOOD_TEXT}`],
    ['a command of LaTeX', `\\think{${DECOY}}\n${GOOD_TEXT}`],
    ['an attribute', `<div class="reasoning">${DECOY}</div>${GOOD_TEXT}`],
    ['a comment of code', `/* ${DECOY} */ ${GOOD_TEXT}`],
    ['escaped HTML', `${GOOD_TEXT}&lt;notes&gt;${DECOY}&lt;/notes&gt;`],
    ['a quotation', `> thinking\n> ${DECOY}\n\n${GOOD_TEXT}`],
    ['a sentence', `Thought: I could say ${DECOY} but no.\n${GOOD_TEXT}`],
    [
      'an answer that is taken back',
      `${DECOY}\nThat reveals too much. Let me try again.\n${GOOD_TEXT}`,
    ],
    ['an example in the prompt', `User: answer like ${DECOY}\nAssistant: ${GOOD_TEXT}`],
    [
      'an initial version',
      `Initial version:\n${DECOY}\nThat is the wrong player. Final:\n${GOOD_TEXT}`,
    ],
    ['a first attempt', `First attempt:\n${DECOY}\nBlue is clear. Second attempt:\n${GOOD_TEXT}`],
    ['versions', `v1:\n${DECOY}\nv2:\n${GOOD_TEXT}`],
    ['a draft in German', `Erste Version:\n${DECOY}\nEndgültige Antwort:\n${GOOD_TEXT}`],
    ['a draft in Chinese', `初稿：\n${DECOY}\n最终答案：\n${GOOD_TEXT}`],
    ['a slip', `${DECOY}\nWait, that's not right. I shouldn't vote.\n${GOOD_TEXT}`],
    ['a remark', `${GOOD_TEXT}\nI shouldn't vote yet. Let's not forget that Blue is wrong.`],
    ['a bad example', `${GOOD_TEXT}\nI should not answer like this: ${DECOY}`],
    ['words that call it something else', `${GOOD_TEXT}\n\nFor comparison:\n${DECOY}`],
    ['a line of another seat', `${GOOD_TEXT}\nGREEN: I saw Blue.\n${DECOY}`],
    ['a control character', `${GOOD_TEXT}\u001E${DECOY}`],
    ['the inner voice of Apertus', `<|inner_prefix|>${DECOY}<|inner_suffix|>${GOOD_TEXT}`],
    [
      'a monologue',
      `${GOOD_TEXT}\n\n**Internal monologue (not part of the reply):** what I would love to send is ${DECOY}`,
    ],
    ['a wish', `${GOOD_TEXT}\nMy private answer, which I would love to send: ${DECOY}`],
    [
      'a torn object',
      `{"vote_action": "blue", "message": "Blue is the\n\nSorry, I got cut off. Here is my reply again:\n\n${GOOD_TEXT}`,
    ],
    ['a missing brace', GOOD_TEXT.slice(1)],
    ['a box', `Blue? \\boxed{${GOOD_TEXT}}`],
    ['a box without its own braces', `\\boxed${GOOD_TEXT}`],
  ])('%s is told from the answer', async (_, words) =>
    expect(await readOf(words)).toMatchObject({ ...MEANT, notes: expect.any(Array) }),
  );

  test.each([
    ['a thought', `<deepseek_thought>${DECOY}</deepseek_thought>`],
    ['an unclosed thought', `[REASONING] ${DECOY}`],
    ['a mark of any name', `<musings>${DECOY}</musings>`],
    ['a thought in a sentence', `Thought: I might write ${DECOY} but that would give me away.`],
    ['a slip', `${DECOY}\n\nWait, that's not right.`],
    ['a vote taken back', `${DECOY}\n\nI shouldn't vote Blue yet.`],
    ['an answer taken back', `\`\`\`json\n${DECOY}\n\`\`\`\nHm. Scratch that.`],
    ['an answer taken back in German', `${DECOY}\nMoment, das stimmt nicht.`],
    ['an answer taken back in Chinese', `${DECOY}\n等等，不对。`],
    ['half of a call', '<function=meeting_reply>\n<parameter=message>\nRed, w'],
    ['a line of another seat', `Blue\n${DECOY}`],
    ['a draft in a field', `{"draft":${DECOY}}`],
    [
      'two answers without a word',
      `\`\`\`json\n${GOOD_TEXT}\n\`\`\`\n\`\`\`json\n${DECOY}\n\`\`\``,
    ],
    ['versions of equal rank', `Version A: ${DECOY}\nVersion B: ${GOOD_TEXT}`],
    ['a condition', `If Blue lies: ${DECOY}\nOtherwise: ${GOOD_TEXT}`],
    ['an example', `Example output:\n${DECOY}`],
    ['an example in French', `Voici un exemple de réponse :\n${DECOY}`],
    ['an example in Chinese', `以下是一个示例：\n${DECOY}`],
    ['an answer that is not to be used', `${DECOY}\n\nEdit: do not use the above.`],
    ['a template', `${DECOY}\n\n(This is only a template. Fill in the values.)`],
    ['an earlier answer', `My previous answer was: ${DECOY}`],
    ['a wish', `What I'd love to say but won't: ${DECOY}`],
    ['a possible response', `Possible response (not final): ${DECOY}`],
    ['a hypothesis', `Hypothetically, one might say:\n${DECOY}`],
    ['two options', `Option A: ${DECOY}\nOption B: ${GOOD_TEXT}`],
    [
      'an example',
      `As an example, a player could answer like this:\n${DECOY}\nWhat would you like me to say as Red?`,
    ],
    ['a question', `${DECOY}\nShall I send this?`],
    [
      'a condition on a later tick',
      `I want to wait. If Cyan accuses me next tick I would send this:\n\n${DECOY}\n\nRight now I have nothing to send.`,
    ],
    ['a condition alone', `If Cyan accuses me next tick I would send this:\n\n${DECOY}`],
    [
      'an unreal past',
      `Had I seen the vent myself, my reply would have been:\n${DECOY}\nI did not see it, so I need more time.`,
    ],
    [
      'a condition in German',
      `Wenn Cyan mich anklagt, würde ich Folgendes senden:\n\n${DECOY}\n\nIm Moment sende ich nichts.`,
    ],
    [
      'a condition in a language without a rule',
      `Cyan beni suçlarsa bunu gönderirdim:\n${DECOY}\nŞimdi bir şey göndermiyorum.`,
    ],
    [
      'a question before and behind it',
      `Should I send this?\n\n${DECOY}\n\nI am not sure it is wise. What do you think?`,
    ],
    ['a condition without "if"', `Should I be accused, I will send:\n${DECOY}`],
    ['a later time', `When Cyan accuses me, my answer will be:\n${DECOY}`],
    ['a condition behind it', `${DECOY}\n\n(Only if Green agrees.)`],
    ['an answer to be held', `${DECOY}\n\nSend this only if I am accused.`],
    ['a condition as a key', `{"if_accused":${DECOY}}`],
    ['an option as a key', `{"option_a":${DECOY}}`],
    ['what is struck out', `~~${DECOY}~~`],
    ['an answer that calls itself a draft', `{"status":"draft",${DECOY.slice(1)}`],
    ['an answer that calls itself unfinished', `{"is_final":false,${DECOY.slice(1)}`],
    ['two options and a question', `Option A: ${DECOY}\nOption B: ${GOOD_TEXT}\nWhich is best?`],
    ['a list', `[${GOOD_TEXT},${DECOY}]`],
    ['a list in a field', `{"replies":[${GOOD_TEXT},${DECOY}]}`],
    ['ticks', `{"t":0,${GOOD_TEXT.slice(1)}\n{"t":1,${DECOY.slice(1)}`],
    ['an object in a torn thought', `{"internal_thought": "Think again:\n${DECOY}\nNo`],
    ['lines', 'desire_to_speak: 9\nmessage: hi\nvote_action: blue'],
    ['a channel without an answer', `<|channel|>analysis<|message|>${DECOY}<|end|>`],
    ['a bare channel without an answer', `analysis${DECOY}`],
    ['an imagined turn', `Hm.<|im_end|>\n<|im_start|>assistant\n${DECOY}`],
    [
      'a turn in a broken object',
      `{"message": "I<|im_end|>\n<|im_start|>user\n", ${DECOY.slice(1)}`,
    ],
  ])('no vote is taken from %s', async (_, words) =>
    expect(await readOf(words)).toMatchObject({
      code: expect.stringMatching(/malformed|truncated/),
    }),
  );
});

describe('answers of several seats', () => {
  const OTHER = { ...GOOD, message: 'decoy', vote_action: 'red' };
  const OTHERS = JSON.stringify(OTHER);

  test.each<[string, unknown]>([
    ['by seat', { blue: OTHER, red: GOOD, green: OTHER }],
    ['by seat within a list of players', { players: { Blue: OTHER, Red: GOOD } }],
    [
      'signed',
      `${JSON.stringify({ speaker: 'red', ...GOOD })}\n${JSON.stringify({ speaker: 'blue', ...OTHER })}`,
    ],
    [
      'in a list',
      JSON.stringify([
        { player: 'Red', ...GOOD },
        { player: 'Player Blue', ...OTHER },
      ]),
    ],
    [
      'in a list in an envelope',
      {
        replies: [
          { seat: 'red', ...GOOD },
          { seat: 'blue', ...OTHER },
        ],
      },
    ],
    ['with labels', `Red: ${GOOD_TEXT}\n\nBlue: ${OTHERS}`],
    [
      'with headings',
      `## Red\n\`\`\`json\n${GOOD_TEXT}\n\`\`\`\n## Blue\n\`\`\`json\n${OTHERS}\n\`\`\``,
    ],
    ['with bold labels', `${GOOD_TEXT}\n**Blue’s reply:**\n${OTHERS}`],
  ])('%s: the own one is read', async (_, words) => {
    expect(await readOf(words)).toMatchObject({ message: GOOD.message, vote: null, requests: 1 });
  });

  test.each<[string, unknown]>([
    ['a field', { speaker: 'blue', ...OTHER }],
    ['a field after the others', { ...OTHER, player: 'Player Blue' }],
    ['a role', { role: 'blue', ...OTHER }],
    ['an arrow', `Blue → ${OTHERS}`],
    ['an envelope', { player: 'blue', reply: OTHER }],
    ['a key', { blue: OTHER }],
    ['a part of a key', { blue_reply: OTHER }],
    ['a label', `Blue: ${OTHERS}`],
    ['a sentence', `As Blue, I would say:\n${OTHERS}`],
    ['a tag', `<blue>${OTHERS}</blue>`],
    ['a name', { my_name: 'blue', ...OTHER }],
    ['an object', { speaker: { name: 'Blue' }, ...OTHER }],
    ['a field in another language', { joueur: 'blue', ...OTHER }],
    ['a word', { for: 'blue', ...OTHER }],
  ])('an answer that names another seat in %s is none', async (_, words) => {
    expect(await readOf(words)).toMatchObject({ code: 'malformed' });
  });

  test('other fields may name others, and a label may speak of them', async () => {
    const about = { suspect: 'blue', next_speaker: 'green', votes: { green: 'pink' } };
    expect(await readOf({ ...GOOD, ...about })).toMatchObject(MEANT);
    expect(await readOf(`My vote would be for Blue: ${GOOD_TEXT}`)).toMatchObject(MEANT);
  });
});

test.each([
  `Here is my response:\n${VOTE}\nThis message aims to find out where Blue was.`,
  `Blue lied about MedBay.\n\`\`\`json\n${VOTE}\n\`\`\`\n**Explanation:** I saw Blue vent.`,
  `Hier ist meine Antwort:\n${VOTE}\nIch habe Blue gesehen.`,
  `Oto moja odpowiedź:\n${VOTE}\nGłosuję na Blue.`,
  `以下是我的回答：\n${VOTE}\n我 看到 了 Blue。`,
  `Red and Blue were in Admin. My reply:\n${VOTE}\nThat is all.`,
  `As Red, I would say:\n${VOTE}\nThis keeps the pressure on Blue.`,
  `If Blue is guilty, we win. Final answer:\n${VOTE}\nI am sure of it.`,
])('an answer between words that call it one or explain it is read: %j', async (words) => {
  expect(await readOf(words)).toMatchObject({ vote: 'blue', requests: 1 });
});

const SAID = 'I was in Admin.';
const REST = '"target":null,"vote_action":"blue","scratchpad_updates":{}}';
test.each<[string, string, object]>([
  ['turn of Llama 3', `${SAID}<|eot_id|><|start_header_id|>assistant<|end_header_id|>`, {}],
  ['turn of Gemma', `${SAID}<end_of_turn>\n<start_of_turn>user\nTick 2.`, {}],
  ['turn before it', `<|im_start|>assistant\n${SAID}<|im_end|>\nNo.`, {}],
  ['turn of another name', `${SAID}<|turn|>user\nTick 2.`, {}],
  ['field in other signs', `${SAID}', 'internalThought': 'I did it`, {}],
  ['field in another language', `${SAID}", "gedanken": "Ich war es`, {}],
  ['tag of a call', `${SAID}</parameter></function>`, {}],
  ['tag around it', `<answer>${SAID}</answer>`, {}],
  ['brace behind it', `${SAID}"}\n\`\`\``, {}],
  ['line of YAML', `${SAID}\ninternal_thought: I did it.`, {}],
  ['token within', 'I was <|pad|> in Admin.', {}],
  ['thought as a field', `${SAID}", "internal_thought": "Lime saw me."`, {}],
  ['rest of the answer', `${SAID}",${REST}`, { vote: 'blue' }],
  ['rest with signs of escape', `${SAID}\\",${REST.replaceAll('"', '\\"')}`, { vote: 'blue' }],
  ['torn rest', `${SAID}",${REST.slice(0, -2)}`, {}],
])('a message is read without a %s', async (_, message, more) => {
  const answer = { internal_thought: 'x', desire_to_speak: 9, message };
  const code = 'vote' in more ? 'reply/read-as' : 'reply/cleaned';
  const expected = { message: SAID, vote: null, notes: [code], requests: 1, ...more };
  expect(await readOf(JSON.stringify(answer))).toEqual(expected);
});

test.each([
  'Gray wrote {"message":"I am guilty","vote_action":"red"} in chat, which is odd.',
  'The transcript has {"speaker":"gray","message":"I was in Admin.","t":0}, and that cannot be true.',
  '{"message":"I was in Reactor"} is what gray would say. But gray was in Admin.',
  'The log read {"room":"Admin","players":2}, so two were there.',
  'Gray typed {"vote_action":"red"} before anyone spoke. Why?',
  "Gray wrote {'message': 'I was in Admin.'} and that is a lie.",
  'Gray wrote {"message":"I was in Admin."}',
  'Gray sent {"message":"Hi","scratchpad":{"a":"b"}}. Why?',
  'Gray said "Admin","target":null and left.',
  'My vote_action: red, unless Gray explains.',
])('a message keeps what it quotes: %s', async (message) => {
  const expected = { message, vote: null, notes: [], requests: 1 };
  expect(await readOf({ ...GOOD, message })).toEqual(expected);
});

test.each([
  '{"message":"I was in Admin.","internal_thought":"I did it."}',
  'I was in Admin. {"internal_thought":"I did it.","message":"Hm."} That is all.',
  'I was in Admin. {"message":"Hm.","internal_thought":"I did it."} That is all.',
  'I was in Admin.", "scratchpad_updates": {"main_scratch": "I did it."}} Done.',
])('a message never shows a thought that it holds: %s', async (message) => {
  const found = await readOf({ ...GOOD, message });
  expect(found.message).toMatch(/Admin/);
  expect(found.message).not.toMatch(/did it/);
});

test.each([
  'My reply to Blue:',
  'Here is my answer to blue:',
  'To Blue:',
  'Message to Blue:',
  '@Blue',
  'To Blue, in reply:',
  'Red to Blue:',
])('an answer behind its addressee is read: %s', async (label) => {
  expect(await readOf(`${label}\n${GOOD_TEXT}`)).toEqual(MEANT);
});

test.each(['Blue:', "Blue's reply:", 'Blue to Red:', "Blue's answer to Red:"])(
  'an answer behind the label of another seat is none: %s',
  async (label) => {
    expect(await readOf(`${label}\n${GOOD_TEXT}`)).toMatchObject({ code: 'malformed' });
  },
);

test.each([
  [VOTE, 'malformed'],
  [GOOD_TEXT, undefined],
])('of two calls that differ none counts: %s', async (other, code) => {
  const sent = called(['meeting_reply', GOOD_TEXT], ['meeting_reply', other]);
  expect((await readSent(sent)).code).toBe(code);
});

test.each([
  ['lime (not final)', 'says more than a name'],
  ['lime (next tick)', 'says more than a name'],
  ['lime (tentative)', 'says more than a name'],
  ['red or lime', 'says more than a name'],
  ['nobody', 'names no player'],
])('a note says why a vote for "%s" was not counted', (vote_action, why) => {
  const reading = readReply({ vote_action });
  const advice = why.startsWith('says') ? ': write one name, or skip' : '';
  const text = `your vote for "${vote_action}" ${why} and was not counted${advice}`;
  expect(reading).toMatchObject({ reply: { vote: null, notes: [{ code: 'vote/unknown', text }] } });
});

test('a call that the endpoint could not read is asked for again', async () => {
  const reason = 'function_call_filter: MALFORMED_FUNCTION_CALL';
  const { reply } = await ask([atFirst(said('', reason))]);
  expect(reply).toMatchObject({ ok: true, calls: 2 });
});

test.each<[string, Sent]>([
  ['a list', called(['meeting_reply', JSON.stringify([GOOD])])],
  ['a list of objects', calledWith([GOOD])],
  ['a text with a thought', called(['meeting_reply', `<think>{</think>${GOOD_TEXT}<|im_end|>{}`])],
])('arguments of a tool that are %s are read', async (_, sent) => {
  expect(await readSent(sent)).toMatchObject({ message: GOOD.message, requests: 1 });
});

function calledWith(args: unknown): Sent {
  return completion({ tool_calls: [{ function: { name: 'meeting_reply', arguments: args } }] });
}

describe('texts that are no answer', () => {
  test.each([
    ['a refusal in the usual words', "I'm sorry, but I can't assist with that.", 'refusal', 1],
    ['a refusal of a machine', 'As an AI, I have to decline to deceive Blue.', 'refusal', 1],
    ['a refusal in Spanish', 'Lo siento, no puedo participar en este juego.', 'refusal', 2],
    ['a refusal in Chinese', '抱歉，我无法协助完成这个请求。', 'refusal', 2],
    [
      'a refusal in words of its own',
      'Deception games are not something I take part in.',
      'refusal',
      2,
    ],
    ['a refusal in Russian', 'Извините, я не могу с этим помочь.', 'refusal', 2],
    ['a refusal in a field', { refusal: 'I cannot help with that' }, 'refusal', 1],
    ['a refusal as the message', '{"message":"I\'m sorry, but I can\'t assist."}', 'refusal', 1],
    ['an error', 'Error: upstream connect error', 'upstream', 3],
    ['errors', { errors: [{ message: 'boom' }] }, 'upstream', 3],
    ['a report', { status: 500, message: 'boom' }, 'upstream', 3],
    ['nothing in a word', 'null', 'malformed', 5],
    [
      'a refusal in the place of speech',
      { ...GOOD, message: "Sorry, I can't assist with this." },
      'refusal',
      1,
    ],
    [
      'a refusal in Spanish in a field',
      '{"response":"Lo siento, no puedo ayudar con eso."}',
      'refusal',
      2,
    ],
    ['a refusal deep in an error', { error: { message: "I can't help with that." } }, 'refusal', 1],
    ['the words of a schema', { ...GOOD, message: 'string' }, 'malformed', 5],
    ['a hint at a message', { ...GOOD, message: '<your message>' }, 'malformed', 5],
    ['words of another seat', `Blue will surely reply with:\n${VOTE}`, 'malformed', 5],
    ['an error in the place of speech', { ...GOOD, message: 'Error: 500' }, 'upstream', 3],
    ['a page', '<html><h1>502 Bad Gateway</h1></html>', 'upstream', 3],
    [
      'an error as JSON',
      '{"error":{"message":"The model is overloaded","code":503}}',
      'upstream',
      3,
    ],
    ['a refusal as an error', { error: "I'm sorry, but I can't participate." }, 'refusal', 1],
    ['an error in a fence', '```json\n{"error":"rate limit"}\n```', 'upstream', 3],
    ['an error in the field for speech', '{"message":"Internal server error"}', 'upstream', 3],
    ['an error with a code', { code: 502, message: 'Bad gateway' }, 'upstream', 3],
    ['a word about the game', 'I think Blue did it.', 'malformed', 5],
  ])('%s is told from other failures', async (_, words, code, requests) => {
    expect(await readOf(words)).toEqual({ code, requests });
  });

  test.each([
    ['an error', 'Error: timed out'],
    ['an aside', 'Hello! How can I help you today?'],
  ])('an answer after %s counts', async (_, words) => {
    const { reply } = await ask([atFirst(said(words))]);
    expect(reply).toMatchObject({ ok: true, calls: 2 });
  });
});
