import { checkInterference, chooseStepper } from 'glass-box-checker';
import { expect, test } from 'vitest';
import { arbiterModel, createAdversary, seatSwap } from '../../proofs/models/arbiter.ts';
import { type ArbiterModel, tiesBySeat } from './plots.ts';

const PLOT = createAdversary(3, { world: 'free' });

function mirrored(model: ArbiterModel) {
  return checkInterference(seatSwap(chooseStepper(model).stepper, PLOT));
}

test('ruling 5: two seats exchanged, and the floor goes where it went', { timeout: 40_000 }, () => {
  expect(mirrored(arbiterModel(PLOT))).toMatchObject({ verdict: 'proved', leak: null });
});

test('planted: ties go by seat, and two runs side by side show it', () => {
  const found = mirrored(arbiterModel(PLOT, tiesBySeat));
  expect(found).toMatchObject({ verdict: 'violated', leak: { at: 'seen[0]' } });
  expect(found.leak?.bars.at(-1)?.seen.flat()).toHaveLength(2);
});
