/** The letters of a card: Space Grotesk as TrueType, which packages bring along, under its licence. */
import { fileURLToPath } from 'node:url';
import { findPrebuilt } from './prebuilt.ts';

const FAMILY = '@expo-google-fonts/space-grotesk';

/** By what it is called in a package, where it comes from; the licence of the font lies beside it. */
export const CARD_FONTS: Readonly<Record<string, string>> = {
  'SpaceGrotesk-Regular.ttf': `${FAMILY}/400Regular/SpaceGrotesk_400Regular.ttf`,
  'SpaceGrotesk-Bold.ttf': `${FAMILY}/700Bold/SpaceGrotesk_700Bold.ttf`,
  'SpaceGrotesk.LICENSE': `${FAMILY}/LICENSE_FONT`,
};

/** Where a file of the package of fonts is. */
export function findFont(source: string): string {
  return fileURLToPath(import.meta.resolve(source));
}

/** The files of the font: of this package, or in the repository those of the one that it is taken from. */
export function listFontFiles(): readonly string[] {
  return Object.entries(CARD_FONTS)
    .filter(([name]) => name.endsWith('.ttf'))
    .map(([name, source]) => findPrebuilt(name) ?? findFont(source));
}
