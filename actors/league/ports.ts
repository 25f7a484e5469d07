import { randomUUID } from 'node:crypto';
import { realCompression } from '../ports/compression.ts';
import { findProcessSpace, realDisk } from '../ports/disk.ts';
import type { Compression, Disk, ProcessPort, TimePort, Workers } from '../ports/ports.ts';
import { realProcess } from '../ports/process.ts';
import { realWorkers } from '../ports/threads.ts';
import { realTime } from '../ports/time.ts';

export type LeaguePorts = {
  readonly process: Pick<ProcessPort, 'id' | 'host' | 'isAlive'>;
  readonly time: TimePort;
  readonly disk: Disk;
  readonly workers: Workers;
  readonly compression: Compression;
  readonly space: string;
  readonly createId: () => string;
};

export const realLeaguePorts: LeaguePorts = {
  process: realProcess,
  time: realTime,
  disk: realDisk,
  workers: realWorkers,
  compression: realCompression,
  space: findProcessSpace(),
  createId: () => randomUUID(),
};
