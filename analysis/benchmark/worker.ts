/** A worker that inspects games of the benchmark, one after the other, as they are handed to it. */
import { serveTasks } from '../../actors/jobs/pool.ts';
import { inspectGame } from './inspect.ts';

serveTasks(inspectGame);
