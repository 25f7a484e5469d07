/**
 * The table of replies of real endpoints. Docs and tests refer to rows by number. The tests say how the client
 * reads each.
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
