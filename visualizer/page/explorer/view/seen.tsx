/** What somebody saw of two meetings in one step: the same, or where it parts. */
import type { ExplorerSeen } from '../../../../proofs/explorer/report.ts';

export function SeenBy({ seen: { isSame, one, other } }: { readonly seen: ExplorerSeen }) {
  if (isSame)
    return (
      <details class="seen">
        <summary>
          {one.length === 0
            ? 'The observer sees nothing of it.'
            : `The observer sees the same of both (${one.length}).`}
        </summary>
        <ol>
          {one.map((text, index) => (
            <li key={`${index}`}>
              <code>{text}</code>
            </li>
          ))}
        </ol>
      </details>
    );
  const rows = Array.from({ length: Math.max(one.length, other.length) }, (_, index) => index);
  return (
    <table class="seen">
      <caption>What the observer sees is not the same.</caption>
      <thead>
        <tr>
          <th scope="col">in the one</th>
          <th scope="col">in the other</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((index) => (
          <tr key={index} data-differs={one[index] !== other[index] || undefined}>
            <td>
              <code>{one[index] ?? 'nothing'}</code>
            </td>
            <td>
              <code>{other[index] ?? 'nothing'}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
