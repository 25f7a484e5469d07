import { test } from 'vitest';
import { gameMachine } from '../../machines/charts/game.ts';
import { readChart } from '../../visualizer/charts/chart.ts';
import { layOutChart } from '../../visualizer/charts/chartLayout.ts';
import { drawChart } from '../../visualizer/charts/chartSvg.ts';
import { expectGolden } from '../support/golden.ts';

test('docs/game.svg is drawn from the machine', async () => {
  const picture = drawChart(await layOutChart(readChart(gameMachine)));
  expectGolden('docs/game.svg', `${picture.trimEnd()}\n`);
});
