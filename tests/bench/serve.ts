/**
 * Games over the socket of `glassbox serve`: seat-steps by the clock and by CPU time, and the memory of the server. Then
 * each game is played again in one process, where its journal must be the same, and its journal is replayed.
 *
 * Run alone: `node tests/bench/serve.ts [games] [sessions] [threads] [way …]`; 1,000 games by 64 sessions, on a thread
 * for each processor, all ways. The client plays at random and shares the processors with the server. Linux only.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { MemorySink } from '../../actors/engine/journal/sink.ts';
import { openEnvironment } from '../../actors/environment.ts';
import { replayMatch } from '../../actors/library.ts';
import type { Observation } from '../../actors/minds/observation.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';

const PLAYERS = 8;
const PROGRAM = fileURLToPath(new URL('../../cli/glassbox.ts', import.meta.url));
/** The unit of the times in /proc. */
const TICKS_PER_SECOND = 100;

type Question = Pick<Observation, 'kind' | 'index' | 'choices'>;
type Frame = {
  readonly type: string;
  readonly data: {
    readonly done: boolean;
    readonly observation: Question & {
      readonly seat: Colour | null;
      readonly questions?: Readonly<Partial<Record<Colour, Question>>>;
    };
  };
};

/** How a client plays: its seats, and whether a frame answers for all of them. */
type Way = { readonly seats: readonly Colour[]; readonly isWhole: boolean; readonly share: number };

const ALL = COLOURS.slice(0, PLAYERS);
const WAYS: Readonly<Record<string, Way>> = {
  'all seats, whole turns': { seats: ALL, isWhole: true, share: 1 },
  'all seats, one a frame': { seats: ALL, isWhole: false, share: 0.25 },
  'one seat, default personas': { seats: ALL.slice(0, 1), isWhole: false, share: 0.25 },
};

/** A legal reply, drawn from the seed and the moment by a cheap hash. */
function replyAtRandom({ kind, index, choices }: Question, seat: Colour, seed: number): object {
  const place = (index << 8) ^ (COLOURS.indexOf(seat) << 4) ^ kind.length;
  let state = Math.imul(seed ^ place, 0x9e3779b1);
  const draw = () => {
    state = Math.imul(state ^ (state >>> 15), 0x85ebca6b) ^ (state >>> 13);
    return state >>> 1;
  };
  const pick = <T>(list: readonly T[]) => list[draw() % list.length] ?? null;
  draw();
  if (kind === 'action') return { action: pick(choices.actions) };
  const vote = draw() % 3 === 0 ? pick(choices.votes) : null;
  const message = draw() % 2 === 0 ? `I was in Admin, and ${pick(choices.targets)} was not.` : '';
  return { desire_to_speak: draw() % 11, message, vote_action: vote };
}

type Ask = (frame: object) => Promise<Frame>;

/** Plays a game; returns its seat-steps. */
async function playGame(ask: Ask, seed: number, { seats, isWhole }: Way): Promise<number> {
  const terms = { seed, seats, players: PLAYERS, parts: ['choices'], whole: isWhole };
  let { data } = await ask({ type: 'reset', data: terms });
  let steps = 0;
  while (!data.done) {
    const { seat, questions, ...question } = data.observation;
    if (seat === null) throw new Error(`expected a question, found ${JSON.stringify(data)}`);
    const replies = COLOURS.flatMap((one) => {
      const shown = one === seat && questions === undefined ? question : questions?.[one];
      return shown === undefined ? [] : [[one, replyAtRandom(shown, one, seed)] as const];
    });
    const action = isWhole ? { replies: Object.fromEntries(replies) } : replies[0]?.[1];
    ({ data } = await ask({ type: 'step', data: action }));
    steps += replies.length;
  }
  return steps;
}

async function connect(url: string): Promise<{ readonly ask: Ask; close(): void }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}ws`, { perMessageDeflate: false });
  let hear = (_: Frame) => {};
  let lose = (_: Error) => {};
  socket.on('message', (data) => {
    const frame: Frame = JSON.parse(String(data));
    if (frame.type === 'observation') hear(frame);
    else lose(new Error(`expected an observation, found ${String(data)}`));
  });
  socket.on('close', (code) => lose(new Error(`the connection has ended with ${code}`)));
  await new Promise((resolve) => socket.once('open', resolve));
  const ask: Ask = (frame) =>
    new Promise((resolve, reject) => {
      [hear, lose] = [resolve, reject];
      socket.send(JSON.stringify(frame));
    });
  return { ask, close: () => socket.close() };
}

async function startServer(words: readonly string[]) {
  const line = [PROGRAM, 'serve', '--port', '0', ...words];
  const server = spawn(process.execPath, line, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  process.once('exit', () => server.kill());
  let url = '';
  for await (const text of createInterface({ input: server.stderr })) {
    url = /http:\S+\/(?= )/.exec(text)?.[0] ?? '';
    if (url !== '') break;
  }
  const read = () => {
    const folder = `/proc/${server.pid}`;
    const [, fields = ''] = readFileSync(`${folder}/stat`, 'utf8').split(') ');
    const [user, system] = fields.split(' ').slice(11);
    const status = readFileSync(`${folder}/status`, 'utf8');
    const megabytes = (name: string) =>
      Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
    const cpu = (Number(user) + Number(system)) / TICKS_PER_SECOND;
    return { cpu, now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
  };
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
  };
  return { url, read, stop };
}

/** Plays a game for each seed, by several sessions at a time; returns their seat-steps. */
async function playAll(url: string, seeds: readonly number[], sessions: number, way: Way) {
  const queue = seeds.values();
  let steps = 0;
  const session = async () => {
    const { ask, close } = await connect(url);
    for (const seed of queue) {
      const played = await playGame(ask, seed, way);
      steps += played;
    }
    close();
  };
  await Promise.all(Array.from({ length: sessions }, session));
  return steps;
}

/** The journal of the same game without a socket. */
async function playHere(seed: number, seats: readonly Colour[]): Promise<string> {
  const sink = new MemorySink();
  const kept = { keepsJournal: false, openSink: () => sink };
  const env = openEnvironment({ players: PLAYERS, seats, seed, door: 'openenv', ...kept });
  let { asked } = await env.reset();
  while (asked.length > 0) {
    for (const seat of asked) {
      const question = env.observe(seat);
      if (question === null) throw new Error(`expected a question to ${seat}`);
      await env.step(seat, replyAtRandom(question, seat, seed));
    }
    ({ asked } = env.state());
  }
  return sink.text;
}

async function measure(name: string, way: Way, { games, sessions, threads }: Size): Promise<void> {
  const out = mkdtempSync(join(tmpdir(), 'glassbox-bench-'));
  const seeds = Array.from({ length: Math.ceil(games * way.share) }, (_, index) => index + 1);
  const flags = ['--sessions', sessions + threads, '--jobs', threads, '--out', out].map(String);
  const { url, read, stop } = await startServer(flags);
  // Threads start, and the compiler sees most of the code.
  await playAll(
    url,
    Array.from({ length: 4 * threads }, (_, at) => 1e6 + at),
    threads,
    way,
  );
  const before = read();
  const own = process.cpuUsage();
  const start = performance.now();
  const steps = await playAll(url, seeds, sessions, way);
  const seconds = (performance.now() - start) / 1000;
  const spent = process.cpuUsage(own);
  const after = read();
  await stop();
  const client = (spent.user + spent.system) / 1e6;
  const cpu = after.cpu - before.cpu;
  const rate = (by: number) => Math.round(steps / by).toLocaleString('en');
  console.log(
    `${name}: ${seeds.length} games, ${steps.toLocaleString('en')} seat-steps in ${seconds.toFixed(1)} s; ` +
      `CPU ${cpu.toFixed(1)} s of the server, ${client.toFixed(1)} s of the client\n` +
      `  seat-steps: ${rate(seconds)} a second, ${rate(cpu)} a CPU second of the server, ` +
      `${rate((cpu + client) / 2)} a second where two processors do nothing else\n` +
      `  games: ${(seeds.length / seconds).toFixed(1)} a second, ${(seeds.length / cpu).toFixed(1)} a CPU second of the server\n` +
      `  memory: ${after.peak.toFixed(0)} MB at most, ${((after.peak - before.now) / sessions).toFixed(1)} MB for each session`,
  );
  let same = 0;
  let replayed = 0;
  for (const seed of seeds) {
    const written = readFileSync(`${out}/serve/game-${seed}.jsonl`, 'utf8');
    if (written === (await playHere(seed, way.seats))) same += 1;
    if ((await replayMatch(written)).type === 'same') replayed += 1;
  }
  console.log(`  journals: ${same} are the same in one process, ${replayed} replay`);
  rmSync(out, { recursive: true });
}

type Size = { readonly games: number; readonly sessions: number; readonly threads: number };

const [games = '1000', sessions = '64', threads = `${availableParallelism()}`, ...wanted] =
  process.argv.slice(2);
const size = { games: Number(games), sessions: Number(sessions), threads: Number(threads) };
for (const [name, way] of Object.entries(WAYS)) {
  if (wanted.length === 0 || wanted.some((word) => name.includes(word)))
    await measure(name, way, size);
}
