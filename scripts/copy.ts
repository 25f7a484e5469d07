/** Packs both packages out of a copy of the repository, so that the repository is never half packed. */
import { cpSync, existsSync, mkdirSync, mkdtempDisposableSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { run } from './run.ts';

/** Folders of the packages, the one that others need first. */
const PACKAGES = ['checker', '.'];

const packReport = z.tuple([
  z.object({
    filename: z.string(),
    name: z.string(),
    version: z.string(),
    size: z.number().describe('Bytes of the tarball'),
    files: z.array(z.object({ path: z.string() })),
  }),
]);

/** `files` are paths within the package. */
export type Tarball = Omit<z.infer<typeof packReport>[0], 'filename' | 'files'> & {
  readonly path: string;
  readonly files: readonly string[];
};

/** Packs packages into a folder, which is made if it is missing. Throws what npm printed if one cannot be packed. */
export function packAll(
  folder: string,
  packages: readonly string[] = PACKAGES,
): readonly Tarball[] {
  mkdirSync(folder, { recursive: true });
  using copy = mkdtempDisposableSync(join(folder, 'repository-'));
  copyRepository(copy.path);
  return packages.map((name) => pack(join(copy.path, name), resolve(folder)));
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
  // Otherwise the scripts of the package print to standard output, too.
  const quietly = ['--json', '--foreground-scripts=false', '--pack-destination', destination];
  const printed = run('npm', ['pack', ...quietly], folder);
  const [{ filename, files, ...rest }] = packReport.parse(JSON.parse(printed));
  return { ...rest, path: join(destination, filename), files: files.map(({ path }) => path) };
}
