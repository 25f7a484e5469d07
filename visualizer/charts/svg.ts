export const SANS = "system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif";

export type DrawnPoint = Readonly<{ x: number; y: number }>;

export interface DrawnBox extends DrawnPoint {
  readonly width: number;
  readonly height: number;
}

export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export function drawGroup(attributes: string, content: readonly string[]): string {
  return `<g${attributes === '' ? '' : ` ${attributes}`}>${content.join('')}</g>`;
}

export function drawTitle(text: string): string {
  return `<title>${escapeXml(text)}</title>`;
}

type Shades = Readonly<Record<string, readonly [light: string, dark: string]>>;

export function listColours(name: string, prefix: string, shades: Shades): readonly string[] {
  const list = (scheme: 0 | 1) =>
    Object.entries(shades)
      .map(([shade, values]) => `--${prefix}-${shade}:${values[scheme]}`)
      .join(';');
  return [`.${name}{${list(0)}}`, `@media(prefers-color-scheme:dark){.${name}{${list(1)}}}`];
}
