/** A worker thread that plays one record of offline minds with changes. */
import { serveTasks } from '../../actors/jobs/pool.ts';
import { startData } from '../../actors/ports/threads.ts';
import { WhatIf } from '../../actors/replay/whatIf.ts';
import { type ChangedPlay, type PlayPlan, playChanged } from './plays.ts';

const { journal, standIns } = startData<PlayPlan>();
const whole = { ...journal, damages: [], damageCount: 0, isTorn: false };
const record = WhatIf.open(whole, { models: null, standIns });

serveTasks((play: ChangedPlay) => playChanged(record, play));
