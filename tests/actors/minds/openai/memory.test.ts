import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { describeSystemError } from '../../../../actors/files/failure.ts';
import {
  ANSWER_MODES,
  type Capabilities,
  CapabilityCache,
} from '../../../../actors/minds/openai/capabilities.ts';
import { findStateFolder, ModelMemory } from '../../../../actors/minds/openai/memory.ts';
import type { Endpoint } from '../../../../actors/minds/openai/transport.ts';
import { realDisk } from '../../../../actors/ports/disk.ts';
import { hasSystem, modeOf, tokenLimit } from '../../../support/endpoint/asked.ts';
import { always, type Step, whenever, without } from '../../../support/endpoint/case.ts';
import type { FakeEndpoint } from '../../../support/endpoint/fakeEndpoint.ts';
import { completion, refusal, said } from '../../../support/endpoint/sent.ts';
import { GOOD_TEXT } from '../../../support/endpoint/words.ts';
import { asked, atEndpoint, KEY, QUESTION, summary, transportOf } from './asking.ts';

const ROOT = mkdtempSync(join(tmpdir(), 'glassbox-memory-'));
afterAll(() => rmSync(ROOT, { recursive: true, force: true }));

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 22);
let folders = 0;

function aProcess(folder = join(ROOT, String(folders++)), now = NOW, disk = realDisk) {
  const notes: string[] = [];
  const memory = new ModelMemory(folder, {
    disk,
    now: () => now,
    onNote: (text) => notes.push(text),
    explain: describeSystemError,
  });
  return { folder, notes, memory };
}

type Process = ReturnType<typeof aProcess>;

function endpointOf(baseUrl: string, model = 'fake', apiKey: string | null = KEY): Endpoint {
  return { baseUrl, model, apiKey };
}

function cacheOf({ memory }: Process, endpoint: Endpoint): CapabilityCache {
  const remembered = memory.recall(endpoint);
  const keeper = memory.keeperFor(endpoint, remembered);
  return new CapabilityCache(remembered?.capabilities ?? null, undefined, keeper);
}

async function countRequests(fake: FakeEndpoint, process: Process, questions: number) {
  const known = cacheOf(process, endpointOf(fake.baseUrl));
  const counts: number[] = [];
  for (let question = 0; question < questions; question++) {
    const { reply } = await asked(transportOf(fake), { known });
    counts.push(reply.ok ? reply.calls : 0);
  }
  await process.memory.settle();
  return counts;
}

const { capabilities } = new CapabilityCache();

/** Keeps the findings of a process about a model. */
async function learn(
  { memory }: Process,
  learned: Partial<Capabilities> = {},
  endpoint = endpointOf('http://a/v1'),
): Promise<void> {
  memory.keeperFor(endpoint, null).keep({ ...capabilities, ...learned });
  await memory.settle();
}

function onDisk({ memory }: Process) {
  const [learned, ...more] = memory.list();
  expect(more).toEqual([]);
  return learned ?? expect.unreachable('nothing is kept');
}

function filesOf({ memory }: Process): readonly string[] {
  return readdirSync(memory.folder).map((name) => join(memory.folder, name));
}

const PROSE = said('I think Red is suspicious because he vented.');
const TOOL_ONLY = [whenever((one) => modeOf(one) !== 'tool', PROSE)];
const { maxTokens } = QUESTION;
const thinking = (needed: number) => [
  whenever(
    (one) => tokenLimit(one) < needed,
    completion({ content: null, reasoning: 'Who was it? '.repeat(20) }, { reason: 'length' }),
  ),
];

describe('a second process', () => {
  test.each([
    ['a model that answers only by tool', TOOL_ONLY, [4, 4, 1]],
    ['a model whose thoughts need room', thinking(4 * maxTokens), [2, 1, 1]],
    ['a model whose thoughts need most room', thinking(16 * maxTokens), [3, 1, 1]],
    [
      'an endpoint that refuses a field',
      [without('seed', refusal(400, "Unsupported parameter: 'seed'", { param: 'seed' }))],
      [2, 1, 1],
    ],
    ['a model that needs nothing', [], [1, 1, 1]],
  ])('asks %s as it wants to be asked, at once', async (_, steps: readonly Step[], counts) => {
    await atEndpoint(steps, async (fake) => {
      const first = aProcess();
      expect(await countRequests(fake, first, 3)).toEqual(counts);
      const second = aProcess(first.folder);
      expect(await countRequests(fake, second, 3)).toEqual([1, 1, 1]);
      expect([...first.notes, ...second.notes]).toEqual([]);
    });
  });

  test('what did not lead to an answer is not kept', async () => {
    await atEndpoint([always(PROSE)], async (fake) => {
      const process = aProcess();
      expect(await countRequests(fake, process, 2)).toEqual([0, 0]);
      expect(process.memory.list()).toEqual([]);
    });
  });

  test('thoughts beside an answer are remembered, with room for longer ones', async () => {
    const thoughtful = completion({ content: GOOD_TEXT, reasoning_content: 'Hm.' });
    await atEndpoint([always(thoughtful)], async (fake) => {
      const process = aProcess();
      await countRequests(fake, process, 1);
      expect(onDisk(process).capabilities).toMatchObject({ thinks: true, room: 4 });
      await countRequests(fake, aProcess(process.folder), 1);
      expect(fake.asked.map(tokenLimit)).toEqual([maxTokens, 4 * maxTokens]);
    });
  });

  test.each([
    [7, [1, 1]],
    [7 + 1 / DAY_MS, [4, 4]],
    [-1, [1, 1]],
    [-1 - 1 / DAY_MS, [4, 4]],
  ])('after %d days: requests %j', async (days, counts) => {
    await atEndpoint(TOOL_ONLY, async (fake) => {
      const first = aProcess();
      await countRequests(fake, first, 3);
      const later = aProcess(first.folder, NOW + days * DAY_MS);
      expect(await countRequests(fake, later, 2)).toEqual(counts);
      const isTriedAgain = counts[0] !== 1;
      expect(onDisk(later).learnedAt).toBe(isTriedAgain ? NOW + days * DAY_MS : NOW);
      expect(later.notes).toEqual([]);
    });
  });
});

describe('what proves wrong is unlearned', () => {
  const NO_TOOLS = refusal(400, 'registry.ollama.ai/library/gemma3:12b does not support tools');
  const onlyIn = (mode: string) => whenever((one) => modeOf(one) !== mode, NO_TOOLS);

  async function rememberTools(fake: FakeEndpoint): Promise<Process> {
    const process = aProcess();
    await learn(process, { modes: ['tool'] }, endpointOf(fake.baseUrl));
    return aProcess(process.folder, NOW + DAY_MS);
  }

  test.each([
    ['refuses', onlyIn('text')],
    ['answers with prose', whenever((one) => modeOf(one) === 'tool', PROSE)],
  ])('an endpoint that now %s what it took is found out anew', async (_, step) => {
    await atEndpoint([step], async (fake) => {
      const process = await rememberTools(fake);
      const [first = 0, ...rest] = await countRequests(fake, process, 3);
      expect(first).toBeGreaterThan(1);
      expect(rest).toEqual([1, 1]);
      const { capabilities, learnedAt } = onDisk(process);
      expect(capabilities.modes).not.toEqual(['tool']);
      expect(learnedAt).toBe(NOW + DAY_MS);
    });
  });

  test('and where nothing helps the entry is gone, and the question fails as it would without one', async () => {
    await atEndpoint([always(refusal(400, 'does not support tools'))], async (fake) => {
      const process = await rememberTools(fake);
      expect(await countRequests(fake, process, 1)).toEqual([0]);
      expect(process.memory.list()).toEqual([]);
    });
  });

  test('one bad answer of a model that has answered since unlearns nothing', async () => {
    const steps = [whenever(({ turn }) => turn > 0 && turn < 5, PROSE)];
    await atEndpoint(steps, async (fake) => {
      const process = await rememberTools(fake);
      // With one way to ask: the answer, a correction that fails, and the next question.
      expect(await countRequests(fake, process, 2)).toEqual([1, 0]);
      expect(onDisk(process)).toMatchObject({ learnedAt: NOW, capabilities: { modes: ['tool'] } });
    });
  });

  test('a model that answers nothing any more is not asked twice over in ways that were known', async () => {
    await atEndpoint([always(PROSE)], async (fake) => {
      const process = aProcess();
      await learn(process, { modes: [...ANSWER_MODES].toReversed() }, endpointOf(fake.baseUrl));
      await countRequests(fake, aProcess(process.folder), 1);
      // Each way once, and a correction.
      expect(fake.asked.length).toBe(5);
    });
  });

  test('eight questions with wrong capabilities start over together, and all are answered', async () => {
    await atEndpoint([onlyIn('json_object')], async (fake) => {
      const process = await rememberTools(fake);
      const known = cacheOf(process, endpointOf(fake.baseUrl));
      const all = Array.from({ length: 8 }, () => asked(transportOf(fake), { known }));
      for (const outcome of await Promise.all(all))
        expect(summary(outcome)).toMatch(/^answer in json_object/);
      await process.memory.settle();
      expect(onDisk(process).learnedAt).toBe(NOW + DAY_MS);
    });
  });

  test('room that the context has not is given up, and the model is asked in the same way', async () => {
    const tooLong = refusal(400, "This model's maximum context length is 4096 tokens.", {
      code: 'context_length_exceeded',
    });
    const steps = [whenever((one) => tokenLimit(one) > maxTokens, tooLong)];
    await atEndpoint(steps, async (fake) => {
      const process = aProcess();
      await learn(process, { room: 16 }, endpointOf(fake.baseUrl));
      expect(await countRequests(fake, aProcess(process.folder), 2)).toEqual([2, 1]);
      expect(fake.asked.map(modeOf)).toEqual(['json_schema', 'json_schema', 'json_schema']);
      expect(onDisk(process).capabilities).toMatchObject({ room: 1, modes: ANSWER_MODES });
    });
  });
});

test('a question that has begun anew is asked in every way, also in one that has failed before', async () => {
  // The endpoint changed: it no longer answers without a system message.
  const isAnswered = (one: Parameters<typeof modeOf>[0]) =>
    modeOf(one) === 'tool' && hasSystem(one);
  await atEndpoint([whenever((one) => !isAnswered(one), PROSE)], async (fake) => {
    const process = aProcess();
    const keeper = process.memory.keeperFor(endpointOf(fake.baseUrl), null);
    const merged = { system: 'merged', joinsRoles: true } as const;
    keeper.keep({ ...capabilities, ...merged, modes: ['tool'] });
    await process.memory.settle();
    // The tool twice, for it is corrected once; then strict JSON twice, JSON, and the tool.
    expect(await countRequests(fake, aProcess(process.folder), 1)).toEqual([2 + 4]);
  });
});

test('a model that thinks, in a context without room for it, is given room in vain only once', async () => {
  const tooLong = refusal(400, "This model's maximum context length is 4096 tokens.", {
    code: 'context_length_exceeded',
  });
  const thoughtful = completion({ content: GOOD_TEXT, reasoning: 'Hm.' });
  const steps = [whenever((one) => tokenLimit(one) > maxTokens, tooLong), always(thoughtful)];
  await atEndpoint(steps, async (fake) => {
    expect(await countRequests(fake, aProcess(), 4)).toEqual([1, 2, 1, 1]);
  });
});

describe('files that are no memory', () => {
  const sound = async (): Promise<{ readonly process: Process; readonly path: string }> => {
    const process = aProcess();
    await learn(process, {}, endpointOf('http://localhost/v1'));
    const [path = ''] = filesOf(process);
    return { process, path };
  };

  test.each([
    ['cut', (text: string) => text.slice(0, 40), 'is damaged'],
    ['empty', () => '', 'is damaged'],
    ['zeros', () => '\0'.repeat(100), 'is damaged'],
    ['a list', () => '[]', 'is damaged'],
    ['no way to ask', (text: string) => text.replace(/"modes": \[[^\]]*\]/, '"modes": []'), 'dam'],
    ['a way twice', (text: string) => text.replace('"json_object"', '"json_schema"'), 'damaged'],
    ['no room', (text: string) => text.replace('"room": 1', '"room": 0'), 'is damaged'],
    ['too much room', (text: string) => text.replace('"room": 1', '"room": 17'), 'is damaged'],
    ['of another model', (text: string) => text.replace('"fake"', '"fame"'), 'of another model'],
    [
      'of a later version',
      (text: string) => text.replace('"v": 1', '"v": 2'),
      'is of another version of this program: expected version 1, found 2',
    ],
  ])('%s: one note, and the model is learned anew', async (_, spoil, words) => {
    const { process, path } = await sound();
    writeFileSync(path, spoil(readFileSync(path, 'utf8')));
    const later = aProcess(process.folder);
    const endpoint = endpointOf('http://localhost/v1');
    const known = cacheOf(later, endpoint);
    cacheOf(later, endpoint);
    expect(later.notes).toEqual([expect.stringContaining(words)]);
    expect(later.notes[0]).toContain('it is learned anew');
    known.noteAnswered('text', 1, []);
    await later.memory.settle();
    expect(aProcess(process.folder).memory.recall(endpoint)).not.toBeNull();
    expect(later.notes).toHaveLength(1);
  });

  test('a folder where a file should be costs one note', async () => {
    const { process, path } = await sound();
    rmSync(path);
    mkdirSync(path);
    const later = aProcess(process.folder);
    cacheOf(later, endpointOf('http://localhost/v1')).noteAnswered('text', 1, []);
    await later.memory.settle();
    expect(later.notes).toEqual([expect.stringContaining("can't be read")]);
  });

  test('a memory without a folder costs one note, and keeps capabilities in the process', async () => {
    await atEndpoint(TOOL_ONLY, async (fake) => {
      writeFileSync(join(ROOT, 'file'), '');
      const process = aProcess(join(ROOT, 'file'));
      expect(await countRequests(fake, process, 4)).toEqual([4, 4, 1, 1]);
      expect(process.notes).toEqual([
        expect.stringMatching(
          /^what is learned of models can't be kept in .*: something else is there already/,
        ),
      ]);
    });
  });
});

describe('processes that write at once', () => {
  test('keep what each has learned of its models, and of the same one the later', async () => {
    const first = aProcess();
    const second = aProcess(first.folder, NOW + 1);
    const models = Array.from({ length: 12 }, (_, index) => `m${index}`);
    for (const [index, model] of models.entries()) {
      const one = index % 2 === 0 ? first : second;
      one.memory.keeperFor(endpointOf('http://a/v1', model), null).keep(capabilities);
    }
    const shared = endpointOf('http://a/v1', 'shared');
    await learn(first, { room: 4 }, shared);
    await learn(second, { room: 16 }, shared);
    const kept = aProcess(first.folder).memory;
    expect(kept.list().map(({ model }) => model)).toEqual([...models, 'shared'].toSorted());
    expect(kept.recall(shared)?.capabilities.room).toBe(16);
    // No part of a file is left behind.
    expect(filesOf(first).every((path) => path.endsWith('.json'))).toBe(true);
  });

  test('the last of several quick changes is kept', async () => {
    const process = aProcess();
    const keeper = process.memory.keeperFor(endpointOf('http://a/v1'), null);
    for (let room = 1; room <= 16; room++) keeper.keep({ ...capabilities, room });
    await process.memory.settle();
    expect(onDisk(process).capabilities.room).toBe(16);
    keeper.forget();
    keeper.keep({ ...capabilities, room: 2 });
    await process.memory.settle();
    expect(onDisk(process).capabilities.room).toBe(2);
    keeper.forget();
    await process.memory.settle();
    expect(process.memory.list()).toEqual([]);
  });

  test.each([
    ['that can be written', undefined, 1],
    ['that can’t', new Error('EROFS: read-only file system'), 1],
  ])('nothing is written for nothing on a disk %s', async (_, error, saves) => {
    let count = 0;
    const disk: typeof realDisk = {
      ...realDisk,
      save: async (path, text) => {
        count += 1;
        if (error !== undefined) throw error;
        await realDisk.save(path, text);
      },
    };
    const process = aProcess(undefined, NOW, disk);
    const keeper = process.memory.keeperFor(endpointOf('http://a/v1'), null);
    for (let room = 1; room <= 16; room++) keeper.keep({ ...capabilities, room });
    await process.memory.settle();
    expect(count).toBe(saves);
    keeper.keep({ ...capabilities, room: error === undefined ? 16 : 1 });
    await process.memory.settle();
    expect(count).toBe(saves);
    expect(process.notes).toHaveLength(error === undefined ? 0 : 1);
  });

  test('a measurement stays when a game learns more', async () => {
    const measured = {
      at: NOW,
      loadMs: 1,
      aloneMs: 2,
      medianMs: 3,
      slowestMs: 4,
      tokensPerSecond: null,
      tokensPerSecondTogether: 5,
      slots: 2,
      speedup: 1.9,
    };
    const game = aProcess();
    const doctor = aProcess(game.folder);
    const endpoint = endpointOf('http://a/v1');
    await learn(game);
    doctor.memory.noteMeasured(endpoint, { contextLength: 8192, measured });
    await doctor.memory.settle();
    const later = aProcess(game.folder);
    later.memory
      .keeperFor(endpoint, later.memory.recall(endpoint))
      .keep({ ...capabilities, room: 4 });
    await later.memory.settle();
    expect(onDisk(later)).toMatchObject({
      contextLength: 8192,
      measured,
      capabilities: { room: 4 },
    });
  });
});

describe('entries of the memory', () => {
  const longest = 'x'.repeat(2_000);
  const many = Array.from({ length: 64 }, (_, index) => `p${index}`);

  async function recallOf(learned: object, endpoint = endpointOf('http://a/v1')) {
    const first = aProcess();
    await learn(first, learned, endpoint);
    const later = aProcess(first.folder);
    const recalled = later.memory.recall(endpoint);
    expect([...first.notes, ...later.notes]).toEqual([]);
    return recalled;
  }

  test.each([
    [{}],
    [{ modes: [...ANSWER_MODES].toReversed() }],
    [{ modes: ['text'] }],
    [{ system: 'merged', joinsRoles: true }],
    [{ tokenName: 'max_completion_tokens' }],
    [{ tokenName: null, isBare: true }],
    [{ streaming: 'always' }],
    [{ streaming: 'never' }],
    [{ room: 16, thinks: true }],
    [{ dropped: many }],
    [{ dropped: [longest] }],
  ])('is recalled as it was learned: %j', async (learned) => {
    expect(await recallOf(learned)).toEqual({
      baseUrl: 'http://a/v1',
      model: 'fake',
      learnedAt: NOW,
      capabilities: { ...capabilities, ...learned },
      contextLength: null,
      measured: null,
    });
  });

  test.each([
    ['65 names', { dropped: [...many, 'one more'] }],
    ['a longer name', { dropped: [`${longest}x`] }],
    ['more room', { room: 17 }],
  ])('an entry that could not be read again is not kept: %s', async (_, learned) => {
    expect(await recallOf(learned)).toBeNull();
  });

  test.each([
    [longest, 'fake', true],
    [`${longest}x`, 'fake', false],
    ['m', `http://a/${'v'.repeat(1_991)}`, true],
    ['m', `http://a/${'v'.repeat(1_992)}`, false],
  ])('is of names of at most 2000 letters', async (model, url, isKept) => {
    const endpoint = endpointOf(url.startsWith('http') ? url : 'http://a/v1', model);
    expect((await recallOf({}, endpoint)) !== null).toBe(isKept);
  });

  test.each([
    ['gemma3:12b', /^gemma3-12b-[0-9a-f]{16}\.json$/],
    ['Org/Model_1.5', /^org-model-1-5-[0-9a-f]{16}\.json$/],
    ['x'.repeat(41), /^x{40}-[0-9a-f]{16}\.json$/],
  ])('of %s stands in a file that a person finds', async (model, name) => {
    const process = aProcess();
    for (const baseUrl of ['http://a/v1', 'http://b/v1'])
      process.memory.keeperFor(endpointOf(baseUrl, model), null).keep(capabilities);
    await process.memory.settle();
    const names = readdirSync(process.memory.folder);
    expect(names).toHaveLength(2);
    for (const one of names) expect(one).toMatch(name);
  });

  test('entries have their own folder', async () => {
    const process = aProcess();
    await learn(process);
    expect(readdirSync(process.folder)).toEqual(['models']);
    expect(process.memory.folder).toBe(join(process.folder, 'models'));
  });

  test.each([
    ['without a key', endpointOf('http://a/v1', 'fake', null), 'http://a/v1'],
    ['of an address that is none', endpointOf('no address'), ''],
  ])('is recalled %s', async (_, endpoint, baseUrl) => {
    const learned = { dropped: ['seed'] };
    expect(await recallOf(learned, endpoint)).toMatchObject({
      baseUrl,
      model: 'fake',
      capabilities: learned,
    });
  });

  test('is of one model, however its address is written', async () => {
    const process = aProcess();
    const written = ['http://a/v1', 'http://a/v1//', 'HTTP://A/v1?b=c#d', 'http://me:pw@a/v1'];
    for (const baseUrl of written) {
      process.memory.keeperFor(endpointOf(baseUrl), null).keep(capabilities);
      expect(process.memory.list({ baseUrl })).toEqual([]);
      await process.memory.settle();
      expect(process.memory.list({ baseUrl })).toEqual(process.memory.list());
      expect(onDisk(process).baseUrl).toBe('http://a/v1');
      expect(process.memory.forget({ baseUrl })).toBe(1);
      expect(process.memory.list()).toEqual([]);
      process.memory.keeperFor(endpointOf(baseUrl), null).forget();
      await process.memory.settle();
    }
  });

  test('is listed by address and model', async () => {
    const process = aProcess();
    const models = [
      ['http://b/v1', 'x'],
      ['http://a/v1', 'y'],
      ['http://a/v1', 'x'],
      ['http://c/v1', 'a'],
    ] as const;
    for (const [baseUrl, model] of models) await learn(process, {}, endpointOf(baseUrl, model));
    // Files with another ending are ignored.
    writeFileSync(join(process.memory.folder, 'notes.txt'), '{');
    const named = (query: { baseUrl?: string; model?: string }) =>
      process.memory.list(query).map(({ baseUrl, model }) => `${baseUrl} ${model}`);
    expect(named({})).toEqual(['http://a/v1 x', 'http://a/v1 y', 'http://b/v1 x', 'http://c/v1 a']);
    expect(named({ model: 'x' })).toEqual(['http://a/v1 x', 'http://b/v1 x']);
    expect(named({ baseUrl: 'http://a/v1' })).toEqual(['http://a/v1 x', 'http://a/v1 y']);
    expect(named({ baseUrl: 'http://a/v1', model: 'y' })).toEqual(['http://a/v1 y']);
    expect(process.memory.listUnusable()).toEqual([]);
    writeFileSync(join(process.memory.folder, 'other.json'), '{');
    const path = join(process.memory.folder, 'other.json');
    expect(process.memory.listUnusable()).toEqual([`${path} is damaged`]);
    expect(named({ model: 'a' })).toEqual(['http://c/v1 a']);
    expect(aProcess().memory.listUnusable()).toEqual([]);
  });

  const measured = {
    at: 0,
    loadMs: 0,
    aloneMs: 0,
    medianMs: 0,
    slowestMs: 0,
    tokensPerSecond: 0,
    tokensPerSecondTogether: null,
    slots: 0,
    speedup: 0,
  };

  test('a measurement is kept only for a known model', async () => {
    const process = aProcess();
    const endpoint = endpointOf('http://a/v1');
    process.memory.noteMeasured(endpoint, { contextLength: 0, measured });
    await process.memory.settle();
    expect(process.memory.list()).toEqual([]);
    const keeper = process.memory.keeperFor(endpoint, null);
    keeper.keep(capabilities);
    // Before it is on disk, too.
    process.memory.noteMeasured(endpoint, { contextLength: 0, measured });
    keeper.keep({ ...capabilities, room: 4 });
    await process.memory.settle();
    const expected = { contextLength: 0, measured, capabilities: { ...capabilities, room: 4 } };
    expect(onDisk(process)).toMatchObject(expected);
  });

  test.each([
    [{ learnedAt: -1 }],
    [{ learnedAt: 0.5 }],
    [{ contextLength: -1 }],
    [{ measured: { ...measured, at: -1 } }],
    [{ measured: { ...measured, aloneMs: -0.1 } }],
    [{ measured: { ...measured, slots: 0.5 } }],
    [{ measured: { ...measured, more: 1 } }],
    [{ more: 1 }],
    [{ v: 0 }],
    [{ v: 'x' }],
    [{ v: undefined }],
  ])('is unusable with %j', async (change) => {
    const process = aProcess();
    await learn(process);
    const [path = ''] = filesOf(process);
    const text = readFileSync(path, 'utf8');
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    writeFileSync(path, JSON.stringify({ ...JSON.parse(text), measured }));
    expect(process.memory.listUnusable()).toEqual([]);
    writeFileSync(path, JSON.stringify({ ...JSON.parse(text), ...change }));
    expect(process.memory.recall(endpointOf('http://a/v1'))).toBeNull();
    expect(process.notes).toEqual([expect.stringContaining('it is learned anew')]);
    const version = 'v' in change && change.v === 0;
    const words = version ? 'of another version of this program: expected version 1, found 0' : '';
    expect(process.memory.listUnusable()).toEqual([`${path} is ${words || 'damaged'}`]);
    expect(process.memory.list()).toEqual([]);
  });
});

describe('no secret', () => {
  test('a file of the memory contains no key, password or prompt', async () => {
    const step = without('seed', refusal(400, `Unsupported parameter: '${KEY}'`, { param: KEY }));
    await atEndpoint([step], async (fake) => {
      const process = aProcess();
      const endpoint = {
        baseUrl: `${fake.baseUrl.replace('//', '//me:hunter22@')}/${KEY}?api_key=${KEY}#${KEY}`,
        model: `fake ${KEY}`,
        apiKey: KEY,
      };
      const known = cacheOf(process, endpoint);
      const outcome = await asked(transportOf(fake), { known });
      known.capabilities = { ...known.capabilities, dropped: [KEY, `Bearer ${KEY}`, 'top_p'] };
      known.noteAnswered('text', 1, []);
      await process.memory.settle();
      expect(outcome.reply.calls).toBeGreaterThan(0);
      const files = filesOf(process);
      expect(files).toHaveLength(1);
      for (const path of files) {
        const text = `${path} ${readFileSync(path, 'utf8')}`;
        for (const secret of [KEY, KEY.slice(0, 12), 'hunter22', 'Among Us', 'desire'])
          expect(text).not.toContain(secret);
        expect(text).toContain('top_p');
      }
      expect(process.memory.recall(endpoint)).not.toBeNull();
    });
  });
});

describe('forgetting', () => {
  const filled = async (): Promise<Process> => {
    const process = aProcess();
    for (const [baseUrl, model] of [
      ['http://a/v1', 'x'],
      ['http://a/v1', 'y'],
      ['http://b/v1', 'x'],
    ] as const) {
      await learn(process, {}, endpointOf(baseUrl, model));
    }
    writeFileSync(join(process.memory.folder, 'damaged.json'), '{');
    return process;
  };

  test.each([
    [{ model: 'x', baseUrl: 'http://a/v1/' }, 1, 3],
    [{ model: 'x' }, 2, 2],
    [{ baseUrl: 'http://a/v1' }, 2, 2],
    [{ model: 'z' }, 0, 4],
    [{}, 4, 0],
  ])('%j removes %i of four files', async (query, removed, left) => {
    const process = await filled();
    expect(process.memory.forget(query)).toBe(removed);
    expect(filesOf(process)).toHaveLength(left);
  });

  test('of nothing is no failure', () => expect(aProcess().memory.forget()).toBe(0));
});

test.each([
  [{ HOME: '/home/me' }, false, '/home/me/.local/state/glassbox'],
  [{ HOME: '/home/me', XDG_STATE_HOME: '/state' }, false, '/state/glassbox'],
  [{ HOME: '/home/me', XDG_STATE_HOME: 'state' }, false, '/home/me/.local/state/glassbox'],
  [{ HOME: '/home/me', XDG_STATE_HOME: '' }, false, '/home/me/.local/state/glassbox'],
  [{ HOME: '/home/me', GLASSBOX_STATE: 'here' }, false, 'here'],
  [{ HOME: '/home/me', GLASSBOX_STATE: 'none' }, false, null],
  [{ HOME: '/home/me', GLASSBOX_STATE: '' }, false, '/home/me/.local/state/glassbox'],
  [{ HOME: '' }, false, null],
  [{}, false, null],
  [{ HOME: '/home/me', LOCALAPPDATA: '/local' }, true, '/local/glassbox'],
  [{ HOME: '/home/me' }, true, null],
])('with %j, on Windows %s, it is kept in %s', (env, isWindows, folder) => {
  expect(findStateFolder(env, isWindows)).toBe(folder);
});
