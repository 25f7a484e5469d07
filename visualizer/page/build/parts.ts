import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const PAGES = ['page', 'play', 'league', 'explorer'] as const;
export type PageName = (typeof PAGES)[number];

/** JSON that can't end the element that it is in. */
export function embedJson(id: string, json: string): string {
  const safe = json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028');
  return `<script type="application/json" id="${id}">${safe}</script>`;
}

export function readPrebuilt(name: string): string | null {
  try {
    return readFileSync(placeOf(name), 'utf8');
  } catch {
    return null;
  }
}

function placeOf(name: string): string {
  return fileURLToPath(new URL(`../../../prebuilt/${name}`, import.meta.url));
}

const FAMILY = '@expo-google-fonts/space-grotesk';

export const CARD_FONTS: Readonly<Record<string, string>> = {
  'SpaceGrotesk-Regular.ttf': `${FAMILY}/400Regular/SpaceGrotesk_400Regular.ttf`,
  'SpaceGrotesk-Bold.ttf': `${FAMILY}/700Bold/SpaceGrotesk_700Bold.ttf`,
  'SpaceGrotesk.LICENSE': `${FAMILY}/LICENSE_FONT`,
};

export function findFont(source: string): string {
  return fileURLToPath(import.meta.resolve(source));
}

export function listFontFiles(): readonly string[] {
  return Object.entries(CARD_FONTS)
    .filter(([name]) => name.endsWith('.ttf'))
    .map(([name, source]) => (existsSync(placeOf(name)) ? placeOf(name) : findFont(source)));
}
