import type { BuildFacts, JournalSource } from '../game/story/pageData.ts';

export function readEmbeddedFacts(): BuildFacts {
  return JSON.parse(readElementText('facts') ?? 'null');
}

export function readEmbeddedSource(): JournalSource {
  const text = readElementText('source');
  return text === null ? { type: 'none' } : JSON.parse(text);
}

/** Unpacks a text that was packed to contain no markup; '' if missing. */
export async function unpackText(id: string): Promise<string> {
  const parts: string[] = [];
  for await (const part of unpackParts(id)) parts.push(part);
  return parts.join('');
}

/** The rows of a packed text as they arrive, the last one without a line end. */
export async function* unpackRows(id: string): AsyncGenerator<readonly string[], void, undefined> {
  let rest = '';
  for await (const part of unpackParts(id)) {
    const rows = `${rest}${part}`.split('\n');
    rest = rows.pop() ?? '';
    yield rows;
  }
  yield [rest];
}

/** Decoded in pieces and not by a Response, because long journals load in half the time. */
async function* unpackParts(id: string): AsyncGenerator<string, void, undefined> {
  const packed = readElementText(id);
  if (packed === null) return;
  const { readable, writable } = new DecompressionStream('gzip');
  // The reader reports a damaged text.
  writeParts(writable.getWriter(), readBase64(packed.trim())).catch(() => {});
  const parts = readable.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await parts.read();
    yield decoder.decode(value, { stream: !done });
    if (done) return;
  }
}

const PART_BYTES = 65_536;

async function writeParts(
  writer: WritableStreamDefaultWriter<BufferSource>,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  for (let from = 0; from < bytes.length; from += PART_BYTES)
    await writer.write(bytes.subarray(from, from + PART_BYTES));
  await writer.close();
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
