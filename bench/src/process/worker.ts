import { once } from 'node:events';
import { parentPort, Worker } from 'node:worker_threads';

/** Runs one job after another in a thread of its own. Rejects with the error of a job that fails; the thread has then ended. */
export type Run<Job, Result> = (job: Job) => Promise<Result>;

/** Starts a script that answers jobs with {@link serveJobs}. */
export function startWorker<Job, Result>(script: URL, stops: AsyncDisposableStack): Run<Job, Result> {
  const worker = new Worker(script);
  stops.defer(async () => void (await worker.terminate()));
  return async (job) => {
    worker.postMessage(job);
    const [result] = await once(worker, 'message');
    return result;
  };
}

/** Runs in the thread: does each job that arrives. */
export function serveJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  parentPort!.on('message', async (job: Job) => parentPort!.postMessage(await work(job)));
}
