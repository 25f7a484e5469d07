/** The claims of a game about places, judged line by line for pages, which would have to load the reader. */
import { type JudgedClaim, judgeTestimony } from '../analysis/claims/whereabouts.ts';
import { type Lens, throughGlass } from '../machines/journal/lens.ts';
import type { Line } from '../machines/journal/lines.ts';
import { findPlaceClaims } from '../prompts/claims/reading.ts';
import { lensOverSteps, type SteppedLine } from './charts/moves.ts';

/** Finds the claims that are known to be true or false. Give it every line in order. */
export function judgeClaims() {
  const judge = judgeTestimony<never>(findPlaceClaims);
  return (line: Line): { readonly claims?: readonly JudgedClaim[] } => {
    const claims = judge(throughGlass(line));
    const known = claims.filter(({ truth }) => truth !== 'unverifiable');
    return known.length === 0 ? {} : { claims: known };
  };
}

export function seeWithClaims(lines: readonly Line[], lens: Lens): readonly SteppedLine[] {
  const [judge, { cut }] = [judgeClaims(), lensOverSteps(lens)];
  return lines.flatMap((line) => cut(line, judge(line)) ?? []);
}
