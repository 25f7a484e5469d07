/**
 * Kills without warning: a match of slow minds is killed at random moments until it ends, over real sockets. An
 * answer that arrived is never requested again, every request is counted, and the journal replays byte for byte.
 *
 * The moments are drawn from printed seeds. At most two requests are in flight at once, so the endpoint knows the
 * minimum that a process must have received: when a request arrives, all but the last before it have been answered.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { COLOURS } from '../../machines/types.ts';
import { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { faulty } from '../support/endpoint/faults.ts';
import { picker } from '../support/endpoint/pick.ts';
import { describeLong, seeds } from '../support/seeds.ts';
import { aFolder, type Finished, glassbox, jsonLines, Running } from './shell.ts';

const GAMES = Array.from({ length: seeds(1, 8) }, (_, index) => index + 1);
const KILLS = seeds(3, 5);
const AT_ONCE = 2;
const PLAYERS = 8;
const JOURNAL = 'out/0001.jsonl';

/**
 * Ghosts are off, because the journal may end before their last answers. Kills are slow, so that no game ends at
 * once.
 */
const MATCH = `name: Killed
ghosts: { present: false }
options: { max_rounds: 25, impostors: 1, kill_cooldown: 60, first_kill_cooldown: 60 }
seats: [${COLOURS.slice(0, PLAYERS)
  .map((colour) => `{ colour: ${colour} }`)
  .join(', ')}]
`;

/** Kills a process after numbers of requests that are drawn from a seed. */
class Killer {
  victim: Running | null = null;
  readonly kills: number[] = [];
  readonly #pick: ReturnType<typeof picker>;
  #next = 0;
  #asked = 0;

  constructor(seed: number) {
    this.#pick = picker(`kill ${seed}`);
    this.#plan(0);
  }

  /** Notes a request. The endpoint answers it when this resolves. */
  async noteAsked(asked: number): Promise<void> {
    this.#asked = asked;
    if (asked < this.#next || this.kills.length >= KILLS) return;
    this.#plan(asked);
    const turns = this.#pick([null, 0, 1, 3, 10, 30, 100, 300], `turns ${asked}`) ?? null;
    if (turns === null) {
      this.#kill();
      return;
    }
    void (async () => {
      for (let turn = 0; turn < turns; turn++) await turnOfTheLoop();
      this.#kill();
    })();
  }

  #plan(asked: number): void {
    this.#next = asked + 2 + (this.#pick([...Array(12).keys()], `gap ${asked}`) ?? 0);
  }

  #kill(): void {
    this.kills.push(this.#asked);
    this.victim?.process.kill('SIGKILL');
  }
}

async function playThroughKills(
  killer: Killer,
  begin: readonly string[],
  resume: readonly string[],
  cwd: string,
): Promise<Finished> {
  for (let args = begin; ; args = resume) {
    // The endpoint of one's own runs is known from there.
    killer.victim = new Running(args, { cwd, env: { GLASSBOX_STATE: 'state' } });
    const finished = await killer.victim.finished;
    if (finished.exit !== null) return finished;
  }
}

const callsOf = (cwd: string) =>
  jsonLines(readFileSync(join(cwd, JOURNAL), 'utf8')).flatMap((line) => {
    const calls: unknown = Reflect.get(Object(line['clock']), 'calls');
    return Array.isArray(calls) ? calls : [];
  });

/** For each repeated text, the index of its first occurrence. */
function firstOfRepeats(texts: readonly string[]): readonly number[] {
  return texts.flatMap((text, place) => {
    const first = texts.indexOf(text);
    return first < place ? [first] : [];
  });
}

/** Whether a request may have been in flight at a kill, because it was among the last before it. */
const isLastBefore = (kills: readonly number[], place: number) =>
  kills.some((asked) => place >= asked - AT_ONCE && place < asked + AT_ONCE);

describeLong.concurrent('a game of models that is killed at random moments', () => {
  test.each(GAMES)('asks nobody twice, seed %i', async (seed) => {
    const killer = new Killer(seed);
    const endpoint = await FakeEndpoint.open({ thought: (asked) => killer.noteAsked(asked) });
    const cwd = aFolder({ 'match.yaml': MATCH });
    const models = ['--concurrency', String(AT_ONCE), '--model', 'm'];
    const asking = [...models, '--base-url', endpoint.baseUrl];
    const ended = await playThroughKills(
      killer,
      ['run', 'match.yaml', '--seed', String(seed), '--out', 'out', ...asking],
      ['resume', JOURNAL, '--concurrency', String(AT_ONCE)],
      cwd,
    );
    expect(ended.exit).toBe(0);
    expect(killer.kills).toHaveLength(KILLS);
    const bodies = endpoint.asked.map(({ body }) => JSON.stringify(body));
    const calls = callsOf(cwd);
    const answered = calls.filter(({ failure }) => failure === null);
    const lost = calls.filter(({ failure }) => failure === 'lost');
    // Each question has one answer, and each request is in the journal, as an answer or as interrupted.
    expect(answered).toHaveLength(new Set(bodies).size);
    expect(answered.length + lost.length).toBe(calls.length);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
    // Some were interrupted before they left this machine.
    const repeats = firstOfRepeats(bodies);
    expect(repeats.length).toBeLessThanOrEqual(lost.length);
    expect(lost.length).toBeLessThanOrEqual(AT_ONCE * KILLS);
    for (const place of repeats) expect(isLastBefore(killer.kills, place), `${place}`).toBe(true);
    expect(ended.err).toContain(`${calls.length} requests`);
    expect(readdirSync(join(cwd, 'out'))).toEqual(['0001.jsonl']);
    const again = await glassbox(`verify ${JOURNAL}`, { cwd });
    expect([again.exit, again.out]).toEqual([0, expect.stringMatching(/^the same/)]);
    await endpoint.close();
  });

  test.each(GAMES)('spends no more than its budget, faults and all, seed %i', async (seed) => {
    const LIMIT = 40;
    const killer = new Killer(seed + GAMES.length);
    const endpoint = await FakeEndpoint.open({
      steps: faulty(0.2, seed),
      thought: (asked) => killer.noteAsked(asked),
    });
    const cwd = aFolder({ 'match.yaml': MATCH });
    const budget = ['--max-calls', String(LIMIT), '--concurrency', String(AT_ONCE)];
    const models = ['--model', 'm', '--base-url', endpoint.baseUrl];
    const ended = await playThroughKills(
      killer,
      ['run', 'match.yaml', '--seed', '7', '--out', 'out', ...budget, ...models],
      ['resume', JOURNAL, ...budget],
      cwd,
    );
    expect([ended.exit, ended.err]).toEqual([
      0,
      expect.stringContaining(`${LIMIT} calls is spent`),
    ]);
    const lost = callsOf(cwd).filter(({ failure }) => failure === 'lost');
    expect(endpoint.asked.length).toBeLessThanOrEqual(LIMIT);
    expect(endpoint.asked.length).toBeGreaterThanOrEqual(LIMIT - lost.length - AT_ONCE);
    await endpoint.close();
  });
});

/** The request to a mind behind a URL, without the fields that differ between processes. */
const messageText = (text: string) => {
  const { id: _id, game: _game, ...message } = JSON.parse(text);
  return JSON.stringify(message);
};

test.concurrent('a game of minds behind a URL takes up what had arrived in the open round', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', async () => {
      const text = Buffer.concat(pieces).toString();
      const { type, id } = JSON.parse(text);
      if (type !== 'hello') asked.push(messageText(text));
      if (type !== 'hello' && asked.length > 2) await released;
      const answer = { type: 'answer', id, answer: { message: 'I was in Admin.', action: 'wait' } };
      response.end(JSON.stringify(type === 'hello' ? { type, protocol: 1, name: 'web' } : answer));
    });
  });
  server.listen(0, '127.0.0.1', open);
  await opened;
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : null;
  const cwd = aFolder({ 'match.yaml': MATCH });
  const running = new Running(
    ['run', 'match.yaml', '--out', 'out', '--mind', `http://127.0.0.1:${port}/`],
    { cwd },
  );
  const ahead = join(cwd, `${JOURNAL}.ahead`);
  const answersAhead = () =>
    existsSync(ahead) ? readFileSync(ahead, 'utf8').split('{"ahead":"answer"').length - 1 : 0;
  await vi.waitUntil(() => answersAhead() === 2 && asked.length === PLAYERS, { timeout: 300_000 });
  running.process.kill('SIGKILL');
  await running.finished;
  const before = asked.length;
  release();
  const ended = await glassbox(`resume ${JOURNAL} --run-minds`, { cwd });
  expect(ended.exit).toBe(0);
  // Only the players without an answer are asked again.
  const again = asked.slice(before).filter((text) => asked.indexOf(text) < before);
  expect(again.toSorted()).toEqual(asked.slice(2, before).toSorted());
  expect(readdirSync(join(cwd, 'out'))).toEqual(['0001.jsonl']);
  const same = await glassbox(`verify ${JOURNAL}`, { cwd });
  expect(same.exit).toBe(0);
  server.close();
  server.closeAllConnections();
});
