/** What is embedded in the document: the facts that the page was built with, and perhaps a journal. */
import type { BuildFacts, JournalSource } from '../story/pageData.ts';

export function embeddedFacts(): BuildFacts {
  const facts: BuildFacts = JSON.parse(textOf('facts') ?? 'null');
  return facts;
}

export function embeddedSource(): JournalSource {
  const text = textOf('source');
  if (text === null) return { type: 'none' };
  const source: JournalSource = JSON.parse(text);
  return source;
}

/** The text of the journal that is embedded. */
export function embeddedJournal(): Promise<string> {
  return unpacked('journal');
}

/** A text that is packed, so that nothing in it can be markup. */
export async function unpacked(id: string): Promise<string> {
  const packed = textOf(id) ?? '';
  const bytes = Uint8Array.from(atob(packed.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return await new Response(stream).text();
}

function textOf(id: string): string | null {
  return document.getElementById(id)?.textContent ?? null;
}
