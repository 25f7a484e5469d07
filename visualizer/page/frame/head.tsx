/** The head of every page: logo, title, current state and the page's round buttons. */
import type { ComponentChildren } from 'preact';
import { Button } from './panel.tsx';
import { switchTheme, theme } from './preferences.ts';

type HeadProps = {
  readonly kind?: string;
  readonly title: ComponentChildren;
  readonly now: ComponentChildren;
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
    <svg class="cube" viewBox="0 0 34 34" fill="none" stroke="var(--beam)" aria-hidden="true">
      <path d="M17 3 30 10.5V24L17 31.5 4 24V10.5Z" stroke-width="1.6" />
      <path d="M4 10.5 17 18l13-7.5M17 18v13.5" opacity=".7" />
      {inside === 'light' ? (
        <circle cx="17" cy="14.5" r="3.4" fill="var(--amber)" stroke="none" />
      ) : (
        <path d="m12.6 14.6 3.2 3.2 6-6.6" stroke="var(--amber)" stroke-width="2.4" />
      )}
    </svg>
  );
}

const PATHS = {
  lock: 'M4 7V5a4 4 0 0 1 8 0v2M3 7h10v7H3Z',
  link: 'M6.5 9.5a3 3 0 0 0 4.2 0l2.6-2.6a3 3 0 0 0-4.2-4.2L8 3.8M9.5 6.5a3 3 0 0 0-4.2 0L2.7 9.1a3 3 0 0 0 4.2 4.2L8 12.2',
  theme: 'M8 2a6 6 0 1 0 0 12 6 6 0 1 0 0-12ZM8 2v12a6 6 0 0 0 0-12Z',
  play: 'M4.5 2.5 13 8l-8.5 5.5Z',
  pause: 'M4 3v10M5.5 3v10M10.5 3v10M12 3v10',
  calls: 'M2 3h12v8H7l-3 3v-3H2ZM5 6h6M5 8.5h4',
  lanes: 'M3 2v12M8 2v12M13 2v12M3 5h3.5M6 3.5 8 5 6 6.5M8 10h3.5M11 8.5 13 10 11 11.5',
  episode: 'M2 4h12v8H2ZM5 4v8M11 4v8M2 8h3M11 8h3',
  text: 'M3.5 1.5h6l3 3v10h-9ZM9.5 1.5v3h3M6 8h4M6 11h4',
  range: 'M5 3H3v10h2M11 3h2v10h-2M6 8h4',
  enlarge: 'M6 2H2v4M10 2h4v4M2 10v4h4M14 10v4h-4',
  locate: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v3M8 12v3M1 8h3M12 8h3',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" data-icon={name} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

type ToolProps = {
  readonly icon: IconName;
  readonly label: string;
  readonly does?: string;
  /** The key that does the same. */
  readonly with?: string;
  readonly act: () => void;
};

export function Tool({ icon, label, does = label, with: key = '', act }: ToolProps) {
  const title = key === '' ? does : `${does} (${key})`;
  return <Button label={label} title={title} text={<Icon name={icon} />} act={act} />;
}

export function ThemeTool({ with: key = '' }: { readonly with?: string }) {
  return <Tool icon="theme" label={`Theme: ${theme.value}`} with={key} act={switchTheme} />;
}
