/** `examples/inspect.py`: Inspect reads the logs that it writes. The test installs the real package. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { testLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder } from './shell.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/inspect.py', import.meta.url));

const READER = `
import json, sys
from inspect_ai.log import list_eval_logs, read_eval_log
for info in list_eval_logs(sys.argv[1]):
    head, log = read_eval_log(info, header_only=True), read_eval_log(info)
    metrics = {score.name: score.metrics["mean"].value for score in head.results.scores} if head.results else None
    print(json.dumps([head.eval.metadata["journal"], head.status, log.status, len(log.samples), metrics]))
`;

testLong('Inspect reads the log of a game, and of a game that breaks off', async () => {
  const cwd = aFolder({ 'read.py': READER });
  const python = (...args: readonly string[]) =>
    execFileSync(join(cwd, 'venv/bin/python'), args, { cwd, encoding: 'utf8' });
  execFileSync('python3', ['-m', 'venv', 'venv'], { cwd });
  python('-m', 'pip', 'install', '-q', 'inspect-ai==0.3.285');
  const game = ['run', '--seed', '7', '--players', '6', '--out', 'g', '-q', '--no-live'];
  expect((await warmGlassbox(game, { cwd })).exit).toBe(0);
  const lines = execFileSync('head', ['-n', '9', 'g/0001.jsonl'], { cwd, encoding: 'utf8' });
  writeFileSync(join(cwd, 'begun.jsonl'), lines);
  const [, winner = ''] =
    /"winner":"(\w+)"/.exec(readFileSync(join(cwd, 'g/0001.jsonl'), 'utf8')) ?? [];
  const words = ['report', 'g', 'begun.jsonl', '--tables', 'jsonl', '--out', 'tables'];
  expect((await warmGlassbox(words, { cwd })).exit).toBe(0);
  python(EXAMPLE, 'tables', 'logs');
  expect(['crew', 'impostors']).toContain(winner);
  const rows = python('read.py', 'logs').trim().split('\n');
  const logs = rows.map((row): unknown => JSON.parse(row)).toSorted();
  expect(logs).toEqual([
    [
      '0001.jsonl',
      'success',
      'success',
      6,
      { faults: 0, vote_accuracy: expect.any(Number), won: winner === 'crew' ? 5 / 6 : 1 / 6 },
    ],
    ['begun.jsonl', 'started', 'started', 6, null],
  ]);
});
