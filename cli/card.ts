/** A card as a picture: drawn by resvg, an optional package, without a browser. */
import manifest from '#manifest' with { type: 'json' };
import { createFailure, EXIT, type Failure } from '../actors/files/failure.ts';
import type { CardContents } from '../visualizer/card/contents.ts';
import type { CardShape } from '../visualizer/card/drawing.ts';
import { drawCard } from '../visualizer/card/drawing.ts';
import { listFontFiles } from '../visualizer/page/build/parts.ts';

/** Draws a card; resolves with a PNG. The same contents are the same picture, unless they need letters of this machine. */
export async function renderCard(contents: CardContents, shape: CardShape): Promise<Uint8Array> {
  const { Resvg } = await loadRenderer();
  const svg = drawCard(contents, shape);
  const font = {
    fontFiles: [...listFontFiles()],
    defaultFontFamily: 'Space Grotesk',
    loadSystemFonts: needsOtherFonts(svg),
  };
  return new Resvg(svg, { font }).render().asPng();
}

/** Whether letters beyond Latin need the fonts of this machine. */
function needsOtherFonts(svg: string): boolean {
  return /[^\n\u0020-\u024F\u1E00-\u1EFF\u2010-\u2044\u20A0-\u20BF\u2190-\u2199]/u.test(svg);
}

async function loadRenderer() {
  try {
    return await import('@resvg/resvg-js');
  } catch (error) {
    throw refuseAbsentRenderer(error);
  }
}

function refuseAbsentRenderer(error: unknown): Failure {
  const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const install = `npm install @resvg/resvg-js@${manifest.peerDependencies['@resvg/resvg-js']}`;
  const text = `a card needs a package that is optional and can't be loaded here (${why}): ${install}`;
  return createFailure(EXIT.configuration, 'export/no-card-package', text);
}
