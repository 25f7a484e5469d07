/** Verification of a bundle at a path: its findings, and the failures of what is no bundle of this version. */
import { availableParallelism } from 'node:os';
import { basename, dirname } from 'node:path';
import manifest from '#manifest' with { type: 'json' };
import { createFailure, EXIT, type ExitCode, nameOf } from '../../actors/files/failure.ts';
import {
  findEntry,
  findFiles,
  openBundleFile,
  openBundleText,
  openJournalText,
  refuseAbsent,
} from '../../actors/files/openFiles.ts';
import {
  BUNDLE_FILE,
  type Bundle,
  type BundleGame,
  type CompactGame,
  isCompact,
  readBundle,
} from '../../analysis/benchmark/bundle.ts';
import { openInspectors } from '../../analysis/benchmark/inspectors.ts';
import { BENCHMARK } from '../../analysis/benchmark/sizes.ts';
import {
  type BundleFinding,
  type BundleVerification,
  compareFile,
  isJournalPath,
  verifyBundle,
} from '../../analysis/benchmark/verify.ts';
import { writeEngineVersion } from '../../machines/versions.ts';
import { renderVerification } from '../../visualizer/terminal/benchmark.ts';
import { print, printJson, printNote } from '../output.ts';
import { createProgressLine } from '../progress.ts';
import { listenForStop } from '../stop.ts';
import type { VerifyFlags } from '../verifyFlags.ts';

/** A bundle, and the folder in which its files lie; null for one that stands alone. */
type OpenedBundle = {
  readonly bundle: Bundle;
  readonly folder: string | null;
  /** What its own file is called. */
  readonly name: string;
};

/** Verifies the bundle at a path, or the one of that text; returns the exit status. */
export async function verifyBundleAt(
  path: string,
  text: string | null,
  { jobs, json = false, quiet = false }: VerifyFlags,
): Promise<ExitCode> {
  const { bundle, folder, name } = await openBundle(path, text);
  const inspectors = openInspectors(jobs ?? availableParallelism());
  const progress = createProgressLine();
  const stopped = new AbortController();
  listenForStop({ sink: null, isReal: false, words: 'The verification stops' })({
    stop: () => stopped.abort(),
  });
  try {
    const verification = await verifyBundle({
      bundle,
      name,
      files: folder === null ? null : listFiles(folder),
      readFile: async (file) => await openJournalText(`${folder}/${file}`),
      inspectors,
      onProgress: (done, of) => (quiet ? undefined : progress.show(`${done} of ${of} games`)),
      isStopped: () => stopped.signal.aborted,
    });
    progress.clear();
    if (stopped.signal.aborted) {
      printNote('Interrupted: nothing is said of this bundle.');
      return EXIT.interrupted;
    }
    const made = folder === null ? [] : await checkFiles(folder, bundle, verification);
    const findings = [...verification.findings, ...made];
    report(path, bundle, { ...verification, findings }, json);
    return findings.length === 0 ? EXIT.done : EXIT.found;
  } finally {
    progress.clear();
    await inspectors.close();
  }
}

/** Opens a bundle of this version; refuses any other, and says what can verify it. */
async function openBundle(path: string, text: string | null): Promise<OpenedBundle> {
  if (text === null) refuseAbsent(path, 'a bundle');
  const isFolder = text === null && findEntry(path) === 'folder';
  const file = isFolder ? `${path}/${BUNDLE_FILE}` : path;
  const engine = writeEngineVersion(manifest.version);
  const reading = readBundle(text ?? (await openBundleText(file)), {
    benchmark: BENCHMARK,
    engine,
  });
  const place = nameOf(file);
  switch (reading.type) {
    case 'whole': {
      const games: readonly (BundleGame | CompactGame)[] = reading.bundle.games;
      const hasFiles = games.some((game) => !isCompact(game));
      const beside = isFolder ? path : dirname(path);
      const folder = isFolder || (hasFiles && text === null) ? beside : null;
      return { bundle: reading.bundle, folder, name: basename(file) };
    }
    case 'open': {
      const text = `${place}: the benchmark has not been played to its end, so there is nothing to verify: the command that began it goes on`;
      throw createFailure(EXIT.damaged, 'bundle/not-complete', text);
    }
    case 'other': {
      const [version = ''] = reading.engine.split('+');
      const text = `${place} is of ${reading.benchmark} by ${reading.engine}, and this is ${BENCHMARK} by ${engine}: games of two versions are not the same games. The version that made it can verify it:\n  npx glass-box-league@${version} verify ${path}`;
      throw createFailure(EXIT.damaged, 'bundle/other-version', text);
    }
    case 'none':
      throw createFailure(EXIT.damaged, 'bundle/not-a-bundle', `${place}: ${reading.text}`);
    default:
      return reading satisfies never;
  }
}

/** All files of a bundle, those with hidden names too. */
function listFiles(folder: string): readonly string[] {
  return findFiles('{**/*,**/.*}', folder);
}

/** Makes tables anew where all journals are sound, and holds those of the bundle against them. */
async function checkFiles(
  folder: string,
  { files, games }: Bundle,
  { findings }: BundleVerification,
): Promise<readonly BundleFinding[]> {
  const { makeBundleFiles } = await import('./files.ts');
  const isSound = findings.every(({ file }) => file === null || !isJournalPath(file));
  const made = isSound
    ? await makeBundleFiles(games, (journal) => openJournalText(`${folder}/${journal}`))
    : [];
  const there = new Set(listFiles(folder));
  const found: BundleFinding[] = [];
  for (const file of files) {
    if (!there.has(file.path)) continue;
    const own = made.find(({ path }) => path === file.path)?.bytes ?? null;
    const finding = compareFile(file, await openBundleFile(`${folder}/${file.path}`), own);
    if (finding !== null) found.push(finding);
  }
  const unnamed = made
    .filter(({ path }) => files.every((file) => file.path !== path))
    .map(({ path }) => ({
      code: 'bundle/unnamed-file',
      text: `expected the bundle to name ${path}, found that it does not`,
      file: BUNDLE_FILE,
      line: null,
      table: null,
    }));
  return [...found, ...unnamed];
}

function report(
  path: string,
  bundle: Bundle,
  verification: BundleVerification,
  json: boolean,
): void {
  const { benchmark, tested, tables } = bundle;
  const { findings, scores, played, followed } = verification;
  if (json) {
    const counts = { tables, played, followed };
    printJson({
      type: 'bundle.verification',
      v: 1,
      bundle: path,
      benchmark,
      tested,
      ...counts,
      findings,
      scores,
    });
    return;
  }
  print(renderVerification({ name: nameOf(path), bundle, verification }));
}
