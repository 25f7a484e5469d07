/** What became of mutants, as tables for docs/source-mutants.md, and what is wrong with the list of survivors. */
import type { JudgedMutant, MutantOutcome } from './judge.ts';
import type { Survivors } from './survivors.ts';

/** All mutants of a source. */
export type JudgedSource = { readonly path: string; readonly judged: readonly JudgedMutant[] };

/** Sentences about mutants that live without a reason, and about reasons for what does not live. */
export function listGaps(
  sources: readonly JudgedSource[],
  survivors: readonly Survivors[],
): readonly string[] {
  return sources.flatMap(({ path, judged }) => {
    const explained = survivors
      .filter((one) => one.path === path)
      .flatMap(({ mutants }) => [...mutants]);
    const open = judged
      .filter(({ outcome }) => outcome.type === 'alive')
      .filter(({ mutant }) => !explained.includes(mutant.name))
      .map(({ mutant }) => `${path}:${mutant.line} is noticed by nothing: ${mutant.name}`);
    const lies = judged
      .filter(({ outcome }) => outcome.type !== 'alive')
      .filter(({ mutant }) => explained.includes(mutant.name))
      .map(
        ({ mutant, outcome }) =>
          `${path}:${mutant.line} is said to live and does not (${fateOf(outcome)}): ${mutant.name}`,
      );
    return [...open, ...lies];
  });
}

/** Reasons for mutants that there are none of, and mutants that are explained twice. */
export function listStaleReasons(
  names: ReadonlyMap<string, readonly string[]>,
  survivors: readonly Survivors[],
): readonly string[] {
  const seen = new Set<string>();
  return survivors.flatMap(({ path, why, mutants }) =>
    mutants.flatMap((name) => {
      const key = `${path}: ${name}`;
      const isTwice = seen.has(key);
      seen.add(key);
      if (isTwice) return [`explained twice: ${key}`];
      if (why.trim() === '') return [`explained by nothing: ${key}`];
      return names.get(path)?.includes(name) === true ? [] : [`there is no such mutant: ${key}`];
    }),
  );
}

function fateOf(outcome: MutantOutcome): string {
  return 'by' in outcome ? `${outcome.type} ${outcome.by}` : outcome.type;
}

/** A row for each source, and one for all. */
export function renderCounts(sources: readonly JudgedSource[]): string {
  const all = sources.flatMap(({ judged }) => judged);
  const rows = [
    ...sources.map(({ path, judged }) => renderRow(`\`${path}\``, judged)),
    renderRow('all', all),
  ];
  const titles = [
    'file',
    'mutants',
    'refused by the compiler',
    'can’t be loaded',
    'noticed by a test',
    'by a proof only',
    'live, explained',
    'by proofs, of those drawn',
  ];
  return [`| ${titles.join(' | ')} |`, `|${titles.map(() => '---').join('|')}|`, ...rows, ''].join(
    '\n',
  );
}

function renderRow(title: string, judged: readonly JudgedMutant[]): string {
  const count = (type: MutantOutcome['type']) =>
    judged.filter(({ outcome }) => outcome.type === type).length;
  const drawn = judged.filter(({ sampled }) => sampled !== undefined);
  const proved = drawn.filter(({ sampled }) => sampled !== null);
  const cells = [
    title,
    judged.length,
    count('refused'),
    count('throws'),
    count('test'),
    count('proof'),
    count('alive'),
    `${proved.length} of ${drawn.length}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** What lives, a row for each reason. */
export function renderSurvivors(survivors: readonly Survivors[]): string {
  const rows = survivors.map(({ path, why, mutants }) => {
    const names = mutants.map((name) => coded(name)).join('<br>');
    return `| \`${path}\` | ${names} | ${why.replaceAll('|', '\\|')} |`;
  });
  return ['| file | broken | why nothing notices |', '|---|---|---|', ...rows, ''].join('\n');
}

function coded(name: string): string {
  const text = name.replaceAll('|', '\\|');
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
