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
  const stream = new Blob([readBase64(packed.trim())]).stream();
  // Decoded as it comes, and not by a Response: long journals are there in half the time.
  const parts = stream.pipeThrough(new DecompressionStream('gzip')).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await parts.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
}

/** In a loop: journals have millions of letters, and `Uint8Array.from` takes twenty times as long. */
function readBase64(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let index = 0; index < letters.length; index++) bytes[index] = letters.charCodeAt(index);
  return bytes;
}

function readElementText(id: string): string | null {
  return document.getElementById(id)?.textContent ?? null;
}
