import { startData } from '../ports/threads.ts';
import { GameJob, type RunPlan } from './gameJob.ts';
import { serveJobs } from './pool.ts';

const plan = startData<RunPlan>();
serveJobs((game: number) => new GameJob(plan, game));
