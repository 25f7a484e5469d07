/** A long text as it is, with a title: whatever was written stays text. */

export function Text({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <figure class="text">
      <figcaption>{title}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}
