/** The picture of a game's statechart is that of the machine that runs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { gameMachine } from '../../machines/charts/game.ts';
import { readChart } from '../../visualizer/charts/chart.ts';
import { layOutChart } from '../../visualizer/charts/chartLayout.ts';
import { drawChart } from '../../visualizer/charts/chartSvg.ts';

const PICTURE = fileURLToPath(new URL('../../docs/game.svg', import.meta.url));

test('docs/game.svg is drawn from the machine: GOLDEN=write draws it again', async () => {
  const picture = `${drawChart(await layOutChart(readChart(gameMachine))).trimEnd()}\n`;
  if (process.env['GOLDEN'] === 'write') writeFileSync(PICTURE, picture);
  expect(readFileSync(PICTURE, 'utf8') === picture).toBe(true);
});
