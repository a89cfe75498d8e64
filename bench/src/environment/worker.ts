import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A child process that runs one job after another. */
export interface Worker<Job, Result> {
  readonly pid: number;
  /** Runs a job; rejects when it fails, or when the process ends. */
  run(job: Job): Promise<Result>;
}

type Answer<Result> =
  | { readonly result: Result; readonly failure?: undefined }
  | { readonly failure: string };

/**
 * Starts a script that answers jobs with {@link serveJobs}.
 *
 * @param what its name in errors.
 * @param niceness its niceness, from 0 to 19 (nice(1)).
 */
export async function startWorker<Job extends object, Result>(
  what: string,
  script: string,
  stops: AsyncDisposableStack,
  niceness = 0,
): Promise<Worker<Job, Result>> {
  const child = fork(script, {
    detached: true,
    ...(niceness > 0 && { execPath: 'nice', execArgv: ['-n', String(niceness), process.execPath] }),
  });
  await once(child, 'spawn');
  const ended = once(child, 'exit');
  stops.defer(async () => {
    if (child.connected) child.disconnect();
    await ended;
  });
  return {
    pid: child.pid!,
    run: async (job) => {
      const answered = once(child, 'message');
      child.send(job);
      const [answer] = (await Promise.race([answered, ended.then(() => [{ failure: 'it ended' }])])) as [
        Answer<Result>,
      ];
      if (answer.failure !== undefined) throw new Error(`${what} failed: ${answer.failure}`);
      return answer.result;
    },
  };
}

/** Runs in the child: does each job that the parent sends, and ends with the parent. */
export function serveJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  process.on('message', (job: Job) => {
    void work(job).then(
      (result) => process.send!({ result }),
      (error: unknown) => process.send!({ failure: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}
