/** What pages are put together from; and `memo`, which draws a part again only when its properties have changed. */
import type { Signal } from '@preact/signals';
import {
  Component,
  type ComponentChild,
  type ComponentChildren,
  type ComponentType,
  type RefObject,
} from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { set } from './handlers.ts';

type PanelProps = {
  readonly id: string;
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly isCurrent?: boolean;
  readonly grows?: boolean | undefined;
  /** Situations that hide the panel by style. */
  readonly hiddenIn?: readonly string[] | undefined;
  readonly children: ComponentChildren;
};

export function Panel({ id, title, aside, isCurrent, grows, hiddenIn, children }: PanelProps) {
  return (
    <section
      class="panel"
      id={id}
      aria-labelledby={`${id}-title`}
      data-current={isCurrent || undefined}
      data-grows={grows || undefined}
      data-hidden-in={hiddenIn?.join(' ')}
    >
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        {aside === undefined ? null : <div class="aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}

type ScrollProps = {
  readonly label: string;
  readonly box?: RefObject<HTMLElement | null>;
  readonly children: ComponentChildren;
};

export function Scroll({ label, box, children }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard.
    <section class="scroll" ref={box ?? null} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

type PaneTabsProps<Name extends string> = {
  readonly names: readonly Name[];
  readonly current: Signal<Name>;
  readonly texts?: Readonly<Partial<Record<Name, string>>>;
};

export function PaneTabs<Name extends string>({ names, current, texts }: PaneTabsProps<Name>) {
  return (
    <nav class="tabs" aria-label="Panes">
      {names.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={current.value === name}
          onClick={set(current, name)}
        >
          {texts?.[name] ?? name}
        </button>
      ))}
    </nav>
  );
}

type DialogProps = Readonly<{ name: string; isOpen: Signal<boolean>; children: ComponentChildren }>;

/** A dialog over the page; its heading has the id "name-title". */
export function Dialog({ name, isOpen, children }: DialogProps) {
  const sheet = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen.value) sheet.current?.showModal();
    else sheet.current?.close();
  }, [isOpen.value]);
  return (
    <dialog ref={sheet} class={name} aria-labelledby={`${name}-title`} onClose={set(isOpen, false)}>
      {children}
    </dialog>
  );
}

export function Hidden({ children }: { readonly children: ComponentChildren }) {
  return <p class="hidden">{children}</p>;
}

/** Compares properties one by one. A property must not be mutated, and `draw` must read no signals. */
export function memo<Props extends object>(
  draw: (props: Props) => ComponentChild,
): ComponentType<Props> {
  return class Still extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      return !areEqual(this.props, next);
    }
    override render(): ComponentChild {
      return draw(this.props);
    }
  };
}

function areEqual<Props extends object>(one: Props, other: Props): boolean {
  for (const name in one) if (!Object.is(one[name], other[name])) return false;
  for (const name in other) if (!(name in one)) return false;
  return true;
}
