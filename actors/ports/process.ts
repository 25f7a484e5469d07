/** The process of this program. */
import type { ProcessPort } from './ports.ts';

export const realProcess: ProcessPort = {
  id: process.pid,
  environment: process.env,
  exit: (code) => process.exit(code),
};
