/** Ink: a piece of text with its styles. Colours only decorate: every word is readable without them. */
import { styleText } from 'node:util';

export type Style = Extract<Parameters<typeof styleText>[0], string>;
export type Ink = { readonly text: string; readonly styles: readonly Style[] };

export function ink(text: string, ...styles: readonly Style[]): Ink {
  return { text, styles };
}

/** A space that lines are not broken at. */
export const GLUE: Ink = ink(' ');

/** Words that stay on one line. */
export function glued(text: string, ...styles: readonly Style[]): readonly Ink[] {
  return text
    .split(' ')
    .flatMap((word, index) =>
      index === 0 ? [ink(word, ...styles)] : [GLUE, ink(word, ...styles)],
    );
}

/** Whether two pieces look the same. */
export function alike(one: Ink, other: Ink): boolean {
  return one.styles.join() === other.styles.join();
}

/** The text as a terminal takes it. The caller has decided about colours; the environment isn't asked again. */
export function painted(inks: readonly Ink[], colour: boolean): string {
  if (!colour) return inks.map(({ text }) => text).join('');
  return inks
    .map(({ text, styles }) =>
      styles.length === 0 ? text : styleText([...styles], text, { validateStream: false }),
    )
    .join('');
}
