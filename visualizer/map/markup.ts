/** Markup: the pieces of SVG that the parts of the map share. */

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export function group(attributes: string, content: readonly string[]): string {
  return `<g${attributes === '' ? '' : ` ${attributes}`}>${content.join('')}</g>`;
}

export function title(text: string): string {
  return `<title>${escaped(text)}</title>`;
}
