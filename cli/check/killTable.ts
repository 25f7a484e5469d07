/** The kill table: every mutant, and what became of it, as Markdown. It is `docs/mutants.md`. */
import type { MeetingMutant, Tried } from './mutation.ts';

export function killTable(all: readonly Tried[]): string {
  return `# Mutants

Everything in the meeting that can be broken by itself, and the promise that notices first. \`glassbox check --mutants\`
tries them all, and \`tests/proofs/mutants.test.ts\` does; with \`GOLDEN=write\` it writes this page. A mutant that lives has
a reason, or it would be a gap in the promises. ${killed(all)} are killed.

## The chart

Guards are turned round, actions left out, transitions never taken, or taken without moving. ${killed(of(all, 'chart'))}
are killed.

${table(of(all, 'chart'))}

## The rules

One mistake in one rule, in the chart as it is: \`proofs/models/misrules.ts\` has them. ${killed(of(all, 'rule'))} are
killed.

${table(of(all, 'rule'))}
`;
}

function of(all: readonly Tried[], kind: MeetingMutant['kind']): readonly Tried[] {
  return all.filter((one) => one.kind === kind);
}

export function killed(all: readonly Tried[]): string {
  return `${all.filter(({ fate }) => fate !== null).length} of ${all.length}`;
}

function table(all: readonly Tried[]): string {
  const rows = all.map(({ name, fate, excuse }) => {
    const what = name.replaceAll('|', '\\|');
    return fate === null
      ? `| ${what} | lives | ${excuse ?? 'nobody noticed'} |`
      : `| ${what} | \`${fate.by}\` | ${fate.world} |`;
  });
  return ['| broken | noticed by | in |', '|---|---|---|', ...rows].join('\n');
}
