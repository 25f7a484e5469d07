/** Tools: the round buttons of a head. Each says in words what it does, and with which key. */
import type { ComponentChildren } from 'preact';
import { isHelpOpen } from './help.tsx';
import { Icon } from './icon.tsx';
import { nextTheme, theme } from './look.ts';

export type ToolProps = {
  /** What it is called; what is shown of it is a picture. */
  readonly label: string;
  /** What it does, where the label does not say it. */
  readonly does?: string;
  /** The key that does the same; '' for none. */
  readonly with?: string;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
};

export function Tool({ label, does = label, with: key = '', onClick, children }: ToolProps) {
  return (
    <button
      type="button"
      title={key === '' ? does : `${does} (${key})`}
      aria-label={label}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

export function LinkTool(props: Omit<ToolProps, 'children'>) {
  return (
    <Tool {...props}>
      <Icon name="link" />
    </Tool>
  );
}

export function ThemeTool({ with: key = '' }: { readonly with?: string }) {
  return (
    <Tool label={`Theme: ${theme.value}`} with={key} onClick={nextTheme}>
      <Icon name="theme" />
    </Tool>
  );
}

export function HelpTool() {
  return (
    <Tool
      label="Help"
      with="?"
      onClick={() => {
        isHelpOpen.value = true;
      }}
    >
      ?
    </Tool>
  );
}
