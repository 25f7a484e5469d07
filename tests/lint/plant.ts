/**
 * Plants forbidden code and returns the linter's remarks on it.
 *
 * The files are written beside a copy of the linter's settings in a temporary folder. One run judges all of them.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One remark of the linter. */
export type Remark = {
  readonly path: string;
  /** The line of the plant, from 1. */
  readonly line: number;
  /** The rule, such as "lint/style/noEnum"; "plugin" for a rule of our own. */
  readonly rule: string;
  /** Everything that the linter says about it. */
  readonly text: string;
};

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const HOUSE_RULES = ['biome.json', 'biome.rooms.json', 'package.json', 'tests/lint'];
const HEADING = /^(\S+?):(\d+):\d+ (lint\/\S+|plugin|parse)\b/gm;

/** Lints the files (path to source) and returns the remarks, ordered by line within each file. */
export function remarksOn(plants: Readonly<Record<string, string>>): readonly Remark[] {
  const garden = mkdtempSync(join(tmpdir(), 'glassbox-plants-'));
  try {
    for (const name of HOUSE_RULES)
      cpSync(join(ROOT, name), join(garden, name), { recursive: true });
    for (const [path, source] of Object.entries(plants)) {
      mkdirSync(dirname(join(garden, path)), { recursive: true });
      writeFileSync(join(garden, path), source);
    }
    return parsed(linted(garden, Object.keys(plants)));
  } finally {
    rmSync(garden, { recursive: true });
  }
}

function linted(garden: string, paths: readonly string[]): string {
  const biome = join(ROOT, 'node_modules/.bin/biome');
  const options = ['lint', '--colors=off', '--max-diagnostics=none'];
  const { stdout, stderr } = spawnSync(biome, [...options, ...paths], {
    cwd: garden,
    encoding: 'utf8',
  });
  if (!stdout.includes(`Checked ${paths.length} files`)) {
    throw new Error(`expected ${paths.length} plants to be looked at, found:\n${stdout}${stderr}`);
  }
  return `${stdout}\n${stderr}`;
}

function parsed(output: string): readonly Remark[] {
  const headings = [...output.matchAll(HEADING)];
  const remarks = headings.map(({ index, 1: path = '', 2: line = '0', 3: rule = '' }, at) => ({
    path,
    line: Number(line),
    rule,
    text: output.slice(index, headings[at + 1]?.index).replace(/\s+/g, ' '),
  }));
  return remarks.sort((one, other) => one.line - other.line);
}
