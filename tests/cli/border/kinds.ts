/** Strange files, made for a role if its content matters. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { rowsOf, textOf } from '../../actors/engine/journal/records.ts';
import { tieToThisProcess } from '../../support/tied.ts';
import type { Role } from './doors.ts';

export type Place = {
  readonly folder: string;
  readonly role: Role;
  readonly good: Buffer;
  /** Bytes of a large file. */
  readonly large: number;
};

/** A path and the function that cleans it up. */
export type Laid = { readonly path: string; readonly end?: () => void };

type Kind = {
  readonly name: string;
  readonly lay: (place: Place) => Laid;
  /** Whether the command accepts the content. Otherwise any error sentence will do. */
  readonly isRead?: boolean;
  /** Whether a user other than root tries it, because root ignores file permissions. */
  readonly isForbidden?: boolean;
};

const MODULE_NAME = 'x.mjs';

/** The path of a file. The file extension identifies a module. */
function pathIn({ folder, role }: Place): string {
  return join(folder, role === 'module' ? MODULE_NAME : 'x');
}

function lay(place: Place, content: Buffer | string): Laid {
  const path = pathIn(place);
  writeFileSync(path, content);
  return { path };
}

const content = (name: string, make: (place: Place) => Buffer | string, isRead = false): Kind => ({
  name,
  lay: (place) => lay(place, make(place)),
  isRead,
});

const known = (name: string, path: string): Kind => ({ name, lay: () => ({ path }) });

function runBeside(line: string, folder: string): () => void {
  const child = spawn('/bin/sh', ['-c', line], { cwd: folder, stdio: 'ignore', detached: true });
  tieToThisProcess(child);
  return () => {
    if (child.pid === undefined || child.exitCode !== null) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  };
}

function pipe(place: Place, line: string): Laid {
  const path = pathIn(place);
  writeFileSync(join(place.folder, 'good'), place.good);
  const end = runBeside(
    `mkfifo ${JSON.stringify(path)} && ${line} > ${JSON.stringify(path)}`,
    place.folder,
  );
  while (statSync(path, { throwIfNoEntry: false }) === undefined) Atomics.wait(TICK, 0, 0, 2);
  return { path, end };
}

const TICK = new Int32Array(new SharedArrayBuffer(4));

function filled(large: number, line: string): Buffer {
  return Buffer.alloc(large, line);
}

/** Many members that each unpack to a lot: 16 MB of zeros compress to 16 kB. */
function bomb(pack: (bytes: Buffer) => Buffer, large: number): Buffer {
  const member = pack(Buffer.alloc(16 * 1024 * 1024));
  return Buffer.concat(new Array<Buffer>(Math.ceil((8 * large) / (16 * 1024 * 1024))).fill(member));
}

function utf16(good: Buffer, isBig: boolean): Buffer {
  const text = Buffer.from(`\uFEFF${good.toString('utf8')}`, 'utf16le');
  return isBig ? text.swap16() : text;
}

const withBreaks = (good: Buffer, rowBreak: string) =>
  good.toString('utf8').replaceAll('\n', rowBreak);

const isText = ({ role }: Place) => role !== 'store' && role !== 'folder';

export const KINDS: readonly Kind[] = [
  { name: 'what is expected', lay: layGood, isRead: true },
  known('nothing', 'nowhere'),
  { name: 'a link that leads round in a circle', lay: (place) => linked(place, pathIn(place)) },
  { name: 'a link to nothing', lay: (place) => linked(place, 'nowhere') },
  {
    name: 'a link to what is expected',
    isRead: true,
    lay: (place) => {
      const { path } = layGood({ ...place, folder: place.folder });
      const link = join(place.folder, place.role === 'module' ? 'link.mjs' : 'link');
      symlinkSync(path, link);
      return { path: link };
    },
  },
  { name: 'a pipe that is written to', lay: (place) => pipe(place, 'cat good') },
  { name: 'a pipe that nothing is written to', lay: (place) => pipe(place, ':') },
  {
    name: 'a pipe that is written to slowly',
    lay: (place) => pipe(place, '(head -c 100 good; sleep 0.2; tail -c +101 good)'),
  },
  {
    name: 'a socket',
    lay: (place) => {
      const path = pathIn(place);
      const server = createServer().listen(path);
      server.unref();
      return { path, end: () => server.close() };
    },
  },
  known('a device without an end', '/dev/zero'),
  known('a device with nothing in it', '/dev/null'),
  known('a device of chance', '/dev/urandom'),
  known('a file that is another one at each look', '/proc/self/status'),
  { name: 'a folder', lay: ({ folder }) => ({ path: folder }) },
  {
    name: 'a path below a file',
    lay: (place) => ({ path: join(lay(place, place.good).path, 'y') }),
  },
  known('a long name', 'x'.repeat(300)),
  known('a long path', 'x/'.repeat(5000)),
  {
    name: 'a name with a line break',
    isRead: true,
    lay: (place) => renamed(place, 'a\nglassbox: fooled'),
  },
  {
    name: 'a name that steers a terminal',
    isRead: true,
    lay: (place) => renamed(place, 'a\x1b[2J\x07\u202eb'),
  },
  {
    name: 'a file without permission',
    isForbidden: true,
    lay: (place) => {
      const laid = layGood(place);
      chmodSync(laid.path, 0);
      return laid;
    },
  },
  {
    name: 'a file in a folder without permission',
    isForbidden: true,
    lay: (place) => {
      const laid = layGood(place);
      chmodSync(place.folder, 0);
      return { ...laid, end: () => chmodSync(place.folder, 0o755) };
    },
  },
  content('gzip', ({ good }) => gzipSync(good), true),
  content('zstd', ({ good }) => zstdCompressSync(good), true),
  content(
    'gzip in two pieces',
    ({ good }) => Buffer.concat([gzipSync(good.subarray(0, 99)), gzipSync(good.subarray(99))]),
    true,
  ),
  content('gzip that breaks off', ({ good }) => gzipSync(good).subarray(0, -20)),
  content('zstd that breaks off', ({ good }) => zstdCompressSync(good).subarray(0, -20)),
  content('gzip with a wrong byte', ({ good }) => withWrongByte(gzipSync(good))),
  content('gzip in gzip', ({ good }) => gzipSync(gzipSync(good))),
  content('gzip that unpacks to gigabytes', ({ large }) => bomb(gzipSync, large)),
  content('zstd that unpacks to gigabytes', ({ large }) => bomb(zstdCompressSync, large)),
  content('the two bytes of gzip alone', () => Buffer.from([0x1f, 0x8b])),
  content('zip', ({ good }) => Buffer.concat([Buffer.from('PK\x03\x04'), good])),
  content('a picture', () => Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')),
  content('a mark of UTF-8', ({ good }) => Buffer.concat([Buffer.from('\uFEFF'), good]), true),
  content('UTF-16, little end first', ({ good }) => utf16(good, false), true),
  content('UTF-16, big end first', ({ good }) => utf16(good, true), true),
  content('line feeds of Windows', ({ good }) => withBreaks(good, '\r\n'), true),
  content('carriage returns alone', ({ good }) => withBreaks(good, '\r'), true),
  content('NUL bytes', () => Buffer.alloc(5000)),
  content('a NUL byte in the middle', ({ good }) =>
    Buffer.concat([good.subarray(0, 50), Buffer.of(0), good.subarray(50)]),
  ),
  content('bytes that are no UTF-8', ({ good }) =>
    Buffer.concat([good.subarray(0, 50), Buffer.of(0xff, 0xc0, 0x80), good.subarray(50)]),
  ),
  content('one line without an end', ({ large }) => filled(large, 'x')),
  content(
    'one string without an end',
    ({ large }) => `{"channel":"living","type":"${'x'.repeat(large)}`,
  ),
  content('lines of words', ({ large }) =>
    filled(large, 'hello: world, this is no line of anything\n'),
  ),
  content('lines of objects', ({ large }) =>
    filled(large, '{"channel":"living","seq":0,"type":"x","hash":"aa"}\n'),
  ),
  content('lines of closed objects', ({ large }) => filled(large, '{}\n')),
  content('blank lines', ({ large }) => filled(Math.min(large, 20_000_000), '\n')),
  { name: 'a file of a terabyte, most of it a hole', lay: layHole },
  content('nothing at all', () => ''),
  content('a line break', () => '\n'),
  content('a text that breaks off', ({ good }) => good.subarray(0, -30)),
  content('another format', ({ good }) =>
    good.toString('utf8').replace('"format":1', '"format":99'),
  ),
  content('an earlier header', ({ good }) =>
    good.toString('utf8').replace('match.opened', 'journal.opened'),
  ),
  content('the same twice', ({ good }) => Buffer.concat([good, good])),
  content('an array', () => '[1, 2, 3]\n'),
  content('a null', () => 'null\n'),
  content('deep nesting', ({ large }) => `${'['.repeat(large / 100)}\n`),
  content('deep nesting with keys', () => `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}\n`),
  content('deep nesting of blocks', () =>
    Array.from({ length: 3000 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''),
  ),
  content('huge numbers', ({ good }) => good.toString('utf8').replace(/[0-9]+/g, '1e999')),
  content('numbers of many digits', ({ good }) =>
    good.toString('utf8').replace(/[0-9]+/, '9'.repeat(100_000)),
  ),
  content(
    'names of what objects have',
    () => '{"__proto__":{"x":1},"constructor":{"prototype":1},"toString":1}\n',
  ),
  content('names that multiply', () =>
    [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...Array.from(
        'bcdefghij',
        (name, index) => `${name}: &${name} [${`*${'abcdefghij'[index]},`.repeat(9)}]`,
      ),
    ].join('\n'),
  ),
  content('a journal', () => OTHERS.journal()),
  content('a match', () => OTHERS.match()),
  { name: 'a store', lay: (place) => ({ path: copied(place, OTHERS.store()) }) },
  {
    name: 'a file that grows while it is read',
    lay: (place) => {
      const laid = lay(place, place.good);
      const end = runBeside(
        `yes hello | head -c ${place.large} >> ${JSON.stringify(laid.path)}`,
        place.folder,
      );
      return { ...laid, end };
    },
  },
  {
    name: 'a file that is emptied and removed while it is read',
    lay: (place) => {
      const laid = lay(place, Buffer.concat(new Array<Buffer>(50).fill(place.good)));
      const emptying = setTimeout(() => writeFileSync(laid.path, ''), 1);
      const removing = setTimeout(() => rmSync(laid.path, { force: true }), 2);
      const end = () => {
        for (const timer of [emptying, removing]) clearTimeout(timer);
      };
      return { ...laid, end };
    },
  },
];

/** Valid content for other roles, set by the caller that made it. */
export const OTHERS = {
  journal: (): Buffer => Buffer.of(),
  match: (): string => '',
  store: () => '',
};

function copied(place: Place, from: string): string {
  const path = pathIn(place);
  copyFileSync(from, path);
  return path;
}

function linked(place: Place, to: string): Laid {
  const path = pathIn(place);
  symlinkSync(to, path);
  return { path };
}

/** A folder or a store is not text, so it is copied. */
function layGood(place: Place): Laid {
  if (place.role === 'store') return { path: copied(place, OTHERS.store()) };
  if (place.role !== 'folder') return lay(place, place.good);
  const path = pathIn(place);
  cpSync(join(dirname(OTHERS.store()), 'journals'), path, { recursive: true });
  return { path };
}

function renamed(place: Place, name: string): Laid {
  const folder = join(place.folder, 'named');
  mkdirSync(folder);
  const { path } = layGood({ ...place, folder });
  const to = join(folder, `${name}${place.role === 'module' ? '.mjs' : ''}`);
  cpSync(path, to, { recursive: true });
  return { path: to };
}

function withWrongByte(packed: Buffer): Buffer {
  const at = Math.floor(packed.length / 2);
  packed[at] = (packed[at] ?? 0) ^ 0xff;
  return packed;
}

/** A sparse file: it takes no disk space and reads as a terabyte of NUL bytes. */
function layHole(place: Place): Laid {
  const path = pathIn(place);
  const file = openSync(path, 'w');
  writeSync(file, place.good);
  ftruncateSync(file, 2 ** 40);
  closeSync(file);
  return { path };
}

export function isReadAs({ isRead = false, name }: Kind, place: Place): boolean {
  const isWhole =
    ['what is expected', 'a link to what is expected'].includes(name) || name.startsWith('a name');
  return (
    isRead &&
    (isWhole || (isText(place) && place.role !== 'module' && place.role !== 'open journal'))
  );
}

export function halfOf(journal: Buffer): Buffer {
  const rows = rowsOf(journal.toString('utf8'));
  return Buffer.from(textOf(rows.slice(0, Math.floor(rows.length / 2))));
}
