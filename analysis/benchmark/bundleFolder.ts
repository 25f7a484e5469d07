/** Opens and verifies a bundle together with the files of its folder. */
import { hash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { createFailure, EXIT, nameOf } from '../../actors/files/failure.ts';
import { findEntry, openBundleFile, openText, refuseAbsent } from '../../actors/files/openFiles.ts';
import { listFolder } from '../../actors/ports/reading.ts';
import { quoteWord } from '../../machines/text.ts';
import { writeEngineVersion } from '../../machines/versions.ts';
import { BUNDLE_FILE, type Bundle, isCompact, JOURNALS, readBundle } from './bundle.ts';
import type { ReportWriter } from './files.ts';
import { BENCHMARK } from './sizes.ts';
import {
  type BundleFinding,
  type BundleVerification,
  type VerifyBundleOptions,
  verifyBundle,
} from './verify.ts';

/** A bundle and the folder of its files, or null for a bundle without files. */
export type OpenedBundle = {
  readonly bundle: Bundle;
  readonly folder: string | null;
  readonly name: string;
};

/** Opens the bundle at a path, or the one in `text`. Throws a `Failure` for another version. */
export async function openBundle(
  path: string,
  text: string | null,
  version: string,
): Promise<OpenedBundle> {
  if (text === null) refuseAbsent(path, 'a bundle');
  const isFolder = text === null && findEntry(path) === 'folder';
  const file = isFolder ? `${path}/${BUNDLE_FILE}` : path;
  const engine = writeEngineVersion(version);
  const place = nameOf(file);
  const reading = readBundle(text ?? (await openText(file, 'bundle')), {
    benchmark: BENCHMARK,
    engine,
  });
  const refuse = (code: string, refusal: string) => createFailure(EXIT.damaged, code, refusal);
  if (reading.type === 'none') throw refuse('bundle/not-a-bundle', `${place}: ${reading.text}`);
  if (reading.type === 'open') {
    const refusal = `${place}: the benchmark is not finished, so it cannot be verified. To finish it, run the command that began it again`;
    throw refuse('bundle/not-complete', refusal);
  }
  if (reading.type === 'other') {
    // A bundle may name any package, and a pasted command would run it.
    const [other] = /^\d+\.\d+\.\d+(?=\+|$)/.exec(reading.engine) ?? ['VERSION'];
    const refusal = `${place} is of ${nameOf(reading.benchmark)} by ${nameOf(reading.engine)}, and this is ${BENCHMARK} by ${engine}: games of two versions are not the same games. The version that made it can verify it:\n  npx glass-box-league@${other} verify ${quoteWord(path)}`;
    throw refuse('bundle/other-version', refusal);
  }
  const hasFiles = reading.bundle.games.some((game) => !isCompact(game));
  const beside = isFolder ? path : dirname(path);
  const folder = isFolder || (hasFiles && text === null) ? beside : null;
  return { bundle: reading.bundle, folder, name: basename(file) };
}

export async function verifyOpenedBundle(
  { bundle, folder, name }: OpenedBundle,
  options: Pick<VerifyBundleOptions, 'inspectors' | 'onProgress' | 'isStopped'>,
  writer: ReportWriter,
): Promise<BundleVerification> {
  const verification = await verifyBundle({
    ...options,
    bundle,
    name,
    files: folder === null ? null : listFolder(folder).files,
    readFile: async (file) => await openText(`${folder}/${file}`, 'game'),
  });
  if (folder === null || options.isStopped?.()) return verification;
  const made = await checkMadeFiles(folder, bundle, verification, writer);
  return { ...verification, findings: [...verification.findings, ...made] };
}

/** If all journals are sound, makes the tables again and compares them with the bundle's. */
async function checkMadeFiles(
  folder: string,
  { files, games }: Bundle,
  { findings }: BundleVerification,
  writer: ReportWriter,
): Promise<readonly BundleFinding[]> {
  const { makeBundleFiles } = await import('./files.ts');
  const isSound = findings.every(({ file }) => file?.startsWith(`${JOURNALS}/`) !== true);
  const made = isSound
    ? await makeBundleFiles(games, (journal) => openText(`${folder}/${journal}`, 'game'), writer)
    : [];
  const { files: paths, others } = listFolder(folder);
  const there = new Set(paths);
  const found: BundleFinding[] = others.map((file) => {
    const text = 'expected a file or nothing, found a link, a pipe or a device';
    return { code: 'bundle/extra-file', text, file, line: null, table: null };
  });
  const seen = new Set<string>();
  for (const file of files) {
    if (!there.has(file.path)) continue;
    if (isSound && (seen.has(file.path) || made.every(({ path }) => path !== file.path))) {
      const text = 'expected no such file: "benchmark" makes none of this name';
      found.push({ code: 'bundle/extra-file', text, file: file.path, line: null, table: null });
    }
    seen.add(file.path);
    const own = made.find(({ path }) => path === file.path)?.bytes ?? null;
    const finding = compareFile(file, await openBundleFile(`${folder}/${file.path}`), own);
    if (finding !== null) found.push(finding);
  }
  for (const { path } of made) {
    if (files.some((file) => file.path === path)) continue;
    const text = `expected the bundle to name ${path}, found that it does not`;
    found.push({ code: 'bundle/unnamed-file', text, file: BUNDLE_FILE, line: null, table: null });
  }
  return found;
}

function compareFile(
  { path, sha256 }: Bundle['files'][number],
  there: Uint8Array,
  made: Uint8Array | null,
): BundleFinding | null {
  const found = hash('sha256', there, 'hex');
  const nowhere = { line: null, table: null };
  const expected = made === null ? sha256 : hash('sha256', made, 'hex');
  if (found !== expected) {
    const why =
      made === null ? 'it was changed after it was written' : 'it does not match the journals';
    const text = `${why}: expected the hash ${expected}, found ${found}`;
    return { ...nowhere, code: 'bundle/other-file', text, file: path };
  }
  if (found === sha256) return null;
  const text = `it matches the journals, but the bundle names another hash: expected ${found}, found ${sha256}`;
  return { ...nowhere, code: 'bundle/other-hash', text, file: BUNDLE_FILE };
}
