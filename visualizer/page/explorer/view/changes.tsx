/** The fields that a step changed: what each was, and what it is. */
import type { ExplorerChange } from '../../../../proofs/explorer/report.ts';

export function Changes({ changes }: { readonly changes: readonly ExplorerChange[] }) {
  return (
    <ul class="changes" aria-label="Changed fields">
      {changes.map(({ path, was, is }) => (
        <li key={path}>
          <code>{path}</code>
          {is === '' ? null : (
            <>
              <del>{was}</del>
              <span aria-hidden="true"> → </span>
              <ins>{is}</ins>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
