import { formatCount } from '../../../machines/text.ts';

const PERCENT = 100;
const LEAST_P = 0.001;

export function points({ least, most }: { readonly least: number; readonly most: number }): string {
  return `${least.toFixed(0)}–${most.toFixed(0)}`;
}

export function signed(share: number): string {
  const value = PERCENT * share;
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
}

export function chance(p: number): string {
  return p < LEAST_P ? `p < ${LEAST_P}` : `p = ${p.toFixed(3)}`;
}

export function logOdds(share: number): string {
  const value = Math.log(share / (1 - share));
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
}

const GROUPED = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const TINY = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });
const SMALL = 0.1;
const SHORT = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

export function short(value: number): string {
  if (Math.abs(value) >= PERCENT) return GROUPED.format(value);
  return (Math.abs(value) < SMALL ? TINY : SHORT).format(value);
}

export function dollars(microdollars: number): string {
  const value = microdollars / 1e6;
  return `$${value.toFixed(value < 1 ? 4 : 2)}`;
}

export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export function humanise(name: string): string {
  return name.replaceAll('_', ' ');
}

/** "impostors kills" as people say it; a game that nobody won has only its reason. */
export function endingOf(ending: string): string {
  return humanise(ending.replace(/^(crew|impostors) /, '$1 by '));
}
