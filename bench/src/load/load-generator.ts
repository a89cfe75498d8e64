import { fileURLToPath } from 'node:url';
import { startWorker, type Worker } from '../environment/worker.ts';
import type { Load, LoadResult } from './load.ts';

/** The process that sends requests. */
export type LoadGenerator = Worker<Load, LoadResult>;

/** Starts the load generator; it is the same process for all loads, so that all find it equally warm. */
export function startLoadGenerator(stops: AsyncDisposableStack): Promise<LoadGenerator> {
  return startWorker('The load generator', fileURLToPath(new URL('generator.ts', import.meta.url)), stops);
}
