/** One connection in five breaks off. No seat and no session is lost, and every game goes on. */
import { expect, test } from 'vitest';
import { drawWords } from '../../machines/rules/dice.ts';
import { aPlace } from '../cli/session.ts';
import { contents } from '../cli/shell.ts';
import { SEED } from '../support/seeds.ts';
import { Agent, readObject, serveTrainers, Trainer } from './clients.ts';

const draw = (at: number) =>
  drawWords({ seed: SEED, meeting: 0, stream: 'run', tick: at }, 1)[0] ?? 0;

const JOINS = 100;
const SESSIONS = 8;
const STEP = { type: 'step', data: { text: '{"action":null}' } };

/** A session that plays; it comes again while those that have gone are still being noticed. */
async function joinAsTrainer(url: string, seed: number): Promise<Trainer> {
  for (;;) {
    const trainer = new Trainer(url);
    const data = { seed, players: 4, seats: ['red', 'blue'], parts: ['choices'] };
    const heard = (await trainer.ask({ type: 'reset', data })) ?? '';
    if (readObject(heard)['type'] === 'observation') return trainer;
    expect(heard).toContain('CAPACITY_REACHED');
  }
}

test(`trainers: ${JOINS} join, 20 of them are cut off, and all ${SESSIONS} sessions are free at the end`, async () => {
  const { server, url } = await serveTrainers(['--sessions', String(SESSIONS)], aPlace().cwd);
  const seated: Trainer[] = [];
  let cut = 0;
  for (let at = 0; at < JOINS; at++) {
    if (seated.length === SESSIONS) await seated.shift()?.close();
    const trainer = await joinAsTrainer(url, at);
    if (at % 5 !== 4) {
      expect(await trainer.ask(STEP)).toContain('observation');
      seated.push(trainer);
      continue;
    }
    cut += 1;
    // Between two frames, or while one is played, or in the middle of one.
    if (draw(at) % 3 > 0) trainer.socket.send(JSON.stringify(STEP));
    if (draw(at) % 3 > 1) trainer.socket.send('{"type":"step",', { fin: false });
    trainer.socket.terminate();
  }
  expect(cut).toBe(20);
  for (const trainer of seated) await trainer.close();
  const again = await Promise.all(
    Array.from({ length: SESSIONS }, (_, at) => joinAsTrainer(url, at)),
  );
  for (const trainer of again) {
    expect(await trainer.ask(STEP)).toContain('observation');
    expect(await trainer.ask({ type: 'state' })).toContain('"step_count":1');
  }
  server.signal('SIGINT');
  expect((await server.finished).exit).toBe(0);
});

const AGENTS = ['red', 'blue', 'green', 'pink', 'orange'];
const TABLE = `name: Agents
options: { kill_cooldown: 10, common_tasks: 0, long_tasks: 0, short_tasks: 1, max_ticks: 6 }
seats:
${AGENTS.map((colour) => `  - { colour: ${colour}, mind: outside }`).join('\n')}
  - { colour: white }
  - { colour: black }
`;

test('agents: 20 join in 4 games, all are cut off, and every game is played to its end with all seats', async () => {
  const place = aPlace({ 'table.yaml': TABLE });
  const play = async (number: number) => {
    const words = ['table.yaml', '--out', `games-${number}`, '--think', '5'];
    const agent = new Agent(words, place.cwd);
    await agent.greet();
    const held: object[] = [];
    for (const seat of AGENTS) {
      const { game, token } = readObject((await agent.call('join', { seat })).text);
      held.push({ game, token });
    }
    for (let turn = draw(number) % 9; turn > 0; turn--)
      for (const one of held) await agent.call('act', { ...one, reply: { action: null } });
    // A question is open, and an answer is on its way.
    for (const one of held) {
      const params = { name: 'look', arguments: one };
      agent.write({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    }
    agent.process.stdout?.destroy();
    agent.process.stdin?.destroy();
    expect(await agent.finished, agent.err).toBe(0);
    const [name = ''] = contents(place.path(`games-${number}`)).filter((one) => one.endsWith('l'));
    const journal = place.read(`games-${number}/${name}`);
    // For a minute they are silent, and keep their seats.
    for (const line of journal.split('\n').filter((one) => one.includes('"mind/lost"')))
      expect(Number(/"clock":.*?"ms":(\d+)/.exec(line)?.[1])).toBeGreaterThanOrEqual(60_000);
    expect(journal).not.toContain('"reason":"left"');
    expect(journal).toContain('"type":"game.closed"');
    await place.done(['verify', `games-${number}/${name}`]);
  };
  await Promise.all([1, 2, 3, 4].map(play));
});
