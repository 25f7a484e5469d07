import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replayMatch } from '../../actors/index.ts';
import { installClient } from '../support/python.ts';

const bin = installClient('mcp', 'mcp==2.3.0');

// Where everything must run, a missing client is a failure.
test.skipIf(bin === null && process.env['CI'] !== 'true')(
  'the MCP client of Python plays a whole game, and its journal replays',
  async () => {
    expect(bin).not.toBeNull();
    const out = join(mkdtempSync(join(tmpdir(), 'mcp-')), 'games');
    const script = new URL('play_mcp.py', import.meta.url).pathname;
    const glassbox = new URL('../../cli/glassbox.ts', import.meta.url).pathname;
    const server = [process.execPath, glassbox, 'serve', '--mcp', '--port', '0', '--out', out];
    const python = join(bin ?? '', 'python');
    const { stdout, stderr } = spawnSync(python, [script, ...server], { encoding: 'utf8' });
    expect(stdout, stderr).not.toBe('');
    const { turns, look, taken, wrong } = JSON.parse(stdout);
    expect(turns).toBeGreaterThan(3);
    expect(look).toMatchObject({ state: 'over', asked: null, seat: 'red' });
    expect(taken).toContain('red is not free');
    expect(wrong).toContain('no seat of this game');
    const [name = ''] = readdirSync(out);
    const journal = readFileSync(join(out, name), 'utf8');
    expect(journal.split('\n')[0]).toContain('"doors":{"red":"mcp"}');
    expect(await replayMatch(journal)).toMatchObject({ type: 'same' });
  },
);
