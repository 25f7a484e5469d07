/**
 * Caching: a provider can reuse the beginning of a prompt.
 *
 * Measured on a whole meeting of eight living players, from tick to tick and from player to player.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { createMatch } from '../../actors/engine/match.ts';
import { createPrefixCache } from '../../analysis/models/caching.ts';
import { collectPrompts, groupByMoment } from '../../analysis/models/prompts.ts';
import { plainGame } from '../../machines/setup/prepare.ts';
import { COLOURS } from '../../machines/types.ts';
import { type Block, joinBlocks } from '../../prompts/block.ts';
import { pickIdentity } from '../../prompts/personas.ts';
import { buildPrompt, type Prompt } from '../../prompts/prompt.ts';
import { aMeetingMatch } from '../machines/builders.ts';
import { seeds } from '../support/seeds.ts';

const GAMES = seeds(3, 40);
const EIGHT = COLOURS.slice(0, 8);

type Sent = { readonly seat: string; readonly tick: number; readonly prompt: Prompt };
const sent: Sent[] = [];
let ticks = 0;

beforeAll(async () => {
  const match = aMeetingMatch({
    seats: EIGHT.map((colour, index) => ({
      colour,
      role: index < 2 ? 'impostor' : 'crewmate',
      votes: 'after-nudge',
    })),
  });
  const creation = createMatch(match, 5);
  if (!creation.ok) throw new Error(creation.refusals.map(({ text }) => text).join('\n'));
  for (const { seat, request } of await collectPrompts(creation.ready)) {
    if (request.kind !== 'discussion') continue;
    const identity = pickIdentity(request.view.you.persona, 'game');
    sent.push({ seat, tick: request.index, prompt: buildPrompt(request, identity) });
    ticks = Math.max(ticks, request.index + 1);
  }
});

const whole = ({ system, user }: Prompt) => joinBlocks([...system, ...user]);
const stable = ({ system, user }: Prompt) => [...system, ...user].filter((block) => block.stable);
const nextOf = ({ seat, tick }: Sent) =>
  sent.find((other) => other.seat === seat && other.tick === tick + 1);

describe('a meeting of eight', () => {
  test('is long enough to say something, and everybody is asked in every tick', () => {
    expect(ticks).toBeGreaterThanOrEqual(20);
    expect(sent.length).toBe(ticks * EIGHT.length);
  });

  test('rules, reply format, record and opening are the same bytes for all eight in every tick', () => {
    const beginnings = sent.map(({ prompt: { system, user } }) =>
      joinBlocks([...system, ...user.slice(0, 1)]),
    );
    expect(new Set(beginnings).size).toBe(1);
    expect(beginnings[0]).toContain('# The game so far');
    expect(beginnings[0]).toContain('Meeting called:');
  });

  test('every block that was sent is sent again as it was, and only then new ones follow', () => {
    let compared = 0;
    for (const one of sent) {
      const next = nextOf(one);
      if (next === undefined) continue;
      compared += 1;
      const [before, after] = [stable(one.prompt), stable(next.prompt)];
      expect(after.slice(0, before.length)).toEqual(before);
      expect(joinBlocks(before)).toContain('# You (private');
      expect(joinBlocks(before)).toContain('# What you saw yourself');
    }
    expect(compared).toBe((ticks - 1) * EIGHT.length);
  });

  test('stable blocks come first', () => {
    const isFirst = (blocks: readonly Block[]) =>
      blocks.map((block) => block.stable).lastIndexOf(true) <
      [...blocks.map((block) => block.stable), false].indexOf(false);
    for (const { prompt } of sent) expect(isFirst([...prompt.system, ...prompt.user])).toBe(true);
  });

  test('and one reply schema serves them all', () => {
    expect(new Set(sent.map(({ prompt }) => JSON.stringify(prompt.schema))).size).toBe(1);
  });
});

describe(`${GAMES} games of eight`, () => {
  const match = plainGame(8);
  type Asked = {
    readonly seat: string;
    readonly meeting: number;
    /** The memory has lost sights. */
    readonly isFull: boolean;
    readonly prompt: Prompt;
  };
  const asked = new Map<number, readonly Asked[]>();
  const counted = new Map<string, { requests: number; prompt: number; cached: number }>();

  beforeAll(async () => {
    for (let seed = 1; seed <= GAMES; seed++) {
      const creation = createMatch(match, seed);
      if (!creation.ok) throw new Error(creation.refusals.map(({ text }) => text).join('\n'));
      const moments = groupByMoment(await collectPrompts(creation.ready));
      const cache = createPrefixCache('in-front');
      const all: Asked[] = [];
      for (const moment of moments) {
        const prompts = moment.map(({ seat, request }) => {
          const identity = pickIdentity(request.view.you.persona, `game-${seed}`);
          return { seat, request, prompt: buildPrompt(request, identity) };
        });
        for (const { seat, request, prompt } of prompts) {
          const record = 'table' in request.view ? request.view.table.record : null;
          const { past } = request.view.you;
          const faded = 'map' in request.view ? request.view.you.faded.length : 0;
          const isFull = past.forgotten + faded > 0;
          all.push({ seat, meeting: record?.meetings.length ?? -1, isFull, prompt });
        }
        for (const [index, one] of cache(prompts.map(({ prompt }) => prompt)).entries()) {
          const kind = prompts[index]?.prompt.requestKind ?? '';
          const sum = counted.get(kind) ?? { requests: 0, prompt: 0, cached: 0 };
          sum.requests += 1;
          sum.prompt += one.prompt;
          sum.cached += one.cached;
          counted.set(kind, sum);
        }
      }
      asked.set(seed, all);
    }
  }, 600_000);

  test('each kind of request has one schema and one block of rules from the first to the last', () => {
    for (const prompts of asked.values()) {
      const fronts = new Map<string, Set<string>>();
      for (const { prompt } of prompts) {
        const { schema, schemaName, system } = prompt;
        const front = `${JSON.stringify(schema)}${joinBlocks(system)}`;
        fronts.set(schemaName, (fronts.get(schemaName) ?? new Set()).add(front));
      }
      for (const [name, found] of fronts) expect([name, found.size]).toEqual([name, 1]);
      expect(fronts.size).toBeGreaterThanOrEqual(4);
    }
  });

  test("a player's knowledge stays identical to the byte during a meeting", () => {
    let compared = 0;
    for (const prompts of asked.values()) {
      const talk = prompts.filter(({ prompt }) => prompt.schemaName === 'meeting_reply');
      const meetings = Map.groupBy(talk, ({ seat, meeting }) => `${seat} ${meeting}`);
      for (const requests of meetings.values()) {
        for (const [prompt, next] of pairsOf(requests)) {
          compared += 1;
          expect(whole(next).startsWith(joinBlocks(stable(prompt)))).toBe(true);
        }
      }
    }
    expect(compared).toBeGreaterThan(GAMES * 20);
  });

  test('what ghosts heard and said is only added to, from the first turn of a meeting to the last', () => {
    let [compared, said] = [0, 0];
    for (const prompts of asked.values()) {
      const talk = prompts.filter(({ prompt }) => prompt.schemaName === 'ghost_chat');
      const openings = Map.groupBy(talk, ({ seat, prompt }) => `${seat} ${recordOf(prompt)}`);
      for (const requests of openings.values()) {
        for (const [prompt, next] of pairsOf(requests)) {
          compared += 1;
          if (whole(prompt).includes('\n{"ghost":')) said += 1;
          expect(whole(next).startsWith(joinBlocks(stable(prompt)))).toBe(true);
        }
      }
    }
    expect(compared).toBeGreaterThan(GAMES * 5);
    expect(said).toBeGreaterThan(GAMES * 3);
  });

  test('the consolidation begins with all that lasted of the reaction', () => {
    let compared = 0;
    for (const prompts of asked.values()) {
      for (const [index, { seat, prompt }] of prompts.entries()) {
        if (prompt.requestKind !== 'reaction') continue;
        const next = prompts
          .slice(index)
          .find((one) => one.seat === seat && one.prompt.requestKind === 'consolidation');
        if (next === undefined) continue;
        compared += 1;
        expect(whole(next.prompt).startsWith(joinBlocks(stable(prompt)))).toBe(true);
        expect(next.prompt.schema).toEqual(prompt.schema);
      }
    }
    expect(compared).toBeGreaterThan(GAMES * 3);
  });

  test('finished sights on the ship are written once: later requests begin their list with them', () => {
    let compared = 0;
    for (const prompts of asked.values()) {
      const actions = prompts.filter(({ prompt }) => prompt.schemaName === 'action');
      for (const requests of Map.groupBy(actions, ({ seat }) => seat).values()) {
        for (const [prompt, next, isFull] of pairsOf(requests)) {
          // A meeting in between begins a new list.
          if (recordOf(prompt) !== recordOf(next)) continue;
          const seen = seenOf(prompt);
          // A sight of the last round may continue.
          const last = endOf(seen.at(-1));
          const over = seen.filter((line) => endOf(line) !== last);
          if (over.length === 0 || isFull) continue;
          compared += 1;
          expect(seenOf(next).slice(0, over.length)).toEqual(over);
        }
      }
    }
    expect(compared).toBeGreaterThan(GAMES * 20);
  });

  /** The second of a line's end: of "5 to 12.5 Admin: red" it is 12.5. */
  const endOf = (line = '') => /^(?:[\d.]+ to )?([\d.]+) /.exec(line)?.[1];
  const pairsOf = (requests: readonly Asked[]) =>
    requests.flatMap(({ prompt }, index) => {
      const next = requests[index + 1];
      return next === undefined ? [] : [[prompt, next.prompt, next.isFull] as const];
    });
  const recordOf = ({ user }: Prompt) => user[0]?.text;
  const seenOf = (prompt: Prompt) =>
    (
      /# What you saw yourself \(seconds of[^#]*Whom you saw:\n((?:\d.*\n)*)/.exec(
        whole(prompt),
      )?.[1] ?? ''
    )
      .trimEnd()
      .split('\n')
      .filter((line) => line !== '');

  test.each([
    ['discussion', 0.8],
    ['action', 0.65],
    ['ghost', 0.7],
    ['consolidation', 0.85],
  ])('a provider has most of each request for a %s in its cache: at least %d', (kind, least) => {
    const { prompt = 0, cached = 0 } = counted.get(kind) ?? {};
    expect(cached / prompt).toBeGreaterThanOrEqual(least);
  });
});
