/**
 * The page: lays blocks out in lines of a given width.
 *
 * Every text passes through here, and is cleaned here: nothing that a player wrote reaches the terminal another way.
 */
import { clean } from './clean.ts';
import { GLUE, type Ink, ink, painted } from './ink.ts';
import { columns } from './width.ts';
import { sizeOf, wrapped } from './wrap.ts';

export type Block =
  | { readonly type: 'blank' }
  | { readonly type: 'banner'; readonly title: string }
  /** `lead` stands in front of the first line, and the others are indented by as much. It is never wrapped. */
  | { readonly type: 'paragraph'; readonly lead: readonly Ink[]; readonly text: readonly Ink[] };

export type Page = { readonly width: number; readonly colour: boolean };

/** What belongs to a tick stands below it, behind the column of the numbers. */
export const NUMBER_WIDTH = 4;
export const INDENT = ' '.repeat(NUMBER_WIDTH + 2);

/** Longer lines are hard to read, however wide the window is. */
const WIDEST = 110;
/** Below this nothing can be laid out; the terminal may wrap. */
const NARROWEST = 24;

export function blank(): Block {
  return { type: 'blank' };
}

export function banner(title: string): Block {
  return { type: 'banner', title };
}

export function paragraph(lead: readonly Ink[], text: readonly Ink[]): Block {
  return { type: 'paragraph', lead, text };
}

/** The lines of a block. */
export function laidOut(block: Block, { width, colour }: Page): readonly string[] {
  const most = Math.min(WIDEST, Math.max(NARROWEST, width));
  switch (block.type) {
    case 'blank':
      return [''];
    case 'banner': {
      const title = `── ${clean(block.title)} `;
      const rule = '─'.repeat(Math.max(0, most - columns(title)));
      return [painted([ink(title, 'bold'), ink(rule, 'dim')], colour)];
    }
    case 'paragraph':
      return hanging(cleaned(block.lead), cleaned(block.text), { width: most, colour });
    default:
      return block satisfies never;
  }
}

function hanging(lead: readonly Ink[], text: readonly Ink[], page: Page): readonly string[] {
  const indent = sizeOf(lead);
  const room = page.width - indent;
  if (room < LEAST_ROOM) return hanging([NARROW_LEAD], [...lead, ink(' '), ...text], page);
  return wrapped(text, room).map((line, index) =>
    painted([...(index === 0 ? lead : [ink(' '.repeat(indent))]), ...line], page.colour),
  );
}

/** Columns that a text needs beside its lead; a longer lead is wrapped with the text. */
const LEAST_ROOM = 14;
const NARROW_LEAD = ink(INDENT);

/** Each piece is cleaned between its outer spaces: leads are aligned with those, and they are our own. */
function cleaned(inks: readonly Ink[]): readonly Ink[] {
  return inks.map((each) => {
    if (each === GLUE) return each;
    const { text, styles } = each;
    const inner = text.replace(/^ +| +$/gu, '');
    const start = text.indexOf(inner);
    const end = ' '.repeat(text.length - start - inner.length);
    return { text: `${' '.repeat(start)}${clean(inner)}${end}`, styles };
  });
}
