/** Writes the files that the published program reads at run time: pages, drawn charts, examples, the model client. */
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { MACHINES } from '../cli/chart.ts';
import { readChart } from '../visualizer/charts/chart.ts';
import { layOutChart } from '../visualizer/charts/chartLayout.ts';
import { drawChart } from '../visualizer/charts/chartSvg.ts';
import { loadBuiltPage } from '../visualizer/page/build/bundle.ts';
import { CARD_FONTS, findFont, PAGES } from '../visualizer/page/build/parts.ts';

export async function writeResources(dist: string): Promise<void> {
  // Compiled beside the code, it would hide the one of the package, and its internal names with it.
  rmSync(join(dist, 'package.json'), { force: true });
  // Minds are there to be copied from the repository: those in TypeScript would not run under node_modules.
  cpSync('examples', join(dist, 'examples'), {
    recursive: true,
    filter: (path) => !path.endsWith('minds'),
  });
  await writePrebuilt(join(dist, 'prebuilt'));
  await writeClient(join(dist, 'vendor'));
}

async function writePrebuilt(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const name of PAGES) writeFileSync(join(folder, `${name}.html`), await loadBuiltPage(name));
  for (const [name, load] of Object.entries(MACHINES)) {
    const drawing = drawChart(await layOutChart(readChart(await load())));
    writeFileSync(join(folder, `${name}.svg`), drawing);
  }
  for (const [name, source] of Object.entries(CARD_FONTS))
    copyFileSync(findFont(source), join(folder, name));
}

/** One file instead of 4,100: of the package of OpenAI only the client is needed. */
async function writeClient(folder: string): Promise<void> {
  await build({
    configFile: false,
    envFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      target: 'es2023',
      rollupOptions: {
        input: { openai: 'openai' },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
        preserveEntrySignatures: 'strict',
      },
    },
  });
  copyFileSync('node_modules/openai/LICENSE', join(folder, 'openai.LICENSE'));
}
