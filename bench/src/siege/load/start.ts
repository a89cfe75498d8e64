import { fileURLToPath } from 'node:url';
import { startWorker, type Worker } from '../../environment/worker.ts';
import type { OpenLoad, OpenResult } from './open-load.ts';

/** A process that sends open loads, one after another. */
export type OpenGenerator = Worker<OpenLoad, OpenResult>;

/** Starts one. */
export function startOpenGenerator(stops: AsyncDisposableStack): Promise<OpenGenerator> {
  const script = fileURLToPath(new URL('open-generator.ts', import.meta.url));
  return startWorker('An open-loop generator', script, stops);
}
