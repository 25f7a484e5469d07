/** The head of every page: the box, whose page it is, what it shows now, and the few things that concern all of it. */
import type { ComponentChildren } from 'preact';

export type HeadProps = {
  /** What kind of page it is, beside the name of the league; '' for journals. */
  readonly kind?: string;
  readonly title: ComponentChildren;
  readonly now: ComponentChildren;
  /** What is in the box: a light, or the sign of a check. */
  readonly inside?: 'light' | 'check';
  readonly tools: ComponentChildren;
  readonly children?: ComponentChildren;
};

export function Head({ kind = '', title, now, inside = 'light', tools, children }: HeadProps) {
  return (
    <header class="bar">
      <Box inside={inside} />
      <h1>
        <span class="league">The Glass Box League{kind === '' ? '' : ` · ${kind}`}</span>
        {title}
      </h1>
      <p class="now">{now}</p>
      {children}
      <div class="tools">{tools}</div>
    </header>
  );
}

function Box({ inside }: { readonly inside: 'light' | 'check' }) {
  return (
    <svg class="cube" viewBox="0 0 34 34" aria-hidden="true">
      <path
        d="M17 3 30 10.5V24L17 31.5 4 24V10.5Z"
        fill="none"
        stroke="var(--beam)"
        stroke-width="1.6"
      />
      <path
        d="M4 10.5 17 18l13-7.5M17 18v13.5"
        fill="none"
        stroke="var(--beam)"
        stroke-width="1"
        opacity=".7"
      />
      {inside === 'light' ? (
        <circle cx="17" cy="14.5" r="3.4" fill="var(--amber)" />
      ) : (
        <path d="m12.6 14.6 3.2 3.2 6-6.6" fill="none" stroke="var(--amber)" stroke-width="2.4" />
      )}
    </svg>
  );
}
