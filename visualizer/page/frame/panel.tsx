/** Building blocks of pages, and `memo`, which redraws a part only when its properties have changed. */
import type { Signal } from '@preact/signals';
import {
  Component,
  type ComponentChild,
  type ComponentChildren,
  type ComponentType,
  type RefObject,
} from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { set, write } from './fieldEvents.ts';

type PanelProps = {
  readonly id: string;
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly isCurrent?: boolean;
  readonly grows?: boolean | undefined;
  readonly isFolded?: boolean;
  readonly hiddenIn?: readonly string[] | undefined;
  readonly children: ComponentChildren;
};

export function Panel(props: PanelProps) {
  const { id, title, aside, isCurrent, grows, isFolded, hiddenIn, children } = props;
  return (
    <section
      class="panel"
      id={id}
      aria-labelledby={`${id}-title`}
      data-current={isCurrent || undefined}
      data-grows={grows || undefined}
      data-folded={isFolded || undefined}
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
  readonly class?: 'scroll' | 'wide';
  readonly children: ComponentChildren;
};

export function Scroll({ label, box, class: style = 'scroll', children }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard.
    <section class={style} ref={box ?? null} tabIndex={0} aria-label={label}>
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
      <Choice names={names} chosen={current.value} onChoose={write(current)} texts={texts} />
    </nav>
  );
}

type ChoiceProps<Name extends string> = {
  readonly names: readonly Name[];
  readonly chosen: Name | null;
  readonly onChoose: (name: Name) => void;
  readonly texts?: Readonly<Partial<Record<Name, string>>> | undefined;
  readonly titles?: Readonly<Partial<Record<Name, string>>>;
  readonly isOff?: (name: Name) => boolean;
  readonly class?: string;
};

export function Choice<Name extends string>(props: ChoiceProps<Name>) {
  const { names, chosen, onChoose, texts, titles, isOff, class: style } = props;
  return (
    <>
      {names.map((name) => (
        <Button
          key={name}
          class={style}
          text={texts?.[name] ?? name}
          title={titles?.[name]}
          isOn={chosen === name}
          isOff={isOff?.(name)}
          act={() => onChoose(name)}
        />
      ))}
    </>
  );
}

type ButtonProps = {
  readonly text: ComponentChildren;
  readonly act: () => void;
  readonly class?: string | undefined;
  /** What it does, in words, if the text does not say it. */
  readonly label?: string;
  readonly title?: string | undefined;
  readonly isOn?: boolean;
  readonly isOff?: boolean | undefined;
};

export function Button(props: ButtonProps) {
  const { text, act, class: style, label, title = label, isOn, isOff } = props;
  return (
    <button
      type="button"
      class={style}
      aria-label={label}
      aria-pressed={isOn}
      title={title}
      disabled={isOff}
      onClick={act}
    >
      {text}
    </button>
  );
}

type SelectProps<Name extends string> = {
  readonly label: string;
  /** Only screen readers get the label. */
  readonly isBare?: boolean;
  readonly class?: string;
  readonly value: Name | undefined;
  readonly options: readonly (readonly [name: Name, text: string])[];
  readonly onChoose: (name: Name) => void;
};

export function Select<Name extends string>(props: SelectProps<Name>) {
  const { label, isBare, class: style, value, options, onChoose } = props;
  return (
    <label class={style}>
      <span class={isBare === true ? 'vh' : undefined}>{label}</span>
      <select
        value={value}
        onChange={({ currentTarget: { selectedIndex } }) => {
          const chosen = options[selectedIndex];
          if (chosen !== undefined) onChoose(chosen[0]);
        }}
      >
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

type LinesProps = Readonly<{ texts: readonly string[]; class?: string; label?: string }>;

export function Lines({ texts, class: style, label }: LinesProps) {
  if (texts.length === 0) return null;
  return (
    <ul class={style} aria-label={label}>
      {texts.map((text, index) => (
        <li key={index}>{text}</li>
      ))}
    </ul>
  );
}

export function ColumnTitles({ names }: { readonly names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

export function useMeasure<Box extends HTMLElement>(
  measure: (box: Box) => void,
): RefObject<Box | null> {
  const box = useRef<Box>(null);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    measure(current);
    const watch = new ResizeObserver(() => measure(current));
    watch.observe(current);
    return () => watch.disconnect();
  }, []);
  return box;
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

/** A text that screen readers read out and nobody sees, or a notice for everybody, which goes first. */
export function Announced({ text, notice = '' }: Readonly<{ text: string; notice?: string }>) {
  return (
    <p class={notice === '' ? 'vh' : 'notice'} role="status">
      {notice || text}
    </p>
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
