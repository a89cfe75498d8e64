import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Load, LoadResult } from './load.ts';

/** The process that sends requests. */
export interface LoadGenerator {
  readonly pid: number;
  run(load: Load): Promise<LoadResult>;
}

/** Starts the load generator; it is the same process for all loads, so that all find it equally warm. */
export async function startLoadGenerator(stops: AsyncDisposableStack): Promise<LoadGenerator> {
  const child = fork(fileURLToPath(new URL('generator.ts', import.meta.url)), { detached: true });
  await once(child, 'spawn');
  const ended = once(child, 'exit');
  stops.defer(async () => {
    if (child.connected) child.disconnect();
    await ended;
  });
  return {
    pid: child.pid!,
    run: async (load) => {
      const answered = once(child, 'message');
      child.send(load);
      const [answer] = (await Promise.race([answered, ended.then(() => [{ failure: 'it ended' }])])) as [
        Answer,
      ];
      if (answer.failure !== undefined) throw new Error(`The load generator failed: ${answer.failure}`);
      return answer.result;
    },
  };
}

type Answer = { readonly result: LoadResult; readonly failure?: undefined } | { readonly failure: string };
