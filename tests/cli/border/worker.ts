/**
 * Tries strange files at doors, one after the other in this process, and prints a line of JSON for each try.
 *
 * Arguments: the folder to work in, the bytes of a large file, and the doors (default: all). Everything that a
 * command starts or leaves behind ends with this process.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runCaught } from '../caught.ts';
import { DOORS, type Role } from './doors.ts';
import { makeGoods, namingFiles } from './goods.ts';
import { isReadAs, KINDS, type Laid } from './kinds.ts';

export type Tried = {
  readonly door: string;
  readonly kind: string;
  readonly isRead: boolean;
  readonly exit: number;
  /** The first characters of the output, and its full length. */
  readonly out: string;
  readonly err: string;
  readonly length: number;
  readonly ms: number;
  /** Peak memory of this process so far, in megabytes. */
  readonly peak: number;
};

const [root = '', large = '', ...named] = process.argv.slice(2);
const KEPT = 4000;
const NOBODY = 65_534;
const LONGEST_LINK = 4000;

process.chdir(root);
process.setMaxListeners(0);
const report = process.stdout.write.bind(process.stdout);

type Printed = { out: string; err: string; length: number };

/** Runs a command line. For a served page, only the address is checked. */
async function run(words: readonly string[]): Promise<Printed & { readonly exit: number }> {
  const kept = { out: 0, err: 0 };
  let length = 0;
  try {
    const finished = await runCaught(words, (text, side) => {
      length += text.length;
      if (text.includes('Ctrl-C ends it.') && !text.startsWith('Waiting')) setTimeout(stop, 20);
      const part = kept[side] < KEPT ? text.slice(0, KEPT) : '';
      kept[side] += part.length;
      return part;
    });
    return { ...finished, length };
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
  }
}

function stop(): void {
  process.emit('SIGINT');
}

/** Runs as another user, because root ignores file permissions. Without root, the current user will do. */
async function asNobody<T>(act: () => Promise<T>): Promise<T> {
  const own = process.geteuid?.() ?? NOBODY;
  if (own !== 0) return await act();
  process.seteuid?.(NOBODY);
  try {
    return await act();
  } finally {
    process.seteuid?.(own);
  }
}

const PATIENCE_MS = 300_000;

function giveUp(tried: string): never {
  report(`${JSON.stringify({ stuck: tried })}\n`);
  process.exit(1);
}

async function tryKind(
  door: string,
  kind: (typeof KINDS)[number],
  goods: Readonly<Record<Role, Buffer>>,
): Promise<Tried> {
  const { role, words } = DOORS[door] ?? { role: 'journal', words: () => [] };
  const folder = mkdtempSync(join(root, 'try-'));
  const place = { folder, role, good: goods[role], large: Number(large) };
  let laid: Laid | null = null;
  const start = performance.now();
  try {
    laid = kind.lay(place);
    const { path } = laid;
    for (const [name, text] of Object.entries(namingFiles(path))) writeFileSync(name, text);
    // The try before this one may have completed the game.
    writeFileSync('open.jsonl', goods['open journal']);
    rmSync('linked', { recursive: true, force: true });
    mkdirSync('linked');
    if (path.length < LONGEST_LINK) symlinkSync(resolve(path), 'linked/0001.jsonl');
    // Names a command that never ends.
    const watch = setTimeout(() => giveUp(`${door}: ${kind.name}`), PATIENCE_MS);
    const act = () => run(words(path)).finally(() => clearTimeout(watch));
    const tried = await (kind.isForbidden === true ? asNobody(act) : act());
    const isRead = isReadAs(kind, place);
    const ms = Math.round(performance.now() - start);
    const peak = Math.round(process.resourceUsage().maxRSS / 1024);
    return { door, kind: kind.name, isRead, ...tried, ms, peak };
  } finally {
    laid?.end?.();
    rmSync(folder, { recursive: true, force: true });
    for (const name of LEFT) rmSync(name, { recursive: true, force: true });
  }
}

const LEFT = [
  'played',
  'met.jsonl',
  'games',
  'new.db',
  'p.db',
  'fork.jsonl',
  'page.html',
  'league.html',
];

const goods = await makeGoods(root, run);
for (const door of named.length === 0 ? Object.keys(DOORS) : named) {
  for (const kind of KINDS) {
    const tried = await tryKind(door, kind, goods);
    report(`${JSON.stringify(tried)}\n`);
  }
}
process.exit(0);
