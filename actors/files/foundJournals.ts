import { createFailure, EXIT, type ExitCode, Failure, nameOf } from './failure.ts';
import { findEntry, findFiles, refuseAbsent } from './openFiles.ts';

export type FoundJournals = Readonly<ReturnType<typeof findJournals>>;

export function findJournals(paths: readonly string[]) {
  const folders = new Map<string, readonly string[]>();
  const files = paths.flatMap((path) => {
    if (path === '-') return [path];
    refuseAbsent(path, 'a journal or a folder');
    if (findEntry(path) !== 'folder') return [path];
    const found = journalsInFolder(path);
    folders.set(path, found);
    return found;
  });
  return { files, folders, isOne: files.length === 1 && files[0] === paths[0] };
}

function journalsInFolder(folder: string): readonly string[] {
  const names = findFiles('**/*.jsonl{,.gz,.zst}', folder);
  if (names.length > 0) return names.map((name) => `${folder.replace(/\/+$/, '')}/${name}`);
  const text = `expected journals (*.jsonl, *.jsonl.gz, *.jsonl.zst) in ${nameOf(folder)}, found none`;
  throw createFailure(EXIT.noInput, 'input/no-journals', text);
}

/** Of many journals, only each first note is reported. The gravest exit wins: our mistake, damage, a missing file. */
export function refuseJournals(refused: readonly Failure[], isOne: boolean): Failure {
  const has = (exit: ExitCode) => refused.some((one) => one.exit === exit);
  const gravest = has(EXIT.internal) ? EXIT.internal : has(EXIT.damaged) ? EXIT.damaged : null;
  const [first] = refused;
  return new Failure(
    gravest ?? first?.exit ?? EXIT.damaged,
    refused.flatMap(({ notes }) => (isOne ? notes : notes.slice(0, 1))),
    isOne ? (first?.unlisted ?? 0) : 0,
  );
}
