/** The manifest of a published package, made from the one in the repository. */
import { z } from 'zod';

const stringMap = z.record(z.string(), z.string());

/** The fields of `package.json` that change; the rest is copied. */
const repositoryManifest = z.looseObject({
  exports: stringMap,
  imports: stringMap.optional(),
  bin: stringMap.optional(),
});

/** Of use in the repository alone: the bundled Node.js, and everything for development. */
const NOT_PUBLISHED = [
  'private',
  'workspaces',
  'scripts',
  'devDependencies',
  'optionalDependencies',
  'overrides',
];

/** Compiled files need zstd in `node:zlib`; sources need a Node.js that strips types, which is newer. */
const ENGINES = { node: '^22.15 || >=23.8' };

/** Internal names that lead elsewhere in a package: the client of models is bundled. */
const BUNDLED: Readonly<Record<string, string>> = { '#openai': './dist/vendor/openai.js' };

/** Exports lead to compiled files and their types. Throws a ZodError if they or imports do not map names to files. */
export function createPublishedManifest(text: string): Readonly<Record<string, unknown>> {
  const { exports, imports, bin, ...rest } = repositoryManifest.parse(JSON.parse(text));
  const kept = Object.entries(rest).filter(([key]) => !NOT_PUBLISHED.includes(key));
  return {
    ...Object.fromEntries(kept),
    engines: ENGINES,
    ...(bin === undefined ? {} : { bin: mapValues(bin, compilePath) }),
    ...(imports === undefined ? {} : { imports: { ...imports, ...BUNDLED } }),
    exports: {
      ...mapValues(exports, (source) => {
        const path = compilePath(source);
        return { types: path.replace(/\.js$/, '.d.ts'), default: path };
      }),
      './package.json': './package.json',
    },
  };
}

function mapValues<T>(
  map: Readonly<Record<string, string>>,
  change: (value: string) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
}

/** The compiled path of a source. JavaScript files keep their path. */
function compilePath(source: string): string {
  return source.endsWith('.ts')
    ? source.replace(/^\.\//, './dist/').replace(/\.ts$/, '.js')
    : source;
}
