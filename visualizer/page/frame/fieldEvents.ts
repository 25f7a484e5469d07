import type { Signal } from '@preact/signals';

export function set<T>(target: Signal<T>, value: NoInfer<T>): () => void {
  return () => {
    target.value = value;
  };
}

export function write<T>(target: Signal<T>): (value: NoInfer<T>) => void {
  return (value) => {
    target.value = value;
  };
}

export function toggle(target: Signal<boolean>): () => void {
  return () => {
    target.value = !target.value;
  };
}

type Targeted<T> = { readonly currentTarget: T };

export function takeText<T extends string | null>(target: Signal<T | string>) {
  return ({ currentTarget }: Targeted<{ readonly value: string }>): void => {
    target.value = currentTarget.value;
  };
}

export function takeOpen(target: Signal<boolean>) {
  return ({ currentTarget }: Targeted<{ readonly open: boolean }>): void => {
    target.value = currentTarget.open;
  };
}
