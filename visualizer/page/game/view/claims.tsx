/** Claims under a message, marked against the truth with a sign and in words. */
import type { JudgedClaim } from '../../../../analysis/claims.ts';
import { describeClaim, describeTruth } from '../story/feed.ts';

export function Claims({ claims }: { readonly claims: readonly JudgedClaim[] }) {
  if (claims.length === 0) return null;
  return (
    <ul class="claims" aria-label="What is true of this message">
      {claims.map((claim, index) => (
        <li key={index} data-truth={claim.truth}>
          <span aria-hidden="true">{claim.truth === 'true' ? '✓' : '✗'}</span>
          <span class="vh">{claim.truth === 'true' ? 'True: ' : 'Not true: '}</span>
          {describeClaim(claim)} · <b>{describeTruth(claim)}</b>
        </li>
      ))}
    </ul>
  );
}
