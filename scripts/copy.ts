/** Packs both packages out of a copy of the repository, so that the repository is never half packed. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
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
 * @param packages folders of the packages; both unless given
 * @throws an Error with what npm printed when a package cannot be packed
 */
export function packAll(
  folder: string,
  packages: readonly string[] = PACKAGES,
): readonly Tarball[] {
  mkdirSync(folder, { recursive: true });
  const copy = mkdtempSync(join(folder, 'repository-'));
  try {
    copyRepository(copy);
    return packages.map((name) => pack(join(copy, name), resolve(folder)));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The files that git knows or would add, and the packages that are installed. */
function copyRepository(to: string): void {
  const listed = run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], '.');
  // Git lists files that were deleted, too, until that is committed.
  for (const path of listed.split('\0').filter((name) => name !== '' && existsSync(name))) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(path, join(to, path));
  }
  symlinkSync(resolve('node_modules'), join(to, 'node_modules'), 'dir');
}

function pack(folder: string, destination: string): Tarball {
  const printed = run('npm', ['pack', '--json', '--pack-destination', destination], folder);
  const [{ filename, files, ...rest }] = findPackReport(printed);
  return { ...rest, path: join(destination, filename), files: files.map(({ path }) => path) };
}

/**
 * The report in what `npm pack --json` printed: the last lines that are one. Scripts of the package print there, too.
 *
 * @throws an Error with all that was printed when there is none
 */
export function findPackReport(printed: string): z.infer<typeof packReport> {
  const lines = printed.split(/\r?\n/);
  for (let from = lines.length - 1; from >= 0; from -= 1) {
    if (!lines[from]?.startsWith('[')) continue;
    for (let to = lines.length; to > from; to -= 1) {
      if (!lines[to - 1]?.endsWith(']')) continue;
      const report = packReport.safeParse(parseJson(lines.slice(from, to).join('\n')));
      if (report.success) return report.data;
    }
  }
  throw new Error(`expected a report of npm pack, found:\n${printed}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
