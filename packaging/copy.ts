/** Packs both packages out of a copy of the repository, so that nobody sees the repository half packed. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { run } from './run.ts';

/** Folders of the packages, the one that others need first. */
const PACKAGES = ['checker', '.'];

export type Tarball = {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** Bytes of the tarball. */
  readonly size: number;
  /** Bytes of its files. */
  readonly unpackedSize: number;
  /** Paths within the package. */
  readonly files: readonly string[];
};

const packReport = z.tuple([
  z.object({
    filename: z.string(),
    name: z.string(),
    version: z.string(),
    size: z.number(),
    unpackedSize: z.number(),
    files: z.array(z.object({ path: z.string() })),
  }),
]);

/**
 * Packs the checker and the league into a folder.
 *
 * @param folder where the tarballs go; it is made if it is missing
 * @throws an Error with what npm printed when a package cannot be packed
 */
export function packAll(folder: string): readonly Tarball[] {
  mkdirSync(folder, { recursive: true });
  const copy = mkdtempSync(join(folder, 'repository-'));
  try {
    copyRepository(copy);
    return PACKAGES.map((name) => pack(join(copy, name), resolve(folder)));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The files that git knows or would add, and the packages that are installed. */
function copyRepository(to: string): void {
  const listed = run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], '.');
  for (const path of listed.split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(path, join(to, path));
  }
  symlinkSync(resolve('node_modules'), join(to, 'node_modules'), 'dir');
}

function pack(folder: string, destination: string): Tarball {
  const printed = run('npm', ['pack', '--json', '--pack-destination', destination], folder);
  // Scripts of the package print before npm does.
  const report = packReport.parse(JSON.parse(printed.slice(printed.search(/^\[/m))));
  const [{ filename, files, ...rest }] = report;
  return { ...rest, path: join(destination, filename), files: files.map(({ path }) => path) };
}
