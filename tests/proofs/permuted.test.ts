/** No seat is preferred: whatever is done to two seats exchanged has the floor go where it went, exchanged. */

import { checkInterference, chooseStepper } from 'glass-box-checker';
import { expect, test } from 'vitest';
import { aPlot, arbitration, freePlot } from '../../proofs/models/arbitration.ts';
import { mirrorDuet } from '../../proofs/models/mirror.ts';
import { type ArbiterModel, tiesBySeat } from './plots.ts';

const PLOT = freePlot(aPlot(3).weights);

function mirrored(model: ArbiterModel) {
  return checkInterference(mirrorDuet(chooseStepper(model).stepper, PLOT));
}

test('ruling 5: two seats exchanged, and the floor goes where it went', () => {
  expect(mirrored(arbitration(PLOT))).toMatchObject({ verdict: 'proved', leak: null });
});

test('planted: ties go by seat, and two runs side by side show it', () => {
  const found = mirrored(arbitration(PLOT, tiesBySeat));
  expect(found).toMatchObject({ verdict: 'violated', leak: { at: 'seen[0]' } });
  expect(found.leak?.bars.at(-1)?.seen.flat()).toHaveLength(2);
});
