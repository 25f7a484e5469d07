/** The self-test on the meeting: the shortcuts that the checker takes there lead where the long way does. */

import { TRIALS } from 'glass-box-checker/selftest';
import { describe, expect, test } from 'vitest';
import { SELFTEST } from '../../cli/check/modes.ts';
import { SEED } from '../machines/builders.ts';

const OF_THE_MEETING = SELFTEST.filter((trial) => !TRIALS.includes(trial));

describe(`seed ${SEED}`, () => {
  test.each(OF_THE_MEETING)('$name: $sentence', ({ run }) => {
    expect(run(SEED)).toMatchObject({ isPassed: true });
  });
});
