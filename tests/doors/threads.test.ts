/** Sessions of a real `glassbox serve` on several threads. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openEnvironment } from '../../actors/environment.ts';
import type { Observation } from '../../actors/minds/observation.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';
import { aPlace } from '../cli/session.ts';
import { replyLegally } from '../support/policy.ts';
import { serveTrainers, Trainer } from './clients.ts';

const SEATS = COLOURS.slice(0, 4);

async function playHere(seed: number): Promise<string> {
  const env = openEnvironment({ players: 4, seats: SEATS, seed, door: 'openenv' });
  let { asked } = await env.reset();
  while (asked.length > 0) {
    for (const seat of asked) {
      const shown = env.observe(seat);
      if (shown === null) throw new Error(`expected a question to ${seat}`);
      await env.step(seat, replyLegally(shown, 1));
    }
    ({ asked } = env.state());
  }
  return env.journal();
}

/** Plays to the end, or as far as this turn. */
async function playThere(trainer: Trainer, seed: number, turns: number): Promise<void> {
  const terms = { seed, players: 4, parts: ['choices'], whole: true };
  let frame = JSON.parse((await trainer.ask({ type: 'reset', data: terms })) ?? '');
  for (let turn = 0; turn < turns && !frame.data.done; turn++) {
    const questions: Readonly<Partial<Record<Colour, Observation>>> =
      frame.data.observation.questions;
    const replies = SEATS.flatMap((seat) => {
      const question = questions[seat];
      return question === undefined ? [] : [[seat, replyLegally({ ...question, seat }, 1)]];
    });
    const data = { replies: Object.fromEntries(replies) };
    frame = JSON.parse((await trainer.ask({ type: 'step', data })) ?? '');
  }
}

test('two threads write the journals that one process writes, and Ctrl-C saves the game it cuts off', async () => {
  const place = aPlace();
  const flags = ['--jobs', '2', '--sessions', '2', '--seats', 'all', '--out', 'games'];
  const { server, url } = await serveTrainers(flags, place.cwd);
  const trainers = [new Trainer(url), new Trainer(url)] as const;
  const [one, other] = trainers;
  await Promise.all([playThere(one, 1, Infinity), playThere(other, 2, 3)]);
  expect(await new Trainer(url).hear()).toContain('CAPACITY_REACHED');
  server.signal('SIGINT');
  expect((await server.finished).exit).toBe(0);
  const read = (seed: number) => readFileSync(place.path(`games/serve/game-${seed}.jsonl`), 'utf8');
  expect(read(1) === (await playHere(1))).toBe(true);
  const cut = read(2);
  expect(cut.split('\n').length).toBeGreaterThan(3);
  expect((await playHere(2)).startsWith(cut)).toBe(true);
});
