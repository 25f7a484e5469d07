/**
 * The table: replies of endpoints as they were met, each with the number under which docs and tests speak of it.
 *
 * A row says how an endpoint misbehaves; what the client makes of it is said by the tests.
 */
import type { Step } from './case.ts';
import { FAILING } from './failing.ts';
import { HOSTED } from './hosted.ts';
import { LOCAL } from './local.ts';
import { REFUSING } from './refusing.ts';
import { SHAPES } from './shapes.ts';
import { WRITING } from './writing.ts';

export const TABLE: Readonly<Record<string, readonly Step[]>> = {
  ...REFUSING,
  ...WRITING,
  ...FAILING,
  ...LOCAL,
  ...HOSTED,
  ...SHAPES,
};
