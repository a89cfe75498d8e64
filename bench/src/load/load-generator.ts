import { fileURLToPath } from 'node:url';
import { startWorker, type Worker } from '../environment/worker.ts';
import type { Load, LoadResult } from './load.ts';

/** The process that sends requests. */
export type LoadGenerator = Worker<Load, LoadResult>;

/** Starts the load generator; one process for all loads, so that it is equally warm for each. */
export function startLoadGenerator(stops: AsyncDisposableStack): Promise<LoadGenerator> {
  return startWorker('The load generator', fileURLToPath(new URL('generator.ts', import.meta.url)), stops);
}
