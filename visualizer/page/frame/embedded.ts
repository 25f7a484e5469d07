/** What is embedded in the document: the facts that the page was built with, and perhaps a journal. */
import type { BuildFacts, JournalSource } from '../game/story/pageData.ts';

export function readEmbeddedFacts(): BuildFacts {
  const facts: BuildFacts = JSON.parse(readElementText('facts') ?? 'null');
  return facts;
}

export function readEmbeddedSource(): JournalSource {
  const text = readElementText('source');
  if (text === null) return { type: 'none' };
  const source: JournalSource = JSON.parse(text);
  return source;
}

/** The text of the journal that is embedded. */
export function unpackJournal(): Promise<string> {
  return unpackText('journal');
}

/** A text that is packed, so that nothing in it can be markup; '' where there is none. */
export async function unpackText(id: string): Promise<string> {
  const packed = readElementText(id);
  if (packed === null) return '';
  const bytes = Uint8Array.from(atob(packed.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return await new Response(stream).text();
}

function readElementText(id: string): string | null {
  return document.getElementById(id)?.textContent ?? null;
}
