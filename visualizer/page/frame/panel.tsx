/** A pane of the glass box: a heading and what is in it. */
import type { ComponentChildren } from 'preact';

export type PanelProps = {
  readonly id: string;
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
};

export function Panel({ id, title, aside, children }: PanelProps) {
  return (
    <section class="panel" id={id} aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        {aside === undefined ? null : <div class="aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}

/** Says that a lens hides something, without saying what. */
export function Hidden({ children }: { readonly children: ComponentChildren }) {
  return <p class="hidden">{children}</p>;
}
