/** A worker thread that inspects games of the benchmark. */
import { serveTasks } from '../../actors/jobs/pool.ts';
import { inspectGame } from './inspect.ts';

serveTasks(inspectGame);
